// The four steps of the open head for one query (Vaswani et al. 2017, equation 1): products of the query with each key,
// scores, weights by softmax, and the weighted sum of the values. A temperature divides the scores; q, k and v of a small
// head can be typed. Lines and heat map follow, the prediction stays that of the model.
const steps = (() => {
  const largestTyped = { size: 8, tokens: 64, number: 1e6 };
  let round = 0;
  let query = 0;        // a token
  let temperature = 1;
  let open = null;      // the open head: { source, layer, column, size, queries, keys, values, scores, scale, isTyped }
  let drawn = null;     // of `open`: its rows

  const vector = (vectors, token) => vectors.subarray(token * open.size, (token + 1) * open.size);
  const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);
  const isOpen = () => byId("steps").open && isOneHead() && tokenCount > 0;
  const isChanged = () => isOpen() && (temperature !== 1 || (isCurrent() && open.isTyped));
  const isCurrent = () => open?.source === source && open.layer === view.layer && open.column === view.column;

  // What makes a score of a product, if nothing else does; null: the model also adds something for positions.
  function scaleOf({ queries, keys, scores, size }) {
    const products = Array.from(scores, (_, i) => dot(queries.subarray(Math.floor(i / tokenCount) * size).subarray(0, size),
                                                      keys.subarray((i % tokenCount) * size).subarray(0, size)));
    const seen = products.map((_, i) => i).filter((i) => Number.isFinite(scores[i]));
    const largest = seen.reduce((best, i) => (Math.abs(products[i]) > Math.abs(products[best]) ? i : best), seen[0]);
    const scale = products[largest] === 0 ? 1 / Math.sqrt(size) : scores[largest] / products[largest];
    return seen.every((i) => Math.abs(scores[i] - scale * products[i]) < 1e-3 * (1 + Math.abs(scores[i]))) ? scale : null;
  }

  // The open head, once it is known; null: a newer text is on its way.
  async function take() {
    if (isCurrent()) return open;
    const wanted = { source, layer: view.layer, column: view.column };
    const found = await live.head(wanted.layer, wanted.column).catch(() => null);
    if (found?.scores.length !== tokenCount ** 2 || wanted.source !== source) return null;
    const isSmall = found.size <= largestTyped.size && tokenCount <= largestTyped.tokens;
    open = { ...wanted, ...found, isTyped: false, scale: isSmall ? scaleOf(found) : null };
    return open;
  }

  // Scores that a query does not see are -Infinity.
  const scoreOf = (row, key) => {
    const score = open.scores[row * tokenCount + key];
    if (!open.isTyped || score === -Infinity) return score / temperature;
    return open.scale * dot(vector(open.queries, row), vector(open.keys, key)) / temperature;
  };

  function weightsOf(row) {
    const scores = data.tokens.map((_, key) => scoreOf(row, key));
    const largest = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - largest));
    const sum = powers.reduce((sofar, power) => sofar + power, 0);
    return powers.map((power) => power / sum);
  }

  const numbersText = (numbers) => [...numbers].map((value) => String(Number(value.toPrecision(3)))).join(" ");

  function numbersOf(text) {
    const numbers = text.split(/[\s,;[\]]+/u).filter((part) => part !== "").map(Number);
    const areNumbers = numbers.every((value) => Math.abs(value) <= largestTyped.number);
    return areNumbers && numbers.length === open.size ? numbers : null;
  }

  // A box for the vector of a token.
  function vectorBox(name, vectors, token) {
    const box = element("input", { class: "vector", spellcheck: "false", autocomplete: "off", title: `${open.size} numbers`,
                                   "aria-label": `${name} of ${data.tokens[token]}` });
    box.value = numbersText(vector(vectors, token));
    box.size = Math.max(4, box.value.length);
    box.addEventListener("input", () => {
      const typed = numbersOf(box.value);
      box.setAttribute("aria-invalid", String(typed === null));
      if (typed === null) return;
      vector(vectors, token).set(typed);
      open.isTyped = true;
      openHead.show();
    });
    return box;
  }

  function rowOf(token, key) {
    const cells = Array.from({ length: 4 }, () => element("td", { class: "number" }));
    const box = (name, vectors) => (open.scale === null ? [] : [element("td", {}, vectorBox(name, vectors, key))]);
    const row = element("tr", {}, element("th", { scope: "row" }, isolated(token)), ...cells,
                        ...box("k", open.keys), ...box("v", open.values));
    return { row, cells };
  }

  function draw() {
    if (drawn?.of !== open) {
      drawn = { of: open, query: null, rows: data.tokens.map(rowOf) };
      byId("steps-rows").replaceChildren(...drawn.rows.map(({ row }) => row));
      byId("steps").classList.toggle("typable", open.scale !== null);
    }
    if (drawn.query !== query) {
      drawn.query = query;
      byId("steps-query").replaceChildren("Query: ", isolated(data.tokens[query]), ". Point at another query to see its steps. ",
                                          ...(open.scale === null ? [] : [element("label", {}, "q ", vectorBox("q", open.queries, query))]));
    }
    const weights = weightsOf(query);
    drawn.rows.forEach(({ row, cells }, key) => {
      const score = scoreOf(query, key);
      const length = Math.hypot(...vector(open.values, key));
      const texts = [dot(vector(open.queries, query), vector(open.keys, key)).toFixed(3),
                     Number.isFinite(score) ? score.toFixed(3) : "masked", weightText(weights[key]), (weights[key] * length).toFixed(3)];
      cells.forEach((cell, i) => { cell.textContent = texts[i]; });
      row.style.setProperty("--share", weights[key]);
    });
    const output = Array.from({ length: open.size }, (_, i) => weights.reduce((sum, weight, key) => sum + weight * vector(open.values, key)[i], 0));
    byId("steps-output").textContent = `The sum is [${output.map((value) => value.toFixed(3)).join(", ")}].`;
  }

  async function show() {
    byId("steps").hidden = !isOneHead();
    byId("steps-reset").hidden = !isChanged();
    if (!isOpen()) return;
    const mine = ++round;
    if (await take() === null || mine !== round) return;
    query = Math.min(query, tokenCount - 1);
    draw();
  }

  function setTemperature(power) {
    byId("temperature").value = power;
    temperature = 10 ** power;
    byId("temperature-text").textContent = temperature.toFixed(2);
    byId("temperature").setAttribute("aria-valuetext", temperature.toFixed(2));
    byId("steps-scaled").textContent = temperature === 1 ? "2. scaled, masked" : `2. scaled, masked, ÷ ${temperature.toFixed(2)}`;
    openHead.show();
  }

  return {
    build() {
      byId("temperature").value = 0;  // a browser may have kept another
      byId("steps").addEventListener("toggle", () => openHead.show());
      byId("temperature").addEventListener("input", ({ target }) => setTemperature(Number(target.value)));
      byId("steps-reset").addEventListener("click", () => {
        open = null;
        setTemperature(0);
      });
    },
    show,
    point(token) {
      if (token === query) return;
      query = token;
      show();
    },
    // The open head as it is changed here, with its mean entropy; null: it is that of the model.
    async matrix() {
      if (!isChanged() || await take() === null) return null;
      const weights = Float32Array.from(data.tokens.flatMap((_, row) => weightsOf(row)));
      const entropy = weights.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0) / tokenCount;
      return { ...shownMatrix(weights, queryItems(view.layer), keyItems(view.layer, view.column)), entropy };
    },
  };
})();
