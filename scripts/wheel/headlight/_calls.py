"""Handles of the library, and calls of it that KeyboardInterrupt can end."""

from __future__ import annotations

import _thread
import ctypes
import os

from headlight import _library
from headlight._library import OK, STOPPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Handle:
    """A pointer of the library, freed with the last reference: nothing is freed while a call has it as an argument.

    In a forked child, the library refuses the handles of the parent: they are not freed there.
    """

    __slots__ = ("_as_parameter_", "_engine", "_free", "pointer", "process")

    def __init__(self, free: Callable[[ctypes.c_void_p], None], engine: Handle | None = None) -> None:
        self.pointer = self._as_parameter_ = ctypes.c_void_p()
        self.process = os.getpid()
        self._free = free
        self._engine = engine

    @property
    def engine(self) -> Handle:
        return self._engine or self

    def __del__(self, getpid: Callable[[], int] = os.getpid) -> None:
        if self.pointer and self.process == getpid():
            self._free(self.pointer)


def run(
    is_short: bool, function: Callable[..., int], handle: Handle, *arguments: Any, stops_itself: bool = False
) -> None:
    """Calls a function that computes with an engine or a model, and raises its error.

    Python hears a signal in the main thread alone, and there only between two calls. So the main thread leaves a
    call that is not short to another thread, and waits: at KeyboardInterrupt, or what else the handler of a signal
    raises, it stops the call. A call that is stopped for another one is repeated, unless it `stops_itself`.
    """
    if is_short or not _is_main_thread():
        status, message = _attempt(function, (handle, *arguments), stops_itself)
    else:
        status, message = _in_other_thread(handle.engine, function, (handle, *arguments), stops_itself)
    _library.check(status, message)


def new_engine(threads: int = 0, precision: bytes = b"fp32") -> Handle:
    native = _library.library()
    options = _library.EngineOptions()
    native.engine_options_defaults(ctypes.byref(options))
    options.threads, options.precision = threads, precision
    engine = Handle(native.engine_free)
    _library.check(native.engine_new(ctypes.byref(options), ctypes.byref(engine.pointer)))
    return engine


def made_text(function: Callable[..., int], handle: Handle, *arguments: Any, stops_itself: bool = False) -> str:
    """The text that a function of the library makes, whose address is its last argument."""
    made = ctypes.c_void_p()
    run(False, function, handle, *arguments, ctypes.byref(made), stops_itself=stops_itself)
    try:
        return ctypes.string_at(made.value or 0).decode("utf-8", "replace")
    finally:
        _library.library().string_free(made)


def _is_main_thread() -> bool:
    import threading

    return threading.get_ident() == threading.main_thread().ident


def _attempt(function: Callable[..., int], arguments: tuple[Any, ...], cancelled: Any) -> tuple[int, str]:
    status = function(*arguments)
    while status == STOPPED and not cancelled:  # hl_stop() was meant for another call with this engine
        status = function(*arguments)
    # The message belongs to the thread of the call.
    return status, _library.last_error() if status != OK else ""


def _in_other_thread(
    engine: Handle, function: Callable[..., int], arguments: tuple[Any, ...], stops_itself: bool
) -> tuple[int, str]:
    # A thread for each call costs 0.2 ms, because its core has to read the weights again; the call takes 10 ms or more.
    stop = _library.library().stop
    outcome: list[tuple[int, str] | BaseException] = []
    running: list[bool] = []
    cancelled: list[bool] = []
    done = _thread.allocate_lock()
    done.acquire()

    def work() -> None:
        # This thread sets `running`, then reads `cancelled`; the other sets `cancelled`, then reads `running`. So one
        # of them sees that the call must not run.
        running.append(True)
        try:
            if not cancelled:
                outcome.append(_attempt(function, arguments, stops_itself or cancelled))
        except BaseException as error:
            outcome.append(error)
        finally:
            running.clear()
            done.release()

    try:
        try:
            _thread.start_new_thread(work, ())
        except RuntimeError:  # the interpreter is ending, or the system has no more threads
            return _attempt(function, arguments, stops_itself)
        while not done.acquire(timeout=0.2):  # the signal may have woken another thread
            pass
    except BaseException:
        cancelled.append(True)
        while running:
            stop(engine)
            done.acquire(timeout=0.02)
        raise
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
