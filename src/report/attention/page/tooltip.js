// Describes a weight: in a tooltip beside the pointer, and in a status line for screen readers.
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
  const top = below ? event.clientY + gap : event.clientY - gap - height;
  tooltip.style.transform = `translate(${left}px, ${top}px)`;
}

const hideTooltip = () => { byId("tooltip").hidden = true; };

function weightItem(text, weight) {
  return element("span", { class: "item" }, isolated(text), " ", element("b", {}, weightText(weight)));
}

// Writes the largest weights of a query, or of a key, to the status line.
function sayToken(matrix, side, index) {
  const told = 8;
  const others = side === "query" ? matrix.keys : matrix.queries;
  const weightAt = (i) => (side === "query" ? matrix.at(index, i) : matrix.at(i, index));
  const weights = others.map((item, i) => ({ item, weight: weightAt(i) }));
  weights.sort((a, b) => b.weight - a.weight);
  const token = (side === "query" ? matrix.queries : matrix.keys)[index];
  const verb = side === "query" ? " attends to " : " is attended to by ";
  byId("status").replaceChildren(element("strong", {}, isolated(token.text)), verb,
    ...weights.slice(0, told).map(({ item, weight }) => weightItem(item.text, weight)));
}

function sayWeight(place, from, to, weight) {
  place.replaceChildren(element("strong", {}, isolated(from)), " → ", weightItem(to, weight));
}
