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
