"""The pages without scripts in a browser: inspect, explain and evaluate; plain_page_test.py PROGRAM SOURCE.
HEADLIGHT_PICTURES=DIR keeps pictures of them there, to be looked at."""

import os
import subprocess
import sys
import tempfile
import unittest

from devtools import Browser, Page

PROGRAM, SOURCE = sys.argv[1:3]
TEXT = "Not bad at all: an unflinching, gorgeously shot portrait of incomprehensibilities."
LOOKS = {
    "light": {},
    "dark": {"dark": True},
    "narrow": {"width": 380, "height": 800},
    "narrow-dark": {"width": 380, "height": 800, "dark": True},
}


def setUpModule():
    global browser, folder
    place = tempfile.TemporaryDirectory()
    folder = place.name
    unittest.addModuleCleanup(place.cleanup)
    write("mask.html", "inspect", "--mask", "--length", "24")
    write("causal.svg", "inspect", "--mask", "-m", model("sentiment-stream"), "--length", "100")
    write("positions.html", "inspect", "--positions")
    write("explain.html", "explain", "--order", "2", TEXT)
    browser = Browser("chromium")
    unittest.addModuleCleanup(browser.__exit__)


def model(name):
    return os.path.join(SOURCE, "data/models", name)


def path_of(name):
    return os.path.join(folder, name)


def write(name, command, *arguments):
    given = [] if "-m" in arguments else ["-m", model("sentiment")]
    kind = name.rsplit(".", 1)[1]
    line = [PROGRAM, command, "-q", *arguments, *given, "--format", kind, "-o", path_of(name)]
    subprocess.run(line, check=True)


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class PageTest(unittest.TestCase):
    def open(self, name, look):
        """A page; whatever it complains of until it is closed fails the test."""
        page = Page(browser, path_of(name), **LOOKS[look])
        self.addCleanup(lambda: self.assertEqual(page.complaints(), []))
        self.addCleanup(page.close)
        if "HEADLIGHT_PICTURES" in os.environ:
            page.picture(os.path.join(os.environ["HEADLIGHT_PICTURES"], f"{name}-{look}.png"))
        return page

    def colour(self, page, selector, what):
        """A colour of the first element that fits, as three numbers."""
        found = page.value(f"getComputedStyle(document.querySelector('{selector}'))['{what}']")
        return [int(part) for part in found[found.index("(") + 1 : -1].split(",")[:3]]


class Pictures(PageTest):
    def test_cells_of_a_mask_are_told_from_the_page_and_from_the_grid(self):
        for look in LOOKS:
            with self.subTest(look=look):
                page = self.open("mask.html", look)
                back = self.colour(page, "body", "backgroundColor")
                self.assertEqual(luminance(back) < 0.05, "dark" in look)
                cell = self.colour(page, "rect.two", "fill")
                self.assertGreater(contrast(cell, back), 7)
                self.assertGreater(contrast(self.colour(page, ".grid", "stroke"), cell), 2.5)

    def test_the_lines_of_the_grid_are_those_between_the_cells(self):
        page = self.open("mask.html", "light")
        lines = page.value("document.querySelector('.grid').getAttribute('d').match(/V/g).length")
        self.assertEqual(lines, 24 + 1)
        self.assertEqual(page.value("document.querySelectorAll('rect.two').length"), 24 * 24)

    def test_a_large_map_is_one_image_of_the_mode(self):
        for look in ("light", "dark"):
            page = self.open("causal.svg", look)
            shown = page.value(
                "[...document.querySelectorAll('image')].filter((one) => getComputedStyle(one).display !== 'none')"
                ".map((one) => one.getAttribute('class'))"
            )
            self.assertEqual(shown, [look])
            paper = self.colour(page, ".paper", "fill")
            self.assertEqual(luminance(paper) < 0.05, look == "dark")
            self.assertGreater(contrast(self.colour(page, "text", "fill"), paper), 7)

    def test_a_dark_picture_is_printed_on_white(self):
        page = self.open("causal.svg", "dark")
        page.send("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(self.colour(page, ".paper", "fill"), [255, 255, 255])


class Bars(PageTest):
    def test_a_bar_is_as_long_as_its_number_whatever_the_label(self):
        rows = """[...document.querySelectorAll(".bars")].slice(0, 2).flatMap((table) =>
          [...table.querySelectorAll("tr")].map((row) => [Number(row.querySelector("td").textContent),
            row.querySelector("i").getBoundingClientRect().width]))"""
        for look in ("light", "narrow"):
            page = self.open("explain.html", look)
            bars = page.value(rows)
            largest = max(abs(number) for number, _ in bars)
            longest = max(width for _, width in bars)
            self.assertGreater(longest, 60)
            for number, width in bars:
                self.assertAlmostEqual(width / longest, abs(number) / largest, delta=0.02)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
