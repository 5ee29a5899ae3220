// Comparisons, bit by bit. Each throws an Error that says what differs.
const bitsOf = (numbers) => new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);

// `expected`: numbers of the program's JSON, nested in any way. Their decimals give each float32 back.
function sameBits(what, found, expected) {
  const numbers = Float32Array.from([expected].flat(Infinity));
  if (found.length !== numbers.length) throw new Error(`${what}: ${found.length} numbers, expected ${numbers.length}`);
  const [bits, expectedBits] = [bitsOf(found), bitsOf(numbers)];
  const different = [...bits.keys()].filter((i) => bits[i] !== expectedBits[i]);
  if (different.length === 0) return;
  const [at] = different;
  throw new Error(`${what}: ${different.length} of ${bits.length} numbers differ; number ${at} is ${found[at]}, `
                  + `expected ${numbers[at]}`);
}

// Of float64 that other orders or other functions of the C library give.
function near(what, found, expected, tolerance) {
  if (found.length !== expected.length) throw new Error(`${what}: ${found.length} numbers, expected ${expected.length}`);
  found.forEach((number, i) => {
    if (Math.abs(number - expected[i]) <= tolerance) return;
    throw new Error(`${what}: number ${i} is ${number}, expected ${expected[i]}`);
  });
}

function same(what, found, expected) {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what}: ${one}, expected ${other}`);
}

// The program counts characters, the module bytes.
const bytesBefore = (text, character) => Buffer.byteLength([...text].slice(0, character).join(""));

// `attention`: of the module; `native`: the document of the program.
function sameAttention(attention, native) {
  const texts = [native.text, native.pair];
  same("tokens", attention.tokens, native.tokens.map((token) => token.split("\0")[0]));  // as C strings
  same("ids", attention.ids, native.ids);
  same("sources", attention.sources, native.sequence.map((sequence) => (sequence === null ? 0 : sequence + 1)));
  same("places", attention.places, native.offsets.map((offset, i) => offset.map(
    (character) => (native.sequence[i] === null ? 0 : bytesBefore(texts[native.sequence[i]], character)))));
  same("has logits", attention.logits !== null, native.logits !== undefined);
  if (attention.logits) sameBits("logits", attention.logits, Object.values(native.logits));
  if (native.probabilities) sameBits("probabilities", attention.probabilities, Object.values(native.probabilities));
  native.attention.forEach((heads, layer) => heads.forEach((weights, head) => {
    sameBits(`weights of layer ${layer}, head ${head}`, attention.weights(layer, head), weights);
  }));
  const labels = native.label_attention ?? [];  // [c, h, t]
  (labels[0] ?? []).forEach((_, head) => {
    sameBits(`weights of label head ${head}`, attention.labelWeights(head), labels.map((heads) => heads[head]));
  });
}

module.exports = { near, same, sameAttention, sameBits };
