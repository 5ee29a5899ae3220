"""Reads small files as people have them, and compares what headlight reads of each with the right answer.

    scripts/check field [WORD]

Each file was rebuilt from a public report, which its row names, or from what the program named there writes. WORD
selects the rows that contain it.
"""

import importlib
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from common import program
from common.command_line import finish, parser

# Each has CASES, which name their report, and complaints(case, folder).
MODULES = ("checks.robustness.field_tables", "checks.robustness.field_labels")


def main():
    line = parser("check field", __doc__)
    line.add_argument("word", nargs="?", default="")
    word = line.parse_args().word
    program.path()
    done = failed = 0
    for module in map(importlib.import_module, filter(find_spec, MODULES)):
        for case in module.CASES:
            if word not in case.report:
                continue
            with tempfile.TemporaryDirectory() as folder:
                wrong = module.complaints(case, Path(folder))
            done += 1
            failed += bool(wrong)
            for complaint in wrong:
                print(f"{case.report}: {complaint}", file=sys.stderr)
    print(f"{done} files, {failed} not as expected")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    finish(main)
