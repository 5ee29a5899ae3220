// The selected part of the data, and its matrix.
const derivedColumns = ["mean", "rollout"];
const view = {
  layer: data.layers.at(-1),
  column: data.heads.find((head) => hasMatrix(data.layers.at(-1), head)) ?? "mean",
  words: data.merged,
  specials: true,
  pair: null,  // sequences of queries and keys: [0, 1] is from the first text to the second
  layers: new Set(data.layers),
  heads: new Set(data.heads),
};
// The heads that are shown together, each with the number of its colour. Never empty; the last is that of
// view.layer and view.column.
view.chosen = [{ layer: view.layer, column: view.column, colour: 0 }];

const isOneHead = () => view.chosen.length === 1 && typeof view.column !== "string";

// The tokens or words along one side of a matrix, each with its range of tokens. Those that a decoder reads are the
// same ones, one later.
function items(sequence, isTarget) {
  const own = view.words
    ? data.words.map(([begin, end, text]) => ({ text, begin, end, sequence: data.sequence[begin] }))
    : data.tokens.map((text, i) => ({ text, begin: i, end: i + 1, sequence: data.sequence[i] }));
  const all = isTarget ? shiftedItems(own) : own;
  return all.filter((item) => (view.specials || item.sequence !== null) &&
                              (sequence === undefined || item.sequence === sequence));
}

function shiftedItems(own) {
  const first = { text: data.firstTarget, begin: 0, end: 1, sequence: null };
  return [first, ...own.slice(0, -1).map((item) => ({ ...item, begin: item.begin + 1, end: item.end + 1 }))];
}

// Rollout is from what the last layer so far reads to the tokens of the text.
const queryItems = (layer) => items(view.pair?.[0], kindOf(layer) !== "encoder");
const keyItems = (layer, column) => items(view.pair?.[1], kindOf(layer) === "decoder" && column !== "rollout");

// Weights [queries, keys] of the items: summed over the tokens of a key, averaged over the
// tokens of a query. `width` is the number of tokens in a row of `weights`.
function shownMatrix(weights, queries, keys, width = tokenCount) {
  const isWhole = queries.length * keys.length === weights.length;  // then each item is a token
  const values = isWhole ? weights : new Float32Array(queries.length * keys.length);
  if (!isWhole) {
    queries.forEach((query, row) => {
      keys.forEach((key, column) => {
        let sum = 0;
        for (let i = query.begin; i < query.end; ++i) {
          for (let k = key.begin; k < key.end; ++k) sum += weights[i * width + k];
        }
        values[row * keys.length + column] = sum / (query.end - query.begin);
      });
    });
  }
  const largest = largestOf(values);
  const matrix = { queries, keys, values, largest, at: (row, column) => values[row * keys.length + column] };
  return Object.assign(matrix, { parts: [matrix] });
}

function largestOf(values) {
  let largest = 0;
  for (let i = 0; i < values.length; ++i) if (values[i] > largest) largest = values[i];
  return largest;
}

async function viewedMatrix(layer, column) {
  return shownMatrix(await matrixOf(layer, column), queryItems(layer), keyItems(layer, column));
}

// Several matrices of the same items as one: the largest weight of each cell, and which of `parts` has it.
// Their heads have colours.
function overlaid(parts) {
  const { queries, keys } = parts[0];
  const values = new Float32Array(parts[0].values.length);
  const owners = new Uint8Array(values.length);
  parts.forEach((part, number) => part.values.forEach((weight, i) => {
    if (weight > values[i]) [values[i], owners[i]] = [weight, number];
  }));
  const largest = Math.max(...parts.map((part) => part.largest));
  return { queries, keys, values, owners, largest, parts, at: (row, column) => values[row * keys.length + column] };
}

// The matrix of the chosen heads.
async function chosenMatrix() {
  const parts = await Promise.all(view.chosen.map(({ layer, column }) => viewedMatrix(layer, column)));
  if (parts.length === 1) return parts[0];
  parts.forEach((part, i) => { part.head = view.chosen[i]; });
  return overlaid(parts);
}

// The description of a cell: its query, its key, its weight in each head.
function spokenOf({ queries, keys, parts, difference }, { row, column }) {
  const weights = difference ? [{ weight: difference[row * keys.length + column], isChange: true }]
    : parts.map((part) => ({ head: part.head, weight: part.at(row, column) }));
  return { from: queries[row].text, to: keys[column].text, weights };
}

const weightText = (weight, isChange = false) => (isChange ? signed(weight, 3) : weight.toFixed(3));

// The number in a cell.
const cellText = ({ values, difference }, i) => (difference ? weightText(difference[i], true) : weightText(values[i]));

// "2·7" is head 7 of layer 2.
const headName = ({ layer, column, name }) => name ?? `${layer}·${column}`;

function columnName(column) {
  return typeof column === "string" ? column : `head ${column}`;
}
