// The text of a live page as words: coloured by their effect on the label; a click leaves one out or takes it back.
const words = (() => {
  const hint = element("span", { class: "hint" }, "Click a word to leave it out.");

  // A text without a blank between its words, which the style sheet puts there.
  function fillText(paragraph, typed, text, name) {
    const all = wordsOfText(typed);
    const isOut = (number) => live.wordsOff[text].has(number);
    const keys = all.map((word, number) => `${isOut(number)} ${word}`);
    fillWith(paragraph, name === "" ? keys : [name, ...keys], (i) => {
      const number = name === "" ? i : i - 1;
      if (number < 0) return element("span", { class: "quiet" }, name);
      const title = isOut(number) ? "take this word back" : "leave this word out";
      return button(() => live.toggleWord(text, number),
                    { class: "word", "aria-pressed": String(isOut(number)), tabindex: "-1", title },
                    isolated(shownText(all[number])));
    });
  }

  // One word of a text is reached by Tab, the others from it by the arrow keys.
  function walk(event) {
    const step = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" }[event.key];
    const next = step && event.target[step];
    if (!next?.classList.contains("word")) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  function letReach(paragraph) {
    const first = paragraph.querySelector(".word");
    if (first !== null && paragraph.querySelector('[tabindex="0"]') === null) first.tabIndex = 0;
  }

  return {
    build() {
      byId("texts").addEventListener("keydown", walk);
      byId("colours").append(hint);
    },
    show() {
      const { text, pair } = live.typed();
      const texts = pair === null ? [text] : [text, pair];
      fillWith(byId("texts"), texts.map(() => "text"), () => element("p", { class: "text words" }));
      texts.forEach((typed, i) => fillText(byId("texts").children[i], typed, i, pair === null ? "" : "AB"[i]));
      [...byId("texts").children].forEach(letReach);
      byId("texts").classList.add("stale");  // the colours, until those of this text come
    },
    // `all`: the effects on a label of the words that are read, in order; of another number: not known.
    colourBy(all, label) {
      const read = [...byId("texts").querySelectorAll('.word[aria-pressed="false"]')];
      const known = read.length === all.length;
      const largest = Math.max(0, ...all.map(Math.abs));
      read.forEach((word, i) => {
        word.classList.toggle("for", known && all[i] > 0);
        word.classList.toggle("against", known && all[i] < 0);
        word.style.setProperty("--share", known && largest > 0 ? (Math.abs(all[i]) / largest).toFixed(3) : 0);
        word.title = known ? `effect ${signed(all[i], 3)}; a click leaves this word out` : "leave this word out";
      });
      byId("texts").classList.remove("stale");
      const colour = (kind) => element("i", { class: `swatch ${kind}`, "aria-hidden": "true" });
      byId("colours").replaceChildren(...(known && largest > 0
        ? [colour("for"), " for ", breakable(label), " ", colour("against"), " against it. "] : []), hint);
    },
  };
})();

// What is left out, each with a button that takes it back.
function showChanges() {
  const heads = live.headsOff().map(([layer, head]) => [`head ${layer}·${head}`, () => live.toggleHead(layer, head)]);
  const { text, pair } = live.typed();
  const out = [text, pair ?? ""].flatMap((typed, i) => [...live.wordsOff[i]].map((number) => (
    [`“${shownText(wordsOfText(typed)[number])}”`, () => live.toggleWord(i, number)])));
  const buttons = [...out, ...heads].map(([name, back]) => (
    button(back, { class: "chips-all", "aria-label": `take ${name} back` }, isolated(name), " ×")));
  const all = button(live.everythingOn, { class: "chips-all" }, "all back");
  byId("changes").replaceChildren(...(buttons.length === 0 ? [] : ["Without ", ...buttons, ...(buttons.length > 1 ? [all] : [])]));
}
