"""Texts with the logits that the checkpoint's own code gave, compared with those of the imported model."""

import json

from common import program
from importing.problem import Problem

BOUND = 1e-3
LARGEST = 3.5e38  # of a float32
SHOWN = 3  # texts that differ
TOKENS = 24  # of each
LONGEST = 20_000  # characters whose tokens are shown: a longer text may be no argument of a command


def read_rows(path):
    """(line number, row) of each line: `text` or `ids`, and `logits`, a list or an object of labels."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        raise Problem(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise Problem(f"{path}: is not UTF-8") from None
    rows = [(n, read_row(line, f"{path}: line {n}")) for n, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise Problem(f"{path}: has no rows")
    return rows


def read_row(line, place):
    try:
        row = json.loads(line)
        json.dumps(row, ensure_ascii=False).encode()  # refuses half a surrogate pair
    except (ValueError, RecursionError) as error:
        raise Problem(f"{place}: is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise Problem(f"{place}: expected an object with text or ids, and logits")
    logits, ids = row.get("logits"), row.get("ids")
    numbers = list(logits.values()) if isinstance(logits, dict) else logits
    if not isinstance(numbers, list) or not numbers or not all(map(is_finite, numbers)):
        raise Problem(f"{place}: logits: expected a list of numbers, or an object of labels and their numbers")
    if not isinstance(row.get("text", ""), str):
        raise Problem(f"{place}: text: expected a string")
    if ids is not None and not (isinstance(ids, list) and ids and all(type(i) is int for i in ids)):
        raise Problem(f"{place}: ids: expected a list of integers")
    if "text" not in row and ids is None:
        raise Problem(f"{place}: has neither text nor ids")
    return row


def is_finite(number):
    return type(number) in (int, float) and abs(number) < LARGEST


def check(folder, rows, path):
    """Prints the largest difference and the first texts that differ; a Problem if there are any."""
    differences, differing = [], []
    for (line, row), answer in zip(rows, answers(folder, rows), strict=True):
        if "error" in answer:
            differing.append([f"line {line}: {shown_input(row)}: {answer['error']}"])
            continue
        difference, detail = largest_difference(row["logits"], answer["logits"], f"{path}: line {line}")
        differences.append((difference, line))
        if difference > BOUND:
            differing.append([f"line {line}: {shown_input(row)}: {detail}", *tokens(folder, row)])
    largest, where = max(differences, default=(0.0, None))
    found = f"largest difference of a logit {largest:.2g} (line {where})" if differences else "none scored"
    print(f"{path}: rows: {len(rows):,}, {found}")
    for lines in differing[:SHOWN]:
        print(*lines, sep="\n")
    if differing:
        raise Problem(
            f"{path}: {len(differing):,} of {len(rows):,} rows differ by more than {BOUND} or have no logits; "
            "nothing was written"
        )


def answers(folder, rows):
    """The program's answer to each row, in order."""
    found = {}
    for options in ([], ["--ids"]):
        chosen = [(line, row) for line, row in rows if ("text" not in row) == bool(options)]
        texts = [row["text"] if "text" in row else " ".join(map(str, row["ids"])) for _, row in chosen]
        lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        options = [*options, "--input-format", "jsonl", "--logits", "--quiet"]
        batch = program.rows("batch", "-", "-m", folder, *options, data=lines, statuses=(0, 3))
        found |= {line: answer for (line, _), answer in zip(chosen, batch, strict=True)}
    return [found[line] for line, _ in rows]


def largest_difference(expected, found, place):
    """The number, and where it is."""
    if isinstance(expected, list):
        if len(expected) != len(found):
            raise Problem(f"{place}: logits: found {len(expected)} numbers, expected {len(found)}: {shown_list(found)}")
        expected = dict(zip(found, expected))
    if expected.keys() != found.keys():
        raise Problem(f"{place}: logits: found the labels {shown_list(expected)}, expected {shown_list(found)}")
    worst = max(found, key=lambda label: abs(expected[label] - found[label]))
    detail = f"{shown_list([worst])} is {found[worst]:.6g}, expected {expected[worst]:.6g}"
    return abs(expected[worst] - found[worst]), detail


def tokens(folder, row):
    """Lines with the tokens of a text, each with what stands in the text where that is something else."""
    text = row.get("text", "")
    if not text or len(text) > LONGEST or "\0" in text:
        return []
    found = program.rows("tokenize", "-m", folder, "--format", "jsonl", "--quiet", "--", text)[0]
    parts = [
        token if token == text[start:end] or start == end else f"{token}({text[start:end]})"
        for token, (start, end) in zip(found["tokens"], found["offsets"], strict=True)
    ]
    lines = [f"  tokens: {shown_list(parts)}"]
    if row.get("ids") not in (None, found["ids"]):
        lines += [f"  ids: {shown_list(found['ids'])}", f"  expected ids: {shown_list(row['ids'])}"]
    return lines


def shown_input(row):
    """Cut where it is long, and without what a terminal would obey."""
    if "text" not in row:
        return f"ids {shown_list(row['ids'])}"
    cut = row["text"][:60] + (" …" if len(row["text"]) > 60 else "")
    return json.dumps(cut, ensure_ascii=not cut.isprintable())


def shown_list(parts):
    few = [part if part.isprintable() else ascii(part) for part in map(str, list(parts)[:TOKENS])]
    return " ".join([*few, "…"] if len(parts) > TOKENS else few)
