// What is said of a weight: beside the pointer, and in a line that a screen reader reads.
function showTooltip(event, from, to, weight) {
  const tooltip = byId("tooltip");
  tooltip.replaceChildren(isolated(from), " → ", isolated(to), element("b", {}, weightText(weight)));
  placeTooltip(event);
}

function placeTooltip(event) {
  const tooltip = byId("tooltip");
  const gap = 14;
  tooltip.hidden = false;
  const { width, height } = tooltip.getBoundingClientRect();
  const left = Math.max(4, Math.min(event.clientX + gap, innerWidth - width - 4));
  const below = event.clientY + gap + height < innerHeight;
  tooltip.style.transform = `translate(${left}px, ${below ? event.clientY + gap : event.clientY - gap - height}px)`;
}

const hideTooltip = () => { byId("tooltip").hidden = true; };

const weightItem = (text, weight) => element("span", { class: "item" }, isolated(text), " ", element("b", {}, weightText(weight)));

// The strongest weights of a query, or of a key, in words.
function sayToken(matrix, side, index) {
  const told = 8;
  const others = side === "query" ? matrix.keys : matrix.queries;
  const weights = others.map((item, i) => ({ item, weight: side === "query" ? matrix.at(index, i) : matrix.at(i, index) }));
  weights.sort((a, b) => b.weight - a.weight);
  const token = (side === "query" ? matrix.queries : matrix.keys)[index];
  byId("status").replaceChildren(element("strong", {}, isolated(token.text)), side === "query" ? " looks at " : " is looked at by ",
    ...weights.slice(0, told).map(({ item, weight }) => weightItem(item.text, weight)));
}

function sayWeight(place, from, to, weight) {
  place.replaceChildren(element("strong", {}, isolated(from)), " → ", weightItem(to, weight));
}
