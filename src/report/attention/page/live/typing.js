// The line that is typed in, and what is common to all sides: the second text, the kept text, the link, and whether
// attention or explanation is shown.
function startTyping(sides) {
  const at = (id) => document.getElementById(id);
  const [line, text, pair] = [at("line"), at("text"), at("pair")];

  const fields = () => new URLSearchParams(location.hash.slice(1));

  // Sets the line to the texts of the link, or to those of the file.
  function readLink() {
    const [own, ownPair] = sides[0].about.texts;
    const linked = fields().has("text");
    text.value = linked ? fields().get("text") : own ?? "";
    const second = linked ? fields().get("pair") : ownPair ?? null;
    at("has-pair").checked = second !== null;
    pair.value = second ?? "";
  }

  function writeLink() {
    const typed = sides[0].typed();
    const now = new URLSearchParams({ text: typed.text, ...(typed.pair === null ? {} : { pair: typed.pair }) });
    history.replaceState(null, "", `#${now}`);
  }

  const troubles = sides.map(() => "Loading …");  // what is said of each side, and of the pair
  function tell(place, trouble) {
    troubles[place] = trouble;
    at("line-status").textContent = [...new Set(troubles)].filter((one) => one !== "").join(" ");
  }

  // A second text without a word is none: an empty box changes nothing.
  function compute() {
    at("second").hidden = !at("has-pair").checked;
    const isPair = at("has-pair").checked && wordsOfText(pair.value).length > 0;
    for (const side of sides) side.type(text.value, isPair ? pair.value : null);
    tell(sides.length, at("has-pair").checked && !isPair ? "There is nothing to read in the second text." : "");
  }

  // Browsers allow a few hundred changes of the link in half a minute.
  let writing = 0;
  function typed() {
    clearTimeout(writing);
    writing = setTimeout(writeLink, 300);
    compute();
  }

  async function hold(isHeld) {
    if (sides.some(({ shown }) => shown === null)) return;  // not ready
    await Promise.all(sides.map((side) => side.hold(isHeld)));
    at("held").replaceChildren(...(isHeld ? ["compared with: ", isolated(shownText(sides[0].shown.data.texts.join(" ⟶ ")))] : []));
    at("hold").textContent = isHeld ? "end the comparison" : "compare: keep this text, type another";
    at("hold").setAttribute("aria-pressed", String(isHeld));
  }

  function look(name) {
    for (const part of document.querySelectorAll("[data-look]")) part.classList.toggle("away", part.dataset.look !== name);
    dispatchEvent(new Event("resize"));  // what was away had no width
  }

  line.hidden = false;
  sides.forEach((side, i) => { side.onStatus = (trouble) => tell(i, trouble); });
  line.addEventListener("submit", (event) => event.preventDefault());
  text.addEventListener("input", typed);
  pair.addEventListener("input", typed);
  at("has-pair").addEventListener("change", typed);
  at("hold").addEventListener("click", () => hold(!sides[0].isHolding()));
  addEventListener("hashchange", () => { readLink(); compute(); });
  const { opens } = sides[0].about;
  for (const name of ["attention", "explanation"]) {
    at("looks").append(chip("radio", "look", name, name === opens, () => look(name)));
  }
  look(opens);
  readLink();
  compute();
}
