"""Writes the rows that the bundled `language` model is trained on: texts of 48 languages, as CSV.

    scripts/make language_rows DATA -o rows.csv [--cache FOLDER]

DATA holds more/languages/train.csv, which says the languages, and text/. Beside these 500 sentences a language, each
four times since they are what people say, the rows are what Debian's packages say in it: their descriptions, and the
translated messages of a game that tells stories and of some desktop programs (all free by Debian's guidelines; some
300 MB are downloaded to FOLDER). At most 25,000 of a language, in turn from each source. Serbian is also written in
Latin letters; a tenth of the texts is repeated as some words of it, and a twentieth without its accents.
"""

import bz2
import collections
import csv
import gettext
import gzip
import io
import random
import re
import subprocess
import tarfile
import unicodedata
import urllib.request
from pathlib import Path

from common.command_line import finish, parser

SEED, MOST, SPOKEN, SHORT, PLAIN = 1, 25_000, 4, 0.1, 0.05
MIRROR = "http://deb.debian.org/debian/dists/bookworm/main/i18n/Translation-"
DESCRIBED = "ca cs da de eo es eu fi fr gl hr hu it ja ko nb nl pl pt pt_BR ro ru sk sr sv tr uk vi zh_CN".split()
STORIES = ("wesnoth-1.16-data",)
PROGRAMS = (
    "aisleriot epiphany-browser-data evolution-common file-roller freeciv-data gcompris-qt-data gimp-data"
    " gnome-calendar gnome-chess gnome-control-center-data gnome-initial-setup gnome-mahjongg gnome-maps gnome-mines"
    " gnome-software-common gnome-sudoku iagno libgtk-3-common nautilus-data pidgin-data rhythmbox-data"
    " shotwell-common swell-foop tali totem-common tuxpaint-data"
).split()
ENGLISH = ("common_voice", "dialogue_turns", "web_treebanks", "wikipedia_sentences")
CODES = {"pt_BR": "pt", "zh_CN": "zh", "nb_NO": "nb", "no": "nb", "sr@latin": "sr"}
CYRILLIC = "а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш".split()
LATIN = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split()
TO_LATIN = str.maketrans(
    dict(zip(CYRILLIC, LATIN, strict=True))
    | {letter.upper(): latin.capitalize() for letter, latin in zip(CYRILLIC, LATIN, strict=True)}
)


def sentences(text):
    """The sentences of a text that look like language: no mark-up, no code, mostly letters."""
    if re.search(r"[{}$\\=|~@_%/<>#&]|\d\.|\w:\w", text):
        return
    for part in re.split(r"(?<=[.!?。！？…])\s*|\n+", text):
        sentence = " ".join(part.split()).strip('"“”*-— ')
        letters = sum(character.isalpha() for character in sentence)
        if letters >= max(10, 0.7 * len(sentence)):
            yield sentence[:160]


def messages(packages, cache):
    """The translated messages of Debian packages, a set for each language."""
    found = collections.defaultdict(set)
    for package in packages:
        if not list(cache.glob(f"{package}_*.deb")):
            subprocess.run(["apt-get", "download", package], cwd=cache, check=True)
        for file in cache.glob(f"{package}_*.deb"):
            files = subprocess.run(["dpkg-deb", "--fsys-tarfile", file], stdout=subprocess.PIPE, check=True).stdout
            with tarfile.open(fileobj=io.BytesIO(files)) as archive:
                for member in archive:
                    place = re.search(r"/([^/]+)/LC_MESSAGES/[^/]+\.mo$", member.name)
                    if place and member.isfile():
                        data = archive.extractfile(member).read()
                        found[CODES.get(place[1], place[1])].update(translations(data))
    return found


def translations(data):
    try:
        catalog = gettext.GNUTranslations(io.BytesIO(data))._catalog
    except (IndexError, ValueError):  # a template that nobody completed
        return
    for key, text in catalog.items():
        original = key[0] if isinstance(key, tuple) else key
        if original and text and original.split("\x04")[-1].split("^")[-1] != text:
            yield from sentences(re.sub(r"<[^>]*>", " ", text))


def descriptions(cache):
    """The translated descriptions of Debian's packages, a set for each language."""
    found = collections.defaultdict(set)
    for code in DESCRIBED:
        file = cache / f"Translation-{code}.bz2"
        if not file.exists():
            urllib.request.urlretrieve(f"{MIRROR}{code}.bz2", file)
        blocks = bz2.decompress(file.read_bytes()).decode("utf-8", errors="replace").split("\n\n")
        for block in blocks:
            text = re.sub(r"^(Package|Description-md5): .*\n", "", block, flags=re.MULTILINE)
            title, _, body = re.sub(r"^Description-\w+: ", "", text).partition("\n")
            for paragraph in (title, *body.split("\n .\n")):
                found[CODES.get(code, code)].update(sentences(paragraph.replace("\n", " ").strip()))
    return found


def in_turn(sources, most):
    """At most `most` texts, one of each source after the other."""
    sources = [list(source) for source in sources if source]
    taken = []
    while sources and len(taken) < most:
        taken += [source.pop() for source in sources]
        sources = [source for source in sources if source]
    return taken[:most]


def varied(text, pick):
    """The text, sometimes also some words of it, and sometimes also without its accents."""
    yield text
    words = text.split()
    if pick.random() < SHORT and len(words) > 3:
        count = pick.randint(1, 3)
        first = pick.randint(0, len(words) - count)
        yield " ".join(words[first : first + count])
    if pick.random() < PLAIN:
        plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
        if plain != text and text.isascii() != plain.isascii():
            yield plain


def main():
    options = parser("make language_rows", __doc__)
    options.add_argument("data", type=Path, metavar="DATA")
    options.add_argument("-o", "--output", type=Path, metavar="FILE", required=True)
    options.add_argument("--cache", type=Path, metavar="FOLDER", default=Path("build/language"))
    arguments = options.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    pick = random.Random(SEED)
    with open(arguments.data / "more/languages/train.csv", encoding="utf-8", newline="") as file:
        spoken = [(row["text"], row["label"]) for row in csv.DictReader(file)]
    sources = [messages(STORIES, arguments.cache), messages(PROGRAMS, arguments.cache), descriptions(arguments.cache)]
    english = collections.defaultdict(set)
    for name in ENGLISH:
        with gzip.open(arguments.data / f"text/{name}.txt.gz", "rt", encoding="utf-8") as file:
            english["en"].update(pick.sample(file.read().splitlines(), 5000))
    sources.append(english)
    rows = spoken * SPOKEN
    for language in sorted({label for _, label in spoken}):
        drawn = [pick.sample(sorted(source[language]), len(source[language])) for source in sources]
        rows += [(text, language) for text in in_turn(drawn, MOST)]
    rows += [(latin, label) for text, label in rows if label == "sr" and (latin := text.translate(TO_LATIN)) != text]
    rows = [(text, label) for row, label in rows for text in varied(row, pick)]
    pick.shuffle(rows)
    with open(arguments.output, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("text", "label"))
        writer.writerows(rows)


if __name__ == "__main__":
    finish(main)
