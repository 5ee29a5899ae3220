"""What the tests of pages have in common, NAME_test.py PROGRAM SOURCE: a folder for files and a browser, both gone at
the end, and pages that must not complain."""

import atexit
import functools
import os
import sys
import tempfile
import unittest

from devtools import Browser, Page

PROGRAM, SOURCE = sys.argv[1:3]
_place = tempfile.TemporaryDirectory()
FOLDER = _place.name
PICTURES = os.environ.get("HEADLIGHT_PICTURES", FOLDER)


def model(name):
    return os.path.join(SOURCE, "data/models", name)


def path_of(name):
    return os.path.join(FOLDER, name)


def luminance(colour):
    """Of red, green and blue up to 255. (WCAG 2.2, "relative luminance")"""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@functools.cache
def _browser():
    browser = Browser("chromium")
    atexit.register(browser.__exit__)
    return browser


class PageTest(unittest.TestCase):
    def open_file(self, path, **how):
        """The page of a file. Whatever it complains of until it is closed fails the test."""
        page = Page(_browser(), path, **how)
        self.addCleanup(lambda: self.assertEqual(page.complaints(), []))
        self.addCleanup(page.close)
        return page
