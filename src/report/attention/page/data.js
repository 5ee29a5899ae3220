// The data of the side: tokens, words and prediction as JSON, and compressed matrices that are
// unpacked on demand.
const data = JSON.parse(byId("data").textContent);
const blocks = JSON.parse(byId("matrices").textContent);
const tokenCount = data.tokens.length;
const keptMatrices = 32;

// gzip in base64 → weights. All low bytes come before all high bytes.
async function weightsOf(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const weights = new Float32Array(bytes.length / 2);
  for (let i = 0; i < weights.length; ++i) {
    weights[i] = (bytes[i] + 256 * bytes[weights.length + i]) / data.steps;
  }
  return weights;
}

// Wraps `compute` with a cache of its most recent results. The key is a string.
function remembering(compute) {
  const known = new Map();
  return (key) => {
    const result = known.get(key) ?? compute(key);
    known.delete(key);
    known.set(key, result);
    if (known.size > keptMatrices) known.delete(known.keys().next().value);
    return result;
  };
}

const unpacked = remembering((key) => {
  const [layer, column] = key.split(" ");
  const block = blocks.layers[layer];
  return weightsOf(column === "mean" ? block.mean : block.heads[data.heads.indexOf(Number(column))]);
});

// Returns a promise of the weights [n, n] of a head, or of a layer's "mean" or "rollout".
function matrixOf(layer, column) {
  return column === "rollout" ? rolloutOf(layer) : unpacked(`${layer} ${column}`);
}

// Whether this layer has the head. Layers may have different numbers of heads.
function hasMatrix(layer, column) {
  return typeof column === "string" || blocks.layers[layer].heads[data.heads.indexOf(column)] !== null;
}
