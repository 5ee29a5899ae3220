"""Checks that compare headlight with something else, or try to break it: `check --list`. Each has a `main`."""
