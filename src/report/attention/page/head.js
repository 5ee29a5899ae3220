// The open head: its lines and its heat map, which show the same tokens, and the token that is pointed
// at or pinned.
const openHead = (() => {
  const hint = "Point at a token or a cell to see its weights. Click or press Enter to pin a token, Escape to unpin it.";
  let matrix = null;
  let name = "";
  let round = 0;
  let pinned = null;  // { side, begin }: the first token of the item, so that the pin survives a change of view
  let pointed = null;  // { side, index }

  const itemsAt = (side) => (side === "query" ? matrix.queries : matrix.keys);

  function pinnedPlace() {
    if (pinned === null) return null;
    const index = itemsAt(pinned.side).findIndex(({ begin, end }) => begin <= pinned.begin && pinned.begin < end);
    return index < 0 ? null : { side: pinned.side, index };
  }

  function mark(cell) {
    const held = pinnedPlace();
    const active = pointed ?? held;
    lines.mark(active, held);
    if (live && active?.side === "query") steps.point(matrix.queries[active.index].begin);
    map.mark(cell ?? (active ? { [active.side === "query" ? "row" : "column"]: active.index } : {}));
  }

  function say(place) {
    if (place === null) {
      byId("status").textContent = hint;
    } else {
      sayToken(matrix, place.side, place.index);
    }
  }

  function pick(place) {
    const begin = itemsAt(place.side)[place.index].begin;
    const same = pinned?.side === place.side && pinnedPlace()?.index === place.index;
    pinned = same ? null : { side: place.side, begin };
    mark();
    say(same ? null : place);
  }

  const lines = createLines(byId("lines"), {
    onPoint(place, byKeyboard) {
      pointed = place;
      mark();
      if (byKeyboard && place) say(place);
    },
    onPick: pick,
  });

  const map = createHeatMap(byId("map"), byId("map-zoom"), {
    onPoint(cell, event) {
      pointed = cell ? { side: "query", index: cell.row } : null;
      mark(cell);
      if (!cell) return hideTooltip();
      showTooltip(event, spokenOf(matrix, cell));
    },
    onPick: (cell) => pick({ side: "query", index: cell.row }),
    onWalk(cell) {
      mark(cell);
      sayWeight(byId("status"), spokenOf(matrix, cell));
    },
  });

  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || pinned === null) return;
    pinned = null;
    mark();
    say(null);
  });

  function facts() {
    if (matrix.difference && before) return "this side minus the first one, token by token";
    if (matrix.difference) return "this text minus the kept one, for the words that stand for each other";
    if (view.chosen.length > 1) return "each head has a colour; all weights are on one scale";
    const entropy = matrix.entropy ?? entropyOf(view.layer, view.column);
    if (view.column === "mean") return "average of the layer's heads";
    if (view.column === "rollout") return "all layers up to this one combined";
    if (entropy === undefined) return "";
    return `entropy ${entropy.toFixed(2)} nats (maximum ${Math.log(tokenCount).toFixed(2)})` +
      (matrix.entropy === undefined ? "" : "; changed below, the prediction is that of the model");
  }

  // The colours of the heads. A click takes a head out of the overlay.
  function showHeads() {
    const several = view.chosen.length > 1;
    byId("head-colours").replaceChildren(...(several ? view.chosen : []).map((head) => {
      const name = `${layerName(head.layer)}, ${columnName(head.column)}`;
      return button(() => grid.toggle(head.layer, head.column),
                    { class: "chips-all", "aria-label": `take out ${name}` }, swatch(head), ` ${name} ×`);
    }));
  }

  // Beside each other, the two views have too little room for many tokens.
  function arrangeViews() {
    byId("views").classList.toggle("wide", matrix.keys.length > 40);
  }

  // The difference to the kept text, if it is asked for and the one open head has one.
  async function wantedMatrix() {
    if (live) {
      byId("compare").hidden = !live.isHolding() || !isOneHead();
      byId("switch").hidden = !isOneHead();
      byId("switch").textContent = live.isOff(view.layer, view.column) ? "switch this head on" : "switch this head off";
    }
    if (!live) byId("compare").hidden = !hasBefore();
    if (byId("compare").hidden || !byId("difference").checked) return (live && await steps.matrix()) || chosenMatrix();
    if (!live) return differenceOfSides();
    return differenceMatrix(await live.difference(view.layer, view.column), live.heldWords());
  }

  return {
    build() {
      if (before) byId("compare").lastElementChild.textContent = "difference to the first side";
      byId("difference").checked = data.difference === true;
      byId("switch").addEventListener("click", () => live.toggleHead(view.layer, view.column));
      byId("difference").addEventListener("change", () => this.show());
    },
    svg: () => svgOf(matrix, name),
    picture: () => map.picture(),
    async show() {
      const mine = ++round;
      const wanted = await wantedMatrix();
      if (mine !== round) return;  // another head was opened in the meantime
      matrix = wanted;
      pointed = null;
      name = view.chosen.length > 1 ? `${view.chosen.length} heads` : `L${layerName(view.layer).slice(1)}, ${columnName(view.column)}`;
      byId("head-name").textContent = name;
      this.tell();
      showHeads();
      arrangeViews();
      lines.show(matrix);
      map.show(matrix, `Heat map of ${name}`);
      showLegend(byId("map-legend"), matrix);
      mark();
      say(pinnedPlace());
      if (live) steps.show();
    },
    tell() {
      byId("head-facts").textContent = facts();
    },
    redraw() {
      if (matrix === null) return;
      showHeads();
      lines.show(matrix);
      map.draw();
      showLegend(byId("map-legend"), matrix);
      mark();
    },
  };
})();
