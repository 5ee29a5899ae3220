// The open head's attention less that of the held text, between the words that both have.
const signs = [{ name: "more", colour: 0 }, { name: "less", colour: 1 }];

// `pairs` are words before and now. Queries and keys are words of now.
function differenceMatrix({ pairs, values: all }, heldWords) {
  const kept = pairs.map((_, i) => i).filter((i) => view.specials || data.sequence[data.words[pairs[i][1]][0]] !== null);
  const items = kept.map((i) => {
    const [[, , before], [begin, end, now]] = [heldWords[pairs[i][0]], data.words[pairs[i][1]]];
    return { text: before === now ? now : `${before} → ${now}`, begin, end, sequence: data.sequence[begin] };
  });
  const difference = Float32Array.from(kept.flatMap((row) => kept.map((column) => all[row * pairs.length + column])));
  const parts = [1, -1].map((sign, i) => {
    const values = difference.map((value) => Math.max(sign * value, 0));
    return { queries: items, keys: items, values, largest: largestOf(values), head: signs[i],
             at: (row, column) => values[row * items.length + column] };
  });
  return { ...overlaid(parts), difference };
}
