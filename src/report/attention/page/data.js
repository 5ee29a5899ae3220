// What the side shows: a text as its model reads it, and where the matrices come from. Stored data stays; a live page
// has new data with every key.
// `data` is { model, texts, tokens, sequence, words: [[begin, end, text]], merged, truncated, layerCount, layers, heads,
// labelHeads, residuals: [whether a layer has one], verdict: { best, labels } }; with a decoder also kinds: ["encoder",
// "decoder" or "cross" of each layer], firstTarget: what the decoder reads before the tokens. `source` is { matrix(layer, column),
// entropy(layer, head), labels(), has(layer, head) }; the first and the third return promises of weights.
let { data, source } = first;
const { live, before } = first;  // the first is undefined where the data are stored, the other on the first side
let tokenCount = data.tokens.length;

// The kind of a layer, and how it is called.
const kindOf = (layer) => data.kinds?.[layer] ?? "encoder";
const layerName = (layer) => (data.kinds ? `layer ${layer} (${kindOf(layer)})` : `layer ${layer}`);

const byId = (id) => document.getElementById(id + suffix);  // of this side

// Returns a promise of the weights [n, n] of a head, or of a layer's "mean" or "rollout".
function matrixOf(layer, column) {
  return column === "rollout" ? rollout.of(layer) : source.matrix(layer, column);
}

// Whether this layer has the head. Layers may have different numbers of heads.
const hasMatrix = (layer, column) => typeof column === "string" || source.has(layer, column);

// The mean entropy of a head over its queries, in nats; undefined for mean and rollout.
const entropyOf = (layer, column) => (typeof column === "string" ? undefined : source.entropy(layer, column));

function take(next) {
  ({ data, source } = next);
  tokenCount = data.tokens.length;
  rollout.forget();
}
