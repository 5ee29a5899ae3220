// What the page was given: tokens, words and verdict as JSON, and matrices as compressed numbers
// that are read when they are wanted.
const data = JSON.parse(document.getElementById("data").textContent);
const blocks = JSON.parse(document.getElementById("matrices").textContent);
const tokenCount = data.tokens.length;
const keptMatrices = 32;

// gzip in base64 → weights. All low bytes stand before all high bytes.
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

// The function with its last results remembered; its argument is a string.
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

// A promise of the weights [n, n] of a head, or of a layer's "mean" or "rollout".
function matrixOf(layer, column) {
  return column === "rollout" ? rolloutOf(layer) : unpacked(`${layer} ${column}`);
}

// Whether the page has the head: layers may have different numbers of heads.
function hasMatrix(layer, column) {
  return typeof column === "string" || blocks.layers[layer].heads[data.heads.indexOf(column)] !== null;
}
