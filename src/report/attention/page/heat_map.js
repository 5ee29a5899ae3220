// A matrix as coloured cells on a canvas, with names at its sides if there is room. The user can point
// at a cell, click it, or move between cells with the arrow keys.
function createHeatMap(box, { onPoint, onPick, onWalk }) {
  const canvas = box.querySelector("canvas");
  const context = canvas.getContext("2d");
  const font = (size) => `${size}px system-ui, sans-serif`;
  // On a phone (room below `phone`), a map of up to `scrolled` columns keeps its names and scrolls.
  const limits = { cell: 44, named: 10, numbered: 36, gap: 6, names: 104, phone: 400, legible: 13, scrolled: 64 };
  let matrix = null;
  let points = null;  // an image with one pixel per cell
  let layout = null;
  let mark = {};      // the { row, column } under the pointer
  let walker = { row: 0, column: 0 };

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

  function widest(names) {
    const widths = names.slice(0, 200).map(({ text }) => context.measureText(text).width);
    return Math.min(limits.names, Math.ceil(Math.max(0, ...widths))) + limits.gap;
  }

  function arrange() {
    const [rows, columns] = [matrix.queries.length, matrix.keys.length];
    const room = box.clientWidth - 9;  // without padding and border
    context.font = font(12);
    const [left, top] = [widest(matrix.queries), widest(matrix.keys)];
    const scrolls = room < limits.phone && columns <= limits.scrolled;
    const fits = Math.max((room - left) / columns, scrolls ? limits.legible : 0);
    const named = fits >= limits.named;
    const cell = Math.max(1, Math.min(limits.cell, named ? Math.floor(fits) : room / columns));
    layout = { rows, columns, cell, left: named ? left : 0, top: named ? top : 0, named };
    layout.width = layout.left + cell * columns + 1;
    layout.height = layout.top + cell * rows + 1;
  }

  function drawCells() {
    const { rows, columns, cell, left, top } = layout;
    context.imageSmoothingEnabled = false;
    context.drawImage(points, left, top, columns * cell, rows * cell);
    if (cell >= 7) {
      context.fillStyle = styleColour("--panel");
      for (let i = 1; i < rows; ++i) context.fillRect(left, top + i * cell - 0.5, columns * cell, 1);
      for (let i = 1; i < columns; ++i) context.fillRect(left + i * cell - 0.5, top, 1, rows * cell);
    }
    context.strokeStyle = styleColour("--line");
    context.strokeRect(left + 0.5, top + 0.5, columns * cell, rows * cell);
  }

  function drawNames() {
    const { cell, left, top } = layout;
    context.font = font(Math.min(12, cell - 1));
    context.textBaseline = "middle";
    context.textAlign = "right";
    matrix.queries.forEach(({ text }, row) => {
      context.fillStyle = styleColour(row === mark.row ? "--accent" : "--text");
      context.fillText(fitted(text, limits.names), left - limits.gap, top + (row + 0.5) * cell);
    });
    context.textAlign = "left";
    matrix.keys.forEach(({ text }, column) => {
      context.save();
      context.translate(left + (column + 0.5) * cell, top - limits.gap);
      context.rotate(-Math.PI / 2);
      context.fillStyle = styleColour(column === mark.column ? "--accent" : "--text");
      context.fillText(fitted(text, limits.names), 0, 0);
      context.restore();
    });
  }

  function drawNumbers() {
    const { rows, columns, cell, left, top } = layout;
    context.textAlign = "center";
    context.font = font(11);
    for (let i = 0; i < rows * columns; ++i) {
      if (matrix.values[i] === 0) continue;  // for example masked keys
      const step = stepOf(matrix.values[i], matrix.largest) * 4;
      const [red, green, blue] = palette().subarray(step, step + 3);
      context.fillStyle = 0.299 * red + 0.587 * green + 0.114 * blue < 140 ? "#fff" : "#000";
      context.fillText(weightText(matrix.values[i]).replace(/^0/, ""), left + (i % columns + 0.5) * cell,
                       top + (Math.floor(i / columns) + 0.5) * cell);
    }
  }

  function drawMark() {
    const { rows, columns, cell, left, top } = layout;
    context.strokeStyle = styleColour("--text");
    const { row, column } = mark;
    if (column === undefined) {
      if (row !== undefined) context.strokeRect(left + 0.5, top + row * cell + 0.5, columns * cell, cell);
      return;
    }
    if (row === undefined) {
      context.strokeRect(left + column * cell + 0.5, top + 0.5, cell, rows * cell);
      return;
    }
    context.lineWidth = 2;
    context.strokeRect(left + column * cell, top + row * cell, Math.max(cell, 3), Math.max(cell, 3));
    context.lineWidth = 1;
  }

  function paint() {
    const scale = devicePixelRatio || 1;
    canvas.width = Math.ceil(layout.width * scale);
    canvas.height = Math.ceil(layout.height * scale);
    canvas.style.width = `${layout.width}px`;
    canvas.style.height = `${layout.height}px`;
    context.scale(scale, scale);
    drawCells();
    if (layout.named) drawNames();
    if (layout.cell >= limits.numbered) drawNumbers();
    drawMark();
  }

  // Also called when the available size or the colours change.
  function draw() {
    if (matrix === null) return;
    const [rows, columns] = [matrix.queries.length, matrix.keys.length];
    canvas.hidden = rows === 0 || columns === 0;
    if (canvas.hidden) return;
    points = new OffscreenCanvas(columns, rows);
    const steps = Uint8Array.from(matrix.values, (weight) => stepOf(weight, matrix.largest));
    points.getContext("2d").putImageData(pointsOf(steps, columns, rows), 0, 0);
    arrange();
    paint();
  }

  function cellAt(event) {
    const { left, top } = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - left - layout.left) / layout.cell);
    const row = Math.floor((event.clientY - top - layout.top) / layout.cell);
    const inside = row >= 0 && column >= 0 && row < layout.rows && column < layout.columns;
    return inside ? { row, column } : null;
  }

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  canvas.addEventListener("pointermove", (event) => onPoint(cellAt(event), event));
  canvas.addEventListener("pointerleave", (event) => onPoint(null, event));
  canvas.addEventListener("click", (event) => { const cell = cellAt(event); if (cell) onPick(cell); });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter") onPick(walker);
    if (!(event.key in steps)) return;
    event.preventDefault();
    const [down, right] = steps[event.key];
    walker = { row: Math.max(0, Math.min(layout.rows - 1, walker.row + down)),
               column: Math.max(0, Math.min(layout.columns - 1, walker.column + right)) };
    onWalk(walker);
  });

  return {
    show(shown, name) {
      matrix = shown;
      mark = {};
      walker = { row: 0, column: 0 };
      canvas.setAttribute("aria-label",
        `${name}, ${shown.queries.length} rows and ${shown.keys.length} columns; use the arrow keys to read weights`);
      draw();
    },
    mark(place) {
      mark = place;
      if (matrix !== null && !canvas.hidden) paint();
    },
    draw,
  };
}
