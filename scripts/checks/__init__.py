"""Checks that compare headlight with something else or try to break it: `scripts/check --list`. A check is a module with
`main`."""
