// Lines between queries on the left and keys on the right, as BertViz draws them (Vig 2019, "A
// Multiscale Visualization of Attention in the Transformer Model"). Several heads have lines of their colours.
function createLines(box, { onPoint, onPick }) {
  const svg = box.querySelector("svg");
  const lists = { query: box.querySelector(".queries"), key: box.querySelector(".keys") };
  const drawn = { least: 250, ofToken: 6, most: 600 };  // number of lines if no token is pointed at
  const faintest = 0.02;    // share of the largest weight
  const levels = 16;        // steps of opacity
  const clear = 150;        // number of lines that can be drawn without hiding each other
  let matrix = null;
  let row = 22;             // height in pixels

  const itemsAt = (side) => (side === "query" ? matrix.queries : matrix.keys);

  function fill(side) {
    const list = itemsAt(side);
    const overlay = matrix.parts.length > 1;
    fillWith(lists[side], list.map(({ text, sequence }) => `${overlay} ${sequence} ${text}`), (index) => {
      const item = list[index];
      const token = element("div", { class: "token", role: "option", tabindex: "-1" },
                            cutInTheMiddle(item.text), element("span", { class: "weight" }));
      if (overlay) token.append(element("span", { class: "squares", "aria-hidden": "true" }));
      token.classList.toggle("special", item.sequence === null);
      Object.assign(token.dataset, { side, index });
      token.title = item.text;
      return token;
    });
    const first = lists[side].firstElementChild;
    if (first !== null && lists[side].querySelector('[tabindex="0"]') === null) first.tabIndex = 0;
  }

  // The smallest weight that has a line if no token is pointed at.
  function leastDrawn() {
    const least = faintest * matrix.largest;
    const strong = Float32Array.from(matrix.parts.flatMap(({ values }) => [...values.filter((one) => one >= least)]));
    strong.sort();
    const wanted = drawn.ofToken * Math.max(matrix.queries.length, matrix.keys.length);
    const room = Math.max(drawn.least, Math.min(drawn.most, wanted));
    return strong.length > room ? strong[strong.length - room] : least;
  }

  // The lines of a head, [query, key, weight].
  function chosenLines(part, active, least) {
    const all = [];
    const add = (query, key) => all.push([query, key, part.at(query, key)]);
    if (active?.side === "query") matrix.keys.forEach((_, key) => add(active.index, key));
    if (active?.side === "key") matrix.queries.forEach((_, query) => add(query, active.index));
    if (active) return all;
    matrix.queries.forEach((_, query) => matrix.keys.forEach((__, key) => {
      if (part.at(query, key) >= least && least > 0) add(query, key);
    }));
    return all;
  }

  // One path for each level of opacity.
  function pathsOf(part, lines, { largest, strength }) {
    const paths = Array.from({ length: levels + 1 }, () => []);
    for (const [query, key, weight] of lines) {
      const level = largest > 0 ? Math.round(levels * weight / largest) : 0;
      const [from, to] = [(query + 0.5) * row, (key + 0.5) * row];
      paths[level].push(`M0 ${from}C40 ${from} 60 ${to} 100 ${to}`);
    }
    return paths.flatMap((parts, level) => {
      if (level === 0 || parts.length === 0) return [];
      const path = svgElement("path", { d: parts.join(""), "stroke-opacity": (level * strength).toFixed(3) });
      if (part.head !== undefined) path.style.stroke = headColour(part.head);
      return [path];
    });
  }

  function draw(active) {
    const least = active ? 0 : leastDrawn();
    const lines = matrix.parts.map((part) => chosenLines(part, active, least));
    const count = lines.reduce((sum, own) => sum + own.length, 0);
    const largest = lines.flat().reduce((sofar, [, , weight]) => Math.max(sofar, weight), 0);
    const strength = Math.min(1, active ? 1 : clear / count) / levels;
    svg.replaceChildren(...matrix.parts.flatMap((part, i) => pathsOf(part, lines[i], { largest, strength })));
    return count;
  }

  // The weights of each head as squares of its colour, the stronger the larger the weight.
  function showSquares(token, weights, largest) {
    token.querySelector(".squares").replaceChildren(...weights.map((weight, i) => {
      const square = swatch(matrix.parts[i].head);
      square.style.opacity = largest > 0 ? (weight / largest).toFixed(3) : 0;
      square.title = `${headName(matrix.parts[i].head)}: ${weightText(weight)}`;
      return square;
    }));
  }

  function markTokens(active, pinned) {
    for (const side of ["query", "key"]) {
      const weighs = active && active.side !== side;
      const weights = weighs
        ? itemsAt(side).map((_, i) => (side === "key" ? matrix.at(active.index, i) : matrix.at(i, active.index))) : [];
      const largest = weights.reduce((sofar, weight) => Math.max(sofar, weight), 0);
      [...lists[side].children].forEach((token, index) => {
        token.classList.toggle("active", active?.side === side && active.index === index);
        token.setAttribute("aria-selected", String(pinned?.side === side && pinned.index === index));
        const overlay = matrix.parts.length > 1;
        token.querySelector(".weight").textContent = weighs && !overlay ? weightText(weights[index]) : "";
        token.style.setProperty("--share", weighs && !overlay && largest > 0 ? (weights[index] / largest).toFixed(3) : 0);
        if (!overlay) return;
        const own = (part) => (side === "key" ? part.at(active.index, index) : part.at(index, active.index));
        showSquares(token, weighs ? matrix.parts.map(own) : [], largest);
      });
    }
  }

  function noteOf(active, count) {
    const all = matrix.values.length * (matrix.difference ? 1 : matrix.parts.length);
    const isWhole = view.specials && view.pair === null;
    const hidden = isWhole ? "" : " Weights of hidden tokens are left out, so rows may sum to less than 1.";
    if (active) return `The weights of one token; the strongest line is its largest weight.${hidden}`;
    if (count === all) return `All ${all} weights.${hidden}`;
    return `The ${count} largest of ${all} weights. Point at a token to see all its weights.${hidden}`;
  }

  const placeOf = (target) => {
    const token = target.closest?.(".token");
    return token ? { side: token.dataset.side, index: Number(token.dataset.index) } : null;
  };

  function walk(event, place) {
    const last = itemsAt(place.side).length - 1;
    const other = place.side === "query" ? "key" : "query";
    const to = { ArrowUp: place.index - 1, ArrowDown: place.index + 1, Home: 0, End: last }[event.key];
    const crosses = { query: "ArrowRight", key: "ArrowLeft" }[place.side] === event.key;
    if (to === undefined && !crosses) return;
    event.preventDefault();
    const tokens = lists[crosses ? other : place.side].children;
    const next = tokens[Math.max(0, Math.min(tokens.length - 1, crosses ? place.index : to))];
    if (!next) return;
    for (const token of next.parentNode.children) token.tabIndex = token === next ? 0 : -1;
    next.focus();
  }

  box.addEventListener("pointerover", (event) => onPoint(placeOf(event.target), false));
  box.addEventListener("pointerleave", () => onPoint(null, false));
  box.addEventListener("focusin", (event) => onPoint(placeOf(event.target), true));
  box.addEventListener("focusout", () => onPoint(null, false));
  box.addEventListener("click", (event) => { const place = placeOf(event.target); if (place) onPick(place); });
  box.addEventListener("keydown", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPick(place);
    } else {
      walk(event, place);
    }
  });

  return {
    show(shown) {
      matrix = shown;
      const rows = Math.max(shown.queries.length, shown.keys.length);
      row = rows > 60 ? 18 : rows > 24 ? 20 : 24;
      box.classList.toggle("many", rows > 60);
      box.style.setProperty("--row", `${row}px`);
      svg.setAttribute("viewBox", `0 0 100 ${Math.max(rows * row, 1)}`);
      box.style.setProperty("--rows", rows);
      box.style.setProperty("--parts", shown.parts.length);
      fill("query");
      fill("key");
    },
    mark(active, pinned) {
      markTokens(active, pinned);
      byId("lines-note").textContent = noteOf(active, draw(active));
    },
  };
}
