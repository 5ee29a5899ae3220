// The whole model: one row per layer, one column per head, then columns for mean and rollout.
const columns = [...data.heads, ...derivedColumns];

const mostHeads = 24;  // in an overlay

const grid = (() => {
  const place = byId("grid");
  const cells = new Map();  // "layer column" → button
  const rows = new Map();   // layer → row

  const extraClasses = (column) => (typeof column === "string" ? `derived ${column === "mean" ? "first" : ""}` : "");

  function header() {
    const names = columns.map((column) => {
      const name = element("span", { role: "columnheader", class: extraClasses(column) }, String(column));
      name.dataset.column = column;
      return name;
    });
    return element("div", { role: "row" }, element("span", { class: "corner", role: "presentation" }), ...names);
  }

  // What depends on the text.
  function describe(button, layer, column) {
    const entropy = entropyOf(layer, column);
    const isOff = live?.isOff(layer, column) ?? false;
    const said = (entropy === undefined ? "" : `, entropy ${entropy.toFixed(2)}`) + (isOff ? ", switched off" : "");
    button.title = `${layerName(layer)}, ${columnName(column)}${said}`;
    button.setAttribute("aria-label", button.title);
    button.classList.toggle("off", isOff);
    if (entropy === undefined && typeof column !== "string") return;  // it is on its way
    const bar = button.querySelector(".bar");
    bar.style.setProperty("--share", tokenCount > 1 ? (entropy ?? 0) / Math.log(tokenCount) : 0);
    if (entropy === undefined) bar.style.visibility = "hidden";
  }

  function cell(layer, column) {
    const holder = element("div", { role: "presentation", class: extraClasses(column) });
    holder.dataset.column = column;
    if (!hasMatrix(layer, column)) return holder;
    const button = element("button", { type: "button", class: "thumb", role: "gridcell", tabindex: "-1" },
                           element("canvas", { "aria-hidden": "true" }), element("span", { class: "bar" }, element("i")));
    Object.assign(button.dataset, { layer, column });
    describe(button, layer, column);
    button.addEventListener("click", (event) => {
      const adds = event.shiftKey || event.ctrlKey || event.metaKey || byId("several").checked;
      if (adds) toggle(layer, column); else open(layer, column);
    });
    cells.set(`${layer} ${column}`, button);
    holder.append(button);
    return holder;
  }

  const isShown = (layer, column) => view.layers.has(layer) && (typeof column === "string" || view.heads.has(column)) &&
                                     cells.has(`${layer} ${column}`);

  function select() {
    for (const button of cells.values()) {
      button.setAttribute("aria-selected", "false");
      button.tabIndex = -1;
    }
    for (const head of view.chosen) {
      const button = cells.get(`${head.layer} ${head.column}`);
      button.setAttribute("aria-selected", "true");
      button.style.setProperty("--ring", view.chosen.length > 1 ? headColour(head) : "var(--accent)");
    }
    const lead = cells.get(`${view.layer} ${view.column}`);
    const reachable = isShown(view.layer, view.column) ? lead : shown()[0]?.button;
    if (reachable) reachable.tabIndex = 0;
  }

  // Shows these heads, { layer, column, colour }, together; at least one. The other side shows the same ones.
  function choose(heads, { told = false } = {}) {
    view.chosen = heads;
    const { layer, column } = heads.at(-1);
    Object.assign(view, { layer, column });
    select();
    openHead.show();
    if (!told) document.dispatchEvent(new CustomEvent("heads", { detail: { heads, suffix } }));
  }

  const open = (layer, column) => choose([{ layer, column, colour: 0 }]);

  // Adds a head to the overlay, or takes it out.
  function toggle(layer, column) {
    const others = view.chosen.filter((head) => head.layer !== layer || head.column !== column);
    if (others.length < view.chosen.length) return choose(others.length > 0 ? others : view.chosen);
    choose(withColours([...others, { layer, column }]));
  }

  // Gives each head that has no colour the first free one.
  function withColours(heads) {
    const kept = heads.slice(-mostHeads);
    const taken = new Set(kept.map(({ colour }) => colour));
    return kept.map((head) => {
      let colour = head.colour ?? 0;
      while (head.colour === undefined && taken.has(colour)) ++colour;
      taken.add(colour);
      return { ...head, colour };
    });
  }

  const exists = ({ layer, column }) => cells.has(`${layer} ${column}`);

  function follow({ detail: { heads, suffix: from } }) {
    const own = heads.filter(exists);
    if (from !== suffix && byId("linked").checked && own.length > 0) choose(own, { told: true });
  }

  // The cells that pass the filters, layer by layer.
  function shown() {
    return data.layers.flatMap((layer) => columns.filter((column) => isShown(layer, column))
      .map((column) => ({ layer, column, button: cells.get(`${layer} ${column}`) })));
  }

  function walk(event) {
    const { layer, column } = event.target.dataset;
    if (live && event.key === "Delete" && !derivedColumns.includes(column)) live.toggleHead(Number(layer), Number(column));
    const layers = data.layers.filter((one) => view.layers.has(one));
    const [row, all] = [layers.indexOf(Number(layer)), shown()];
    const inRow = (one) => all.filter((thumb) => thumb.layer === one);
    const at = inRow(layers[row]).findIndex((thumb) => String(thumb.column) === column);
    const goals = { ArrowLeft: [row, at - 1], ArrowRight: [row, at + 1], ArrowUp: [row - 1, at],
                    ArrowDown: [row + 1, at], Home: [row, 0], End: [row, Infinity] };
    const goal = goals[event.key];
    if (!goal || row < 0) return;
    event.preventDefault();
    const line = inRow(layers[Math.max(0, Math.min(layers.length - 1, goal[0]))]);
    line[Math.max(0, Math.min(line.length - 1, goal[1]))].button.focus();
  }

  function filter() {
    for (const [layer, row] of rows) row.hidden = !view.layers.has(layer);
    for (const part of place.querySelectorAll("[data-column]:not(button)")) {
      const head = Number(part.dataset.column);
      part.hidden = !Number.isNaN(head) && !view.heads.has(head);
    }
    place.style.setProperty("--heads", Math.max(view.heads.size, 1));
    select();
  }

  return {
    build() {
      place.append(header());
      for (const layer of data.layers) {
        const row = element("div", { role: "row" }, element("span", { role: "rowheader" }, data.kinds ? `${layer} ${kindOf(layer)}` : String(layer)),
                            ...columns.map((column) => cell(layer, column)));
        rows.set(layer, row);
        place.append(row);
      }
      place.addEventListener("keydown", walk);
      document.addEventListener("heads", follow);
      filter();
    },
    // Shows what another text changes.
    update() {
      for (const layer of data.layers) {
        for (const column of columns) if (hasMatrix(layer, column)) describe(cells.get(`${layer} ${column}`), layer, column);
      }
    },
    filter,
    shown,
    toggle,
    recolour: select,
    // All shown heads that pass a test, each with a colour; or the open head alone.
    overlay(test) {
      const heads = shown().filter(({ layer, column }) => typeof column !== "string" && test({ layer, column }));
      if (heads.length > 0) choose(withColours(heads.map(({ layer, column }) => ({ layer, column }))));
    },
    openAlone: () => open(view.layer, view.column),
  };
})();
