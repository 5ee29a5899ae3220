// Starts the page: one side, or two beside each other, which are two texts or two models. The second is
// a copy of the first, and its ids end in "-2".
const firstSide = document.querySelector(".side");
const suffixes = document.getElementById("data-2") === null ? [""] : ["", "-2"];

function copiedSide(suffix) {
  const copy = firstSide.cloneNode(true);
  for (const name of ["id", "aria-labelledby", "aria-describedby"]) {
    for (const part of copy.querySelectorAll(`[${name}]`)) part.setAttribute(name, part.getAttribute(name) + suffix);
  }
  return copy;
}

firstSide.after(...suffixes.slice(1).map(copiedSide));
document.body.classList.toggle("two", suffixes.length > 1);
suffixes.forEach(startSide);
