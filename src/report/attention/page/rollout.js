// Attention rollout (Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers"): the
// product over the layers, from the first up, of (mean over heads + identity) with rows normalized to
// sum 1. A layer without a residual has no identity. A decoder begins with the token that each of its tokens repeats,
// and takes half from the encoder's rollout where it attends to it.
const rollout = (() => {
  let upTo = [];  // one promise per layer

  function layerStep(mean, residual) {
    const matrix = Float32Array.from(mean);
    for (let row = 0; row < tokenCount; ++row) {
      if (residual) matrix[row * tokenCount + row] += 1;
      const values = matrix.subarray(row * tokenCount, (row + 1) * tokenCount);
      const sum = values.reduce((total, value) => total + value, 0);
      values.forEach((value, i) => { values[i] = value / sum; });
    }
    return matrix;
  }

  function product(a, b) {
    const result = new Float32Array(tokenCount * tokenCount);
    for (let row = 0; row < tokenCount; ++row) {
      const out = result.subarray(row * tokenCount, (row + 1) * tokenCount);
      for (let k = 0; k < tokenCount; ++k) {
        const factor = a[row * tokenCount + k];
        if (factor === 0) continue;
        const start = k * tokenCount;
        for (let column = 0; column < tokenCount; ++column) out[column] += factor * b[start + column];
      }
    }
    return result;
  }

  // The last layer of the encoder, before the first of the decoder.
  const lastOfEncoder = () => data.kinds.indexOf("decoder") - 1;

  async function across(layer) {
    const fromEncoder = product(await matrixOf(layer, "mean"), await of(lastOfEncoder()));
    const before = await of(layer - 1);
    return fromEncoder.map((value, i) => (value + before[i]) / 2);
  }

  function repeats() {
    const matrix = new Float32Array(tokenCount * tokenCount);
    for (let row = 0; row < tokenCount; ++row) matrix[row * tokenCount + (row + tokenCount - 1) % tokenCount] = 1;
    return matrix;
  }

  async function compute(layer) {
    if (kindOf(layer) === "cross") return across(layer);
    const matrix = layerStep(await matrixOf(layer, "mean"), data.residuals[layer]);
    if (kindOf(layer) === "decoder" && kindOf(layer - 1) === "encoder") return product(matrix, repeats());
    return layer === 0 ? matrix : product(matrix, await of(layer - 1));
  }

  const of = (layer) => (upTo[layer] ??= compute(layer));
  return { of, forget() { upTo = []; } };
})();
