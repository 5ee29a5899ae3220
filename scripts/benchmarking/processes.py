"""Processes that use the Python module of this tree, or a package that it is compared with."""

import os
import subprocess
import sys
import tempfile
import time

from benchmarking.workers import QUIET
from common.program import MODULE, ROOT, ProgramError, library

SCRIPTS = ROOT / "scripts"


def environment(threads, *folders):
    """The environment of a process whose packages use `threads` threads and that imports from `folders` first."""
    limits = dict.fromkeys(("OMP_NUM_THREADS", "RAYON_NUM_THREADS"), str(threads))
    own = {"PYTHONPATH": os.pathsep.join(map(str, folders)), "HEADLIGHT_LIBRARY": library()}
    return {**os.environ, **QUIET, **limits, **own, "TOKENIZERS_PARALLELISM": "true"}


def python(threads, *arguments):
    """Seconds from the start of a Python process to its first line, and its lines. Raises ProgramError."""
    command = [sys.executable, *map(str, arguments)]
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment(threads, MODULE)
        )
        first = process.stdout.readline()
        seconds = time.perf_counter() - begin
        rest, _ = process.communicate()
        if process.returncode:
            errors.seek(0)
            raise ProgramError(f"{' '.join(command)} ended with status {process.returncode}:\n{errors.read()}")
    return seconds, [first, *rest.splitlines()]


def user_seconds(command, output, threads):
    """User time of a process that writes to the file `output`. Raises ProgramError."""
    with open(output, "wb") as file:
        process = subprocess.Popen(list(map(str, command)), stdout=file, env=environment(threads, MODULE, SCRIPTS))
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise ProgramError(f"{command[0]} ended with status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime
