// Builds the side, and redraws it when its width or its colours change.
function redraw() {
  openHead.redraw();
  labelAttention.redraw();
}

function recolour() {
  grid.recolour();
  redraw();
  thumbnails.recolour();
}

showTexts();
showVerdict();
labelAttention.build();
grid.build();
showWorthHelp();
controls.build();
openHead.show();
labelAttention.show();
thumbnails.draw();
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
