// A matrix as coloured cells on a canvas, with names at its sides. The canvas is as large as what is seen of
// it: the box scrolls over a surface of the size of the whole map, and the names stay. The user can zoom and
// pan by mouse, touch and keyboard, point at a cell, click it, or move between cells with the arrow keys.
function createHeatMap(box, tools, { onPoint, onPick, onWalk }) {
  const canvas = box.querySelector("canvas");
  const surface = canvas.parentNode;
  const drawing = createMapDrawing(canvas);
  const limits = mapLimits;
  const padding = 4;
  let matrix = null;
  let image = null;    // one pixel per cell
  let points = null;   // the same as a canvas
  let layout = null;
  let zoomed = null;   // the side of a cell in pixels; null: as the map starts
  let mark = {};       // the { row, column } under the pointer
  let walker = { row: 0, column: 0 };
  let drag = null;     // where the mouse went down
  let pinch = null;

  function arrange() {
    const [rows, columns] = [matrix.queries.length, matrix.keys.length];
    const room = box.clientWidth - 2 * padding - 1;  // without padding and border
    const [left, top] = [drawing.widest(matrix.queries), drawing.widest(matrix.keys)];
    // On a phone, a map that is not too wide starts with legible cells and scrolls.
    const fit = (room - left) / columns;
    const whole = Math.min(limits.cell, Math.max(fit < limits.name ? fit - limits.gap / columns : fit, 0.25));
    const scrolls = room < limits.phone && columns <= limits.scrolled;
    const start = Math.max(whole, scrolls ? limits.legible : 0);
    const cell = printing ? whole : Math.max(whole, Math.min(limits.cell, zoomed ?? start));
    layout = { rows, columns, cell, left, top, whole };
    const border = cell < limits.name ? limits.gap : 1;  // with room for half a name
    layout.width = Math.ceil(left + cell * columns + border);
    layout.height = Math.ceil(top + cell * rows + border);
    surface.style.width = `${layout.width}px`;
    surface.style.height = `${layout.height}px`;
  }

  // Paints what is seen of the map.
  function paint() {
    const seen = (all, room) => (printing ? all : Math.min(all, room - 2 * padding));
    layout.x = printing ? 0 : box.scrollLeft;
    layout.y = printing ? 0 : box.scrollTop;
    layout.wide = seen(layout.width, box.clientWidth);
    layout.high = seen(layout.height, box.clientHeight);
    drawing.paint({ matrix, image, points, layout, mark });
  }

  // Also called when the available size or the colours change.
  function draw() {
    if (matrix === null) return;
    const [rows, columns] = [matrix.queries.length, matrix.keys.length];
    box.hidden = rows === 0 || columns === 0;
    if (box.hidden) return;
    points = new OffscreenCanvas(columns, rows);
    image = imageOf(matrix);
    points.getContext("2d").putImageData(image, 0, 0);
    arrange();
    paint();
    sayZoom();
  }

  // Zooms so that the cell at a point of the canvas stays there.
  function zoomTo(cell, at = { x: layout.wide / 2, y: layout.high / 2 }) {
    const { left, top, whole, x, y } = layout;
    const before = layout.cell;
    zoomed = Math.max(whole, Math.min(limits.cell, cell));
    arrange();
    box.scrollLeft = (x + Math.max(at.x - left, 0)) * layout.cell / before - Math.max(at.x - left, 0);
    box.scrollTop = (y + Math.max(at.y - top, 0)) * layout.cell / before - Math.max(at.y - top, 0);
    paint();
    sayZoom();
  }

  const zoomStep = 1.5;
  const zoomOut = () => zoomTo(layout.cell / zoomStep);
  const zoomIn = () => zoomTo(layout.cell * zoomStep);
  const showAll = () => zoomTo(0);
  const tool = (name, label, act) => button(act, { "aria-label": label, title: label }, name);
  const [smaller, larger, all] = [tool("−", "zoom out", zoomOut), tool("+", "zoom in", zoomIn),
                                  tool("whole", "show the whole map", showAll)];
  tools.append(smaller, larger, all);

  function sayZoom() {
    smaller.disabled = all.disabled = layout.cell <= layout.whole + 1e-6;
    larger.disabled = layout.cell >= limits.cell;
    canvas.classList.toggle("pans", layout.width > layout.wide || layout.height > layout.high);
  }

  // A point of the window on the canvas.
  function onCanvas({ clientX, clientY }) {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  function cellAt(event) {
    const { x, y } = onCanvas(event);
    if (x < layout.left || y < layout.top) return null;
    const column = Math.floor((x - layout.left + layout.x) / layout.cell);
    const row = Math.floor((y - layout.top + layout.y) / layout.cell);
    return row < layout.rows && column < layout.columns ? { row, column } : null;
  }

  // Scrolls until a cell is seen.
  function bring({ row, column }) {
    const { cell, left, top, wide, high } = layout;
    const near = (at, from, room) => Math.max((at + 1) * cell - room, Math.min(from, at * cell));
    box.scrollTo(near(column, box.scrollLeft, wide - left), near(row, box.scrollTop, high - top));
  }

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const zooms = { "+": zoomIn, "=": zoomIn, "-": zoomOut, 0: showAll };
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter") onPick(walker);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in zooms) return zooms[event.key]();
    if (!(event.key in steps)) return;
    event.preventDefault();
    const [down, right] = steps[event.key];
    walker = { row: Math.max(0, Math.min(layout.rows - 1, walker.row + down)),
               column: Math.max(0, Math.min(layout.columns - 1, walker.column + right)) };
    bring(walker);
    onWalk(walker);
  });

  box.addEventListener("scroll", () => { if (matrix !== null && !box.hidden) paint(); }, { passive: true });
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;  // the wheel scrolls
    event.preventDefault();
    zoomTo(layout.cell * Math.exp(-event.deltaY / 200), onCanvas(event));
  }, { passive: false });

  canvas.addEventListener("pointerdown", (event) => {
    drag = event.pointerType === "mouse" && event.button === 0
      ? { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop, moved: false } : null;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag === null || event.buttons === 0) return onPoint(cellAt(event), event);
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.moved ||= Math.hypot(right, down) > 4;
    if (!drag.moved) return;
    if (!canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
    onPoint(null, event);
    box.scrollTo(drag.left - right, drag.top - down);
  });
  canvas.addEventListener("pointerleave", (event) => onPoint(null, event));
  canvas.addEventListener("click", (event) => {
    const moved = drag?.moved;
    drag = null;
    const cell = moved ? null : cellAt(event);
    if (cell) onPick(cell);
  });

  // Two fingers zoom; one scrolls the box.
  const middleOf = ([one, other]) => ({ clientX: (one.clientX + other.clientX) / 2,
                                        clientY: (one.clientY + other.clientY) / 2 });
  const distanceOf = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  canvas.addEventListener("touchstart", (event) => {
    pinch = event.touches.length === 2 ? { distance: distanceOf(event.touches), cell: layout.cell } : null;
    if (pinch !== null) event.preventDefault();
  }, { passive: false });
  canvas.addEventListener("touchmove", (event) => {
    if (pinch === null || event.touches.length !== 2) return;
    event.preventDefault();
    const share = distanceOf(event.touches) / Math.max(pinch.distance, 1);
    zoomTo(pinch.cell * share, onCanvas(middleOf(event.touches)));
  }, { passive: false });
  canvas.addEventListener("touchend", () => { pinch = null; });

  return {
    show(shown, name) {
      const same = matrix !== null && matrix.queries.length === shown.queries.length &&
                   matrix.keys.length === shown.keys.length;
      if (!same) zoomed = null;
      matrix = shown;
      mark = {};
      walker = { row: 0, column: 0 };
      canvas.setAttribute("aria-label", `${name}, ${shown.queries.length} rows and ${shown.keys.length} columns; ` +
        "use the arrow keys to read weights, + and - to zoom, 0 for the whole map");
      draw();
    },
    mark(place) {
      mark = place;
      if (matrix !== null && !box.hidden) paint();
    },
    draw,
    // The whole map on a canvas of its own, in cells as large as they are seen.
    picture() {
      const whole = document.createElement("canvas");
      const all = { ...layout, x: 0, y: 0, wide: layout.width, high: layout.height };
      createMapDrawing(whole).paint({ matrix, image, points, layout: all, mark: {} });
      const context = whole.getContext("2d");
      context.globalCompositeOperation = "destination-over";
      context.fillStyle = styleColour("--panel");
      context.fillRect(0, 0, whole.width, whole.height);
      return whole;
    },
  };
}
