"""Texts to compare with, from files that people have."""


def read_texts(path, limit=None):
    """The first `limit` lines, or rows of the column `sentence` of a TSV with a header."""
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if path.suffix == ".tsv":
        column = lines[0].split("\t").index("sentence")
        lines = [line.split("\t")[column] for line in lines[1:]]
    return lines[:limit]
