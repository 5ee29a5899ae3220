"""The headlight program, as all scripts find it and run it, and the library of the Python module.

HEADLIGHT names the program, HEADLIGHT_LIBRARY the library; without them, they are those of the release build.
"""

import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFAULT = ROOT / "build/release/bin/headlight"
if not DEFAULT.exists() and (ROOT / "../../bin/headlight").exists():  # the tree of a tarball
    DEFAULT = ROOT / "../../bin/headlight"
DEFAULT_LIBRARY = ROOT / "build/release/lib/libheadlight.so.0"
MODULE = ROOT / "scripts/wheel"  # the folder of the Python module


class ProgramError(Exception):
    """The program is missing or failed. `status` is its exit status, None if it did not run."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


def path():
    """The absolute path of the program. Raises ProgramError if there is none."""
    name = os.environ.get("HEADLIGHT", str(DEFAULT))
    found = shutil.which(name)
    if found is None:
        raise ProgramError(f"no program {name}; build it, or name another in HEADLIGHT")
    return os.path.abspath(found)


def library():
    """The absolute path of the library. Raises ProgramError if there is none."""
    found = os.path.abspath(os.environ.get("HEADLIGHT_LIBRARY", DEFAULT_LIBRARY))
    if not os.path.exists(found):
        raise ProgramError(f"no library {found}; build headlight_shared, or name another in HEADLIGHT_LIBRARY")
    return found


def run(*arguments, data=None, statuses=(0,)):
    """Runs the program and returns its standard output as bytes.

    `data` is its standard input: bytes, a string, or None for an empty one. Raises ProgramError with its standard
    error if its exit status is not one of `statuses`.
    """
    data = data.encode() if isinstance(data, str) else data or b""
    done = subprocess.run([path(), *map(str, arguments)], input=data, capture_output=True)
    if done.returncode not in statuses:
        reason = done.stderr.decode(errors="replace").strip()
        raise ProgramError(f"headlight {arguments[0]} ended with status {done.returncode}: {reason}", done.returncode)
    return done.stdout


def text(*arguments, **how):
    """Like `run`, decoded; line ends stay as they are."""
    return run(*arguments, **how).decode()


def document(*arguments, **how):
    """Like `run`, for `--format json`: the JSON document."""
    return json.loads(run(*arguments, **how))


def rows(*arguments, **how):
    """Like `run`, for `--format jsonl`: a list with the value of each line."""
    return [json.loads(line) for line in run(*arguments, **how).split(b"\n")[:-1]]


def version():
    """The name and the version of the program."""
    return text("--version").strip()


def logits(answers):
    """[rows, classes]: the logits of answers, in the order of the labels."""
    return [list(answer["logits"].values()) for answer in answers]
