"""Texts as the library reads them: UTF-8 with lengths; and its bytes as characters."""

from __future__ import annotations

import os
from ctypes import POINTER, byref, c_char_p, c_size_t, c_void_p, cast, create_string_buffer, py_object, pythonapi
from itertools import islice

from headlight._library import ArgumentError, ArrowArray, ArrowSchema, ArrowStream, Text, library

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


def c_string(what: str, text: Any) -> bytes:
    """A name as C reads it: to its first NUL, so it must have none."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"{what} is a str, not {type(text).__name__}")
    data = text if isinstance(text, bytes) else encoded(text)
    if b"\0" in data:
        raise ArgumentError(f"{what} has a NUL character: {text!r}")
    return data


def refuse_table(texts: Any, what: str = "texts") -> None:
    """Raises TypeError for a data frame: one iterates over the names of its columns."""
    kind = type(texts).__name__
    if kind == "LazyFrame":  # its columns are not known before they are computed
        raise TypeError(f"{what} are a column, not a LazyFrame: collect() it and give the one of the {what}")
    names = getattr(texts, "column_names", getattr(texts, "columns", None))  # of Arrow, else of pandas and polars
    if names is None:
        return
    names = list(names)
    best = next((name for name in names if isinstance(next(iter(texts[name]), None), str)), what[:-1])
    raise TypeError(f"{what} are a column, not a {kind} of {len(names)}: give the one of the {what}, as df[{best!r}]")


def refuse_one(texts: Any, what: str = "texts") -> None:
    """Raises TypeError for what is no list or column: one iterates over the letters of a str, the keys of a dict."""
    if isinstance(texts, (str, bytes, bytearray, memoryview, dict)) or not any(
        hasattr(texts, name) for name in ("__iter__", "__getitem__", "__arrow_c_array__", "__arrow_c_stream__")
    ):
        raise TypeError(f"{what} are a list or a column, not {type(texts).__name__}")
    refuse_table(texts, what)


def is_missing(value: Any) -> bool:
    """None, NaN, or what pandas has for them."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or _is_nan(value)


def is_list(value: Any) -> bool:
    """Several values, as of a row."""
    return isinstance(value, (list, tuple, set, frozenset)) or getattr(value, "ndim", 0) == 1


def _is_nan(value: Any) -> bool:
    return hasattr(value, "__float__") and not getattr(value, "ndim", 0) and bool(value != value)


def as_list(column: Any) -> list[Any]:
    """The values of a list, an iterable, or a column of numpy, pandas, polars or Arrow."""
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, name):
            return list(getattr(column, name)())
    return list(column)


class Batch:
    """Texts or pairs of one call. `size` is their bytes in all; `missing` are those that are none.

    `first` is the number of the first one in the whole, for messages. With `missing` "empty", those are empty texts.
    """

    suffix = ""  # of the functions of the library for such texts

    def __init__(self, texts: list[Any], missing: str = "error", first: int = 0) -> None:
        found = [i for i, text in enumerate(texts) if not isinstance(text, (str, tuple)) and is_missing(text)]
        self.missing = found if missing == "error" else []
        self.first = first
        if found:
            texts = list(texts)
            for i in found:
                texts[i] = ""
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

    @property
    def arguments(self) -> tuple[Any, ...]:
        return self.native, self.count

    def error(self, model: Any, i: int, settings: Any) -> str:
        """Why the library refuses a text."""
        if i in self.missing:
            return f"text {self.first + i} is missing"
        return _error(library().text_error, model, byref(self.native[i]), settings)

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


def _error(function: Any, *arguments: Any) -> str:
    line = create_string_buffer(1024)
    function(*arguments, line, len(line))
    return line.value.decode("utf-8", "replace")


def one(text: Any) -> Batch:
    """A text or a pair. One that is missing is none."""
    if not isinstance(text, tuple):
        encoded(text)
    return Batch([text])


class Column:
    """A chunk of an Arrow column, read where it is. `owner` keeps it alive."""

    suffix = "_arrow"
    missing_text = "the text is missing"

    def __init__(self, schema: Any, array: Any, owner: Any, first: int) -> None:
        self.schema, self.array, self._owner, self.first = schema, array, owner, first
        self.count = array.length
        self.size = 64 * self.count  # not known

    @property
    def arguments(self) -> tuple[Any, ...]:
        return byref(self.schema), byref(self.array)

    def error(self, model: Any, i: int, settings: Any) -> str:
        error = _error(library().text_error_arrow, model, *self.arguments, i, settings)
        return f"text {self.first + i} is missing" if error == self.missing_text else error

    def is_null(self, model: Any, i: int, settings: Any) -> bool:
        return self.error(model, i, settings).endswith("is missing")


class _Released:
    """Arrow memory that was handed over: it is given back with the last reference."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory

    def __del__(self, byref: Any = byref) -> None:
        if self.memory.release:
            self.memory.release(byref(self.memory))


def _pointer(capsule: Any, name: bytes) -> Any:
    get = pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, (py_object, c_char_p)
    return get(capsule, name)


def _is_strings(schema: Any) -> bool:
    words = cast(schema.dictionary, POINTER(ArrowSchema)).contents if schema.dictionary else schema
    return words.format in (b"u", b"U", b"vu", b"n")


def columns(texts: Any) -> Iterator[Column] | None:
    """The chunks of what has the Arrow C interface and strings; None if it has not."""
    try:
        if hasattr(texts, "__arrow_c_stream__"):
            capsule = texts.__arrow_c_stream__()
            stream = cast(_pointer(capsule, b"arrow_array_stream"), POINTER(ArrowStream)).contents
            schema = ArrowSchema()
            _check_stream(stream, stream.get_schema(byref(stream), byref(schema)))
            owner = (_Released(schema), capsule)
            return _chunks(stream, schema, owner) if _is_strings(schema) else None
        if hasattr(texts, "__arrow_c_array__"):
            capsules = texts.__arrow_c_array__()
            schema = cast(_pointer(capsules[0], b"arrow_schema"), POINTER(ArrowSchema)).contents
            array = cast(_pointer(capsules[1], b"arrow_array"), POINTER(ArrowArray)).contents
            return iter([Column(schema, array, capsules, 0)]) if _is_strings(schema) else None
    except (ImportError, TypeError, ValueError):  # such as pandas without pyarrow, or values of several types
        pass
    return None


def _check_stream(stream: Any, status: int) -> None:
    if status != 0:
        line = stream.get_last_error(byref(stream)) or b""
        raise ValueError(f"the Arrow column cannot be read: {line.decode('utf-8', 'replace') or os.strerror(status)}")


def _chunks(stream: Any, schema: Any, owner: Any) -> Iterator[Column]:
    first = 0
    while True:
        array = ArrowArray()
        _check_stream(stream, stream.get_next(byref(stream), byref(array)))
        if not array.release:
            return
        column = Column(schema, array, (owner, _Released(array)), first)
        first += column.count
        yield column


def batches(texts: Iterable[Any], missing: str = "error") -> Iterator[Batch | Column]:
    """The texts of an iterable or a column, a chunk at a time."""
    if missing not in ("error", "empty"):
        raise ArgumentError(f'missing is {missing!r}, expected "error" or "empty"')
    refuse_one(texts)
    found = columns(texts)
    if found is not None:
        yield from found
        return
    rest, first = iter(as_list(texts) if hasattr(texts, "to_pylist") else texts), 0
    while chunk := list(islice(rest, _CHUNK)):
        yield Batch(chunk, missing, first)
        first += len(chunk)


def _characters(data: bytes, places: set[int]) -> dict[int, int]:
    """Places in UTF-8 → how many characters begin before."""
    found = {}
    characters = last = 0
    for place in sorted(places):
        characters += len(data[last:place].translate(None, _CONTINUATION))
        found[place] = characters
        last = place
    return found
