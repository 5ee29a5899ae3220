"""Checks that compare headlight with something else: `scripts/check --list`. A check is a module with `main`."""
