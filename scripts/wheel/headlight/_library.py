"""Finds libheadlight.so.0 and declares its functions, as headlight.h does. headlight.h is their documentation."""

from __future__ import annotations

import _thread
import ctypes
import os
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_char_p,
    c_double,
    c_float,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "libheadlight.so.0"
OK, BAD_ARGUMENT, BAD_MODEL, BAD_TEXT, NO_MEMORY, STOPPED, INTERNAL = range(7)


class Error(Exception):
    """What headlight could not do, in one line. `status` is the hl_status of headlight.h."""

    def __init__(self, message: str, status: int = INTERNAL) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.status)


class ArgumentError(Error, ValueError):
    """An argument that cannot be used: a bad option, a bad text, a closed model."""

    def __init__(self, message: str, status: int = BAD_ARGUMENT) -> None:
        super().__init__(message, status)


class EngineOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("threads", c_int32), ("precision", c_char_p)]


class Text(ctypes.Structure):
    _fields_ = [("text", c_char_p), ("size", c_size_t), ("pair", c_char_p), ("pair_size", c_size_t)]


class Row(ctypes.Structure):
    _fields_ = [("status", c_int32), ("tokens", c_uint32), ("truncated", c_uint32)]


class Best(ctypes.Structure):
    _fields_ = [("label", c_uint32), ("score", c_float)]


class RunOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("max_tokens", c_size_t),
        ("long_texts", c_char_p),
        ("plain_text", c_int32),
        ("method", c_char_p),
        ("seed", c_uint64),
        ("heads_off", POINTER(c_uint32)),
        ("heads_off_count", c_size_t),
        ("among", POINTER(c_char_p)),
        ("among_count", c_size_t),
        ("unknown", POINTER(c_uint32)),
        ("best", POINTER(Best)),
    ]


Progress = CFUNCTYPE(c_int32, c_void_p, c_double, c_char_p)


class FitOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("train", c_char_p),
        ("start", c_char_p),
        ("minutes", c_double),
        ("dev_share", c_double),
        ("dev_texts", POINTER(Text)),
        ("dev_labels", POINTER(c_char_p)),
        ("dev_n", c_size_t),
        ("weights", POINTER(c_float)),
        ("seed", c_uint64),
        ("overwrite", c_int32),
        ("progress", Progress),
        ("user", c_void_p),
    ]


class ArrowSchema(ctypes.Structure):
    _fields_ = [
        ("format", c_char_p),
        ("name", c_char_p),
        ("metadata", c_void_p),
        ("flags", c_int64),
        ("n_children", c_int64),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", CFUNCTYPE(None, c_void_p)),
        ("private_data", c_void_p),
    ]


class ArrowArray(ctypes.Structure):
    _fields_ = [
        ("length", c_int64),
        ("null_count", c_int64),
        ("offset", c_int64),
        ("n_buffers", c_int64),
        ("n_children", c_int64),
        ("buffers", c_void_p),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", CFUNCTYPE(None, c_void_p)),
        ("private_data", c_void_p),
    ]


class ArrowStream(ctypes.Structure):
    _fields_ = [
        ("get_schema", CFUNCTYPE(c_int32, c_void_p, POINTER(ArrowSchema))),
        ("get_next", CFUNCTYPE(c_int32, c_void_p, POINTER(ArrowArray))),
        ("get_last_error", CFUNCTYPE(c_char_p, c_void_p)),
        ("release", CFUNCTYPE(None, c_void_p)),
        ("private_data", c_void_p),
    ]


_OPTIONS = POINTER(RunOptions)
_FLOATS = POINTER(c_float)
_PLACE = POINTER(c_size_t)
_STRINGS = POINTER(c_char_p)
_MADE = POINTER(c_void_p)  # a char * of the library's
_COLUMN = (POINTER(ArrowSchema), POINTER(ArrowArray))

# Functions that may take long: name → (result, arguments). They release the interpreter lock.
_LONG: dict[str, tuple[Any, ...]] = {
    "engine_new": (c_int32, POINTER(EngineOptions), POINTER(c_void_p)),
    "engine_free": (None, c_void_p),
    "model_load": (c_int32, c_void_p, c_char_p, POINTER(c_void_p)),
    "model_free": (None, c_void_p),
    "classify": (c_int32, c_void_p, POINTER(Text), c_size_t, _OPTIONS, c_void_p, c_void_p, POINTER(Row)),
    "embed": (c_int32, c_void_p, POINTER(Text), c_size_t, _OPTIONS, c_void_p, POINTER(Row)),
    "text_error": (c_size_t, c_void_p, POINTER(Text), _OPTIONS, c_char_p, c_size_t),
    "tokenize": (c_int32, c_void_p, POINTER(Text), _OPTIONS, POINTER(c_void_p)),
    "attend": (c_int32, c_void_p, POINTER(Text), _OPTIONS, POINTER(c_void_p)),
    "explain": (c_int32, c_void_p, POINTER(Text), _OPTIONS, POINTER(c_void_p)),
    "classify_arrow": (c_int32, c_void_p, *_COLUMN, _OPTIONS, c_void_p, c_void_p, POINTER(Row)),
    "embed_arrow": (c_int32, c_void_p, *_COLUMN, _OPTIONS, c_void_p, POINTER(Row)),
    "text_error_arrow": (c_size_t, c_void_p, *_COLUMN, c_size_t, _OPTIONS, c_char_p, c_size_t),
    "fit": (c_int32, c_void_p, POINTER(Text), _STRINGS, c_size_t, POINTER(FitOptions), c_char_p, _MADE),
    "evaluate": (c_int32, c_void_p, POINTER(Text), _STRINGS, c_size_t, _OPTIONS, _MADE),
    "rank": (c_int32, c_void_p, POINTER(Text), POINTER(Text), c_size_t, _OPTIONS, c_void_p, POINTER(Row)),
    "zero_shot": (
        *(c_int32, c_void_p, POINTER(Text), c_size_t, _STRINGS, c_size_t, c_int32, _OPTIONS, c_void_p, c_void_p),
        POINTER(Row),
    ),
    "entities": (c_int32, c_void_p, POINTER(Text), _OPTIONS, POINTER(c_void_p)),
    "attention_page": (c_int32, c_void_p, POINTER(Text), c_size_t, _OPTIONS, _MADE),
    "steps_page": (c_int32, c_void_p, POINTER(Text), c_size_t, c_size_t, c_size_t, _OPTIONS, _MADE),
    "explanation_page": (c_int32, c_void_p, POINTER(Text), _OPTIONS, _MADE),
    "models": (c_int32, c_void_p, _MADE),
}
# Functions that only look something up. They keep the lock: to get it back from a busy thread takes 5 ms.
_SHORT: dict[str, tuple[Any, ...]] = {
    "abi_version": (c_uint32,),
    "version": (c_char_p,),
    "last_error": (c_char_p,),
    "stop": (None, c_void_p),
    "engine_options_defaults": (None, POINTER(EngineOptions)),
    "run_options_defaults": (None, _OPTIONS),
    "fit_options_defaults": (None, POINTER(FitOptions)),
    "string_free": (None, c_void_p),
    "entity_list_size": (c_size_t, c_void_p),
    "entity_list_label": (c_char_p, c_void_p, c_size_t),
    "entity_list_place": (c_int32, c_void_p, c_size_t, _PLACE, _PLACE),
    "entity_list_probability": (c_float, c_void_p, c_size_t),
    "entity_list_free": (None, c_void_p),
    "model_labels": (c_size_t, c_void_p),
    "model_label": (c_char_p, c_void_p, c_size_t),
    "model_problem_type": (c_char_p, c_void_p),
    "model_layers": (c_size_t, c_void_p),
    "model_heads": (c_size_t, c_void_p, c_size_t),
    "model_embedding_width": (c_size_t, c_void_p),
    "model_max_tokens": (c_size_t, c_void_p),
    "model_reads_pairs": (c_int32, c_void_p),
    "model_thresholds": (c_size_t, c_void_p, _FLOATS),
    "encoding_size": (c_size_t, c_void_p),
    "encoding_ids": (POINTER(c_int32), c_void_p),
    "encoding_token": (c_char_p, c_void_p, c_size_t),
    "encoding_offsets": (c_int32, c_void_p, c_size_t, _PLACE, _PLACE),
    "encoding_free": (None, c_void_p),
    "attention_encoding": (c_void_p, c_void_p),
    "attention_weights": (c_void_p, c_void_p, c_size_t, c_size_t),
    "attention_logits": (c_void_p, c_void_p),
    "attention_free": (None, c_void_p),
    "explanation_words": (c_size_t, c_void_p),
    "explanation_word": (c_int32, c_void_p, c_size_t, _PLACE, _PLACE),
    "explanation_effects": (c_void_p, c_void_p, c_size_t),
    "explanation_logits": (c_void_p, c_void_p),
    "explanation_free": (None, c_void_p),
}


class Library:
    """The functions of headlight.h, named without `hl_`."""

    def __init__(self, path: str) -> None:
        try:
            long_calls = ctypes.CDLL(path)
        except OSError as error:
            raise Error(f"cannot load the headlight library: {error}") from None
        short_calls = ctypes.PyDLL(path, handle=long_calls._handle)
        for source, table in ((long_calls, _LONG), (short_calls, _SHORT)):
            for name, (result, *arguments) in table.items():
                try:
                    function = getattr(source, "hl_" + name)
                except AttributeError:
                    raise Error(f"{path}: has no hl_{name}; it is not the library of this module") from None
                function.restype, function.argtypes = result, arguments
                setattr(self, name, function)
        if self.abi_version() >> 16 != 0:
            raise Error(f"{path}: its interface is newer than this module; install both in the same version")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


_loaded: Library | None = None
lock = _thread.allocate_lock()


def _after_fork() -> None:
    # Another thread of the parent may have held it.
    global lock
    lock = _thread.allocate_lock()


os.register_at_fork(after_in_child=_after_fork)


def library() -> Library:
    """The library, loaded at the first call."""
    global _loaded
    if _loaded is None:
        with lock:
            if _loaded is None:
                _loaded = Library(library_path())
    return _loaded


def last_error() -> str:
    line: bytes = library().last_error()
    return line.decode("utf-8", "replace")


def check(status: int, message: str | None = None) -> None:
    """Raises the error of a status. Without a message, that of this thread's last call."""
    if status != OK:
        import re

        kind = ArgumentError if status in (BAD_ARGUMENT, BAD_TEXT) else Error
        # Options of the command help nobody here.
        raise kind(re.sub("; [^;]*(?<![^ ;])--[a-z][^;]*", "", last_error() if message is None else message), status)


def library_path() -> str:
    """HEADLIGHT_LIBRARY, the library in this package, as in a wheel, or the name of that of the system."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", "headlight", NAME)
    return os.environ.get("HEADLIGHT_LIBRARY") or (own if os.path.isfile(own) else NAME)


def command_path() -> str | None:
    """The program of the same installation: bin/headlight in a folder above the library, or that of the PATH."""
    folder = os.path.dirname(os.path.abspath(library_path()))
    for _ in range(2):
        folder = os.path.dirname(folder)
        program = os.path.join(folder, "bin", "headlight")
        if os.access(program, os.X_OK):
            return program
    from shutil import which

    return which("headlight")
