// The open head's attention less that of the kept text, between the words that both have.
const signs = [{ name: "more", colour: 0 }, { name: "less", colour: 1 }];

// `pairs` are words before and now. Queries and keys are words of now.
function differenceMatrix({ pairs, values: all }, heldWords) {
  const kept = pairs.map((_, i) => i).filter((i) => view.specials || data.sequence[data.words[pairs[i][1]][0]] !== null);
  const items = kept.map((i) => {
    const [[, , before], [begin, end, now]] = [heldWords[pairs[i][0]], data.words[pairs[i][1]]];
    return { text: before === now ? now : `${before} → ${now}`, begin, end, sequence: data.sequence[begin] };
  });
  return signedMatrix(items, items, kept.flatMap((row) => kept.map((column) => all[row * pairs.length + column])));
}

function signedMatrix(queries, keys, numbers) {
  const difference = Float32Array.from(numbers);
  const parts = [1, -1].map((sign, i) => {
    const values = difference.map((value) => Math.max(sign * value, 0));
    return { queries, keys, values, largest: largestOf(values), head: signs[i],
             at: (row, column) => values[row * keys.length + column] };
  });
  return { ...overlaid(parts), difference };
}

// Whether the open head is one that the first side has, between as many tokens.
const hasBefore = () => view.chosen.length === 1 && view.column !== "rollout" &&
  before?.data.tokens.length === tokenCount && before.data.layers.includes(view.layer) &&
  (view.column === "mean" || before.data.heads.includes(view.column));

// The open head's attention less that of the first side, token by token.
async function differenceOfSides() {
  const both = await Promise.all([first, before].map((side) => side.source.matrix(view.layer, view.column)));
  const named = (items) => items.map((item) => {
    const was = before.data.tokens.slice(item.begin, item.end).join(" ");
    return was === data.tokens.slice(item.begin, item.end).join(" ") ? item : { ...item, text: `${was} → ${item.text}` };
  });
  const [now, then] = both.map((weights) => shownMatrix(weights, queryItems(), keyItems()));
  return signedMatrix(named(now.queries), named(now.keys), now.values.map((weight, i) => weight - then.values[i]));
}
