"""Compares the interface of headlight.h with tests/installed/headlight.abi, the one that programs were built against.

Functions that were added are named and pass. Any other difference fails: of a function, a struct, a number of a status.
After a change on purpose, --write renews headlight.abi. Needs gcc and abidiff (scripts/install --package). The test
`installed` compares the functions that the library exports with headlight.h.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from common import program
from common.command_line import parser

LIBRARY = program.ROOT / "src/library"
KEPT = program.ROOT / "tests/installed/headlight.abi"


def output(*command, folder=None):
    """The standard output of a command. Ends this program if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with status {done.returncode}")
    return done.stdout


def build(folder):
    """Compiles a library with the functions and types of headlight.h and empty bodies, and returns its path.

    The types behind our handles are left out in this way: callers never see them.
    """
    header = output("cc", "-E", "-P", str(LIBRARY / "headlight.h"))
    header = re.sub(r"(\bhl_\w+\([^;{}]*\));", r"\1 { __builtin_trap(); }", header)
    # abidiff does not look at a type that nothing refers to.
    header = re.sub(r"\benum \{", "enum hl_statuses {", header, count=1) + "enum hl_statuses hl_statuses;\n"
    exports = (LIBRARY / "exports.map").read_text().replace("global:", "global: hl_statuses;")
    (folder / "headlight.c").write_text(header)
    (folder / "exports.map").write_text(exports)
    options = [
        "-std=c99",
        "-g",
        "-shared",
        "-fPIC",
        "-Wl,-soname,libheadlight.so.0",
        "-Wl,--version-script=exports.map",
    ]
    output("cc", *options, "-o", "libheadlight.so", "headlight.c", folder=folder)
    return str(folder / "libheadlight.so")


def main():
    options = parser("check abi", __doc__)
    options.add_argument("--write", action="store_true", help="renew headlight.abi")
    arguments = options.parse_args()
    if shutil.which("abidiff") is None:
        sys.exit("there is no abidiff; scripts/install --package installs it")
    with tempfile.TemporaryDirectory() as folder:
        library = build(pathlib.Path(folder))
        if arguments.write:
            leave_out = ("--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed")
            output("abidw", *leave_out, "--out-file", str(KEPT), library)
            print(f"wrote {KEPT.relative_to(program.ROOT)}")
            return
        if subprocess.run(["abidiff", "--no-added-syms", KEPT, library]).returncode != 0:
            sys.exit("the interface changed; if old programs still work with it, renew it with check abi --write")
        added = subprocess.run(["abidiff", KEPT, library], stdout=subprocess.PIPE, text=True).stdout
        names = re.findall(r"\[A\].*?\b(hl_\w+)\(", added)
        print("added: " + ", ".join(names) if names else "the interface is that of headlight.abi")


main()
