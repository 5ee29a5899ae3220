"""The page of `headlight attention --format html` with several heads and two sides: several_heads_test.py
PROGRAM SOURCE. HEADLIGHT_PICTURES=DIR keeps pictures of it there, to be looked at."""

import os
import subprocess
import sys
import unittest

import pages
from attention import Attention
from pages import PICTURES, PROGRAM, model, path_of

FILM = "Not bad at all: an unflinching, gorgeously shot portrait."
OTHER = "A terrible, badly shot portrait of nobody."
HOSTILE = "<script>alert(1)</script> </script> <!-- \"'&amp; <img/src=x/onerror=alert(2)>"
LOOKS = {"light": {}, "dark": {"dark": True}, "narrow": {"width": 380, "height": 800}}


def setUpModule():
    global films, long
    films = Attention(PROGRAM, path_of("films.html"), "-m", model("sentiment"), FILM)
    page("long.html", "-m", model("sentiment"), "--layers", "2", "good and " * 60)
    page("texts.html", "-m", model("sentiment"), FILM, OTHER)
    page("difference.html", "-m", model("sentiment"), "--difference", "a great film", "a terrible film")
    page("hostile.html", "-m", model("sentiment"), HOSTILE, HOSTILE)
    page("models.html", "-m", model("sentiment"), "--compare", model("sentiment-stream"), FILM)


def page(name, *arguments):
    line = [PROGRAM, "attention", "-q", *arguments, "--format", "html", "-o", path_of(name), "--force"]
    subprocess.run(line, check=True)


def thumb(layer, head, side=""):
    return f'#grid{side} .thumb[data-layer="{layer}"][data-column="{head}"]'


CHOSEN = """[...document.querySelectorAll("#grid%s .thumb[aria-selected=true]")]
  .map((one) => `${one.dataset.layer} ${one.dataset.column}`)"""
SHIFT = 8  # Input.dispatchMouseEvent, modifiers


class PageTest(pages.PageTest):
    def open(self, name, **how):
        """A page once all of it is drawn."""
        found = self.open_file(path_of(name), **how)
        found.wait("[...document.querySelectorAll('.grid')].every((grid) => grid.dataset.drawn)")
        return found

    def heads(self, found, count, side=""):
        """Waits until so many heads are open, and gives them."""
        found.wait(f"{CHOSEN % side}.length === {count}")
        name = f"{count} heads" if count > 1 else "Layer"
        found.wait(f"document.getElementById('head-name{side}').textContent.startsWith('{name}')")
        return found.value(CHOSEN % side)

    def shift_click(self, found, selector):
        x, y = found.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            found.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, modifiers=SHIFT)


class Overlays(PageTest):
    def test_heads_are_added_with_shift_and_taken_out_by_their_colour(self):
        found = self.open("films.html")
        found.click_at(thumb(0, 2))
        self.shift_click(found, thumb(1, 5))
        self.assertEqual(self.heads(found, 2), ["0 2", "1 5"])
        self.shift_click(found, thumb(2, 7))
        self.assertEqual(self.heads(found, 3), ["0 2", "1 5", "2 7"])
        names = found.value(
            "[...document.querySelectorAll('#head-colours button')].map((one) => one.textContent.trim())"
        )
        self.assertEqual(names, ["layer 0, head 2 ×", "layer 1, head 5 ×", "layer 2, head 7 ×"])
        colours = found.value("""[...document.querySelectorAll("#head-colours .swatch")]
          .map((one) => getComputedStyle(one).backgroundColor)""")
        self.assertEqual(len(set(colours)), 3)
        found.click_at("#head-colours button:nth-child(2)")
        self.assertEqual(self.heads(found, 2), ["0 2", "2 7"])
        found.click_at(thumb(1, 1))
        self.assertEqual(self.heads(found, 1), ["1 1"])
        self.assertEqual(found.value("document.getElementById('head-colours').childElementCount"), 0)

    def test_heads_are_added_by_the_keyboard_and_by_a_switch(self):
        found = self.open("films.html")
        found.value(f"document.querySelector('{thumb(2, 0)}').focus()")
        found.press("ArrowRight")
        found.send(
            "Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", windowsVirtualKeyCode=13, modifiers=8
        )
        found.send("Input.dispatchKeyEvent", type="keyUp", key="Enter", windowsVirtualKeyCode=13, modifiers=8)
        self.assertEqual(self.heads(found, 2), ["2 0", "2 1"])
        found.value("document.getElementById('several').click()")
        found.click_at(thumb(0, 0))
        self.assertEqual(len(self.heads(found, 3)), 3)
        found.click_at(thumb(0, 0))
        self.assertEqual(len(self.heads(found, 2)), 2)

    def test_a_layer_or_a_head_of_all_layers_opens_whole(self):
        found = self.open("films.html")
        found.click_at(thumb(1, 4))
        found.click_at("#overlay button:nth-of-type(1)")
        self.assertEqual(self.heads(found, 12), [f"1 {head}" for head in range(12)])
        found.click_at(thumb(1, 4))
        found.click_at("#overlay button:nth-of-type(2)")
        self.assertEqual(self.heads(found, 3), ["0 4", "1 4", "2 4"])
        found.click_at("#overlay button:nth-of-type(3)")
        self.assertEqual(len(self.heads(found, 1)), 1)

    def test_lines_squares_and_status_have_the_weights_of_each_head(self):
        found = self.open("films.html")
        found.click_at(thumb(0, 2))
        self.shift_click(found, thumb(1, 5))
        self.heads(found, 2)
        query = 4
        found.point_at(f'.queries .token[data-index="{query}"]')
        found.wait("document.querySelectorAll('.keys .squares .swatch').length > 0")
        titles = found.value("""[...document.querySelectorAll(".keys .token")].map((token) =>
          [...token.querySelectorAll(".swatch")].map((square) => [square.title, Number(square.style.opacity)]))""")
        heads = ((0, 2), (1, 5))
        largest = max(max(films.heads[layer][head][query]) for layer, head in heads)
        for key, squares in enumerate(titles):
            self.assertEqual(len(squares), 2)
            for (layer, head), (title, opacity) in zip(heads, squares):
                weight = films.heads[layer][head][query][key]
                name, number = title.split(": ")
                self.assertEqual(name, f"{layer}·{head}")
                self.assertAlmostEqual(float(number), weight, delta=0.001)
                self.assertAlmostEqual(opacity, weight / largest, delta=0.002)
        strokes = found.value(
            """[...new Set([...document.querySelectorAll(".lines path")].map((one) => one.style.stroke))]"""
        )
        self.assertEqual(len(strokes), 2)
        found.click_at(f'.queries .token[data-index="{query}"]')
        said = found.value("document.getElementById('status').textContent")
        for layer, head in heads:
            self.assertIn(f"{layer}·{head}", said)

    def test_a_cell_of_the_heat_map_has_the_colour_of_its_strongest_head(self):
        found = self.open("films.html")
        found.click_at(thumb(0, 2))
        self.shift_click(found, thumb(1, 5))
        self.heads(found, 2)
        found.value("document.querySelector('#map canvas').focus()")
        for _ in range(3):
            found.press("ArrowDown")
        said = found.value("document.getElementById('status').textContent")
        weights = [films.heads[0][2][3][0], films.heads[1][5][3][0]]
        for number, name in zip(weights, ("0·2", "1·5")):
            self.assertRegex(said, rf"{name} .* {number:.3f}")


STATE = """(() => {
  const box = document.getElementById("map");
  return { wide: box.scrollWidth, seen: box.clientWidth, left: box.scrollLeft, top: box.scrollTop,
           smaller: document.querySelector("#map-zoom button").disabled };
})()"""
DARK = """(() => {
  const canvas = document.querySelector("#map canvas");
  const [x, y, width, height] = %s;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, -x, -y);
  const parts = copy.getImageData(0, 0, width, height).data;
  let dark = 0;
  for (let i = 0; i < parts.length; i += 4) {
    if (parts[i + 3] > 0 && parts[i] + parts[i + 1] + parts[i + 2] < 250) ++dark;
  }
  return dark;
})()"""


class HeatMaps(PageTest):
    def test_a_long_text_has_names_at_every_zoom_over_the_whole_width(self):
        for look in ("light", "narrow"):
            with self.subTest(look=look):
                found = self.open("long.html", **LOOKS[look])
                panel = found.value("document.getElementById('head').clientWidth")
                canvas = found.value("document.querySelector('#map canvas').getBoundingClientRect().width")
                self.assertGreater(canvas, 0.85 * panel)
                for _ in range(4):
                    high = found.value("document.querySelector('#map canvas').height")
                    self.assertGreater(found.value(DARK % f"[0, 100, 40, {high - 110}]"), 100)  # letters on white
                    found.click_at("#map-zoom button:nth-child(2)")

    def test_colours_of_many_weights_are_quantiles(self):
        found = self.open("long.html")
        found.wait("document.getElementById('map-legend').textContent.includes('by quantile')")
        found = self.open("films.html")
        self.assertNotIn("quantile", found.value("document.getElementById('map-legend').textContent"))

    def test_the_map_zooms_and_pans_by_mouse(self):
        found = self.open("long.html")
        before = found.value(STATE)
        self.assertLessEqual(before["wide"], before["seen"])
        self.assertTrue(before["smaller"])
        x, y = found.middle("#map canvas")
        for _ in range(6):
            found.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-120, modifiers=2)
        found.wait(f"{STATE}.wide > {2 * before['wide']}")
        zoomed = found.value(STATE)
        self.assertFalse(zoomed["smaller"])
        self.assertGreater(zoomed["left"], 100)  # what was under the pointer stays
        found.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        for step in range(1, 6):
            found.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + 16 * step, y=y, button="left", buttons=1)
        found.send("Input.dispatchMouseEvent", type="mouseReleased", x=x + 80, y=y, button="left", clickCount=1)
        self.assertAlmostEqual(found.value(STATE)["left"], zoomed["left"] - 80, delta=2)
        self.assertEqual(found.value("document.querySelectorAll('.token[aria-selected=true]').length"), 0)

    def test_the_map_zooms_and_pans_by_keyboard(self):
        found = self.open("long.html")
        before = found.value(STATE)
        found.value("document.querySelector('#map canvas').focus()")
        for _ in range(5):
            found.send("Input.dispatchKeyEvent", type="keyDown", key="+", text="+")
        self.assertGreater(found.value(STATE)["wide"], 4 * before["wide"])
        found.value("document.getElementById('map').scrollTo(0, 0)")
        for _ in range(60):
            found.press("ArrowRight")
        self.assertGreater(found.value(STATE)["left"], 0)
        found.send("Input.dispatchKeyEvent", type="keyDown", key="0", text="0")
        self.assertLessEqual(found.value(STATE)["wide"], before["seen"])

    def test_two_fingers_zoom(self):
        found = self.open("long.html", width=380, height=800)
        x, y = found.middle("#map canvas")
        before = found.value(STATE)["wide"]

        def touch(kind, *places):
            points = [{"x": place, "y": y, "id": i} for i, place in enumerate(places)]
            found.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)

        touch("touchStart", x - 20, x + 20)
        touch("touchMove", x - 40, x + 40)
        touch("touchMove", x - 60, x + 60)
        touch("touchEnd")
        self.assertGreater(found.value(STATE)["wide"], 2 * before)

    def test_a_cell_is_found_after_zooming_and_scrolling(self):
        found = self.open("films.html")
        found.click_at(thumb(0, 2))
        for _ in range(5):
            found.click_at("#map-zoom button:nth-child(2)")
        found.value("document.querySelector('#map canvas').focus()")
        size = found.value("document.querySelectorAll('.keys .token').length")
        for _ in range(size):
            found.press("ArrowRight", "ArrowDown")
        corner = found.value("""(() => {
          const box = document.querySelector("#map canvas").getBoundingClientRect();
          return [box.right - 10, box.bottom - 10];
        })()""")
        found.point(*corner)
        found.wait("!document.getElementById('tooltip').hidden")
        names = found.value("[...document.querySelectorAll('#tooltip bdi')].map((name) => name.textContent)")
        self.assertEqual(names, ["[SEP]", "[SEP]"])


class Sides(PageTest):
    def test_two_texts_stand_side_by_side_and_on_a_phone_below_each_other(self):
        boxes = "[...document.querySelectorAll('.side')].map((one) => one.getBoundingClientRect().toJSON())"
        first, second = self.open("texts.html").value(boxes)
        self.assertGreaterEqual(second["left"], first["right"])
        self.assertEqual(first["top"], second["top"])
        first, second = self.open("texts.html", width=380, height=800).value(boxes)
        self.assertGreaterEqual(second["top"], first["bottom"])
        self.assertEqual(first["left"], second["left"])

    def test_the_manual_is_there_once_and_folded(self):
        shown = "[...document.querySelectorAll('summary')].filter((one) => one.checkVisibility()).length"
        found = self.open("texts.html")
        self.assertEqual(found.value(shown), 1)
        self.assertFalse(found.value("document.getElementById('grid-help').checkVisibility()"))

    def test_each_side_has_its_text_and_its_prediction(self):
        found = self.open("texts.html")
        texts = found.value("[...document.querySelectorAll('.text bdi')].map((one) => one.textContent)")
        self.assertEqual(texts, [FILM, OTHER])
        labels = found.value("[...document.querySelectorAll('.outcome bdi')].map((one) => one.textContent)")
        self.assertEqual(labels, ["positive", "negative"])
        twice = found.value("""(() => {
          const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
          return ids.filter((id, i) => ids.indexOf(id) !== i);
        })()""")
        self.assertEqual(twice, [])

    def test_a_head_opens_on_both_sides_until_they_are_parted(self):
        found = self.open("texts.html")
        found.click_at(thumb(0, 3))
        self.assertEqual(self.heads(found, 1, "-2"), ["0 3"])
        self.shift_click(found, thumb(1, 8, "-2"))
        self.assertEqual(self.heads(found, 2), ["0 3", "1 8"])
        found.value("document.getElementById('linked').click()")
        found.click_at(thumb(2, 2, "-2"))
        self.assertEqual(self.heads(found, 1, "-2"), ["2 2"])
        self.assertEqual(self.heads(found, 2), ["0 3", "1 8"])

    def test_the_difference_to_the_first_side_is_one_map(self):
        found = self.open("difference.html")
        found.click_at(thumb(0, 8, "-2"))
        found.wait("document.getElementById('head-name-2').textContent === 'Layer 0, head 8'")
        self.assertTrue(found.value("document.getElementById('compare').hidden"))
        found.value("document.querySelector('#map-2 canvas').focus()")
        found.press("ArrowDown", "ArrowDown", "ArrowRight")
        said = found.value("document.getElementById('status-2').textContent")
        sides = [
            Attention(PROGRAM, path_of("one.html"), "-m", model("sentiment"), text)
            for text in ("a great film", "a terrible film")
        ]
        before, after = (side.heads[0][8][2][1] for side in sides)
        self.assertTrue(said.startswith("great → terrible → a "), said)
        self.assertAlmostEqual(float(said.split()[-1].replace("−", "-")), after - before, delta=0.0012)
        found.value("document.getElementById('difference-2').click()")
        found.wait("!document.getElementById('map-legend-2').textContent.includes('less')")
        self.assertFalse(self.open("texts.html").value("document.getElementById('effects').checkVisibility()"))

    def test_two_models_may_have_other_layers_and_tokens(self):
        found = self.open("models.html")
        names = found.value("[...document.querySelectorAll('h1 bdi')].map((one) => one.textContent)")
        self.assertEqual(names, ["sentiment", "sentiment-stream"])
        before = found.value(CHOSEN % "-2")
        found.click_at(thumb(0, 11))  # the other model may have no such head
        self.assertEqual(self.heads(found, 1), ["0 11"])
        has = found.value(f"document.querySelector('{thumb(0, 11, '-2')}') !== null")
        self.assertEqual(self.heads(found, 1, "-2"), ["0 11"] if has else before)

    def test_hostile_texts_are_text_on_both_sides(self):
        found = self.open("hostile.html")
        texts = found.value("[...document.querySelectorAll('.text bdi')].map((one) => one.textContent)")
        self.assertEqual(texts, [HOSTILE, HOSTILE])
        found.click_at("#overlay button:nth-of-type(1)")
        found.point_at('.queries .token[data-index="2"]')
        self.assertEqual(found.value("document.querySelectorAll('img').length"), 0)


class Looks(PageTest):
    def test_nothing_is_wider_than_the_window(self):
        for name in ("texts", "long"):
            for look, how in LOOKS.items():
                with self.subTest(page=name, look=look):
                    found = self.open(f"{name}.html", **how)
                    found.click_at("#overlay button:nth-of-type(1)")
                    found.point_at('.queries .token[data-index="2"]')
                    found.picture(os.path.join(PICTURES, f"several-{name}-{look}.png"))
                    self.assertLessEqual(found.value("document.documentElement.scrollWidth"), how.get("width", 1280))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
