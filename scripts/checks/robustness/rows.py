"""Reads generated rows with headlight and with Python's csv and json, which must read the same.

    scripts/check rows [--rows 100000] [--tables 500] [--seed 1]

--keep passes a row's own fields through, so the output shows what was read. The texts are quotes, newlines, commas,
tabs, backslashes, blanks, characters of every plane of Unicode, and nothing at all.
"""

import csv
import gzip
import io
import json
import random
import tempfile
from pathlib import Path

from common import program
from common.command_line import finish, parser

PIECES = [
    '"',
    '""',
    ",",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\\",
    "\\n",
    "\\t",
    " ",
    "'",
    "=1+1",
    "é",
    "中文",
    "\u0085",
    "\u2028",
    "\u200d",
    "😀",
    "\U0010fffd",
    "a",
    "b c",
    "null",
    "[SEP]",
    "{",
    "}",
]
NAMES = ["key", "sentence", "note", "größe, cm", 'a "name"']


def text(random_source):
    return "".join(random_source.choices(PIECES, k=random_source.choice([0, 1, 1, 2, 3, 5, 8])))


def check_small_tables(arguments, folder, random_source):
    """Tables of a few rows whose cells need quotes, may have some, or have none; read by Python's strict csv."""
    differ = 0
    for number in range(arguments.tables):
        dialect = {
            "delimiter": random_source.choice(",;|\t"),
            "quoting": random_source.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC]),
            "lineterminator": random_source.choice(["\n", "\r\n"]),
            "escapechar": random_source.choice([None, "\\"]),
        }
        dialect["doublequote"] = dialect["escapechar"] is None or random_source.random() < 0.5
        document = io.StringIO(newline="")
        writer = csv.writer(document, **dialect)
        names = NAMES[: random_source.randrange(2, len(NAMES) + 1)]
        writer.writerow(names)
        for i in range(random_source.randrange(1, 9)):
            writer.writerow([str(i), *(text(random_source).replace("\r", "") for _ in names[1:])])
        file = folder / "small.csv"
        file.write_text(document.getvalue(), encoding="utf-8", newline="")
        del dialect["lineterminator"], dialect["quoting"]
        records = list(csv.reader(io.StringIO(document.getvalue(), newline=""), strict=True, **dialect))
        expected = [dict(zip(records[0], record, strict=True)) for record in records[1:]]
        options = ["--delimiter", dialect["delimiter"].replace("\t", "tab")]
        if dialect["escapechar"]:
            options += ["--escape", dialect["escapechar"]]
        found = read_jsonl(output_of(arguments, file, *options))
        same = [{name: row.get(name) for name in names} for row in found] == expected
        differ += not same
        if not same:
            print(f"table {number}: {options}: {document.getvalue()!r}")
    print(f"{arguments.tables} small tables, {differ} differ from Python's csv")
    return [differ == 0]


def spelled_value(random_source):
    """JSON as somebody might spell it."""
    kind = random_source.randrange(6)
    if kind == 0:
        return json.dumps(text(random_source), ensure_ascii=random_source.random() < 0.5)
    if kind == 1:
        return random_source.choice(["0", "-0", "1.0", "1e5", "-2E-3", "12345678901234567890123"])
    if kind == 2:
        return random_source.choice(["true", "false", "null"])
    if kind == 3:
        return f"[ {spelled_value(random_source)} , {spelled_value(random_source)}]"
    if kind == 4:
        return f'{{"a" :{spelled_value(random_source)},\t"b": {{}}}}'
    return json.dumps(random_source.random())


def output_of(arguments, file, *options):
    return program.text(
        "batch",
        file,
        "--keep",
        "--column-prefix",
        "out.",
        "--text",
        "sentence",
        "--id",
        "key",
        "--row-errors-ok",
        "-q",
        "-m",
        arguments.model,
        *options,
    )


def without_tsv_escapes(cell):
    out, i = [], 0
    meant = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    while i < len(cell):
        if cell[i] == "\\" and i + 1 < len(cell) and cell[i + 1] in meant:
            out.append(meant[cell[i + 1]])
            i += 2
        else:
            out.append(cell[i])
            i += 1
    return "".join(out)


def read_csv(document):
    rows = list(csv.reader(io.StringIO(document, newline="")))
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def read_tsv(document):
    rows = [
        [without_tsv_escapes(cell) for cell in line.split("\t")] for line in document.removesuffix("\n").split("\n")
    ]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def read_jsonl(document):
    return [json.loads(line) for line in document.removesuffix("\n").split("\n")]


def compare(name, expected, found):
    differing = sum(1 for one, other in zip(expected, found) if one != {key: other.get(key) for key in one})
    print(f"{name}: {len(found)} of {len(expected)} rows, {differing} differ")
    return len(found) == len(expected) and differing == 0


def check_tables(arguments, folder, random_source):
    rows = [{"key": str(i), **{name: text(random_source) for name in NAMES[1:]}} for i in range(arguments.rows)]
    document = io.StringIO(newline="")
    # Python before 3.13 leaves a lone \r unquoted unless it is in the line's end.
    minimal = random_source.random() < 0.5
    writer = csv.DictWriter(
        document,
        NAMES,
        lineterminator="\r\n" if minimal else "\n",
        quoting=csv.QUOTE_MINIMAL if minimal else csv.QUOTE_ALL,
    )
    writer.writeheader()
    writer.writerows(rows)
    file = folder / "rows.csv.gz"
    file.write_bytes(gzip.compress(document.getvalue().encode("utf-8-sig")))
    tsv = output_of(arguments, file, "--format", "tsv")
    back = folder / "rows.tsv"
    back.write_text(tsv.replace("out.", "old."), encoding="utf-8", newline="")
    return [
        compare("csv to jsonl", rows, read_jsonl(output_of(arguments, file))),
        compare("csv to csv", rows, read_csv(output_of(arguments, file, "--format", "csv"))),
        compare("csv to tsv", rows, read_tsv(tsv)),
        compare("tsv to jsonl", rows, read_jsonl(output_of(arguments, back))),
    ]


def check_jsonl(arguments, folder, random_source):
    def spelled_row(number):
        sentence, x, size = json.dumps(text(random_source)), spelled_value(random_source), spelled_value(random_source)
        return f'{{"key": {number}, "sentence": {sentence}, "x": {x}, "größe": {size}}}'

    spelled = [spelled_row(i) for i in range(arguments.rows)]
    lines = [line.replace("\n", "\\n").replace("\r", "\\r") for line in spelled]
    file = folder / "rows.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8", newline="")
    rows = [json.loads(line, parse_float=str, parse_int=str) for line in lines]
    found = [
        json.loads(line, parse_float=str, parse_int=str)
        for line in output_of(arguments, file).removesuffix("\n").split("\n")
    ]
    ascii_document = output_of(arguments, file, "--ascii")
    return [
        compare("jsonl to jsonl", rows, found),
        compare(
            "jsonl to ASCII",
            rows,
            [
                json.loads(line, parse_float=str, parse_int=str)
                for line in ascii_document.removesuffix("\n").split("\n")
            ],
        )
        and ascii_document.isascii(),
    ]


def main():
    line = parser("check rows", __doc__)
    line.add_argument("--rows", type=int, default=100_000)
    line.add_argument("--tables", type=int, default=500)
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--model", default=str(program.ROOT / "configs/one-head.json"))
    arguments = line.parse_args()
    random_source = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        checks = check_tables(arguments, folder, random_source)
        checks += check_jsonl(arguments, folder, random_source)
        checks += check_small_tables(arguments, folder, random_source)
    return 0 if all(checks) else 1


if __name__ == "__main__":
    finish(main)
