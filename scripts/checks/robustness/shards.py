"""Compares merged shards with an undivided run, byte for byte; merge_shards must refuse parts that do not fit.

    scripts/check shards

Rows with quotes, newlines and errors, in JSONL, CSV and TSV, in 1, 3 and 7 shards, and more shards than rows; one
shard is killed and resumed. One line per check; exit status 1 if one fails.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from common import program
from common.command_line import finish, parser

WORDS = 'a fine film about nothing , "quoted" \t dull witty \n and \\ é 映画 never'.split(" ")
RUNS = [(400, 1), (400, 3), (401, 7), (2, 5), (0, 3)]  # rows, shards

# name, the parts, how many, what is said; a part is a name and its bytes
ROW = b'{"id":0}\n'
REFUSALS = [
    ("a part is missing", {"p-0.jsonl": ROW, "p-2.jsonl": ROW}, 3, "p-1.jsonl: is missing"),
    ("a part is not finished", {"p-0.jsonl": ROW, "p-1.jsonl.partial": ROW}, 2, "not finished"),
    ("a part is being written again", {"p-0.jsonl": ROW, "p-0.jsonl.partial": ROW}, 1, "not finished"),
    ("there are more shards than said", {"p-0.jsonl": ROW, "p-1.jsonl": ROW}, 1, "more than 1 shards"),
    ("a part is too short", {"p-0.jsonl": ROW, "p-1.jsonl": ROW * 2}, 2, "more rows"),
    ("a part is too long", {"p-0.jsonl": ROW * 4, "p-1.jsonl": ROW}, 2, "more rows"),
    ("a later part has a row more", {"p-0.jsonl": ROW * 2, "p-1.jsonl": ROW, "p-2.jsonl": ROW * 2}, 3, "more rows"),
    ("a last row is cut", {"p-0.jsonl": b'{"id":'}, 1, "not whole"),
    ("a quoted cell is cut", {"p-0.csv": b'id,label\n0,"a\n'}, 1, "not whole"),
    ("headers differ", {"p-0.csv": b"id,label\n", "p-1.csv": b"id,labels\n"}, 2, "header"),
    ("a header is missing", {"p-0.tsv": b"id\tlabel\n", "p-1.tsv": b""}, 2, "no header"),
]


def rows(count):
    choose = random.Random(count)
    for number in range(count):
        text = " ".join(choose.choices(WORDS, k=1 + number % 20))
        row = {"id": f'"{number}",\n{text}', "text": text}
        yield "nope\n" if number % 17 == 5 else json.dumps(row, ensure_ascii=False) + "\n"


def batch(source, output, kind, more):
    return [
        program.path(),
        "batch",
        str(source),
        "-o",
        str(output),
        "--format",
        kind,
        "--logits",
        "--row-errors-ok",
        "--threads",
        "1",
        "--quiet",
        *more,
    ]


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={"PATH": os.environ["PATH"]})
    return done.returncode, done.stdout.decode(errors="replace").strip()


def merge(pattern, count, output, *more):
    script = program.ROOT / "scripts/merge_shards"
    return run([sys.executable, script, str(pattern), str(count), "-o", str(output), *more])


def lose(command, unfinished):
    """Starts a shard and kills it as soon as there is something of its output, as where a machine is lost."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and not unfinished.exists():
        time.sleep(0.001)
    process.kill()
    process.wait()


def check_run(folder, kind, count, shards):
    source, whole, merged = folder / "rows.jsonl", folder / f"whole.{kind}", folder / f"merged.{kind}"
    source.write_text("".join(rows(count)), encoding="utf-8")
    said = [run(batch(source, whole, kind, []))]
    for shard in range(shards):
        part = folder / f"part-{shard}.{kind}"
        command = batch(source, part, kind, ["--shard", f"{shard}/{shards}", "--resume"])
        if shard == 1:
            lose(command, part.with_name(part.name + ".partial"))
        said.append(run(command))
    said.append(merge(folder / ("part-{}." + kind), shards, merged))
    failed = [words for status, words in said if status != 0]
    if failed:
        return failed[0]
    return "" if merged.read_bytes() == whole.read_bytes() else "the bytes differ"


def check_refusal(folder, parts, count, reason):
    for name, content in parts.items():
        (folder / name).write_bytes(content)
    ending = next(iter(parts)).split(".")[1]
    status, words = merge(folder / ("p-{}." + ending), count, folder / "out")
    if status == 0 or reason not in words:
        return f"status {status}: {words}"
    left = {path.name for path in folder.iterdir()} - set(parts)
    return f"left {left}" if left else ""


def check_kept(folder):
    for shard in range(2):
        (folder / f"p-{shard}.jsonl").write_bytes(b"{}\n")
    (folder / "out").hardlink_to(folder / "p-1.jsonl")
    status, words = merge(folder / "p-{}.jsonl", 2, folder / "out", "--force")
    kept = (folder / "p-1.jsonl").read_bytes() == b"{}\n" and (folder / "out").samefile(folder / "p-1.jsonl")
    return "" if status == 1 and "one of the shards" in words and kept else f"status {status}: {words}"


def main():
    parser("check shards", __doc__).parse_args()
    checks = [
        (f"{count} {kind} rows in {shards} shards", check_run, (kind, count, shards))
        for kind in ("jsonl", "csv", "tsv")
        for count, shards in RUNS
    ]
    checks += [(f"refused: {name}", check_refusal, (parts, count, reason)) for name, parts, count, reason in REFUSALS]
    checks.append(("refused: an output that is a shard", check_kept, ()))
    failures = 0
    for name, check, arguments in checks:
        with tempfile.TemporaryDirectory() as place:
            problem = check(pathlib.Path(place), *arguments)
        failures += bool(problem)
        print(f"FAIL {name}: {problem}" if problem else f"ok   {name}")
    return 1 if failures else 0


if __name__ == "__main__":
    finish(main)
