"""Parquet to Parquet by columns: a partition reads its row groups, and the library reads the texts where they are.

For files that every machine mounts, one column of texts, and a model that gives each one label or one value. No row
goes through JSON or an object of Python; and none through Spark, where every machine mounts the output, too.
"""

import functools
import os
import shutil
import sys
import uuid
from urllib.parse import unquote, urlsplit

import pyarrow
import pyarrow.parquet
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StringType

ROWS = 1 << 16  # of a batch of Arrow


class Columns:
    """What a partition does: its pieces of files in, the columns of the output out."""

    def __init__(self, library, model, threads, text, pieces, schema, prefix):
        self.library, self.model, self.threads, self.text = library, model, threads, text
        self.pieces, self.schema, self.prefix = pieces, schema, prefix

    def __call__(self, batches):
        with open_model(self.library, self.model, self.threads) as model:
            for batch in batches:
                for part in batch.column(0).to_pylist():
                    for piece in self.pieces[part]:
                        for rows in slices(*piece):
                            yield self.answered(model, rows)

    def answered(self, model, rows):
        import numpy

        scored = model._scored("classify", next(self.column(rows)), model._settings({}), model.labels)
        values = numpy.frombuffer(scored.logits, numpy.float32).reshape(len(rows), -1)
        counts = numpy.frombuffer(scored.rows, numpy.uint32).reshape(-1, 3)
        none = numpy.isnan(values).any(axis=1)
        bad = numpy.zeros(len(rows), bool)
        bad[list(scored.errors)] = True
        found = {
            "truncated": pyarrow.array(counts[:, 2].astype(numpy.int32), mask=bad | (counts[:, 2] == 0)),
            "error": pyarrow.array([scored.errors.get(i) for i in range(len(rows))], pyarrow.string())
            if scored.errors
            else pyarrow.nulls(len(rows), pyarrow.string()),
        }
        if scored.is_regression:
            found["value"] = pyarrow.array(values[:, 0], mask=none)
        else:
            best = numpy.where(none, 0, values.argmax(axis=1)).astype(numpy.int32)
            scores = numpy.frombuffer(scored.scores, numpy.float32).reshape(values.shape)
            names = pyarrow.DictionaryArray.from_arrays(pyarrow.array(best, mask=none), model.labels)
            found["label"] = names.dictionary_decode()
            found["probability"] = pyarrow.array(scores[numpy.arange(len(rows)), best], mask=none)
        found = {self.prefix + name: column for name, column in found.items()}
        kept = {name: rows.column(name) for name in rows.schema.names}
        arrays = [
            (kept | found)[field.name].cast(field.type, safe=False)
            if field.name in kept or field.name in found
            else pyarrow.nulls(len(rows), field.type)
            for field in self.schema
        ]
        return pyarrow.RecordBatch.from_arrays(arrays, schema=self.schema)

    def column(self, rows):
        from headlight._texts import batches

        texts = rows.column(self.text)
        texts = texts.dictionary_decode() if pyarrow.types.is_dictionary(texts.type) else texts
        return batches(texts.fill_null("") if texts.null_count else texts)  # as `headlight batch` reads a missing text


class Files:
    """What a partition does where it writes its file of the output itself: the number of its rows and of errors out.

    A file has another name until it is whole; a task that runs twice writes the same bytes.
    """

    NUMBERS = pyarrow.schema([("rows", pyarrow.int64()), ("errors", pyarrow.int64())])

    def __init__(self, columns, folder, schema, codec):
        self.columns, self.folder, self.schema, self.codec = columns, folder, schema, codec
        self.run = uuid.uuid4()

    def __call__(self, batches):
        for batch in batches:
            for part in batch.column(0).to_pylist():
                numbers = self.write(part)
                yield pyarrow.RecordBatch.from_arrays([pyarrow.array([n]) for n in numbers], schema=self.NUMBERS)

    def write(self, part):
        if part and not self.columns.pieces[part]:
            return 0, 0
        name = f"part-{part:05}-{self.run}.{self.codec}.parquet"
        unfinished = os.path.join(self.folder, "_temporary", f"{name}.{uuid.uuid4()}")
        rows = errors = 0
        with pyarrow.parquet.ParquetWriter(unfinished, self.schema, compression=self.codec) as writer:
            for answers in self.columns([pyarrow.RecordBatch.from_pydict({"id": [part]})]):
                writer.write_batch(answers)
                rows += len(answers)
                errors += len(answers) - answers.column(self.columns.prefix + "error").null_count
        os.replace(unfinished, os.path.join(self.folder, name))
        return rows, errors

    def run_all(self, spark, parts):
        """The numbers of rows and of errors. The output appears with all its files, or does not stay."""
        try:
            os.makedirs(os.path.dirname(self.folder), exist_ok=True)
            os.mkdir(self.folder)
        except OSError as error:
            sys.exit(f"spark: {self.folder}: {error.strerror}")
        try:
            os.mkdir(os.path.join(self.folder, "_temporary"))
            kinds = "rows long, errors long"
            counted = spark.range(0, parts, 1, parts).mapInArrow(self, kinds).collect()
            shutil.rmtree(os.path.join(self.folder, "_temporary"))
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        with open(os.path.join(self.folder, "_SUCCESS"), "w"):
            pass
        return sum(row.rows for row in counted), sum(row.errors for row in counted)


def mounted(spark, output):
    """The path of an output that every machine mounts, as those of the input; else None."""
    path = spark._jvm.org.apache.hadoop.fs.Path(output)
    whole = path.getFileSystem(spark._jsc.hadoopConfiguration()).makeQualified(path).toUri()
    return whole.getPath() if whole.getScheme() == "file" else None


def files_of(spark, columns, kinds, output):
    """Files with what Spark's own have for Spark: its version and the types. None if they cannot be written."""
    folder = mounted(spark, output)
    codec = spark.conf.get("spark.sql.parquet.compression.codec")
    whole = {"org.apache.spark.version": spark.version, "org.apache.spark.sql.parquet.row.metadata": kinds.json()}
    schema = columns.schema.with_metadata(whole)
    try:
        pyarrow.parquet.write_table(schema.empty_table(), pyarrow.BufferOutputStream(), compression=codec)
    except Exception:  # a type or a codec that is Spark's alone
        return None
    return Files(columns, folder, schema, codec) if folder else None


def open_model(library, name, threads):
    os.environ["HEADLIGHT_LIBRARY"] = library
    sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "wheel"))
    import headlight

    return headlight.Model(name, threads=threads)


def slices(path, group, first, end):
    """Rows first to end of a row group."""
    at = 0
    for rows in pyarrow.parquet.ParquetFile(path).iter_batches(batch_size=ROWS, row_groups=[group]):
        if at >= end:
            return
        here = (
            rows.slice(max(first - at, 0), min(end - at, len(rows)) - max(first - at, 0))
            if at + len(rows) > first
            else []
        )
        at += len(rows)
        if len(here):
            yield here


def cut_groups(paths, parts):
    """Which rows of which row groups each part reads, as many in each, in the order of the files."""
    groups = []
    for path in paths:
        metadata = pyarrow.parquet.ParquetFile(path).metadata
        groups += [(path, group, metadata.row_group(group).num_rows) for group in range(metadata.num_row_groups)]
    total = sum(rows for _, _, rows in groups)
    pieces = [[] for _ in range(parts)]
    before = 0
    for path, group, rows in groups:
        for part in range(before * parts // max(total, 1), parts):
            begin, end = -(-part * total // parts), -(-(part + 1) * total // parts)
            first, last = max(begin - before, 0), min(end - before, rows)
            if first >= rows:
                break
            if first < last:
                pieces[part].append((path, group, first, last))
        before += rows
    return pieces, total


def columns_of(spark, files, table, verdict, options, threads, parts):
    """What writes the output and gives its numbers of rows and errors, or the scored table; and the number of rows.

    None where it has to go row by row, which can do all.
    """
    text = (options.text or ["text"])[0]
    library = os.environ.get("HEADLIGHT_LIBRARY") or os.path.join(
        os.path.dirname(os.path.dirname(os.path.realpath(options.headlight))), "lib", "libheadlight.so.0"
    )
    fields = {field.name: field.dataType for field in table.schema}
    is_plain = not options.more and not options.pair_text and len(options.text) <= 1
    if not is_plain or not isinstance(fields.get(text), StringType) or not os.path.exists(library):
        return None
    if not all(file.startswith("file:") for file in files):
        return None
    paths = [unquote(urlsplit(file).path) for file in files]
    name = options.model or "sentiment"
    name = os.path.abspath(name) if os.path.exists(name) else name
    schema = to_arrow_schema(verdict(table.schema))
    try:
        import numpy  # noqa: F401

        with open_model(library, name, 1) as model:
            if model.thresholds or (model.problem_type == "regression" and len(model.labels) > 1):
                return None
            model.classify("a")
        for path in paths:
            own = pyarrow.parquet.read_schema(path)
            if set(own.names) != set(fields):
                return None
            own.empty_table().select(list(fields)).cast(pyarrow.schema([schema.field(name) for name in fields]))
    except Exception:  # such as a model that labels tokens, or values that Spark reads as others
        return None
    pieces, total = cut_groups(paths, parts)
    score = Columns(library, name, threads, text, pieces, schema, options.column_prefix)
    written = files_of(spark, score, verdict(table.schema), options.output)
    if written:
        return functools.partial(written.run_all, spark, parts), None, total
    return None, spark.range(0, parts, 1, parts).mapInArrow(score, verdict(table.schema)), total
