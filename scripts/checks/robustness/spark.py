"""Kills an executor of a Spark job while it scores; every row must come out once, as from one machine.

    scripts/check spark

First, small files are cut into parts at any byte. Then a cluster of two executors on this machine (Spark's
local-cluster) scores a directory of JSONL, one of compressed JSONL, which Spark itself reads, one of CSV and one of
Parquet with scripts/spark. One executor's JVM gets SIGKILL once its `headlight` has worked for a fifth of a second.
Every row must come out once, in order, with the bytes of an undisturbed `headlight batch` on each file; a row of
Parquet with its columns as they were, and the same verdict. Then the Parquet goes by columns. Exit status 1 if not.
Needs Java 17 and some minutes.
"""

import csv
import datetime
import decimal
import gzip
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

from cluster import columns
from cluster import spark as cluster
from common import program
from common.command_line import finish, parser

EXECUTOR = "CoarseGrainedExecutorBackend"
AT_WORK = 0.2  # seconds of processor time
PATIENCE = 900  # seconds a job
ROWS = 4_000  # a file
WORDS = "a fine film about nothing , dull witty 'great' plot and the worst acting \\ é 映画 🙂 never ever".split()


def make_texts(seed, newlines):
    choose = random.Random(seed)
    for _ in range(ROWS):
        words = choose.choices(WORDS, k=choose.randrange(5, 60))
        if newlines and choose.random() < 0.2:
            words.insert(3, '"\n\n,"')
        yield " ".join(words)


def make_jsonl(folder):
    """Rows with ids, without ids, and rows that cannot be scored, a byte-order mark and CRLF among them."""
    with_ids = [json.dumps({"id": f"r{i}", "text": text}) for i, text in enumerate(make_texts(1, False))]
    without = [json.dumps({"text": text}, ensure_ascii=False) for text in make_texts(2, False)]
    broken = [
        b'{"id":1.0,"text":"good"}\r',
        b"",
        b"nope",
        b'{"id":3,"text":"\xff"}',
        b'{"text":5}',
        b"{}",
        b"[1]",
        b'{"id":7,"text":"seven"}',
        b'{"text":"last"}',
    ]
    (folder / "a.jsonl").write_text("".join(line + "\n" for line in with_ids))
    (folder / "b c.jsonl").write_text("".join(line + "\n" for line in without), encoding="utf-8")
    (folder / "d.ndjson").write_bytes(b"\xef\xbb\xbf" + b"\n".join(broken))


def make_compressed(folder):
    make_jsonl(folder)
    for file in list(folder.iterdir()):
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 1))
        file.unlink()


def make_csv(folder):
    for seed, (name, ids) in enumerate({"a.csv": True, "b.csv": True}.items()):
        with open(folder / name, "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\r\n" if seed else "\n")
            rows.writerow(["key", "text"])
            rows.writerows((f"{name} {i}" if ids else "", text) for i, text in enumerate(make_texts(seed + 3, True)))


def make_parquet(folder):
    """Columns of several kinds, nulls among them; two files."""
    kinds = "text string, stars int, price decimal(6,2), day date, tags array<string>, `a b` map<string,double>"
    rows = [
        (
            text,
            i % 5 or None,
            decimal.Decimal(i) / 4,
            datetime.date(2020, 1, 1 + i % 28),
            text.split()[:2],
            {"x": i / 8},
        )
        for i, text in enumerate(make_texts(5, True))
    ]
    rows[7] = (None, *rows[7][1:])
    with_spark(lambda spark: spark.createDataFrame(rows, kinds).coalesce(2).write.mode("append").parquet(str(folder)))


MAKERS = {"jsonl": make_jsonl, "compressed": make_compressed, "csv": make_csv, "parquet": make_parquet}


def with_spark(work):
    """Runs `work` in a Spark of its own, which the job that is disturbed must not see."""
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        return work(spark)
    finally:
        spark.stop()


def table(folder):
    """The rows of the Parquet files one after another, and the names of their columns."""

    def read(spark):
        rows, names = [], []
        for file in sorted(folder.glob("part-*.parquet")):
            frame = spark.read.parquet(str(file))
            rows, names = rows + [row.asDict(recursive=True) for row in frame.collect()], frame.columns
        return rows, names

    return with_spark(read)


def scored_alone(rows, options):
    """The verdicts of one process on the texts."""
    lines = "".join(json.dumps({"text": row["text"]} if row["text"] is not None else {}) + "\n" for row in rows)
    answers = program.run("batch", "-", "--input-format", "jsonl", "--row-errors-ok", *options, data=lines.encode())
    return [json.loads(answer) for answer in answers.splitlines()]


def rounded(value):
    """Numbers as float32, which Parquet holds."""
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    return struct.unpack("f", struct.pack("f", value))[0] if isinstance(value, float) else value


def check_table(source, output, options):
    """Each row of the output is that of the input, and its verdict that of one process."""
    before, columns = table(source)
    after, names = table(output)
    expected = scored_alone(before, options)
    verdicts = [{name: row[name] for name in names if name not in columns and row[name] is not None} for row in after]
    for verdict in expected:
        verdict.pop("id")
    return {
        f"{len(after)} rows of {len(before)}, each once, in order, their columns unchanged": [
            {name: row[name] for name in columns} for row in after
        ]
        == before,
        "the columns of the input come first": names[: len(columns)] == columns,
        "their verdicts are those of one machine": [rounded(verdict) for verdict in verdicts]
        == [rounded(verdict) for verdict in expected],
    }


def check_lines(source, output, options):
    answers = [line for part in sorted(output.glob("part-*")) for line in part.read_bytes().splitlines()]
    expected = list(alone(source, [*options, "--logits"]))
    for ours, theirs in [pair for pair in zip(answers, expected) if pair[0] != pair[1]][:3]:
        print(f"     {ours[:200]} is not {theirs[:200]}")
    return {f"{len(answers)} rows of {len(expected)}, each once, in order, as on one machine": answers == expected}


def alone(folder, options):
    """Each file scored by one process; a row's number becomes FILE:NUMBER."""
    for file in sorted(folder.iterdir()):
        lines = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        if file.suffix == ".csv":
            with open(file, encoding="utf-8", newline="") as cells:
                lines = "".join(json.dumps(row) + "\n" for row in csv.DictReader(cells)).encode()
        scored = program.run("batch", "-", "--input-format", "jsonl", "--row-errors-ok", *options, data=lines)
        inputs = lines.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for number, answer in enumerate(scored.splitlines()):
            own = b'"id"' in inputs[number] and b"\xff" not in inputs[number] or file.suffix == ".csv"
            mark = b'{"id":%d,' % number
            if not own and answer.startswith(mark):
                answer = b'{"id":' + json.dumps(f"{file.name}:{number}").encode() + b"," + answer[len(mark) :]
            yield answer


def processes():
    """{process: (its parent, its command, its processor time in seconds)}"""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks = int(fields[11]) + int(fields[12])
        found[int(folder.name)] = (int(fields[1]), command, ticks / os.sysconf("SC_CLK_TCK"))
    return found


def ancestors(process, table):
    while process in table:
        yield process
        process = table[process][0]


def executors_of(job, table):
    return {
        process
        for process, (_, command, _) in table.items()
        if any(EXECUTOR in word for word in command) and job in ancestors(process, table)
    }


def scorers_under(executor, table):
    return [
        process
        for process, (_, command, _) in table.items()
        if command[:2] == [program.path(), "batch"] and executor in ancestors(process, table)
    ]


def kill_one_at_work(job):
    """Kills one of two executors while a program of it scores; gives the executors there were, and that program."""
    while job.poll() is None:
        table = processes()
        executors = executors_of(job.pid, table)
        for executor in executors if len(executors) == 2 else []:
            for scorer in scorers_under(executor, table):
                seconds = table[scorer][2]
                if seconds >= AT_WORK:
                    os.kill(executor, signal.SIGKILL)
                    print(
                        f"killed executor {executor}, whose headlight {scorer} had scored for {seconds:.2f} s",
                        flush=True,
                    )
                    return executors, scorer
        time.sleep(0.1)
    sys.exit("the job ended before an executor was seen scoring")


def watch_for_another(job, before):
    """Waits for the job's end; whether an executor took the place of the killed one."""
    replaced = set()
    end = time.monotonic() + PATIENCE
    while job.poll() is None:
        if time.monotonic() > end:
            sys.exit(f"the job did not end within {PATIENCE} s")
        replaced |= executors_of(job.pid, processes()) - before
        time.sleep(1)
    return replaced


def check(kind, folder, options):
    source, output, log = folder / kind, folder / f"{kind}-scored", folder / f"{kind}.log"
    source.mkdir()
    MAKERS[kind](source)
    command = [
        program.ROOT / "scripts/spark",
        source,
        output,
        "--headlight",
        program.path(),
        "--partitions",
        "12",
        "--master",
        "local-cluster[2,1,1024]",
        *options,
        "--",
        "--logits",
    ]
    print(f"{kind}: {' '.join(map(str, command))}", flush=True)
    with open(log, "wb") as said:
        job = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
        try:
            before, scorer = kill_one_at_work(job)
            unfinished = not (output / "_SUCCESS").exists()
            replaced = watch_for_another(job, before)
        finally:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
    lines = log.read_text(errors="replace").splitlines()
    print("\n".join(line for line in lines if "Lost executor" in line or " rows of " in line))
    if job.returncode != 0:
        print("\n".join(lines[-30:]))
    results = {
        "the job was at work when its executor was killed": unfinished,
        f"another executor took its place ({len(replaced)})": bool(replaced),
        "the killed executor's headlight is gone": scorer not in processes(),
        "the job succeeded": job.returncode == 0,
    }
    results |= check_table(source, output, ["--logits"]) if kind == "parquet" else check_lines(source, output, options)
    for result, holds in results.items():
        print(f"{'ok  ' if holds else 'FAIL'} {kind}: {result}")
    return all(results.values())


def check_columns(source, output):
    """Parquet by columns, whose files the partitions write themselves: no row is lost, and types stay."""
    command = [program.ROOT / "scripts/spark", source, output, "--headlight", program.path(), "--partitions", "5"]
    print(f"columns: {' '.join(map(str, command))}", flush=True)
    done = subprocess.run([*command, "--master", "local[2]"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    again = subprocess.run([*command, "--master", "local[2]"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        print(done.stdout.decode(errors="replace")[-3000:])
        return False
    results = {
        "an output that exists is left": again.returncode != 0,
        "nothing unfinished is left": {file.suffix for file in output.iterdir()} == {".parquet", ""},
        **check_table(source, output, []),
    }
    for result, holds in results.items():
        print(f"{'ok  ' if holds else 'FAIL'} columns: {result}")
    return all(results.values())


class Here:
    """Runs what a SparkContext would, in this process, where BLOCK and PIECE can be small."""

    def parallelize(self, elements, _):
        self.elements = elements
        return self

    def map(self, function):
        self.elements = [function(element) for element in self.elements]
        return self

    def collect(self):
        return self.elements


def check_cutting(folder):
    """Files of odd lines, cut at every byte: parts hold all rows once, in order, as many each."""
    choose = random.Random(6)
    fine = True
    folder.mkdir()
    for _ in range(2_000):
        contents = [choose.choices([b"\n", b"a", b"bc\r"], k=choose.randrange(12)) for _ in range(choose.randrange(4))]
        paths, expected = [], []
        for i, content in enumerate(map(b"".join, contents)):
            paths.append(str(folder / f"{i}.jsonl"))
            pathlib.Path(paths[-1]).write_bytes(content)
            expected += [
                (f"{i}.jsonl:{n}", line) for n, line in enumerate(content.removesuffix(b"\n").split(b"\n")) if content
            ]
        cluster.BLOCK, cluster.PIECE, parts = choose.randrange(1, 9), choose.randrange(1, 9), choose.randrange(1, 6)
        places, starts, total = cluster.cut_files(Here(), paths, parts)
        found = [
            (number + i, part, line)
            for part, pieces in enumerate(places)
            for number, lines in cluster.read_lines(pieces)
            for i, line in enumerate(lines)
        ]
        fine &= (
            total == len(expected)
            and [(json.loads(starts.name(number)), line) for number, _, line in found] == expected
        )
        fine &= [(number, part) for number, part, _ in found] == [(n, n * parts // total) for n in range(total)]
    print(
        f"{'ok  ' if fine else 'FAIL'} JSONL cut into parts at any byte: each row once, in order, parts of as many rows"
    )
    return fine


def check_groups(folder):
    """Parquet files of odd row groups, cut into parts: parts hold all rows once, in order, as many each."""
    choose = random.Random(6)
    fine = True
    folder.mkdir()
    for _ in range(60):
        total, paths = 0, []
        for i in range(choose.randrange(1, 4)):
            rows = choose.randrange(12)
            paths.append(str(folder / f"{i}.parquet"))
            numbers = pyarrow.table({"n": range(total, total + rows)})
            pyarrow.parquet.write_table(numbers, paths[-1], row_group_size=choose.randrange(1, 9))
            total += rows
        columns.ROWS, parts = choose.randrange(1, 9), choose.randrange(1, 6)
        places, counted = columns.cut_groups(paths, parts)
        found = [
            (part, number)
            for part, pieces in enumerate(places)
            for piece in pieces
            for rows in columns.slices(*piece)
            for number in rows.column("n").to_pylist()
        ]
        fine &= counted == total and found == [(n * parts // total, n) for n in range(total)]
    print(f"{'ok  ' if fine else 'FAIL'} Parquet cut into parts: each row once, in order, parts of as many rows")
    return fine


def main():
    parser("check spark", __doc__).parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        fine = [
            check_cutting(folder / "cut"),
            check_groups(folder / "groups"),
            check("jsonl", folder, []),
            check("compressed", folder, []),
        ]
        fine += [check("csv", folder, ["--id", "key"]), check("parquet", folder, [])]
        fine += [check_columns(folder / "parquet", folder / "columns-scored")]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    finish(main)
