// What is computed of the attention, by other means, and heads that are off.
const { near, same, sameBits } = require("./compare.js");
const { glue: { HeadlightAttention }, lineOf, native, sentiment, test, withModel } = require("./context.js");
const { filesOf } = require("./models.js");

const dot = (x, y) => x.reduce((sum, number, i) => sum + number * y[i], 0);
// [rows, columns] → its rows.
const rowsOf = (numbers, rows) => Array.from({ length: rows }, (_, i) => (
  numbers.slice(i * numbers.length / rows, (i + 1) * numbers.length / rows)));

test("entropy, and the steps of a query", (headlight) => withModel(headlight, filesOf(sentiment), {}, (model) => {
  const [text, query] = ["a gorgeous, witty, seductive movie", 3];
  const attention = model.attend({ text });
  const t = attention.tokens.length;
  for (const [layer, head] of [[0, 0], [2, 11]]) {
    near("entropy", [attention.entropy(layer, head)], [native.entropy(sentiment, text, layer, head)], 1e-12);
    const { products, scores, output } = attention.steps(layer, head, query);
    const [queries, keys, values, weights] = ["queries", "keys", "values", "weights"].map(
      (name) => rowsOf(attention[name](layer, head), t));
    near("products", products, keys.map((key) => dot(queries[query], key)), 1e-4);
    const exponentials = [...scores].map(Math.exp);
    const sum = exponentials.reduce((a, b) => a + b);
    near("weights", weights[query], exponentials.map((number) => number / sum), 1e-5);
    near("output", output, [...output.keys()].map((i) => dot(weights[query], values.map((value) => value[i]))), 1e-5);
  }
  same("no such head", attention.weights(9, 9), null);
  same("no such query", lineOf(() => attention.steps(0, 0, t)) === null, false);
}));

test("the difference of two texts", (headlight) => withModel(headlight, filesOf(sentiment), {}, (model) => {
  const [before, after] = ["not bad", "not very bad"].map((text) => model.attend({ text }));
  same("words", [[...before.words], [...after.words]], [[0, 1, 2, 3], [0, 1, 2, 3, 4]]);
  const { pairs, values } = HeadlightAttention.difference(before, after, 1, 2);
  same("pairs", pairs, [[0, 0], [1, 1], [2, 3], [3, 4]]);
  const kept = [0, 1, 3, 4];
  const [from, to] = [before.weights(1, 2), after.weights(1, 2)];
  near("difference", values,
       kept.flatMap((row, i) => kept.map((column, j) => to[row * 5 + column] - from[i * 4 + j])), 1e-6);
}));

test("heads that are off", (headlight) => withModel(headlight, filesOf(sentiment), {}, (model) => {
  const [text, pair] = ["not bad", "at all"];
  const off = model.attend({ text, pair, headsOff: [[0, 3], [2, 11]] });
  same("they change the logits", off.logits[0] !== model.attend({ text, pair }).logits[0], true);
  const classified = model.classify([{ text, pair }], { headsOff: [[2, 11], [0, 3]] });
  sameBits("logits", off.logits, [...classified.logits]);
  sameBits("logits", model.explain({ text, pair, headsOff: [[0, 3], [2, 11]] }).logits, [...off.logits]);
  same("line", lineOf(() => model.attend({ text, headsOff: [[3, 0]] })), "heads_off: layer 3 has no head 0");
}));

test("tokens that are cut", (headlight) => withModel(headlight, filesOf(sentiment), {}, (model) => {
  const { tokens, truncated } = model.attend({ text: "word ".repeat(2000) });
  same("tokens", [tokens.length, truncated], [256, 2002 - 256]);
}));
