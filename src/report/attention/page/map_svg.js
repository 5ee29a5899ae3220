// A matrix as an SVG picture: cells, names at two sides, and each weight as the title of its cell.
function svgOf(matrix, name) {
  const [cell, gap, font] = [20, 6, 12];
  const { queries, keys } = matrix;
  const named = (items) => Math.round(Math.max(0, ...items.map(({ text }) => [...text].length)) * font * 0.62) + gap;
  const [left, top] = [named(queries), named(keys)];
  const [width, height] = [left + keys.length * cell + gap, top + queries.length * cell + gap];
  const ink = styleColour("--text");
  const label = (text, attributes) => svgElement("text", { fill: ink, "dominant-baseline": "middle", ...attributes }, text);
  const picture = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`,
                                      "font-family": "system-ui, sans-serif", "font-size": font },
                             svgElement("title", {}, name), svgElement("rect", { width, height, fill: styleColour("--panel") }));
  const pixels = imageOf(matrix).data;
  queries.forEach((query, row) => {
    const y = top + row * cell;
    picture.append(label(query.text, { x: left - gap, y: y + cell / 2, "text-anchor": "end" }));
    keys.forEach((key, column) => {
      const i = row * keys.length + column;
      picture.append(svgElement("rect", { x: left + column * cell, y, width: cell, height: cell,
                                          fill: `rgb(${pixels.slice(4 * i, 4 * i + 3).join(",")})` },
                                svgElement("title", {}, `${query.text} → ${key.text} ${cellText(matrix, i)}`)));
    });
  });
  keys.forEach((key, column) => {
    const x = left + (column + 0.5) * cell;
    picture.append(label(key.text, { transform: `translate(${x} ${top - gap}) rotate(-90)` }));
  });
  return new XMLSerializer().serializeToString(picture);
}
