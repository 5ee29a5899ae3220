// Label attention: what the query of each label attends to, per head or averaged over heads.
const labelAttention = (() => {
  const labels = data.verdict.labels.map(({ name }, i) => ({ text: name, begin: i, end: i + 1 }));
  const heads = data.labelHeads;  // 0: the model has no label attention
  let matrix = null;
  let chosen = "mean";
  let weights = null;  // [heads, labels, tokens]

  function part() {
    const size = labels.length * tokenCount;
    if (chosen !== "mean") return weights.subarray(chosen * size, (chosen + 1) * size);
    const mean = new Float32Array(size);
    weights.forEach((weight, i) => { mean[i % size] += weight / heads; });
    return mean;
  }

  const sayCell = (cell) => sayWeight(byId("label-status"), spokenOf(matrix, cell));
  const map = heads === 0 ? null : createHeatMap(byId("label-map"), byId("label-zoom"), {
    onPoint(cell, event) {
      map.mark(cell ?? {});
      if (!cell) return hideTooltip();
      showTooltip(event, spokenOf(matrix, cell));
    },
    onPick: sayCell,
    onWalk(cell) {
      map.mark(cell);
      sayCell(cell);
    },
  });

  return {
    build() {
      if (heads === 0) return;
      byId("labels").hidden = false;
      const names = ["mean", ...Array(heads).keys()];
      const choices = names.map((name) => chip("radio", `label-head${suffix}`, String(name), name === "mean", () => {
        chosen = name;
        this.show();
      }));
      byId("label-heads").lastChild.append(...choices);
    },
    async show() {
      if (heads === 0) return;
      weights = await source.labels();
      matrix = shownMatrix(part(), labels, items());
      map.show(matrix, "Heat map of label attention");
      showLegend(byId("label-legend"), matrix);
      byId("label-status").textContent = "Point at a cell to see its weight.";
    },
    redraw() {
      if (matrix === null) return;
      map.draw();
      showLegend(byId("label-legend"), matrix);
    },
  };
})();
