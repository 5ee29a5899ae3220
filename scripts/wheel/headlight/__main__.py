"""python -m headlight ARGUMENT...: the command `headlight` of the same installation."""

import os
import sys

from headlight._library import command_path


def main() -> None:
    program = command_path()
    # A wheel's `headlight` on the PATH is this function.
    if program is None or os.path.realpath(program) == os.path.realpath(sys.argv[0]):
        sys.exit("headlight: found no program `headlight` beside the library or on the PATH")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
