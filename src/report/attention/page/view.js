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

// The tokens or words along one side of a matrix, each with its range of tokens.
function items(sequence) {
  const all = view.words
    ? data.words.map(([begin, end, text]) => ({ text, begin, end, sequence: data.sequence[begin] }))
    : data.tokens.map((text, i) => ({ text, begin: i, end: i + 1, sequence: data.sequence[i] }));
  return all.filter((item) => (view.specials || item.sequence !== null) &&
                              (sequence === undefined || item.sequence === sequence));
}

const queryItems = () => items(view.pair?.[0]);
const keyItems = () => items(view.pair?.[1]);

// Weights [queries, keys] of the items: summed over the tokens of a key, averaged over the
// tokens of a query. `width` is the number of tokens in a row of `weights`.
function shownMatrix(weights, queries, keys, width = tokenCount) {
  const values = new Float32Array(queries.length * keys.length);
  let largest = 0;
  queries.forEach((query, row) => {
    keys.forEach((key, column) => {
      let sum = 0;
      for (let i = query.begin; i < query.end; ++i) {
        for (let k = key.begin; k < key.end; ++k) sum += weights[i * width + k];
      }
      const value = sum / (query.end - query.begin);
      values[row * keys.length + column] = value;
      largest = Math.max(largest, value);
    });
  });
  return { queries, keys, values, largest, at: (row, column) => values[row * keys.length + column] };
}

async function viewedMatrix(layer, column) {
  return shownMatrix(await matrixOf(layer, column), queryItems(), keyItems());
}

// The description of a cell: its query, its key, its weight.
function spokenOf({ queries, keys, at }, { row, column }) {
  return [queries[row].text, keys[column].text, at(row, column)];
}

const weightText = (weight) => weight.toFixed(3);

function columnName(column) {
  return typeof column === "string" ? column : `head ${column}`;
}
