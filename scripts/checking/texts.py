"""Texts to compare with: files that people have."""


def read_texts(path, limit):
    """Lines, or the column `sentence` of a TSV with a header."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".tsv":
        column = lines[0].split("\t").index("sentence")
        lines = [line.split("\t")[column] for line in lines[1:]]
    return lines[:limit]
