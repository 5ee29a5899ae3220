"""Makers of golden files and tables: `scripts/make --list`. A maker is a module with `main`."""
