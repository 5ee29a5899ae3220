"""What cannot be imported. A module of its own, so that the readers that need no torch do not load it."""


class Problem(Exception):
    """What could not be imported, as one line for a person."""
