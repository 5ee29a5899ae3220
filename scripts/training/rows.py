"""Labelled rows from a TSV, CSV or JSONL file, or from pairs of text and label by split (CLINC150's JSON).

The door is `read_rows`. A column is named by its header (or JSON key), or by its
number, counted from 1. A table has a header unless it is said that it has none.
"""

import csv
import json
from dataclasses import dataclass
from pathlib import Path


class DataError(Exception):
    """Something about a file or an option, said in one line."""


@dataclass
class Columns:
    text: str
    label: str | None
    header: bool = True  # of a table: its first line names the columns
    format: str | None = None  # tsv, csv, jsonl, pairs, text; None: by the file's ending
    split: str | None = None  # of pairs
    label_may_lack: bool = False  # no labels are read where the first row has no such column


@dataclass
class Rows:
    texts: list[str]
    labels: list[str]  # empty where no label column was asked for


FORMATS = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "pairs", ".txt": "text"}


def read_rows(path, columns):
    """The texts and label values of `path`. Raises DataError with the place."""
    path = Path(path)
    kind = columns.format or FORMATS.get(path.suffix.lower())
    if kind is None:
        raise DataError(f"{path}: unknown ending {path.suffix!r}; say --format tsv, csv, jsonl, pairs or text")
    try:
        with open(path, encoding="utf-8-sig", newline="" if kind == "csv" else "\n") as file:
            rows = _pick(_records(file, path, kind, columns), columns, path)
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    if not rows.texts:
        raise DataError(f"{path}: no rows")
    return rows


def _records(file, path, kind, columns):
    """Pairs of a line's number and its fields by name; a text file has one field, "text"."""
    if kind == "jsonl":
        return _json_records(file, path)
    if kind == "pairs":
        return _pair_records(file, path, columns.split)
    if kind == "text":
        return ((number, {"text": line.rstrip("\r\n")}) for number, line in enumerate(file, 1))
    return _table_records(file, path, kind, columns)


def _json_records(file, path):
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise DataError(f"{path}:{number}: not JSON: {error.msg}") from None
        if not isinstance(record, dict):
            raise DataError(f"{path}:{number}: not a JSON object")
        yield number, record


def _pair_records(file, path, split):
    """Of {SPLIT: [[TEXT, LABEL], …], …} one split, as fields "text" and "label"."""
    try:
        splits = json.load(file)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    if not isinstance(splits, dict) or split not in splits:
        known = ", ".join(splits) if isinstance(splits, dict) else "none"
        raise DataError(f"{path}: no split {split!r} (it has {known}); --split names one")
    for number, pair in enumerate(splits[split], 1):
        if not isinstance(pair, list) or len(pair) != 2:
            raise DataError(f"{path}: {split} {number} is not a pair of a text and a label")
        yield number, dict(zip(("text", "label"), pair, strict=True))


def _table_records(file, path, kind, columns):
    """Rows as dictionaries; without a header the keys are "1", "2", …"""
    lines = _tsv_lines(file) if kind == "tsv" else _csv_lines(file, path)
    first = None
    for number, cells in lines:
        if first is None:
            first = cells
            if columns.header:
                continue
        if len(cells) != len(first):
            raise DataError(f"{path}:{number}: {len(cells)} columns where the first line has {len(first)}")
        record = {str(i): cell for i, cell in enumerate(cells, 1)}
        if columns.header:
            record.update(zip(first, cells, strict=True))
        yield number, record


def _tsv_lines(file):
    """A tab separates, a line ends a row, and quotes mean nothing."""
    for number, line in enumerate(file, 1):
        line = line.rstrip("\r\n")
        if line:
            yield number, line.split("\t")


def _csv_lines(file, path):
    csv.field_size_limit(1 << 30)
    reader = csv.reader(file, strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise DataError(f"{path}:{reader.line_num}: {error}") from None


def _pick(records, columns, path):
    rows = Rows([], [])
    label = columns.label
    for number, record in records:
        if columns.label_may_lack and not rows.texts and label not in record:
            label = None
        for column in (columns.text, label):
            if column is not None and column not in record:
                known = ", ".join(repr(key) for key in record)
                raise DataError(f"{path}:{number}: no column {column!r}; this row has {known}")
        if not isinstance(record[columns.text], str):
            raise DataError(f"{path}:{number}: {columns.text!r} is not a text")
        rows.texts.append(record[columns.text])
        if label is not None:
            rows.labels.append(_label(record[label], f"{path}:{number}"))
    return rows


def _label(value, place):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{place}: the label is {value!r}; it has to be a word or a whole number")
    return value.strip()


@dataclass
class Classes:
    """Which label value is which class: values[i] is class i, and names[i] is what it is called."""

    values: list[str]
    names: list[str]

    @staticmethod
    def of(labels, names=None):
        """Numbers are put in the order of their value, anything else in that of the alphabet."""
        found = set(labels)
        try:
            values = sorted(found, key=int)
        except ValueError:
            values = sorted(found)
        if len(values) < 2:
            raise DataError(f"only one label value, {values[0]!r}: there is nothing to tell apart")
        if names is None:
            names = values
        elif len(names) != len(values):
            raise DataError(f"{len(names)} label names for the {len(values)} values {', '.join(values)}")
        if len(set(names)) != len(names):
            raise DataError("two labels have the same name")
        return Classes(values, names)

    def ids(self, labels, place):
        """Class numbers of label values; the names are taken too."""
        known = {name: i for i, name in enumerate(self.names)} | {value: i for i, value in enumerate(self.values)}
        for label in labels:
            if label not in known:
                raise DataError(f"{place}: label {label!r} is none of {', '.join(self.values)}")
        return [known[label] for label in labels]
