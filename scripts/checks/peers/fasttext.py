"""Compares `batch --format fasttext` with `fasttext predict-prob` 0.9.2 on models of every kind.

    scripts/check fasttext [--lines N] [MODEL.bin|MODEL.ftz ...]

Trains 88 models on made-up text: four losses, with n-grams of characters, of words, of both and of neither, as they
are, quantised, with -qnorm, with -qout, and cut off; and eight whose rows have several labels. Scores N lines (default:
10000) with each, for the best label, the three best and all. Words of the models need not be UTF-8; the lines are. If
models are named, compares these instead. Prints for each model in how many lines labels differ, how many of these only
swap labels whose printed probabilities differ by less than 1e-6 without being equal, and the largest difference of a
probability beyond its six digits. Exit status 1 if labels differ in another line, or a probability by more than 1e-6.
"""

import pathlib
import tempfile

from common import fasttext_models as reference
from common import program
from common.command_line import finish, number, parser

CLOSE = 1e-6
DIGITS = 5e-6  # what predict-prob leaves out of a probability of six digits, as a part of it


def our_answers(model, texts, most):
    """As reference.answers()."""
    options = ("--format", "fasttext", "-k", most, "--threshold", 0, "--input-format", "text", "-q")
    for line in program.run("batch", texts, "-m", model, *options).split(b"\n")[:-1]:
        cells = line.split(b" ") if line else []
        yield list(zip(cells[::2], map(float, cells[1::2]), strict=True))


def is_near_tie(expected, found):
    """Whether the labels that differ have probabilities that differ by less than CLOSE without being equal."""
    places = {label: probability for label, probability in expected}
    for (label, probability), (other, ours) in zip(expected, found, strict=False):
        near = places.get(other, ours)
        if label != other and (near == probability or abs(near - probability) > CLOSE):
            return False
    return len(expected) == len(found)


def compare(model, texts, most):
    """(lines, lines with other labels, of these near ties, largest difference of a probability)."""
    lines = different = ties = 0
    largest = 0.0
    for expected, found in zip(reference.answers(model, texts, most), our_answers(model, texts, most), strict=True):
        lines += 1
        if [label for label, _ in expected] != [label for label, _ in found]:
            different += 1
            ties += is_near_tie(expected, found)
            continue
        for (_, theirs), (_, ours) in zip(expected, found, strict=True):
            largest = max(largest, abs(theirs - ours) - DIGITS * theirs)
    return lines, different, ties, largest


def write_lines(path, lines):
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def is_utf8(line):
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def models(folder):
    """The name and the path of each model, trained when it is needed."""
    for several in (False, True):
        for form, quantising in reference.FORMS.items():
            if several and form not in ("plain", "quantised"):
                continue
            labels = reference.MANY_LABELS if form == "qout" else 7
            lines = reference.training_lines(1, labels, several)
            rows = write_lines(folder / "rows.txt", lines)
            for loss in reference.LOSSES:
                for ngrams, options in reference.NGRAMS.items():
                    if several and ngrams != "both":
                        continue
                    name = f"{loss}-{ngrams}-{form}" + ("-several" if several else "")
                    shape = ("-loss", loss, "-dim", "10", "-bucket", "2000", *options)
                    yield name, reference.train(folder, name, rows, shape, quantising)


def main():
    options = parser("check fasttext", __doc__)
    options.add_argument("--lines", type=number(int, 1), default=10000)
    options.add_argument("models", nargs="*", type=pathlib.Path)
    options = options.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        lines = (line for line in reference.test_lines(1, 7, 7 * options.lines) if is_utf8(line))
        texts = write_lines(folder / "texts.txt", [line for line, _ in zip(lines, range(options.lines))])
        print(f"{'model':40} lines of k = 1, 3, all   differ  near ties   |Δp|")
        count = 0
        for name, model in [*((path.name, path) for path in options.models)] or models(folder):
            sums = [compare(model, texts, most) for most in (1, 3, -1)]
            count += 1
            lines, different, ties = (sum(column) for column in list(zip(*sums, strict=True))[:3])
            largest = max(row[3] for row in sums)
            failed = failed or different > ties or largest > CLOSE
            print(f"{name:40} {lines:24} {different:8} {ties:10}   {largest:.1e}", flush=True)
            if model.parent == folder:
                model.unlink()
        print(f"{count} models")
    return 1 if failed else 0


if __name__ == "__main__":
    finish(main)
