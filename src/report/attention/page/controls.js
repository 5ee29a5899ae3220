// Switches for tokens or words, special tokens, sentences, layers and heads.
const controls = (() => {
  function changed() {
    openHead.show();
    labelAttention.show();
    thumbnails.draw();
  }

  function addTokenSwitches() {
    byId("words").checked = view.words;
    byId("words").addEventListener("change", ({ target }) => {
      view.words = target.checked;
      changed();
    });
    byId("no-specials").addEventListener("change", ({ target }) => {
      view.specials = !target.checked;
      changed();
    });
  }

  function addPairs() {
    const choices = [["all", null], ["A → A", [0, 0]], ["A → B", [0, 1]], ["B → A", [1, 0]], ["B → B", [1, 1]]];
    for (const [name, pair] of choices) {
      byId("pairs").lastChild.append(chip("radio", `pair${suffix}`, name, pair === null, () => {
        view.pair = pair;
        changed();
      }));
    }
  }

  // One chip per number, and one button that selects all or none of them.
  function addNumbers(place, numbers, chosen) {
    if (numbers.length < 2) {
      place.hidden = true;
      return;
    }
    const every = element("button", { type: "button", class: "chips-all" });
    const refresh = () => {
      every.textContent = chosen.size === numbers.length ? "none" : "all";
      grid.filter();
      thumbnails.draw();
    };
    const chips = numbers.map((number) => chip("checkbox", place.id, String(number), true, (on) => {
      if (on) chosen.add(number); else chosen.delete(number);
      refresh();
    }));
    every.addEventListener("click", () => {
      const all = chosen.size < numbers.length;
      chosen.clear();
      if (all) numbers.forEach((number) => chosen.add(number));
      chips.forEach((one) => { one.firstChild.checked = all; });
      refresh();
    });
    every.textContent = "none";
    place.lastChild.append(...chips, every);
  }

  // Which heads are shown together.
  function addOverlays() {
    const add = (name, act) => byId("overlay").lastElementChild.append(button(act, { class: "chips-all" }, name));
    if (data.heads.length > 1) add("whole layer", () => grid.overlay(({ layer }) => layer === view.layer));
    if (data.layers.length > 1) add("same head in all layers", () => grid.overlay(({ column }) => column === view.column));
    add("one head", grid.openAlone);
    byId("link").hidden = suffixes.length < 2;
  }

  return {
    // The choice of sentences is there if there are two.
    update() {
      byId("pairs").hidden = data.texts.length < 2;
      if (!byId("pairs").hidden || view.pair === null) return;
      view.pair = null;
      byId("pairs").querySelector("input").checked = true;
    },
    build() {
      byId("controls").addEventListener("submit", (event) => event.preventDefault());
      addTokenSwitches();
      addPairs();
      this.update();
      addOverlays();
      addNumbers(byId("layers"), data.layers, view.layers);
      addNumbers(byId("heads"), data.heads, view.heads);
    },
  };
})();
