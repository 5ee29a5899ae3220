// Maps weights to colours whose lightness changes evenly: from the panel's colour to dark blue on
// light pages, and to light blue on dark pages. (ColorBrewer 2.0, "Blues": Harrower and Brewer 2003)
const blues = [[222, 235, 247], [198, 219, 239], [158, 202, 225], [107, 174, 214], [66, 146, 198], [33, 113, 181],
               [8, 81, 156], [8, 48, 107]];
const lightStops = [[255, 255, 255], ...blues];
const darkStops = [[23, 27, 33], ...[...blues].reverse()];
const darkPage = matchMedia("screen and (prefers-color-scheme: dark)");
let printing = false;

const isDark = () => darkPage.matches && !printing;

// 256 colours of the scale, four bytes each.
function makePalette(stops) {
  const palette = new Uint8ClampedArray(256 * 4);
  for (let step = 0; step < 256; ++step) {
    const place = step / 255 * (stops.length - 1);
    const before = Math.min(Math.floor(place), stops.length - 2);
    for (let part = 0; part < 3; ++part) {
      const [from, to] = [stops[before][part], stops[before + 1][part]];
      palette[step * 4 + part] = from + (to - from) * (place - before);
    }
    palette[step * 4 + 3] = 255;
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
  const colours = palette();
  steps.forEach((step, i) => image.data.set(colours.subarray(step * 4, step * 4 + 4), i * 4));
  return image;
}

// A colour defined in the style sheet.
const styleColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// "0 ▒▒▒ 0.732"
function showLegend(place, largest) {
  const stops = isDark() ? darkStops : lightStops;
  const bar = element("i");
  bar.style.background = `linear-gradient(90deg, ${stops.map((stop) => `rgb(${stop})`).join(", ")})`;
  const end = element("span", {}, `${weightText(largest)} (largest weight)`);
  place.replaceChildren(element("span", {}, "0"), bar, end);
}
