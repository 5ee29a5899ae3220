// The effect of each word on a label: first a cheap estimate by gradients, then, when typing pauses, the chosen
// method.
const effects = (() => {
  const pauses = { cheap: 250, exact: 450 };  // in typing, in milliseconds
  let round = 0;
  let timers = [];
  let found = null;   // the explanation that is shown, with its method and its round

  const labelOf = () => (byId("effect-label").value === "" ? data.verdict.best : Number(byId("effect-label").value));

  function row(word, largest) {
    const effect = word.effects[labelOf()];
    const half = (sign) => element("b", { class: sign < 0 ? "against" : "for" }, ...(effect * sign > 0 ? [element("i")] : []));
    const track = element("td", { class: "track", "aria-hidden": "true" }, element("div", {}, half(-1), half(1)));
    track.style.setProperty("--share", largest > 0 ? Math.abs(effect) / largest : 0);
    return element("tr", {}, element("th", { scope: "row" }, isolated(shownText(word.text))),
                   element("td", { class: "number" }, signed(effect, 3)), track);
  }

  function draw() {
    if (found === null) return;
    const all = found.words.map((word) => word.effects[labelOf()]);
    const label = data.verdict.labels[labelOf()].name;
    words.colourBy(all, label);
    const largest = Math.max(0, ...all.map(Math.abs));
    byId("effect-rows").replaceChildren(...found.words.map((word) => row(word, largest)));
    byId("effect-note").replaceChildren("The effect of each word on the logit of ", isolated(label), `, by ${found.method}.`);
  }

  // `explain` is one of the functions of the explainer.
  async function compute(explain, method, mine) {
    try {
      const explained = await explain(live.toExplain(method));
      if (mine !== round || explained === null) return;
      found = { ...explained, method, round: mine };
      draw();
    } catch (error) {
      if (mine !== round) return;
      byId("effect-note").textContent = error.message;
      byId("effect-rows").replaceChildren();
      words.colourBy([]);
    }
  }

  return {
    build() {
      const { labels } = data.verdict;
      if (labels.length === 0) byId("effect-note").textContent = "This model has no labels for a text.";
      byId("effect-method").append(...live.about.methods.map((name) => element("option", {}, name)));
      byId("effect-method").value = live.about.method;
      byId("effect-label").append(element("option", { value: "" }, "the predicted label"),
                                  ...labels.map(({ name }, i) => element("option", { value: i }, name)));
      byId("effect-method").addEventListener("change", () => this.show());
      byId("effect-label").addEventListener("change", draw);
    },
    // Called when all that was typed is shown.
    show() {
      if (data.verdict.labels.length === 0) return;
      const mine = ++round;
      timers.forEach(clearTimeout);
      const cheap = () => { if (live.headsOff().length === 0) compute(live.explainer.ifFree, "gradient", mine); };
      const exact = () => {
        const method = byId("effect-method").value;
        if (found?.method !== method || found.round !== mine) compute(live.explainer.next, method, mine);
      };
      timers = [setTimeout(cheap, pauses.cheap), setTimeout(exact, pauses.exact)];
    },
  };
})();
