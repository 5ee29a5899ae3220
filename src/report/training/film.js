"use strict";
const film = JSON.parse(document.getElementById("film").textContent);
const at = (id) => document.getElementById(id);
const make = (name, parent, text = "") => {
  const element = document.createElement(name);
  element.append(text);
  parent.append(element);
  return element;
};
const n = film.tokens.length;
const cell = Math.max(2, Math.min(16, Math.floor(260 / n)));
const named = cell >= 11;
const left = named ? 64 : 2;
const top0 = named ? 54 : 2;
const ratio = Math.min(3, Math.max(2, window.devicePixelRatio || 1));

const canvases = film.layers.flatMap((heads, layer) => {
  const row = make("div", at("heads"));
  row.className = "film-row";
  return Array.from({ length: heads }, (_, head) => {
    const figure = make("figure", row);
    make("figcaption", figure, `layer ${layer}, head ${head}`);
    const canvas = make("canvas", figure);
    canvas.role = "img";
    [canvas.width, canvas.height] = [left + n * cell + 2, top0 + n * cell + 2].map((size) => size * ratio);
    canvas.style.width = `${canvas.width / ratio}px`;
    canvas.layer = layer;
    canvas.head = head;
    return canvas;
  });
});

function drawHead(canvas, weights, style) {
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = style.getPropertyValue("--accent");
  let strongest = 0;
  for (let i = 0; i < n * n; ++i) {
    const weight = weights.charCodeAt(i);
    if (weight > weights.charCodeAt(strongest)) strongest = i;
    context.globalAlpha = weight / 255;
    context.fillRect(left + (i % n) * cell, top0 + Math.floor(i / n) * cell, cell, cell);
  }
  context.globalAlpha = 1;
  context.strokeStyle = style.getPropertyValue("--line");
  context.strokeRect(left - 0.5, top0 - 0.5, n * cell + 1, n * cell + 1);
  const [query, key] = [Math.floor(strongest / n), strongest % n];
  canvas.ariaLabel = `strongest: ${film.tokens[query]} attends to ${film.tokens[key]}, ` +
    (weights.charCodeAt(strongest) / 255).toFixed(2);
  if (!named) return;
  context.fillStyle = style.getPropertyValue("--text");
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  const short = (token) => (token.length > 9 ? `${token.slice(0, 8)}…` : token);
  film.tokens.forEach((token, i) => {
    context.textAlign = "right";
    context.fillText(short(token), left - 4, top0 + (i + 0.5) * cell, left - 6);
    context.save();
    context.translate(left + (i + 0.5) * cell, top0 - 4);
    context.rotate(-Math.PI / 2);
    context.textAlign = "left";
    context.fillText(short(token), 0, 0, top0 - 6);
    context.restore();
  });
}

const last = film.frames.length - 1;
const losses = film.frames.flatMap((frame) => [frame.loss, frame.devLoss]).filter((loss) => loss !== undefined);
const most = Math.max(...losses, 1e-9);
const place = (i, loss) => `${(i / Math.max(last, 1)) * 580 + 10},${110 - (loss / most) * 100}`;
for (const name of ["loss", "devLoss"]) {
  const points = film.frames.flatMap((frame, i) => (frame[name] === undefined ? [] : [place(i, frame[name])]));
  at(name).setAttribute("points", points.join(" "));
}

at("curves").textContent = `Solid: training rows. ${film.measure === undefined ? "" : "Dashed: development rows. "}` +
  `From 0, the line at the bottom, to ${most.toPrecision(3)}. The upright line is the epoch above.`;
for (const frame of [film.frames[0], film.frames[last]]) make("span", at("epochs"), `epoch ${frame.epoch}`);

function show() {
  const frame = film.frames[Number(at("epoch").value)];
  const style = getComputedStyle(document.documentElement);
  at("when").textContent = `epoch ${frame.epoch}` +
    (frame.loss === undefined ? ", before training" : `, training loss ${frame.loss.toFixed(4)}`) +
    (frame.devLoss === undefined ? "" :
      `; development loss ${frame.devLoss.toFixed(4)}, ${film.measure} ${frame.devScore.toFixed(3)}`);
  at("epoch").setAttribute("aria-valuetext", at("when").textContent);
  at("verdict").replaceChildren();
  film.labels.forEach((label, i) => {
    const row = make("tr", at("verdict"));
    make("th", row, label).scope = "row";
    make("td", row, frame.scores[i].toFixed(3));
    const track = make("td", row);
    track.className = "track";
    make("i", track).style.width = `${Math.max(0, Math.min(1, frame.scores[i])) * 100}%`;
  });
  const x = place(Number(at("epoch").value), 0).split(",")[0];
  at("now").setAttribute("d", `M${x} 5V115`);
  const bytes = atob(frame.attention);
  let from = 0;
  for (const canvas of canvases) {
    drawHead(canvas, bytes.slice(from, from + n * n), style);
    from += n * n;
  }
}

let timer = 0;
function stop() {
  clearInterval(timer);
  timer = 0;
  at("play").textContent = "play";
}
at("play").onclick = () => {
  if (timer) return stop();
  if (Number(at("epoch").value) === last) at("epoch").value = 0;
  at("play").textContent = "pause";
  timer = setInterval(() => {
    at("epoch").value = Number(at("epoch").value) + 1;
    show();
    if (Number(at("epoch").value) === last) stop();
  }, 400);
};
at("epoch").max = last;
at("epoch").value = last;
at("epoch").oninput = () => {
  stop();
  show();
};
matchMedia("(prefers-color-scheme: dark)").onchange = show;
addEventListener("beforeprint", () => setTimeout(show));
show();
