// The small pictures of the grid, drawn one after another so that the page stays responsive.
const thumbnails = (() => {
  const side = 48;          // maximum, in pixels; with more cells, a pixel shows the largest weight of its patch
  const pictures = new Map();  // canvas → { steps, rows, columns }
  const patience = 12;      // milliseconds after which others have their turn
  let round = 0;

  function pooled(matrix) {
    const [rows, columns] = [matrix.queries.length, matrix.keys.length];
    const [high, wide] = [Math.min(side, rows), Math.min(side, columns)];
    const largest = new Float32Array(high * wide);
    const patches = Uint8Array.from({ length: columns }, (_, column) => Math.floor(column * wide / columns));
    for (let row = 0, i = 0; row < rows; ++row) {
      const line = Math.floor(row * high / rows) * wide;
      for (let column = 0; column < columns; ++column, ++i) {
        const patch = line + patches[column];
        if (matrix.values[i] > largest[patch]) largest[patch] = matrix.values[i];
      }
    }
    return { steps: Uint8Array.from(largest, (weight) => stepOf(weight, matrix.largest)), rows: high, columns: wide };
  }

  function paint(canvas, { steps, rows, columns: wide }) {
    canvas.width = Math.max(wide, 1);
    canvas.height = Math.max(rows, 1);
    if (wide > 0 && rows > 0) canvas.getContext("2d").putImageData(pointsOf(steps, wide, rows), 0, 0);
  }

  return {
    async draw() {
      const mine = ++round;
      let until = performance.now() + patience;
      for (const { layer, column, button } of grid.shown()) {
        const canvas = button.querySelector("canvas");
        const matrix = await viewedMatrix(layer, column);
        if (performance.now() > until) {
          await new Promise((resolve) => { setTimeout(resolve); });
          until = performance.now() + patience;
        }
        if (mine !== round) return;  // the view has changed
        pictures.set(canvas, pooled(matrix));
        paint(canvas, pictures.get(canvas));
      }
      byId("grid").dataset.drawn = round;
    },
    recolour() {
      for (const [canvas, picture] of pictures) paint(canvas, picture);
    },
  };
})();
