// Attention rollout (Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers"): the
// product over the layers, from the first up, of (mean over heads + identity) with rows normalized to
// sum 1. A layer without a residual has no identity.
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

  async function compute(layer) {
    const matrix = layerStep(await matrixOf(layer, "mean"), data.residuals[layer]);
    return layer === 0 ? matrix : product(matrix, await of(layer - 1));
  }

  const of = (layer) => (upTo[layer] ??= compute(layer));
  return { of, forget() { upTo = []; } };
})();
