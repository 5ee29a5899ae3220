// Draws what is seen of a heat map on its canvas: the cells, the names at two sides, numbers in large cells.
const mapLimits = { cell: 64, numbered: 36, gap: 6, names: 104, name: 11, phone: 400, legible: 13, scrolled: 64 };

// `seen` is { matrix, image, points, layout, mark }: `image` has one pixel per cell, and so has the canvas `points`.
// `layout` is that of heat_map.js.
function createMapDrawing(canvas) {
  const context = canvas.getContext("2d");
  const font = (size) => `${size}px system-ui, sans-serif`;
  let matrix, image, points, layout, mark;

  // A text that is too long is cut in the middle, because long names often begin alike.
  function fitted(text, width) {
    if (context.measureText(text).width <= width) return text;
    const letters = [...text];
    const cut = (count) => `${letters.slice(0, Math.ceil(count / 2)).join("")}…` +
                           letters.slice(letters.length - Math.floor(count / 2)).join("");
    let count = letters.length - 1;
    while (count > 1 && context.measureText(cut(count)).width > width) --count;
    return cut(count);
  }

  // The width of the longest name, with the gap beside it.
  function widest(names) {
    context.font = font(12);
    const widths = names.slice(0, 200).map(({ text }) => context.measureText(text).width);
    return Math.min(mapLimits.names, Math.ceil(Math.max(0, ...widths))) + mapLimits.gap;
  }

  // The first and the last row and column that are seen.
  function seenCells() {
    const { cell, left, top, x, y, wide, high, rows, columns } = layout;
    const upTo = (count, end) => Math.min(count - 1, Math.floor(end / cell));
    return { rows: [Math.floor(y / cell), upTo(rows, y + high - top)],
             columns: [Math.floor(x / cell), upTo(columns, x + wide - left)] };
  }

  function drawCells() {
    const { rows, columns, cell } = layout;
    const [width, height] = [columns * cell, rows * cell];
    context.imageSmoothingEnabled = false;
    context.drawImage(points, 0, 0, width, height);
    if (cell >= 7) {
      const seen = seenCells();
      context.fillStyle = styleColour("--panel");
      for (let i = Math.max(1, seen.rows[0]); i <= seen.rows[1]; ++i) {
        context.fillRect(0, Math.round(i * cell) - 0.5, width, 1);
      }
      for (let i = Math.max(1, seen.columns[0]); i <= seen.columns[1]; ++i) {
        context.fillRect(Math.round(i * cell) - 0.5, 0, 1, height);
      }
    }
    context.strokeStyle = styleColour("--line");
    context.strokeRect(0.5, 0.5, width, height);
  }

  // Every name if there is room, else every second or third and so on, and always the marked one.
  function drawNamesOf(items, [first, last], marked, write) {
    const step = Math.max(1, Math.ceil(mapLimits.name / layout.cell));
    context.font = font(layout.cell < 13 ? 11 : 12);
    context.textBaseline = "middle";
    context.fillStyle = styleColour("--text");
    for (let i = Math.ceil(first / step) * step; i <= last; i += step) {
      if (marked === undefined || Math.abs(i - marked) * layout.cell >= mapLimits.name) write(items[i].text, i);
    }
    if (marked === undefined || marked < first || marked > last) return;
    context.fillStyle = styleColour("--accent");
    write(items[marked].text, marked);
  }

  function drawNames() {
    const { cell, left, top, x, y, wide, high } = layout;
    const seen = seenCells();
    context.save();
    context.beginPath();
    context.rect(0, top - mapLimits.gap, left, high - top + mapLimits.gap);
    context.clip();
    context.textAlign = "right";
    drawNamesOf(matrix.queries, seen.rows, mark.row, (text, row) => {
      context.fillText(fitted(text, mapLimits.names), left - mapLimits.gap, top - y + (row + 0.5) * cell);
    });
    context.restore();
    context.save();
    context.beginPath();
    context.rect(left - mapLimits.gap, 0, wide - left + mapLimits.gap, top);
    context.clip();
    context.textAlign = "left";
    drawNamesOf(matrix.keys, seen.columns, mark.column, (text, column) => {
      context.save();
      context.translate(left - x + (column + 0.5) * cell, top - mapLimits.gap);
      context.rotate(-Math.PI / 2);
      context.fillText(fitted(text, mapLimits.names), 0, 0);
      context.restore();
    });
    context.restore();
  }

  function drawNumbers() {
    const { columns, cell } = layout;
    const { rows: [top, bottom], columns: [left, right] } = seenCells();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = font(11);
    for (let row = top; row <= bottom; ++row) {
      for (let column = left; column <= right; ++column) {
        const i = row * columns + column;
        if (matrix.values[i] === 0) continue;  // for example masked keys
        context.fillStyle = isDarkColour(image.data.subarray(i * 4, i * 4 + 3)) ? "#fff" : "#000";
        context.fillText(cellText(matrix, i).replace(/^([+−]?)0/, "$1"), (column + 0.5) * cell, (row + 0.5) * cell);
      }
    }
  }

  function drawMark() {
    const { rows, columns, cell } = layout;
    context.strokeStyle = styleColour("--text");
    const { row, column } = mark;
    if (column === undefined) {
      if (row !== undefined) context.strokeRect(0.5, row * cell + 0.5, columns * cell, cell);
      return;
    }
    if (row === undefined) {
      context.strokeRect(column * cell + 0.5, 0.5, cell, rows * cell);
      return;
    }
    context.lineWidth = 2;
    context.strokeRect(column * cell, row * cell, Math.max(cell, 3), Math.max(cell, 3));
    context.lineWidth = 1;
  }

  function paint(seen) {
    ({ matrix, image, points, layout, mark } = seen);
    const scale = devicePixelRatio || 1;
    const { left, top, x, y, wide, high } = layout;
    canvas.width = Math.ceil(wide * scale);
    canvas.height = Math.ceil(high * scale);
    canvas.style.width = `${wide}px`;
    canvas.style.height = `${high}px`;
    context.scale(scale, scale);
    context.save();
    context.beginPath();
    context.rect(left - 1, top - 1, wide - left + 1, high - top + 1);
    context.clip();
    context.translate(left - x, top - y);
    drawCells();
    if (layout.cell >= mapLimits.numbered) drawNumbers();
    drawMark();
    context.restore();
    drawNames();
  }

  return { widest, paint };
}
