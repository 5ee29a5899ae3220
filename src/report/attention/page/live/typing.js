// The line that is typed in, and what is common to all sides: the second text, the held text, the link, and whether
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

  function compute() {
    at("second").hidden = !at("has-pair").checked;
    for (const side of sides) side.type(text.value, at("has-pair").checked ? pair.value : null);
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
    at("held").replaceChildren(...(isHeld ? ["held: ", isolated(shownText(sides[0].typed().text))] : []));
    at("hold").textContent = isHeld ? "release it" : "hold this text";
    at("hold").setAttribute("aria-pressed", String(isHeld));
  }

  function look(name) {
    for (const part of document.querySelectorAll("[data-look]")) part.classList.toggle("away", part.dataset.look !== name);
    dispatchEvent(new Event("resize"));  // what was away had no width
  }

  line.hidden = false;
  const troubles = sides.map(() => "Loading …");
  sides.forEach((side, i) => {
    side.onStatus = (trouble) => {
      troubles[i] = trouble;
      at("line-status").textContent = troubles.filter((one) => one !== "").join(" ");
    };
  });
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
