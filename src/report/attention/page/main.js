// Builds the side, shows other texts in it, and redraws it when its width or its colours change.
function redraw() {
  openHead.redraw();
  labelAttention.redraw();
}

function recolour() {
  grid.recolour();
  redraw();
  thumbnails.recolour();
}

function show() {
  showTexts();
  showVerdict();
  if (live) showChanges();
  openHead.show();
  labelAttention.show();
  thumbnails.draw();
}

if (!live) byId("effects").hidden = true;
labelAttention.build();
grid.build();
controls.build();
openHead.build();
saving.build();
if (live) {
  words.build();
  steps.build();
  effects.build();
}
show();
for (const id of ["grid-box", "lines", "map", "label-map"]) fadeEdges(byId(id));
byId("texts").querySelectorAll(".text").forEach(fadeEdges);

darkPage.addEventListener("change", recolour);
addEventListener("beforeprint", () => { printing = true; recolour(); });
addEventListener("afterprint", () => { printing = false; recolour(); });
let resizing = 0;
addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(redraw);
});

return {
  text(next) {
    take(next);
    grid.update();
    controls.update();
    show();
  },
  rest: effects.show,
  measured() {
    grid.update();
    openHead.tell();
  },
};
