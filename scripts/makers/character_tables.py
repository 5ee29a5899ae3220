"""Writes src/text/unicode/character_tables.cpp: the character classes of the reference tokenizer.

    scripts/make character_tables [-o FILE]

The reference (the `tokenizers` package) uses classes of several Unicode versions: punctuation, marks and format
characters of 8.0, decompositions of 9.0, words and lower case of newer ones. So every class is measured: the package
is asked about all 1,112,064 characters, one by one. The known sizes of the frozen classes are checked, so that a
release that changes one is noticed.
"""

import tokenizers
from tokenizers import Regex, normalizers, pre_tokenizers

from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "src/text/unicode/character_tables.cpp"
CHARACTERS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]

CATEGORIES = ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "P", "S", "Z"]

# Characters a class has in Unicode 8.0 (punctuation: and the nine ASCII symbols).
FROZEN = {"kPunctuation": 717 + 9, "kNonspacingMarks": 1567, "kWhiteSpace": 25}


def bert(**switched_on):
    steps = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**steps, **switched_on})


def changed(normalizer, to=None):
    """Characters that become `to`, or, without it, anything but themselves."""
    for c in CHARACTERS:
        became = normalizer.normalize_str(chr(c))
        if became == to if to is not None else became != chr(c):
            yield c


def pieces_between_letters(splitter, count):
    """Characters that make `count` pieces of a letter, themselves and a letter."""
    for c in CHARACTERS:
        if len(splitter.pre_tokenize_str("a" + chr(c) + "b")) == count:
            yield c


def matching(pattern):
    """Characters that match the pattern, as the reference's regular expressions have it."""
    return changed(normalizers.Replace(Regex(pattern), ""), "")


def reordered():
    """Characters whose combining class is not 0: they change places with another mark."""
    nfd = normalizers.NFD()
    decomposed = set(changed(nfd))
    lowest, highest = "\u0334", "\u0345"  # marks of the combining classes 1 and 240
    for c in CHARACTERS:
        texts = ("a" + chr(c) + lowest, "a" + highest + chr(c))
        if c not in decomposed and any(nfd.normalize_str(text) != text for text in texts):
            yield c


def ranges(characters):
    found = []
    for c in characters:
        if found and found[-1][1] == c - 1:
            found[-1][1] = c
        else:
            found.append([c, c])
    return found


def lowercase_mappings():
    """[(character, its lower case)], for those with one. U+0130 becomes two and is left out."""
    normalizer = normalizers.Lowercase()
    pairs = []
    for c in changed(normalizer):
        became = normalizer.normalize_str(chr(c))
        if c == 0x0130 and became == "i\u0307":
            continue
        assert len(became) == 1, f"U+{c:04X} has several lower case characters"
        pairs.append((c, ord(became)))
    return pairs


def runs(pairs):
    """[first, last, step, distance]: neighbours (or every second one) that move equally far."""
    found = []
    for upper, lower in pairs:
        if found:
            first, last, step, distance = found[-1]
            gap = upper - last
            if lower - upper == distance and gap in (1, 2) and (step == gap or first == last):
                found[-1] = [first, upper, gap, distance]
                continue
        found.append([upper, upper, 1, lower - upper])
    return found


def table(kind, name, comment, rows, per_line):
    rows = ["{" + ", ".join(row) + "}" for row in rows]
    lines = [", ".join(rows[i : i + per_line]) for i in range(0, len(rows), per_line)]
    count = f"std::array<{kind}, {len(rows)}>"
    body = ",\n    ".join(lines)
    return (
        f"// {comment}\nconstexpr {count} {name}Rows{{{{\n    {body},\n}}}};\n"
        f"constinit const std::span<const {kind}> {name}{{{name}Rows}};\n"
    )


def class_table(name, comment, characters):
    characters = list(characters)
    expected = FROZEN.get(name, len(characters))
    assert len(characters) == expected, f"{name}: {len(characters)} characters, not {expected}"
    rows = [(f"0x{first:04X}", f"0x{last:04X}") for first, last in ranges(characters)]
    return table("CharacterRange", name, f"{comment}: {len(characters)} characters.", rows, 5)


def category_table():
    """The general categories by which a pattern may ask: \\p{Lu}."""
    category_of = {c: name for name in CATEGORIES for c in matching(rf"\p{{{name}}}")}
    found = []
    for c in sorted(category_of):
        if found and found[-1][1] == c - 1 and found[-1][2] == category_of[c]:
            found[-1][1] = c
        else:
            found.append([c, c, category_of[c]])
    rows = [(f"0x{first:04X}", f"0x{last:04X}", f"Category::{name.lower()}") for first, last, name in found]
    comment = f"What patterns take a character for: {len(category_of)} characters."
    return table("CategoryRange", "kCategories", comment, rows, 3)


def lowercase_table():
    pairs = lowercase_mappings()
    rows = [
        (f"0x{first:04X}", f"0x{last:04X}", str(step), str(distance)) for first, last, step, distance in runs(pairs)
    ]
    comment = f"Lower case: {len(pairs)} characters, {{first, last, step, distance}}."
    return table("LowercaseRun", "kLowercase", comment, rows, 3)


def main():
    output = output_path("make character_tables", __doc__, OUTPUT)
    whitespace = pre_tokenizers.Whitespace()
    tables = [
        class_table("kWhiteSpace", "White_Space", pieces_between_letters(pre_tokenizers.WhitespaceSplit(), 2)),
        class_table(
            "kPunctuation",
            "ASCII symbols and P* of Unicode 8.0",
            pieces_between_letters(pre_tokenizers.Punctuation(), 3),
        ),
        class_table("kWordCharacters", "What \\w matches", pieces_between_letters(whitespace, 1)),
        class_table("kDigits", "What Digits splits at", pieces_between_letters(pre_tokenizers.Digits(True), 3)),
        class_table(
            "kUnclean",
            "What clean_text removes (Cc but TAB, LF, CR; Cf, Co; U+FFFD)",
            changed(bert(clean_text=True), ""),
        ),
        class_table(
            "kChinese", "What gets blanks around it; 2B920 is the reference's", changed(bert(handle_chinese_chars=True))
        ),
        class_table("kNonspacingMarks", "Mn of Unicode 8.0", changed(bert(strip_accents=True), "")),
        class_table("kMarks", "M*, what StripAccents drops", changed(normalizers.StripAccents(), "")),
        class_table("kDecomposing", "Canonical decompositions of Unicode 9.0", changed(normalizers.NFD())),
        class_table(
            "kCompatiblyDecomposing", "Canonical and compatible decompositions of 9.0", changed(normalizers.NFKD())
        ),
        class_table("kReordered", "Combining class not 0 in Unicode 9.0", reordered()),
        category_table(),
        lowercase_table(),
    ]
    output.write_text(
        f"// Made by scripts/make character_tables from tokenizers {tokenizers.__version__}. "
        "Do not edit.\n"
        '#include "text/unicode/character_tables.h"\n\n#include <array>\n\n'
        "// clang-format off\nnamespace headlight {\n\n" + "\n".join(tables) + "\n}  // namespace headlight\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    finish(main)
