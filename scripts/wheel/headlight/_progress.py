"""How far a training is, in a terminal or a notebook: tqdm's bar where it is installed, else one line."""

from __future__ import annotations

import sys
import time

from headlight._library import STOPPED, Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Progress:
    """`wanted` as in headlight.fit()."""

    def __init__(self, wanted: Any) -> None:
        self._function = wanted if callable(wanted) else None
        self._shows = bool(wanted) if isinstance(wanted, bool) else wanted is None and _is_watched()
        self._failure: BaseException | None = None
        self._bar: Any = None
        self._due = time.monotonic() + 1.0  # a short training shows none

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def call(self, _: Any, done: float, phase: bytes) -> int:
        """As the library calls it: not 0 stops."""
        try:
            if self._function is not None:
                answer = self._function(done, phase.decode())
                if type(answer).__name__ in ("bool", "bool_") and answer:  # of Python or numpy
                    raise Error("stopped: the function of progress returned True", STOPPED)
            elif self._shows:
                self._show(int(100 * done), phase.decode())
        except BaseException as error:
            self._failure = error
            return 1
        return 0

    def raise_failure(self) -> None:
        """What the function raised, or that it stopped."""
        if self._failure is not None:
            raise self._failure from self._failure.__cause__  # not from the stop that it made

    def _show(self, percent: int, phase: str) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + 0.2
        if self._bar is None:
            self._bar = _new_bar()
        self._bar.show(percent, phase)


class _Line:
    """One line of a terminal."""

    def show(self, percent: int, phase: str) -> None:
        sys.stderr.write(f"\r\033[K{phase} {percent} %")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\033[K")


def _new_bar() -> Any:
    try:
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of text
            from tqdm.auto import tqdm
    except ImportError:
        return _Line()

    class Bar(tqdm):  # type: ignore[type-arg, misc]
        def show(self, percent: int, phase: str) -> None:
            self.n = percent
            self.set_description(phase, refresh=True)

    return Bar(total=100, leave=False, bar_format="{desc} {percentage:3.0f} % |{bar}|")


def _is_watched() -> bool:
    """Whether a person sees it: a terminal, or a notebook."""
    shell = sys.modules.get("IPython")
    kind = type(shell.get_ipython()).__name__ if shell is not None else ""
    return kind == "ZMQInteractiveShell" or bool(sys.stderr and sys.stderr.isatty())
