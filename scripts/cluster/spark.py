"""Scores a directory of JSONL, CSV or Parquet files with Spark, a `headlight batch` a partition.

    scripts/spark reviews/ verdicts/ --text body --partitions 64
    scripts/spark reviews/ verdicts/ -m /models/topics --master spark://host:7077 -- --logits --top-k 3
    spark-submit --master yarn scripts/cluster/spark.py hdfs:///reviews hdfs:///verdicts --headlight /opt/bin/headlight

OUTPUT holds part-00000, part-00001, …: JSONL whose parts one after another are the rows of the files in the order of
their names. A row keeps its id; one without has FILE:NUMBER, the row's number in its file, from 0. A row that cannot
be scored is a row with `error`. Parquet gives Parquet: its columns as they are, then label, probability and the other
fields of a verdict, null where they do not apply; `--format` writes the other kind. The program and its model stand at
the same path on every machine. What follows `--` is handed to `headlight batch`.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from itertools import chain, islice
from urllib.parse import unquote, urlsplit

import pyarrow
from columns import columns_of
from pyspark.sql import SparkSession, functions
from pyspark.sql.types import StructType
from tables import parquet_columns, read_csv, read_jsonl, read_parquet, write_counted, write_parquet

ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet"}
KEEPING = {"--keep", "--echo-text", "--column-prefix"}  # Parquet keeps all columns
OURS = {"-o", "--output", "--format", "--input-format", "--threads", "--shard", "--skip", "--limit", "--resume"}
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LAST_WORDS = 2048  # bytes of standard error
PIECE = 1 << 18  # bytes of lines that are handed on at once
BLOCK = 1 << 24  # bytes whose lines a task counts


class Starts:
    """The number of each file's first row in all files."""

    def __init__(self):
        self.numbers, self.names = [], []

    def add(self, number, file):
        self.numbers.append(number)
        self.names.append(json.dumps(file + ":")[:-1].encode())

    def within(self, first, end):
        return self.numbers[bisect_left(self.numbers, first) : bisect_left(self.numbers, end)]

    def name(self, number):
        """FILE:NUMBER, as JSON."""
        file = bisect_right(self.numbers, number) - 1
        return b'%s%d"' % (self.names[file], number - self.numbers[file])


class Scoring:
    """One partition's process: rows go in from a thread of their own, and their answers come out.

    Rows come as (number of the first in all files, lines without LF); for each such piece there is a list of answers.
    """

    def __init__(self, command, id_field, starts):
        self.command, self.id_field, self.starts = command, id_field or "id", starts
        self.key = json.dumps(self.id_field, ensure_ascii=False).encode()
        # Where answers need not begin with the id, rows get theirs before they go in.
        self.names_first = not id_field and any(word.split("=")[0] in KEEPING for word in command)

    def __call__(self, pieces):
        first = next(pieces, None)
        if first is None:
            return
        pending, broken, position = deque(), [], 0
        with tempfile.TemporaryFile() as said:
            # An empty environment, as PySpark's own pipe() has it: the program needs none.
            process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, env={}, bufsize=PIECE
            )
            feeder = threading.Thread(target=self.feed, args=(process, first, pieces, pending, broken), daemon=True)
            feeder.start()
            try:
                for answer in process.stdout:
                    number, lines = pending.popleft()
                    answers = [answer, *islice(process.stdout, len(lines) - 1)]
                    if len(answers) < len(lines):
                        pending.appendleft((number, lines[len(answers) :]))
                        break
                    self.name_rows(number, lines, position, answers)
                    position += len(lines)
                    yield answers
                feeder.join()
                self.check(process.wait(), sum(len(lines) for _, lines in pending), broken, last_words(said))
            finally:
                process.kill()
                process.wait()

    def feed(self, process, first, pieces, pending, broken):
        try:
            with process.stdin as stdin:
                for number, lines in chain([first], pieces):
                    for start in self.starts.within(number, number + len(lines)):
                        lines[start - number] = lines[start - number].removeprefix(BYTE_ORDER_MARK)
                    if self.names_first:
                        lines = [with_id(line, self.starts.name(number + i)) for i, line in enumerate(lines)]
                    pending.append((number, lines))
                    stdin.write(b"\n".join(lines) + b"\n")
        except BrokenPipeError:
            pass  # its status says why
        except Exception as failure:
            broken.append(failure)
            process.kill()

    def name_rows(self, number, lines, position, answers):
        """A row without an id of its own has its number in the partition, which becomes FILE:NUMBER."""
        if (b"\n" + b"".join(answers)).count(b'\n{"id":"') == len(answers):
            return
        for i, answer in enumerate(answers):
            mark = b'{"id":%d,' % (position + i)
            if answer.startswith(mark) and self.own_number(lines[i]) != position + i:
                answers[i] = b'{"id":%s,%s' % (self.starts.name(number + i), answer[len(mark) :])

    def own_number(self, line):
        """The line's id, if that is an integer."""
        if self.key not in line and b"\\u" not in line:
            return None
        own = (parsed(line) or {}).get(self.id_field)
        return own if type(own) is int else None

    def check(self, status, unanswered, broken, words):
        if broken:
            raise broken[0]
        if status != 0 or unanswered:
            raise RuntimeError(f"headlight ended with status {status} and {unanswered} rows unanswered: {words}")
        if words:
            print(words, file=sys.stderr)


def parsed(line):
    """The line's fields, None if it is no JSON object."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def with_id(line, name):
    """The line with `name` as its id, if it is a row without one."""
    row = parsed(line)
    if row is None or "id" in row:
        return line
    return line.rstrip()[:-1] + (b"," if row else b"") + b'"id":' + name + b"}"


def last_words(file):
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - LAST_WORDS))
    return file.read().decode(errors="replace").strip()


def count_lines(block):
    """How many LFs are in a block of a file, and whether it ends with one."""
    path, start = block
    left, lines, text = BLOCK, 0, b""
    with open(path, "rb") as file:
        file.seek(start)
        while left and (more := file.read(min(left, PIECE))):
            left, lines, text = left - len(more), lines + more.count(b"\n"), more
    return lines, text.endswith(b"\n")


def cut_files(context, paths, parts):
    """What each part reads of files that every machine sees, where each file starts, and how many rows there are.

    A part reads pieces of files: (path, byte, LFs to pass over from there, number of the first row, number of the end).
    """
    blocks = [(path, start) for path in paths for start in range(0, os.path.getsize(path), BLOCK)]
    counts = context.parallelize(blocks, min(len(blocks), parts) or 1).map(count_lines).collect()
    starts, total, reached, marks = Starts(), 0, [], []
    for (path, start), (lines, whole), after in zip(blocks, counts, [*blocks[1:], ("", 0)]):
        if start == 0:
            starts.add(total, os.path.basename(path))
        reached.append(total + (start > 0))  # the first row that surely begins behind this byte
        marks.append((path, start, total))
        total += lines + (not whole and after[0] != path)
    ends = [*starts.numbers[1:], total]

    def pieces(number, end):
        while number < end:
            path, start, before = marks[bisect_right(reached, number) - 1]
            here = min(end, ends[bisect_right(starts.numbers, number) - 1])
            yield path, start, number - before, number, here
            number = here

    bounds = [-(-part * total // parts) for part in range(parts + 1)]
    return [list(pieces(*both)) for both in zip(bounds, bounds[1:])], starts, total


def read_lines(pieces):
    for path, start, passed, number, end in pieces:
        with open(path, "rb") as file:
            file.seek(start)
            for _ in range(passed):
                file.readline()
            while number < end:
                lines = (file.read(PIECE) + file.readline()).split(b"\n")
                if not lines[-1]:
                    lines.pop()  # behind the last LF there is no row
                lines = lines[: end - number]
                if not lines:
                    raise RuntimeError(f"{path}: has fewer rows than were counted")
                yield number, lines
                number += len(lines)


def numbered(table, parts):
    """The rows with their number, in order, in parts of as many; where each file starts; how many rows there are.

    Spark may cut a file into blocks and read them in any order; within one its row numbers go up by one.
    """
    placed = table.select(
        functions.col("_metadata.file_name").alias("file"),
        functions.col("_metadata.file_block_start").alias("block"),
        functions.monotonically_increasing_id().alias("number"),
        "row",
    )
    blocks = placed.groupBy("file", "block").agg(
        functions.min("number").alias("first"), functions.count("*").alias("rows")
    )
    starts, shifts, total, last = Starts(), [], 0, None
    for file, block, first, rows in sorted(blocks.collect(), key=lambda at: (unquote(at.file), at.block)):
        if file != last:
            starts.add(total, unquote(file))
        shifts.append((file, block, total - first))
        total, last = total + rows, file
    shifts = table.sparkSession.createDataFrame(shifts, "file string, block long, shift long")
    placed = placed.join(functions.broadcast(shifts), ["file", "block"])
    rows = placed.select((placed.number + shifts.shift).alias("number"), "row")
    part = functions.expr(f"cast(number * {parts} div {max(total, 1)} as int)")
    return rows.repartitionById(parts, part).sortWithinPartitions("number"), starts, total


def joined(answers, counts):
    """The answers as one text without its last LF; accumulators count rows and errors."""
    text = b"".join(answers)
    counts[0].add(len(answers))
    if b',"error":' in text:
        counts[1].add(sum(b',"error":' in answer for answer in answers))
    return text[:-1]


def answer_column(scoring, counts=None):
    """The answers as a column, row by row; with `counts`, those of a batch as one text in its first row, else null."""

    def score(batches):
        pieces = ((numbers[0].as_py(), lines.to_pylist()) for numbers, lines in batches if len(numbers))
        for answers in scoring(pieces):
            if counts:
                answers = [joined(answers, counts)] + [None] * (len(answers) - 1)
            yield pyarrow.array(answers, pyarrow.binary() if counts else pyarrow.string())

    column = functions.arrow_udf(score, "binary" if counts else "string", functions.ArrowUDFType.SCALAR_ITER)
    return column.asNondeterministic()  # Spark runs it once


def input_files(spark, folder):
    """They, in the order of their names, and their one format."""
    files = sorted(spark.read.text(folder).inputFiles())
    if not files:
        sys.exit(f"spark: {folder}: holds no files")
    formats = {}
    for file in files:
        name = pathlib.PurePosixPath(file.removesuffix(".gz"))
        formats.setdefault(ENDINGS.get(name.suffix), file)
    if None in formats:
        sys.exit(f"spark: {unquote(formats[None])}: is neither JSONL, CSV nor Parquet by its ending")
    if len(formats) > 1:
        sys.exit(f"spark: {folder}: holds files of several kinds ({', '.join(formats.values())}); score each by itself")
    repeated = [name for name, times in Counter(file.rsplit("/", 1)[-1] for file in files).items() if times > 1]
    if repeated:
        sys.exit(f"spark: {folder}: holds two files of the name {repeated[0]}, which names rows without an id")
    return sorted(files, key=lambda file: unquote(file.rsplit("/", 1)[-1])), next(iter(formats))


def headlight_command(options, threads):
    """What a partition runs, tried here on no rows: a wrong option is said before any executor starts."""
    command = [
        os.path.abspath(options.headlight),
        "batch",
        "-",
        "--input-format",
        "jsonl",
        "--row-errors-ok",
        "--threads",
        str(threads),
    ]
    if options.model:
        command += ["--model", os.path.abspath(options.model) if os.path.exists(options.model) else options.model]
    for name in options.text:
        command += ["--text", name]
    command += ["--pair-text", options.pair_text] if options.pair_text else []
    command += ["--id", options.id] if options.id else []
    command += options.more
    try:
        tried = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env={})
    except OSError as error:
        sys.exit(f"spark: {command[0]}: {error.strerror}; --headlight names the program")
    if tried.returncode != 0:
        sys.exit(f"spark: {tried.stderr.decode(errors='replace').strip()}")
    return command


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="spark", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("input", metavar="INPUT", help="a directory, also hdfs://… or s3a://…, or a/*.jsonl")
    parser.add_argument("output", metavar="OUTPUT", help="a directory that does not exist yet")
    parser.add_argument(
        "--text", action="append", default=[], metavar="NAME", help="field of the text (default: text); may be repeated"
    )
    parser.add_argument("--pair-text", metavar="NAME", help="field of a pair's second text")
    parser.add_argument("--id", metavar="NAME", help="field of the id (default: id, else FILE:NUMBER)")
    parser.add_argument("-m", "--model", metavar="MODEL", help="default: the sentiment that ships")
    parser.add_argument(
        "--headlight",
        default=os.environ.get("HEADLIGHT"),
        metavar="PATH",
        help="the program (default: HEADLIGHT, which scripts/spark sets to the release build)",
    )
    parser.add_argument("--format", choices=("jsonl", "parquet"), help="default: parquet for Parquet, else jsonl")
    parser.add_argument(
        "--column-prefix",
        default="",
        metavar="TEXT",
        help="put TEXT before the names of the verdict's columns in Parquet",
    )
    parser.add_argument("--partitions", type=int, metavar="N", help="parts (default: four a core)")
    parser.add_argument("--master", metavar="URL", help="default: spark-submit's, else all cores here")
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    options.more = arguments[at + 1 :]
    taken = [word for word in options.more if word.split("=")[0] in OURS]
    if taken:
        parser.error(f"{taken[0]} is not for a partition to choose")
    if not options.headlight:
        parser.error("--headlight or HEADLIGHT must name the program")
    if options.partitions is not None and options.partitions < 1:
        parser.error("--partitions takes a number from 1")
    return options


def start(options):
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("headlight").config("spark.ui.showConsoleProgress", "false")
    # Two passes must cut files alike, also where an executor came or went between them.
    builder = builder.config("spark.sql.files.minPartitionNum", "64")
    builder = builder.config("spark.sql.execution.arrow.maxBytesPerBatch", str(16 * PIECE))
    if options.master:
        builder = builder.master(options.master)
    return builder.getOrCreate()


def main():
    options = parse(sys.argv[1:])
    spark = start(options)
    context = spark.sparkContext
    command = headlight_command(options, context.getConf().get("spark.task.cpus", "1"))
    files, kind = input_files(spark, options.input)
    is_parquet = (options.format or ("parquet" if kind == "parquet" else "jsonl")) == "parquet"
    keeping = [word for word in options.more if word.split("=")[0] in KEEPING]
    if is_parquet and keeping:
        sys.exit(f"spark: {keeping[0]}: Parquet keeps all columns anyway")
    parts = options.partitions or 4 * context.defaultParallelism
    counts = context.accumulator(0), context.accumulator(0)
    by_columns = None
    if kind == "parquet" and is_parquet:
        table = spark.read.parquet(options.input)
        ours = parquet_columns(table.schema.fields, options.column_prefix)

        def verdict(schema):
            more = ", ".join(f"`{options.column_prefix}{name}` {kind}" for name, kind in ours.items())
            return StructType([*schema.fields, *StructType.fromDDL(more).fields])

        threads = int(context.getConf().get("spark.task.cpus", "1"))
        by_columns = columns_of(spark, files, table, verdict, options, threads, parts)
    if by_columns:
        write, scored, total = by_columns
    elif kind == "jsonl" and not is_parquet and all(re.match(r"file:.*(?<!\.gz)$", file) for file in files):
        # Files that every machine sees need not go through Spark, which takes longer than a static model.
        places, starts, total = cut_files(context, [unquote(urlsplit(file).path) for file in files], parts)
        scoring = Scoring(command, options.id, starts)
        texts = context.parallelize(places, parts).flatMap(lambda pieces: scoring(read_lines(pieces)))
        texts = texts.map(lambda answers: joined(answers, counts))
    else:
        table, line, fields = {"csv": read_csv, "jsonl": read_jsonl, "parquet": read_parquet}[kind](
            spark, options.input
        )
        if is_parquet:
            parquet_columns(fields, options.column_prefix)  # before any row is scored
        rows, starts, total = numbered(table, parts)
        column = answer_column(Scoring(command, options.id, starts), None if is_parquet else counts)("number", line)
        texts = rows.select(column.alias("texts")).where("texts is not null").rdd.map(lambda row: bytes(row.texts))
    if by_columns:
        answers, errors = write() if write else write_counted(scored, options.output, options.column_prefix)
    elif is_parquet:
        answers, errors = write_parquet(rows, column, options.output, fields, options.column_prefix)
    else:
        texts.saveAsTextFile(options.output)
        answers, errors = (count.value for count in counts)
    print(f"{answers} rows of {len(files)} files in {parts} parts, {errors} of them errors")
    spark.stop()
    if answers != total:
        sys.exit(f"spark: {options.output}: holds {answers} rows, and the input {total}")


if __name__ == "__main__":
    main()
