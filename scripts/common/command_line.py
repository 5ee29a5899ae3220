"""How a check or a maker begins and ends."""

import argparse
import pathlib
import sys

from common.program import ProgramError


class _Parser(argparse.ArgumentParser):
    def parse_args(self, args=None, namespace=None):
        """Options may stand between the arguments."""
        return self.parse_intermixed_args(args, namespace)


def parser(name, documentation):
    """A parser for `scripts/NAME`, whose help is the documentation of the module."""
    return _Parser(
        prog=f"scripts/{name}", description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def output_path(name, documentation, default):
    """Parses the command line of a maker whose only option is where it writes."""
    options = parser(name, documentation)
    options.add_argument(
        "-o",
        "--output",
        type=pathlib.Path,
        default=default,
        metavar="PATH",
        help="write here (default: where the repository has it)",
    )
    return options.parse_args().output


def number(kind, low):
    """A type for argparse: a number from `low` on."""

    def parse(text):
        value = kind(text)
        if value < low:
            raise argparse.ArgumentTypeError(f"{text} is out of range")
        return value

    parse.__name__ = "number"
    return parse


def finish(main, prefix="", errors=()):
    """Calls `main` and ends the process with the status that it returns. A ProgramError, or one of `errors`, is one
    line after `prefix` and status 1."""
    try:
        sys.exit(main())
    except (ProgramError, *errors) as error:
        sys.exit(f"{prefix}{error}")
    except KeyboardInterrupt:
        sys.exit(130)
