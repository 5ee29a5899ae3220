// Starts the page: one side, or two beside each other, which are two texts or two models. The second is
// a copy of the first, and its ids end in "-2". A live page has models; others have what they found.
const firstSide = document.querySelector(".side");
const isLive = document.getElementById("live") !== null;
const suffixes = document.getElementById(isLive ? "live-2" : "data-2") === null ? [""] : ["", "-2"];

function copiedSide(suffix) {
  const copy = firstSide.cloneNode(true);
  for (const name of ["id", "aria-labelledby", "aria-describedby"]) {
    for (const part of copy.querySelectorAll(`[${name}]`)) part.setAttribute(name, part.getAttribute(name) + suffix);
  }
  return copy;
}

firstSide.after(...suffixes.slice(1).map(copiedSide));
document.body.classList.toggle("two", suffixes.length > 1);
if (isLive) {
  startTyping(suffixes.map((suffix) => liveSide(suffix, (first) => startSide(suffix, first))));
} else {
  const [before, after] = suffixes.map(storedSide);
  startSide("", before);
  if (after) startSide(suffixes[1], { ...after, before });
}
