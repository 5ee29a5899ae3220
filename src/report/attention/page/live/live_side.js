// A side whose data a model computes: what is typed, without the words and heads that are left out.

// The words of a text: what white space separates, which is that of Unicode, not of JavaScript.
const wordsOfText = (text) => text.split(/(?:(?!\ufeff)\s|\u0085)+/u).filter((word) => word !== "");

// As much of a text as a model of this many tokens can read, so that nothing grows with the rest: a word is a token or
// more, and few have as many characters as this.
function beginningOf(text, tokens) {
  const some = text.slice(0, 100 * tokens);
  let count = 0;
  for (const { index, 0: word } of some.matchAll(/\S+/gu)) if (++count === tokens) return some.slice(0, index + word.length);
  return some.replace(/[\ud800-\udbff]$/u, "");
}

const textWithout = (text, out) => wordsOfText(text).filter((_, i) => !out.has(i)).join(" ");

// A text as `headlight` prints it: what could change the look of the text around it is written as a code.
const shownText = (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
  (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);

function meanOf(matrices) {
  const mean = new Float32Array(matrices[0].length);
  for (const matrix of matrices) {
    for (let i = 0; i < mean.length; ++i) mean[i] += matrix[i] / matrices.length;
  }
  return mean;
}

// { best, labels: [{ name, logit, probability or value }] }
function verdictOf({ labels, problemType }, { logits, probabilities }) {
  if (logits === null) return { best: 0, labels: [] };
  const score = (i) => (problemType === "regression" ? { value: logits[i] } : { probability: probabilities[i] });
  return { best: logits.indexOf(Math.max(...logits)),
           labels: labels.map((name, i) => ({ name: shownText(name), logit: logits[i], ...score(i) })) };
}

// { data, source } of data.js.
function filledBy(about, model, input, answer) {
  const layers = model.heads.map((_, layer) => layer);
  const heads = [...Array(Math.max(0, ...model.heads)).keys()];
  const data = {
    ...about, layers, heads, layerCount: layers.length, labelHeads: model.labelHeads,
    texts: [input.text, ...(input.pair === null ? [] : [input.pair])],
    tokens: answer.tokens.map(shownText), ids: answer.ids, truncated: answer.truncated, milliseconds: answer.milliseconds,
    sequence: answer.sources.map((number) => (number === 0 ? null : number - 1)),
    words: answer.words.map(([begin, end, text]) => [begin, end, shownText(text)]),
    verdict: verdictOf(model, answer),
  };
  let entropies = null;
  const means = [];  // of the layers, which rollout needs again
  const mean = (layer) => (means[layer] ??= meanOf(answer.weights[layer]));
  const source = {
    matrix: async (layer, column) => (column === "mean" ? mean(layer) : answer.weights[layer][column]),
    entropy: (layer, head) => entropies?.[layer][head],
    setEntropies(found) { entropies = found; },
    labels: async () => Float32Array.from(answer.labelWeights.flatMap((weights) => [...weights])),
    has: (layer, head) => head < model.heads[layer],
  };
  return { data, source };
}

// Starts the model of a side. `onShow` is called with the first data and what this returns, and gives { text, rest,
// measured }: functions to show another text, what to do once the last is shown, and new entropies.
function liveSide(suffix, onShow) {
  const place = (id) => document.getElementById(id + suffix);
  const about = JSON.parse(place("live").textContent);
  const encoder = startBackground(suffix);
  const headsOff = new Set();   // "layer head"
  const wordsOff = [new Set(), new Set()];  // of the text and of the pair
  let typed = { text: "", pair: null };
  let cut = "";      // what is said of a text that is longer than the model reads
  let held = null;   // { verdict, words }
  let wanted = false;
  let run = null;    // the promise of update(), while it computes
  let show = null;

  const allWords = () => wordsOff.every((words) => words.size === 0);

  // What the model is to read.
  function input() {
    if (allWords()) return typed;
    const { text, pair } = typed;
    return { text: textWithout(text, wordsOff[0]), pair: pair === null ? null : textWithout(pair, wordsOff[1]) };
  }

  // What is said of a text without a word, of which a model reads no more than its special tokens.
  function emptiness() {
    const { text, pair } = input();
    return wordsOfText(text).length > 0 ? "" : `There is nothing to read in the ${pair === null ? "" : "first "}text.`;
  }

  function cutTyped(tokens) {
    const { text, pair } = typed;
    typed = { text: beginningOf(text, tokens), pair: pair === null ? null : beginningOf(pair, tokens) };
    if (typed.text.length + (typed.pair ?? "").length === text.length + (pair ?? "").length) return;
    cut = `The text is cut: the model reads at most ${tokens} tokens.`;
  }

  async function compute() {
    const model = await encoder.loaded;
    cutTyped(model.maxTokens || 8192);
    const isWhole = headsOff.size === 0 && allWords();
    const asked = { input: input(), headsOff: live.headsOff(), against: isWhole || held !== null ? null : typed };
    const answer = await encoder.ask("attend", asked);
    const next = filledBy(about, model, asked.input, answer);
    if (asked.against !== null) next.data.before = { name: "everything", ...verdictOf(model, answer.before) };
    if (held !== null) next.data.before = { name: "the kept text", ...held.verdict };
    return next;
  }

  // What is shown is of an earlier text if this one cannot be read.
  function tell(said, isOld = false) {
    place("model").closest(".side").classList.toggle("old", isOld);
    live.onStatus(said);
  }

  async function computeWanted() {
    try {
      while (wanted) {
        wanted = false;
        const next = await compute();
        live.shown = next;
        if (show === null) show = onShow({ ...next, live }); else show.text(next);
      }
      tell(cut || emptiness());
      show.rest();
      measure(live.shown.source).catch(({ message }) => live.onStatus(message));
    } catch (error) {
      tell(emptiness() || error.message, true);
    }
    run = null;
  }

  // What takes longer than attention, once nothing else is wanted.
  async function measure(source) {
    source.setEntropies(await encoder.ask("entropies"));
    show.measured();
  }

  // Computes until what is shown is what is wanted: while the model is busy, only the last key counts.
  function update() {
    wanted = true;
    return (run ??= computeWanted());
  }

  function toggle(set, key) {
    if (!set.delete(key)) set.add(key);
    return update();
  }

  place("model").textContent = about.model;
  const live = {
    about,
    wordsOff,
    shown: null,
    onStatus() {},  // set by the line: why the text cannot be shown, or "" if it is
    type(text, pair) {
      typed = { text, pair };
      cut = "";
      wordsOff.forEach((words) => words.clear());
      return update();
    },
    typed: () => typed,
    headsOff: () => [...headsOff].map((key) => key.split(" ").map(Number)),  // [layer, head]
    isOff: (layer, head) => headsOff.has(`${layer} ${head}`),
    toggleHead: (layer, head) => toggle(headsOff, `${layer} ${head}`),
    toggleWord: (text, word) => toggle(wordsOff[text], word),
    everythingOn() {
      headsOff.clear();
      wordsOff.forEach((words) => words.clear());
      return update();
    },
    isHolding: () => held !== null,
    heldWords: () => held.words,
    async hold(isHeld) {
      await run;
      held = isHeld ? { verdict: live.shown.data.verdict, words: live.shown.data.words } : null;
      await encoder.ask("hold", isHeld);
      return update();
    },
    // { pairs: [[word before, word now], …], values [pairs, pairs] }
    difference: (layer, head) => encoder.ask("difference", { layer, head }),
    // { size, queries, keys, values [n, size], scores [n, n] }
    head: (layer, head) => encoder.ask("head", { layer, head }),
    explainer: startExplainer(suffix),
    toExplain: (method) => ({ ...input(), headsOff: live.headsOff(), method }),
  };
  return live;
}

// Explanations take many passes. They have a Worker of their own.
function startExplainer(suffix) {
  const patience = 1000;  // in milliseconds, about what it takes to start again
  let background = null;
  let asked = 0;  // when
  const isBusy = () => background !== null && background.unanswered() > 0;
  const explain = (argument) => {
    background ??= startBackground(suffix);
    asked = performance.now();
    return background.ask("explain", argument);
  };
  return {
    // Null if it still works for an earlier text.
    ifFree: (argument) => (isBusy() ? null : explain(argument)),
    // After what it works for, unless that takes long: then it is dropped.
    next(argument) {
      if (isBusy() && performance.now() - asked > patience) {
        background.stop();
        background = null;
      }
      return explain(argument);
    },
  };
}
