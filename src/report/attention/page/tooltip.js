// Describes a weight: in a tooltip beside the pointer, and in a status line for screen readers.
const tooltip = document.getElementById("tooltip");  // of both sides

function showTooltip(event, { from, to, weights }) {
  const listed = 6;
  const strongest = [...weights].sort((a, b) => b.weight - a.weight).slice(0, listed);
  tooltip.replaceChildren(isolated(from), " → ", isolated(to), ...strongest.map(({ weight, head, isChange }) => (
    head === undefined ? element("b", {}, weightText(weight, isChange))
      : element("div", {}, swatch(head), ` ${headName(head)}`, element("b", {}, weightText(weight))))));
  placeTooltip(event);
}

function placeTooltip(event) {
  const gap = 14;
  tooltip.hidden = false;
  const { width, height } = tooltip.getBoundingClientRect();
  const left = Math.max(4, Math.min(event.clientX + gap, innerWidth - width - 4));
  const below = event.clientY + gap + height < innerHeight;
  const top = below ? event.clientY + gap : event.clientY - gap - height;
  tooltip.style.transform = `translate(${left}px, ${top}px)`;
}

const hideTooltip = () => { tooltip.hidden = true; };

function weightItem(text, weight, isChange) {
  return element("span", { class: "item" }, isolated(text), " ", element("b", {}, weightText(weight, isChange)));
}

// Writes the largest weights of a query, or of a key, to the status line: of one head the largest ones, of
// several the largest of each.
function sayToken(matrix, side, index) {
  const told = matrix.parts.length > 1 ? 1 : 8;
  const others = side === "query" ? matrix.keys : matrix.queries;
  const token = (side === "query" ? matrix.queries : matrix.keys)[index];
  const verb = side === "query" ? " attends to " : " is attended to by ";
  const largestOf = (part) => {
    const weights = others.map((item, i) => ({ item, weight: side === "query" ? part.at(index, i) : part.at(i, index) }));
    weights.sort((a, b) => b.weight - a.weight);
    return weights.slice(0, told).map(({ item, weight }) => {
      const said = weightItem(item.text, weight);
      if (part.head !== undefined) said.prepend(swatch(part.head), ` ${headName(part.head)} `);
      return said;
    });
  };
  byId("status").replaceChildren(element("strong", {}, isolated(token.text)), verb, ...matrix.parts.flatMap(largestOf));
}

function sayWeight(place, { from, to, weights }) {
  const items = weights.map(({ weight, head, isChange }) => {
    const said = weightItem(to, weight, isChange);
    if (head !== undefined) said.prepend(swatch(head), ` ${headName(head)} `);
    return said;
  });
  place.replaceChildren(element("strong", {}, isolated(from)), " → ", ...items);
}
