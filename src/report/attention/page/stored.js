// Data that the page holds: JSON, and compressed matrices that are unpacked on demand.
const keptMatrices = 32;

// gzip in base64 → bytes
async function unpacked(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
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

// The data and the source of a side (data.js).
function storedSide(suffix) {
  const read = (id) => JSON.parse(document.getElementById(id + suffix).textContent);
  const [data, blocks] = [read("data"), read("matrices")];
  // All low bytes of the steps come before all high bytes.
  async function weightsOf(base64) {
    const bytes = await unpacked(base64);
    const weights = new Float32Array(bytes.length / 2);
    for (let i = 0; i < weights.length; ++i) weights[i] = (bytes[i] + 256 * bytes[weights.length + i]) / data.steps;
    return weights;
  }
  const matrix = remembering((key) => {
    const [layer, column] = key.split(" ");
    const block = blocks.layers[layer];
    return weightsOf(column === "mean" ? block.mean : block.heads[data.heads.indexOf(Number(column))]);
  });
  let labels = null;
  const source = {
    matrix: (layer, column) => matrix(`${layer} ${column}`),
    entropy: (layer, head) => blocks.layers[layer].entropies[data.heads.indexOf(head)],
    labels: () => (labels ??= weightsOf(blocks.labels)),
    has: () => true,
  };
  return { data, source };
}
