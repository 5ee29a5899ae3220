"""Models of fastText's own program, trained on made-up text, and what it answers.

The program is `fasttext` 0.9.2, as Debian has it (`apt-get install fasttext`).
"""

import random
import shutil
import subprocess

from common.program import ProgramError

LOSSES = ("softmax", "hs", "ns", "ova")
NGRAMS = {
    "words": (),
    "pairs": ("-wordNgrams", "2"),
    "characters": ("-minn", "2", "-maxn", "4"),
    "both": ("-wordNgrams", "3", "-minn", "3", "-maxn", "5"),
}
FORMS = {
    "plain": None,
    "quantised": (),
    "qnorm": ("-qnorm",),
    "qout": ("-qnorm", "-qout"),
    "cut": ("-cutoff", "300", "-qnorm"),
}
MANY_LABELS = 300  # labels are quantised from 256 on

SOUNDS = [sound.encode() for sound in "b k st m n gr p é ß ж 日 本 ü - '".split()] + [b"\xe9", b"\xff\x80"]
VOWELS = [vowel.encode() for vowel in ("a", "o", "i", "u", "ö", "")]


def words_of(chance, count):
    """Words of one to four syllables, as bytes. A few are not UTF-8."""
    return [
        b"".join(chance.choice(SOUNDS) + chance.choice(VOWELS) for _ in range(chance.randint(1, 4)))
        for _ in range(count)
    ]


def texts_of(chance, words, labels, count):
    """Pairs of a number of a label and a text of words, of which some are those that the label prefers."""
    for i in range(count):
        label = i % labels
        own = words[label::labels] or words
        picked = [chance.choice(own if chance.random() < 0.6 else words) for _ in range(chance.randint(1, 12))]
        yield label, b" ".join(picked)


def training_lines(seed, labels, several=False, count=3000, words=400, prefix=b"__label__"):
    """Lines as `fasttext supervised` reads them. Many labels are as frequent as others."""
    chance = random.Random(seed)
    for label, text in texts_of(chance, words_of(chance, words), labels, count):
        given = [label, (label * 7 + 1) % labels] if several and chance.random() < 0.4 else [label]
        yield b" ".join([*(prefix + f"größe{name}".encode() for name in given), text])


def test_lines(seed, labels, count, words=400):
    """Other texts of the same words and of new ones, with labels among them, odd blanks and empty lines."""
    chance = random.Random(seed)
    known = words_of(chance, words)
    chance.seed(seed + 1)
    for _, text in texts_of(chance, known + words_of(chance, words // 2), labels, count):
        picked = text.split(b" ")
        if chance.random() < 0.1:
            added = chance.choice(("__label__größe1".encode(), b"__label__none", b"__label__"))
            picked.insert(chance.randrange(len(picked) + 1), added)
        blank = chance.choice((b" ", b" ", b" ", b"\t", b"  ", b"\v", b"\f"))
        yield b"" if chance.random() < 0.02 else blank.join(picked)


def run(*arguments, data=b""):
    """The standard output of `fasttext`. Raises ProgramError if there is none, or if it fails."""
    if shutil.which("fasttext") is None:
        raise ProgramError("no program fasttext; apt-get install fasttext")
    done = subprocess.run(["fasttext", *map(str, arguments)], input=data, capture_output=True)
    if done.returncode != 0:
        raise ProgramError(f"fasttext {arguments[0]}: {done.stderr.decode(errors='replace').strip()[-300:]}")
    return done.stdout


def train(folder, name, rows, options, form=None, kind="supervised"):
    """Trains a model, quantises it with the options `form`, and returns its path."""
    prefix = folder / name
    fixed = ("-thread", "1", "-seed", "1", "-verbose", "0")
    run(kind, "-input", rows, "-output", prefix, *fixed, *options)
    if form is None:
        return prefix.with_name(f"{name}.bin")
    run("quantize", "-input", rows, "-output", prefix, *fixed, *form)
    prefix.with_name(f"{name}.bin").unlink()
    return prefix.with_name(f"{name}.ftz")


def answers(model, texts, most):
    """For each line of the file `texts`: [(label, probability), …], at most `most`; all for -1."""
    for line in run("predict-prob", model, texts, most).split(b"\n")[:-1]:
        cells = line.split()
        yield list(zip(cells[::2], map(float, cells[1::2]), strict=True))


def vectors(model, texts):
    """The vector of each line of the file `texts`, with five digits."""
    found = run("print-sentence-vectors", model, data=texts.read_bytes())
    return [[float(number) for number in line.split()] for line in found.decode().splitlines()]
