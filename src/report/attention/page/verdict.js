// The texts and the prediction.
function showTexts() {
  byId("model").textContent = data.model;
  const facts = [`${tokenCount} tokens`, `${data.layerCount} ${data.layerCount === 1 ? "layer" : "layers"}`];
  if (data.truncated > 0) facts.push(`${data.truncated} ${data.truncated === 1 ? "token" : "tokens"} cut`);
  if (live) facts.push(`${Math.ceil(data.milliseconds)} ms`);
  byId("sizes").textContent = facts.join(", ");
  if (live) return words.show();
  data.texts.forEach((text, i) => {
    const paragraph = element("p", { class: "text", tabindex: "0" });
    if (data.texts.length > 1) paragraph.append(element("span", { class: "quiet" }, "AB"[i]), " ");
    paragraph.append(isolated(text));
    if (data.texts.join("").length < 400) paragraph.removeAttribute("tabindex");
    byId("texts").append(paragraph);
  });
}

const percentText = (probability) => `${(100 * probability).toFixed(1)} %`;

// "99.9 %", "3.142" for a regression, or the logit if there is no probability.
function scoreText(label) {
  if (label.probability !== undefined) return percentText(label.probability);
  return (label.value ?? label.logit).toFixed(3);
}

// A name that is broken after underscores if it is long.
function breakable(name) {
  const found = isolated("");
  name.split(/(?<=_)/).forEach((part, i) => found.append(...(i === 0 ? [part] : [element("wbr"), part])));
  return found;
}

// "−12.3 points" of a probability in percent, or the change of the logit if there is none.
function changeText(label, before) {
  if (label.probability !== undefined) return `${signed(100 * (label.probability - before.probability), 1)} points`;
  return signed(label.logit - before.logit, 2);
}

// A label, with a bar and its probability if it has one, and the change from `before`, if there is one.
function labelRow(label, isBest, before) {
  const row = element("tr", { class: isBest ? "best" : "" }, element("th", { scope: "row" }, breakable(label.name)));
  if (label.probability !== undefined) {
    const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("i"));
    bar.style.setProperty("--share", label.probability);
    const share = element("td", { class: "number" }, percentText(label.probability));
    row.append(element("td", { class: "share" }, bar), share);
  }
  row.append(element("td", { class: "number" }, label.logit.toFixed(2)));
  if (before) row.append(element("td", { class: "number change" }, changeText(label, before)));
  return row;
}

function labelHeads(hasProbability, hasChange) {
  const heads = [element("th", { scope: "col" }, "label")];
  if (hasProbability) heads.push(element("th", { class: "share", scope: "col", colspan: "2" }, "probability"));
  heads.push(element("th", { class: "number", scope: "col" }, "logit"));
  if (hasChange) heads.push(element("th", { class: "number", scope: "col" }, "change"));
  return element("thead", {}, element("tr", {}, ...heads));
}

function showVerdict() {
  const { labels, best } = data.verdict;
  const { before } = data;
  const place = byId("verdict");
  place.replaceChildren(place.firstElementChild);  // its name
  if (labels.length === 0) {
    place.append(element("p", { class: "quiet" }, "This model has no classification head."));
    return;
  }
  const listed = 6;
  const winner = labels[best];
  const isChoice = labels.length === 1 || winner.value === undefined;  // several regression values have no winner
  if (isChoice) {
    const score = element("span", {}, scoreText(winner));
    place.append(element("p", { class: "outcome" }, breakable(winner.name), score));
  }
  const ranked = isChoice ? [...labels].sort((a, b) => b.logit - a.logit) : labels;
  const table = element("table", {}, labelHeads(winner.probability !== undefined, before !== undefined));
  table.append(...ranked.slice(0, listed).map((label) => (
    labelRow(label, isChoice && label === winner, before?.labels[labels.indexOf(label)]))));
  place.append(table);
  if (ranked.length > listed) place.append(element("p", { class: "quiet" }, `and ${ranked.length - listed} more labels`));
  if (before === undefined) return;
  const was = before.labels[before.best];
  place.append(element("p", { class: "quiet" }, `With ${before.name}: `, breakable(was.name), ` ${scoreText(was)}`));
}
