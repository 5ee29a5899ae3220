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
import subprocess
import sys
import tempfile
import threading
from collections import Counter, deque
from urllib.parse import unquote

from pyspark.sql import SparkSession, functions
from tables import RAGGED, parquet_columns, read_csv, read_jsonl, read_parquet, write_jsonl, write_parquet

ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet"}
KEEPING = {"--keep", "--echo-text", "--column-prefix"}  # Parquet keeps all columns
OURS = {"-o", "--output", "--format", "--input-format", "--threads", "--shard", "--skip", "--limit", "--resume"}
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LAST_WORDS = 2048  # bytes of standard error


def named_row(line, id_field, name):
    """The line as it goes to the program, and its own id, None where it has none.

    A row without an id gets `name`; what is no JSON object goes as it is, to become an error row.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return line, None
    if not isinstance(row, dict) or id_field or "id" in row:
        return line, row.get(id_field or "id") if isinstance(row, dict) else None
    comma = b"," if row else b""
    return line.rstrip()[:-1] + comma + b'"id":' + json.dumps(name).encode() + b"}", name


def with_name(answer, own, number, name):
    """A row whose id the program could not read has its number in the partition: `name` stays the same."""
    numbered = b'{"id":%d,' % number
    if not answer.startswith(numbered) or (type(own) is int and own == number):
        return answer
    return b'{"id":' + json.dumps(name).encode() + b"," + answer[len(numbered) :]


class Scoring:
    """One partition's process: rows go in from a thread of their own, and come out as (answer, what is kept)."""

    def __init__(self, command, id_field):
        self.command, self.id_field = command, id_field

    def __call__(self, rows):
        first = next(rows, None)
        if first is None:
            return
        pending, broken = deque(), []
        with tempfile.TemporaryFile() as said:
            # An empty environment, as PySpark's own pipe() has it: the program needs none.
            process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, env={})
            feeder = threading.Thread(target=self.feed, args=(process, first, rows, pending, broken), daemon=True)
            feeder.start()
            try:
                for number, answer in enumerate(process.stdout):
                    own, name, kept = pending.popleft()
                    yield with_name(answer.rstrip(b"\n"), own, number, name).decode(), kept
                feeder.join()
                self.check(process.wait(), len(pending), broken, last_words(said))
            finally:
                process.kill()
                process.wait()

    def feed(self, process, first, rows, pending, broken):
        try:
            with process.stdin as stdin:
                row = first
                while row is not None:
                    name, line, kept = row[1]
                    line, own = named_row(line, self.id_field, name)
                    pending.append((own, name, kept))
                    stdin.write(line + b"\n")
                    row = next(rows, None)
        except BrokenPipeError:
            pass  # its status says why
        except Exception as failure:
            broken.append(failure)
            process.kill()

    def check(self, status, unanswered, broken, words):
        if broken:
            raise broken[0]
        if status != 0 or unanswered:
            raise RuntimeError(f"headlight ended with status {status} and {unanswered} rows unanswered: {words}")
        if words:
            print(words, file=sys.stderr)


def last_words(file):
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - LAST_WORDS))
    return file.read().decode(errors="replace").strip()


def json_line(cells):
    """A CSV row as the program takes it; a ragged one without its texts, which makes it an error row."""
    row = {name: cell or "" for name, cell in cells.asDict().items() if name != RAGGED}
    if cells[RAGGED] is not None:
        row = {name: row[name] for name in row if name == "id"} | {RAGGED: cells[RAGGED]}
    return json.dumps(row, ensure_ascii=False).encode(errors="replace")


def numbered(table):
    """Rows as (number in all files, (FILE:NUMBER in its file, line, what is kept)), and how many there are.

    Spark may cut a file into blocks and read them in any order; within one its row numbers go up by one.
    """
    placed = table.select(
        functions.col("_metadata.file_name").alias("file"),
        functions.col("_metadata.file_block_start").alias("block"),
        functions.monotonically_increasing_id().alias("number"),
        "*",
    )
    blocks = placed.groupBy("file", "block").agg(
        functions.min("number").alias("first"), functions.count("*").alias("rows")
    )
    begins, in_file, total = {}, Counter(), 0
    for file, block, first, rows in sorted(blocks.collect(), key=lambda at: (unquote(at.file), at.block)):
        begins[file, block] = (total - first, in_file[file] - first)
        in_file[file] += rows
        total += rows

    def place(row):
        in_all, in_its_file = (begin + row.number for begin in begins[row.file, row.block])
        line = bytes(row.line) if isinstance(row.line, (bytes, bytearray)) else json_line(row.line)
        if in_its_file == 0:
            line = line.removeprefix(BYTE_ORDER_MARK)
        return in_all, (f"{unquote(row.file)}:{in_its_file}", line, tuple(row["kept"]) if "kept" in row else ())

    return placed.rdd.map(place), total


def input_files(spark, folder):
    """How many there are, and their one format."""
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
    return len(files), next(iter(formats))


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
    table, fields = {"csv": read_csv, "jsonl": read_jsonl, "parquet": read_parquet}[kind](spark, options.input)
    if is_parquet:
        parquet_columns(fields, options.column_prefix)  # before any row is scored
    elif "kept" in table.columns:
        table = table.drop("kept")
    rows, total = numbered(table)
    parts = options.partitions or 4 * context.defaultParallelism
    placed = rows.repartitionAndSortWithinPartitions(parts, lambda number: number * parts // total)
    scored = placed.mapPartitions(Scoring(command, options.id))
    if is_parquet:
        answers, errors = write_parquet(spark, scored, options.output, fields, options.column_prefix)
    else:
        answers, errors = write_jsonl(spark, scored, options.output)
    print(f"{answers} rows of {files} files in {parts} parts, {errors} of them errors")
    spark.stop()
    if answers != total:
        sys.exit(f"spark: {options.output}: holds {answers} rows, and the input {total}")


if __name__ == "__main__":
    main()
