"""Texts as the library reads them: UTF-8 with lengths; and its bytes as characters."""

from __future__ import annotations

from ctypes import byref, c_size_t
from itertools import islice

from headlight._library import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_CHUNK = 1024  # texts of one call
_CONTINUATION = bytes(range(0x80, 0xC0))  # bytes that begin no character


def encoded(text: Any) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"a text is a str, or a tuple of two for a pair, not {type(text).__name__}")
    # The library says of a lone surrogate that it is not UTF-8, as of any bad text.
    return text.encode("utf-8", "surrogatepass")


def refuse_table(texts: Any) -> None:
    """Raises TypeError for a data frame: one iterates over the names of its columns."""
    names = getattr(texts, "column_names", getattr(texts, "columns", None))  # of Arrow, else of pandas and polars
    if names is None:
        return
    names = list(names)
    best = next((name for name in names if isinstance(next(iter(texts[name]), None), str)), "text")
    raise TypeError(
        f"texts are a column, not a {type(texts).__name__} of {len(names)}: give the one of the texts, as df[{best!r}]"
    )


class Batch:
    """Texts or pairs of one call. `size` is their bytes in all."""

    def __init__(self, texts: list[Any]) -> None:
        self.count = len(texts)
        self.native = (Text * self.count)()
        self.strings = [text if isinstance(text, tuple) else (text,) for text in texts]
        self.size = 0
        for text, strings, native in zip(texts, self.strings, self.native):
            if text is strings and len(strings) != 2:
                raise TypeError(f"a tuple of texts is a pair, not {len(strings)} texts; give a list")
            native.text = data = encoded(strings[0])
            native.size = len(data)
            if len(strings) == 2:
                native.pair = data = encoded(strings[1])
                native.pair_size = len(data)
            self.size += native.size + native.pair_size

    def places(self, function: Any, pointer: Any, count: int) -> tuple[list[tuple[int, int]], list[int | None]]:
        """Where `function` says that each of `count` tokens or words is: in characters, and in which string."""
        begin, end = c_size_t(), c_size_t()
        offsets: list[tuple[int, int]] = []
        sequence: list[int | None] = []
        for i in range(count):
            which = function(pointer, i, byref(begin), byref(end))
            sequence.append(which - 1 if which else None)
            offsets.append((begin.value, end.value))
        for which, string in enumerate(self.strings[0]):
            if not string.isascii():
                ours = [i for i in range(count) if sequence[i] == which]
                places = _characters(string.encode(), {place for i in ours for place in offsets[i]})
                for i in ours:
                    offsets[i] = places[offsets[i][0]], places[offsets[i][1]]
        return offsets, sequence


def batches(texts: Iterable[Any]) -> Iterator[Batch]:
    """The texts of an iterable, a chunk at a time."""
    if isinstance(texts, (bytes, bytearray, memoryview, dict)):
        raise TypeError(f"texts are a str, a tuple of two, or an iterable of these, not {type(texts).__name__}")
    refuse_table(texts)
    rest = iter(texts)
    while chunk := list(islice(rest, _CHUNK)):
        yield Batch(chunk)


def _characters(data: bytes, places: set[int]) -> dict[int, int]:
    """Places in UTF-8 → how many characters begin before."""
    found = {}
    characters = last = 0
    for place in sorted(places):
        characters += len(data[last:place].translate(None, _CONTINUATION))
        found[place] = characters
        last = place
    return found
