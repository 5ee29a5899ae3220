// The texts and what the model says of them.
function showTexts() {
  byId("model").textContent = data.model;
  const facts = [`${tokenCount} tokens`, `${data.layerCount} ${data.layerCount === 1 ? "layer" : "layers"}`];
  if (data.truncated > 0) facts.push(`${data.truncated} more tokens were cut`);
  byId("sizes").textContent = facts.join(", ");
  data.texts.forEach((text, i) => {
    const paragraph = element("p", { class: "text", tabindex: "0" });
    if (data.texts.length > 1) paragraph.append(element("span", { class: "quiet" }, "AB"[i]), " ");
    paragraph.append(isolated(text));
    if (data.texts.join("").length < 400) paragraph.removeAttribute("tabindex");
    byId("texts").append(paragraph);
  });
}

const percentText = (probability) => `${(100 * probability).toFixed(1)} %`;

// "99.9 %", "3.142" of a regression, or what there is.
function scoreText(label) {
  if (label.probability !== undefined) return percentText(label.probability);
  return (label.value ?? label.logit).toFixed(3);
}

function showVerdict() {
  const { labels, best } = data.verdict;
  if (labels.length === 0) {
    byId("verdict").append(element("p", { class: "quiet" }, "This model has no classification head."));
    return;
  }
  const listed = 6;
  const winner = labels[best];
  byId("verdict").append(element("p", { class: "outcome" }, isolated(winner.name), element("span", {}, scoreText(winner))));
  const hasBars = winner.probability !== undefined;
  const heads = [["label", ""], [hasBars ? "probability" : "", "share"], ["", "number"], ["logit", "number"]];
  const table = element("table", {}, element("thead", {}, element("tr", {},
    ...heads.map(([name, kind]) => (name ? element("th", { class: kind, scope: "col" }, name) : element("td"))))));
  const ranked = [...labels].sort((a, b) => b.logit - a.logit);
  for (const label of ranked.slice(0, listed)) {
    const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("i"));
    bar.style.setProperty("--share", label.probability ?? 0);
    table.append(element("tr", { class: label === winner ? "best" : "" },
      element("th", { scope: "row" }, isolated(label.name)),
      element("td", { class: "share" }, hasBars ? bar : ""),
      element("td", { class: "number" }, hasBars ? percentText(label.probability) : ""),
      element("td", { class: "number" }, label.logit.toFixed(2))));
  }
  byId("verdict").append(table);
  if (ranked.length > listed) {
    byId("verdict").append(element("p", { class: "quiet" }, `and ${ranked.length - listed} more labels`));
  }
}
