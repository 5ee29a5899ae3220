// Runs a model in a Worker, after the module (headlight.js). Takes messages { number, action, argument } and answers
// each with { number, result } or { number, error }, in order.
let model = null;
let current = null;  // the attention that is shown
let held = null;     // the one that it is compared with
const encoded = new TextEncoder();
const decoded = new TextDecoder();

// What stands at a place of a text, which is counted in bytes.
function placesIn({ text, pair }) {
  const bytes = [null, encoded.encode(text), encoded.encode(pair ?? "")];
  return (source, begin, end) => decoded.decode(bytes[source].subarray(begin, end));
}

// The words of an attention as [begin, end, text], of its tokens.
function wordsOf(attention, input) {
  const textAt = placesIn(input);
  const words = [];
  attention.words.forEach((number, token) => {
    if (number === words.length) words.push([token, token + 1]); else words[number][1] = token + 1;
  });
  return words.map(([begin, end]) => {
    const source = attention.sources[begin];
    const places = attention.places.slice(begin, end);
    const of = (pick, at) => pick(...places.map((place) => place[at]));
    return [begin, end, source === 0 ? attention.tokens[begin]
      : textAt(source, of(Math.min, 0), of(Math.max, 1))];
  });
}

const numbers = (count) => [...Array(count).keys()];
const eachHead = (read) => model.heads.map((heads, layer) => numbers(heads).map((head) => read(layer, head)));
const forget = (attention) => { if (attention !== null && attention !== current && attention !== held) attention.free(); };

const actions = {
  async load({ wasm, files }) {
    model = (await Headlight.create(wasm)).load(files);
    const { labels, problemType, heads, labelHeads, maxTokens } = model;
    return { labels, problemType, heads, labelHeads, maxTokens };
  },
  // `against` is the same text whole, if something was left out of it.
  attend({ input, headsOff, against }) {
    const [previous, started] = [current, performance.now()];
    current = model.attend({ ...input, headsOff });
    forget(previous);
    const { tokens, ids, sources, places, truncated, logits, probabilities } = current;
    const before = against === null ? null : model.classify([against]);
    return { tokens, ids, sources, places, truncated, logits, probabilities, before, words: wordsOf(current, input),
             weights: eachHead((layer, head) => current.weights(layer, head)),
             labelWeights: numbers(model.labelHeads).map((head) => current.labelWeights(head)),
             milliseconds: performance.now() - started };
  },
  // Apart from attend(), because all logarithms take as long as reading a short text.
  entropies: () => eachHead((layer, head) => current.entropy(layer, head)),
  hold(isHeld) {
    const previous = held;
    held = isHeld ? current : null;
    forget(previous);
  },
  difference: ({ layer, head }) => HeadlightAttention.difference(held, current, layer, head),
  head({ layer, head }) {
    const [queries, keys, values] = [current.queries(layer, head), current.keys(layer, head), current.values(layer, head)];
    const n = current.tokens.length;
    const scores = new Float32Array(n * n);
    for (let query = 0; query < n; ++query) scores.set(current.steps(layer, head, query).scores, query * n);
    return { size: queries.length / n, queries, keys, values, scores };
  },
  // { words: [{ text, effects [c] }] }
  explain(argument) {
    const textAt = placesIn(argument);
    return { words: model.explain(argument).words.map(({ source, begin, end, effects }) => (
      { text: textAt(source, begin, end), effects })) };
  },
};

// Large arrays are handed over, not copied.
const buffersOf = (result) => [...(result?.weights?.flat() ?? []), ...(result?.labelWeights ?? [])].map(({ buffer }) => buffer);

let turn = Promise.resolve();
onmessage = ({ data: { number, action, argument } }) => {
  turn = turn.then(() => actions[action](argument)).then(
    (result) => postMessage({ number, result }, buffersOf(result)),
    (error) => postMessage({ number, error: error.message }));
};
