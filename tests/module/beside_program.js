// A model of the module beside the program with the same folder.
const { same, sameAttention, sameBits } = require("./compare.js");
const { lineOf, native } = require("./context.js");

function compareAttentions(model, folder, texts, words) {
  native.attentions(folder, texts, words).forEach((expected, i) => {
    if (expected.error) return same(`error of text ${i}`, lineOf(() => model.attend(texts[i])), expected.error);
    const attention = model.attend(texts[i]);
    sameAttention(attention, expected);
    attention.free();
  });
}

function comparePredictions(model, folder, texts, words) {
  const { logits, probabilities, errors } = model.classify(texts);
  const classes = model.labels.length;
  native.predictions(folder, texts, words).forEach((row, i) => {
    const ofRow = (numbers) => numbers.subarray(i * classes, (i + 1) * classes);
    same(`error of text ${i}`, errors[i], row.error ?? null);
    if (row.error) return same(`logits of text ${i}`, [...ofRow(logits)], Array(classes).fill(NaN));
    sameBits(`logits of text ${i}`, ofRow(logits), Object.values(row.logits));
    if (row.probabilities) sameBits(`probabilities of text ${i}`, ofRow(probabilities), Object.values(row.probabilities));
  });
}

// A row of a model with many labels has the numbers of some. Without a method, it is what both choose.
function compareExplanations(model, folder, texts, method) {
  native.explanations(folder, texts, method === null ? [] : ["--method", method]).forEach((row, i) => {
    const { words, logits } = model.explain({ ...texts[i], method });
    const shown = Object.keys(row.logits).map((label) => model.labels.indexOf(label));
    const some = (numbers) => Float32Array.from(shown, (label) => numbers[label]);
    sameBits("logits", some(logits), Object.values(row.logits));
    same("words", words.map(({ source: text, begin, end }) => (
      Buffer.from(text === 1 ? row.text : row.pair).subarray(begin, end).toString())), row.words.map(({ word }) => word));
    row.words.forEach(({ word, effect }, j) => sameBits(`effects of "${word}"`, some(words[j].effects), Object.values(effect)));
  });
}

module.exports = { compareAttentions, compareExplanations, comparePredictions };
