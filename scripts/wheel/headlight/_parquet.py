"""Parquet in, Parquet out, in constant memory."""

from __future__ import annotations

import os

from headlight._library import ArgumentError
from headlight._model import Model
from headlight._results import Prediction
from headlight._texts import Column, batches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from headlight._progress import Progress

_ROWS = 1 << 16  # of a part


def batch_parquet(
    input: str | os.PathLike[str],
    output: str | os.PathLike[str],
    model: str | os.PathLike[str] | Model = "sentiment",
    text: str = "text",
    keep: bool = False,
    *,
    threads: int = 0,
    overwrite: bool = False,
    progress: bool | Callable[[float, str], Any] | None = None,
) -> int:
    """Classifies the rows of a Parquet file, and returns their number. Needs pyarrow and numpy.

    text: the column of the texts
    keep: copy the columns of the input
    progress: as in fit(): None is a bar in a notebook or terminal
    The rows stay in their order, with the columns label and probability (of several labels: labels, a list; of a
    regression: value), and error, which says why a text could not be scored. A run that was stopped goes on where it
    was: it keeps its parts in OUTPUT.parts until the output has its name.

    Raises Error if `progress` returns True, ArgumentError for a column that the file lacks, for one that the output
    would have twice, for an output that exists unless `overwrite`, and for parts of another run.
    """
    import pyarrow.parquet as parquet

    source, target = os.fspath(input), os.fspath(output)
    if os.path.exists(target) and not overwrite:
        raise ArgumentError(f"{target}: exists already; overwrite=True replaces it")
    own = not isinstance(model, Model)
    scoring = Model(model, threads) if not isinstance(model, Model) else model
    file = parquet.ParquetFile(source)
    from headlight._progress import Progress

    try:
        fields = _fields(scoring)
        _check(source, file.schema_arrow.names, text, [field.name for field in fields] if keep else [])
        parts = _Parts(target, source, scoring, text)
        try:
            with Progress(progress) as shown:
                count = _write(file, target, parts, scoring, text, keep, fields, shown)
        except BaseException:
            parts.remove_if_none_is_done()
            raise
    finally:
        file.close()
        if own:
            scoring.close()
    os.replace(target + ".partial", target)
    parts.remove()
    return count


def _check(source: str, names: list[str], text: str, added: list[str]) -> None:
    if text not in names:
        raise ArgumentError(f"{source}: has no column {text!r}; it has {', '.join(names)}")
    for name in added:
        if name in names:
            raise ArgumentError(f"{source}: has a column {name!r}, which the output adds; rename it, or keep=False")


def _fields(model: Model) -> list[Any]:
    import pyarrow

    numbers, words = pyarrow.float32(), pyarrow.string()
    if model.problem_type == "regression":
        columns = [("value", numbers if len(model.labels) == 1 else pyarrow.list_(numbers))]
    else:
        columns = [("label", words), ("probability", numbers)]
        columns += [("labels", pyarrow.list_(words))] if model.thresholds else []
    return [pyarrow.field(*column) for column in (*columns, ("error", words))]


class _Parts:
    """The answers of finished parts of a run, in files beside the output."""

    def __init__(self, target: str, source: str, model: Model, text: str) -> None:
        self.folder = target + ".parts"
        files = [source]
        if os.path.isdir(model.name):
            files += sorted(entry.path for entry in os.scandir(model.name))
        elif os.path.exists(model.name):
            files.append(model.name)
        states = [(status.st_size, status.st_mtime_ns) for status in map(os.stat, files)]
        precision = model._engine_options[1]  # any number of threads gives the same
        origin = f"{[text, _ROWS, model.name, precision, model._options, states]}\n"
        name = os.path.join(self.folder, "origin")
        os.makedirs(self.folder, exist_ok=True)
        if not os.path.exists(name):
            _write_whole(name, lambda path: _write_text(path, origin))
        with open(name, encoding="utf-8") as file:
            if file.read() != origin:
                raise ArgumentError(
                    f"{self.folder}: has parts of another input, model or text; delete it to start anew"
                )

    def get(self, number: int, make: Any) -> Any:
        """The answers of a part, made unless an earlier run did."""
        import pyarrow.parquet as parquet

        name = os.path.join(self.folder, str(number))
        if os.path.exists(name):
            return parquet.read_table(name)
        answers = make()
        _write_whole(name, lambda path: parquet.write_table(answers, path))
        return answers

    def remove_if_none_is_done(self) -> None:
        """Parts of a wrong column or model would refuse the next run."""
        if all(not name.isdigit() for name in os.listdir(self.folder)):
            self.remove()

    def remove(self) -> None:
        import shutil

        shutil.rmtree(self.folder)


def _write_whole(name: str, write: Any) -> None:
    write(name + ".new")
    os.replace(name + ".new", name)


def _write_text(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _write(
    file: Any, target: str, parts: _Parts, model: Model, text: str, keep: bool, fields: list[Any], shown: Progress
) -> int:
    import pyarrow
    import pyarrow.parquet as parquet

    schema = pyarrow.schema([*(file.schema_arrow if keep else ()), *fields])
    columns = None if keep else [text]
    count = 0
    with parquet.ParquetWriter(target + ".partial", schema) as writer:
        for number, rows in enumerate(file.iter_batches(batch_size=_ROWS, columns=columns)):
            column = rows.column(text)
            answers = parts.get(number, lambda column=column: scored_table(model, column, fields))
            kept = rows.columns if keep else []
            writer.write_table(pyarrow.Table.from_arrays([*kept, *answers.columns], schema=schema))
            count += len(rows)
            if shown.call(None, count / file.metadata.num_rows, b"rows"):
                shown.raise_failure()
    return count


def scored_table(model: Model, column: Any, fields: list[Any] | None = None) -> Any:
    """The answers [n] to a column of Arrow, as a table of these fields: no object of Python for a row."""
    import numpy
    import pyarrow

    fields = _fields(model) if fields is None else fields
    tables = []
    for part in batches(column):
        scored = model._scored("classify", part, model._settings({}), model.labels)
        values = numpy.frombuffer(scored.logits, dtype=numpy.float32).reshape(part.count, len(model.labels))
        errors: list[str | None] = [None] * part.count
        for i, error in scored.errors.items():
            errors[i] = Column.missing_text if error.endswith(" is missing") else error  # not its number in the part
        given = {"error": pyarrow.array(errors, pyarrow.string())}
        unknown = numpy.isnan(values).any(axis=1)
        if model.problem_type == "regression":
            listed = [None if out else row for out, row in zip(unknown.tolist(), values.tolist())]
            given["value"] = (
                pyarrow.array(values[:, 0], mask=unknown) if values.shape[1] == 1 else pyarrow.array(listed)
            )
        else:
            best = numpy.where(unknown, 0, values.argmax(axis=1)).astype(numpy.int32)
            probabilities = numpy.frombuffer(scored.scores, dtype=numpy.float32).reshape(values.shape)
            numbers = pyarrow.array(best, mask=unknown)
            given["label"] = pyarrow.DictionaryArray.from_arrays(numbers, model.labels).dictionary_decode()
            given["probability"] = pyarrow.array(probabilities[numpy.arange(len(best)), best], mask=unknown)
            if model.thresholds:
                given["labels"] = pyarrow.array([Prediction(scored, i).labels for i in range(part.count)])
        arrays = [given[field.name].cast(field.type) for field in fields]
        tables.append(pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)))
    return pyarrow.concat_tables(tables) if tables else pyarrow.schema(fields).empty_table()
