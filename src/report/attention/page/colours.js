// Maps weights to colours whose lightness changes evenly: from the panel's colour to dark blue on
// light pages, and to light blue on dark pages. (ColorBrewer 2.0, "Blues": Harrower and Brewer 2003)
const blues = [[222, 235, 247], [198, 219, 239], [158, 202, 225], [107, 174, 214], [66, 146, 198], [33, 113, 181],
               [8, 81, 156], [8, 48, 107]];
const lightStops = [[255, 255, 255], ...blues];
const darkStops = [[23, 27, 33], ...[...blues].reverse()];
const darkPage = matchMedia("screen and (prefers-color-scheme: dark)");
let printing = false;

const isDark = () => darkPage.matches && !printing;

// One colour per head of an overlay; more heads repeat them. On a dark page they are lighter.
const headColours = {
  light: ["#1d5fc4", "#d1570c", "#12805c", "#c2185b", "#7a3fc4", "#8a6d00", "#0f86a0", "#a12b2b", "#4d7a1e", "#b3449c",
          "#5b6470", "#0b4f6c"],
  dark: ["#7ab0ff", "#ff9d5c", "#4fd1a1", "#ff7fae", "#c29bff", "#e6c84a", "#5ad1ea", "#ff8f86", "#a6d977", "#f29be0",
         "#b5bfcc", "#7fc4e8"],
};
const headColour = ({ colour }) => {
  const colours = isDark() ? headColours.dark : headColours.light;
  return colours[colour % colours.length];
};
const partsOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const between = (from, to, share) => from.map((part, i) => Math.round(part + (to[i] - part) * share));

// Whether white is read better than black on a colour. (WCAG 2.2, "relative luminance")
function isDarkColour(parts) {
  const [red, green, blue] = [...parts].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.1791;  // white and black have the contrast 4.58 there
}

// A square of a head's colour.
function swatch(head) {
  const square = element("i", { class: "swatch", "aria-hidden": "true" });
  square.style.background = headColour(head);
  return square;
}

// 256 colours of the scale, four bytes each.
function makePalette(stops) {
  const palette = new Uint8ClampedArray(256 * 4);
  for (let step = 0; step < 256; ++step) {
    const place = step / 255 * (stops.length - 1);
    const before = Math.min(Math.floor(place), stops.length - 2);
    palette.set([...between(stops[before], stops[before + 1], place - before), 255], step * 4);
  }
  return palette;
}
const palettes = { light: makePalette(lightStops), dark: makePalette(darkStops) };
const palette = () => (isDark() ? palettes.dark : palettes.light);

// The colour step (0 to 255) of a weight on a scale that ends at `largest`.
const stepOf = (weight, largest) => (largest > 0 ? Math.min(255, Math.round(255 * weight / largest)) : 0);

// Steps [rows, columns] as an image with one pixel per step.
function pointsOf(steps, columns, rows) {
  const image = new ImageData(columns, rows);
  const colours = new Uint32Array(palette().buffer);  // four bytes at once
  const points = new Uint32Array(image.data.buffer);
  for (let i = 0; i < steps.length; ++i) points[i] = colours[steps[i]];
  return image;
}

// Of many weights most are tiny beside the largest: their steps are their quantiles, and 0 stays 0.
const byQuantile = ({ values }) => values.length > 60 ** 2;

function quantileSteps(values) {
  const sorted = values.filter((weight) => weight > 0).sort();
  const bounds = Array.from({ length: 255 }, (_, i) => sorted[Math.ceil((i + 1) * sorted.length / 255) - 1]);
  return Uint8Array.from(values, (weight) => {
    let [low, high] = [0, weight > 0 ? 254 : -1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bounds[middle] < weight) low = middle + 1; else high = middle;
    }
    return high + 1;
  });
}

// The cells of a matrix as an image. In an overlay, a cell has the colour of the head with the largest weight.
function imageOf(matrix) {
  const [rows, columns] = [matrix.queries.length, matrix.keys.length];
  const steps = byQuantile(matrix) ? quantileSteps(matrix.values)
    : Uint8Array.from(matrix.values, (weight) => stepOf(weight, matrix.largest));
  if (matrix.parts.length === 1) return pointsOf(steps, columns, rows);
  const image = new ImageData(columns, rows);
  const back = isDark() ? darkStops[0] : lightStops[0];
  const colours = matrix.parts.map(({ head }) => partsOf(headColour(head)));
  steps.forEach((step, i) => {
    image.data.set([...between(back, colours[matrix.owners[i]], step / 255), 255], i * 4);
  });
  return image;
}

// A colour defined in the style sheet.
const styleColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// "0 ▒▒▒ 0.732"
function showLegend(place, shown) {
  const { largest, parts, difference } = shown;
  const end = element("span", {}, `${weightText(largest)} (largest weight${byQuantile(shown) ? "; colours by quantile" : ""})`);
  if (difference) {
    const [more, fewer] = parts.map(({ head }) => swatch(head));
    place.replaceChildren(more, " more attention than in the other, ", fewer, ` less; at most ${weightText(largest)}`);
    return;
  }
  if (parts.length > 1) {
    place.replaceChildren(`A cell has the colour of the head with the largest weight there, at most ${weightText(largest)}.`);
    return;
  }
  const stops = isDark() ? darkStops : lightStops;
  const bar = element("i");
  bar.style.background = `linear-gradient(90deg, ${stops.map((stop) => `rgb(${stop})`).join(", ")})`;
  place.replaceChildren(element("span", {}, "0"), bar, end);
}
