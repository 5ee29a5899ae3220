"""Writes src/text/unicode/grapheme_tables.cpp: how the reference tokenizer cuts a text into grapheme clusters.

    scripts/make grapheme_tables [-o FILE]

Extended grapheme clusters (Unicode Standard Annex 29) show in one place only: the normalizer `Precompiled` looks up a
cluster of less than 6 bytes as a whole, and takes the first prefix that it finds. So every character is put beside
characters of a known class, with a map that writes these as capital letters: if two of them are in one short cluster,
the second disappears.

Hangul syllables are not measured (their ranges are fixed). Neither are regional indicators: a pair of them has 8 bytes,
so it does not matter where it is cut.
"""

import textwrap

import tokenizers
from tokenizers import normalizers

from common.charsmap import charsmap
from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "src/text/unicode/grapheme_tables.cpp"
CHARACTERS = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
MARK, PREPENDED, JOINER, PICTOGRAPH = "\u0300", "\u0600", "\u200d", "\u00a9"
LETTER, VIRAMA = "\u0915", "\u094d"  # KA, a consonant that joins another behind a virama
# The classes of most marks, under a short name, and how the table writes them.
EXTEND = "kAttaches | kExtendsConsonant | kExtendsPictograph"
NAMES = {"a": "A", MARK: "M", PREPENDED: "P", PICTOGRAPH: "G", LETTER: "K"}


WRITE = normalizers.Precompiled(charsmap(NAMES)).normalize_str


def classes(c):
    """The classes of a character that we tell apart, as a set of names."""
    own = WRITE(c)
    found = set()
    if WRITE("a" + c) == "A":
        found.add("kAttaches")
    if WRITE(c + "a" + MARK) != own + "A":
        return {"kPrepends"}
    if WRITE(c + MARK + MARK) == own + "M" and c not in NAMES:
        found.add("kControl")
    if WRITE(c + JOINER + PICTOGRAPH + MARK).endswith("GM"):
        found.add("kPictograph")
    if WRITE(PICTOGRAPH + c + JOINER + PICTOGRAPH + MARK).endswith("GM") and "kPictograph" not in found:
        found.add("kExtendsPictograph")
    if WRITE(c + VIRAMA + LETTER + MARK).endswith("KM"):
        found.add("kConsonant")
    elif WRITE(LETTER + c + LETTER + MARK).endswith("KM"):
        found.add("kLinks")
    elif WRITE(LETTER + c + VIRAMA + LETTER + MARK).endswith("KM"):
        found.add("kExtendsConsonant")
    return found


def main():
    output = output_path("make grapheme_tables", __doc__, OUTPUT)
    rows = []
    for c in CHARACTERS:
        found = " | ".join(sorted(classes(c)))
        if not found:
            continue
        if rows and rows[-1][1] == ord(c) - 1 and rows[-1][2] == found:
            rows[-1][1] = ord(c)
        else:
            rows.append([ord(c), ord(c), found])
    entries = [f"{{0x{first:04X}, 0x{last:04X}, {found.replace(EXTEND, 'kExtend')}}}," for first, last, found in rows]
    body = textwrap.fill(" ".join(entry.replace(" ", "\0") for entry in entries), 96).replace("\n", "\n    ")
    body = "    " + body.replace("\0", " ") + "\n"
    output.write_text(
        f"// Made by scripts/make grapheme_tables from tokenizers {tokenizers.__version__}. "
        "Do not edit.\n"
        '#include "text/unicode/grapheme_tables.h"\n\n#include <array>\n\n'
        "// clang-format off\nnamespace headlight {\n\n"
        f"constexpr std::uint16_t kExtend = {EXTEND};\n\n"
        f"constexpr std::array<GraphemeRange, {len(rows)}> kGraphemeRows{{{{\n{body}}}}};\n"
        "constinit const std::span<const GraphemeRange> kGraphemes{kGraphemeRows};\n\n"
        "}  // namespace headlight\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    finish(main)
