"""How far a training is, in a terminal or a notebook: tqdm's bar where it is installed, else one line."""

from __future__ import annotations

import sys

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
        self._phase = ""
        self._shown = -1

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown >= 0:
            sys.stderr.write("\r\033[K")

    def call(self, _: Any, done: float, phase: bytes) -> int:
        """As the library calls it: not 0 stops."""
        try:
            if self._function is not None:
                return int(self._function(done, phase.decode()) is True)
            if self._shows:
                self._show(int(100 * done), phase.decode())
        except BaseException as error:
            self._failure = error
            return 1
        return 0

    def raise_failure(self) -> None:
        """What the function raised."""
        if self._failure is not None:
            raise self._failure

    def _show(self, percent: int, phase: str) -> None:
        if percent == self._shown and phase == self._phase:
            return
        is_new, self._shown, self._phase = phase != self._phase, percent, phase
        try:
            from tqdm.auto import tqdm
        except ImportError:
            sys.stderr.write(f"\r\033[K{phase} {percent} %")
            sys.stderr.flush()
            return
        if self._bar is None:
            self._bar = tqdm(total=100, unit="%", leave=False)
        if is_new:
            self._bar.set_description(phase)
        self._bar.n = percent
        self._bar.refresh()


def _is_watched() -> bool:
    """Whether a person sees it: a terminal, or a notebook."""
    shell = sys.modules.get("IPython")
    kind = type(shell.get_ipython()).__name__ if shell is not None else ""
    return kind == "ZMQInteractiveShell" or bool(sys.stderr and sys.stderr.isatty())
