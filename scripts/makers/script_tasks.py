"""Writes tasks whose texts the bundled encoder cannot read: other scripts, identifiers, DNA.

    scripts/make script_tasks -o FOLDER [--cache FOLDER]

FOLDER gets a folder for each task, with train.csv and test.csv (text, label). Of a language: what Debian's packages
are, in a line, and the six commonest sections as labels, at most 2,000 rows to train on and 1,000 to test on (some
30 MB are downloaded to the cache). `dna`: 80 letters drawn at random; those of one label have one of three motifs.
`identifiers`: made names of four kinds of things, such as `user_id_4711`.
"""

import bz2
import collections
import csv
import itertools
import lzma
import random
import re
import urllib.request
from pathlib import Path

from common.command_line import finish, parser

MIRROR = "http://deb.debian.org/debian/dists/bookworm/main/"
LANGUAGES = "ru uk ja ko zh_CN sr de".split()
TRAIN, TEST, SECTIONS, MADE = 2000, 1000, 6, 600
MOTIFS = ("TATAAA", "GGCCAATCT", "CACGTG")
FIRST = {
    "person": "user owner author client member".split(),
    "time": "date created updated month deadline".split(),
    "money": "price amount tax total refund".split(),
    "place": "city street country region zip".split(),
}
LAST = "id no key code value field ref idx".split()


def fetched(cache, path):
    file = cache / path.rsplit("/", 1)[-1]
    if not file.exists():
        urllib.request.urlretrieve(MIRROR + path, file)
    return file.read_bytes()


def blocks(text):
    """The fields of each block of a file of Debian's control format."""
    for block in text.split("\n\n"):
        yield dict(re.findall(r"^([\w-]+): (.*)$", block, flags=re.MULTILINE))


def sections(cache):
    """Package → section."""
    text = lzma.decompress(fetched(cache, "binary-amd64/Packages.xz")).decode()
    return {block["Package"]: block["Section"] for block in blocks(text) if "Section" in block}


def described(cache, language, section_of):
    """Rows of the commonest sections; a line that several packages have is taken once."""
    text = bz2.decompress(fetched(cache, f"i18n/Translation-{language}.bz2")).decode(errors="replace")
    rows = {}
    for block in blocks(text):
        title = block.get(f"Description-{language}")
        if title and block["Package"] in section_of:
            rows.setdefault(title, section_of[block["Package"]])
    common = [label for label, _ in collections.Counter(rows.values()).most_common(SECTIONS)]
    return [row for row in rows.items() if row[1] in common]


def dna(draw):
    for _, label in itertools.product(range(MADE), ("promoter", "other")):
        letters = "".join(draw.choices("ACGT", k=80))
        if label == "promoter":
            at = draw.randrange(60)
            motif = draw.choice(MOTIFS)
            letters = letters[:at] + motif + letters[at + len(motif) :]
        elif any(motif in letters for motif in MOTIFS):
            continue
        yield letters, label


def identifiers(draw):
    for _, (label, words) in itertools.product(range(MADE), FIRST.items()):
        parts = [draw.choice(words), draw.choice(LAST), f"{draw.randrange(10000):04}"]
        yield draw.choice(["_".join(parts), "".join(map(str.capitalize, parts)), "-".join(parts)]), label


def write(folder, rows, draw):
    rows = list(rows)
    draw.shuffle(rows)
    tests = min(TEST, len(rows) // 3)
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in (("test", rows[:tests]), ("train", rows[tests:][:TRAIN])):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("text", "label"), *part])
    print(f"{folder.name}: {len(rows[tests:][:TRAIN]):,} rows to train on, {tests:,} to test on")


def main():
    options = parser("make script_tasks", __doc__)
    options.add_argument("-o", "--output", type=Path, metavar="FOLDER", required=True)
    options.add_argument("--cache", type=Path, metavar="FOLDER", default=Path("build/script_tasks"))
    arguments = options.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    section_of = sections(arguments.cache)
    for language in LANGUAGES:
        write(arguments.output / language, described(arguments.cache, language, section_of), random.Random(0))
    write(arguments.output / "dna", dna(random.Random(1)), random.Random(0))
    write(arguments.output / "identifiers", identifiers(random.Random(1)), random.Random(0))


if __name__ == "__main__":
    finish(main)
