// The four steps of the open head for one query (Vaswani et al. 2017, equation 1): products of the query with each key,
// scores, weights by softmax, and the weighted sum of the values.
const steps = (() => {
  let round = 0;
  let query = 0;  // a token

  // Scores of keys that the query does not see are -Infinity.
  const shownScore = (score) => (Number.isFinite(score) ? score.toFixed(3) : "masked");

  function rows({ products, scores, norms }, weights) {
    return data.tokens.map((token, key) => {
      const weight = weights[query * tokenCount + key];
      const number = (text) => element("td", { class: "number" }, text);
      const row = element("tr", {}, element("th", { scope: "row" }, isolated(token)), number(products[key].toFixed(3)),
                          number(shownScore(scores[key])), number(weightText(weight)), number((weight * norms[key]).toFixed(3)));
      row.style.setProperty("--share", weight);
      return row;
    });
  }

  async function show() {
    const place = byId("steps");
    place.hidden = !isOneHead();
    if (place.hidden || !place.open || tokenCount === 0) return;
    const mine = ++round;
    query = Math.min(query, tokenCount - 1);
    const weights = await matrixOf(view.layer, view.column);
    let found;
    try {
      found = await live.steps(view.layer, view.column, query);
    } catch {
      return;  // a newer text is on its way
    }
    if (mine !== round || found.products.length !== tokenCount) return;
    byId("steps-query").replaceChildren("Query: ", isolated(data.tokens[query]), ". Point at another query to see its steps.");
    byId("steps-rows").replaceChildren(...rows(found, weights));
    byId("steps-output").textContent = `The sum is [${[...found.output].map((value) => value.toFixed(3)).join(", ")}].`;
  }

  return {
    build() {
      byId("steps").addEventListener("toggle", show);
    },
    show,
    point(token) {
      if (token === query) return;
      query = token;
      show();
    },
  };
})();
