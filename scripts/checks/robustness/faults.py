"""Makes each system call of every command that writes fail, and looks at what is left.

    scripts/check faults [--only batch] [--library build/release/tests/libheadlight_faults.so]

For each command and each of write, pwrite, fsync, rename, read, pread, mmap, open, close, ftruncate and setxattr, the
first, the middle and the last call fail with ENOSPC, EIO, EINTR, EACCES and ENOMEM. Each run must end by itself with
status 0 and the right output, or with status 1, one line, and the old output as it was; --resume then completes what it
can resume.
The library is made by the tests (tests/faults).
"""

import errno
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from common import program
from common.command_line import finish, parser

FUNCTIONS = ("write", "pwrite", "fsync", "rename", "read", "pread", "mmap", "open", "close", "ftruncate", "setxattr")
ERRORS = ("ENOSPC", "EIO", "EINTR", "EACCES", "ENOMEM")
LIBRARY = program.ROOT / "build/release/tests/libheadlight_faults.so"
CONFIG = program.ROOT / "configs/encoder-block.json"
MADE = "made/model.safetensors"

# The name of each, the arguments, the output, and whether a stopped run can be resumed.
COMMANDS = [
    ("batch", ["batch", "rows.jsonl", "-o", "out.jsonl"], "out.jsonl", True),
    ("batch, gz", ["batch", "rows.jsonl", "-o", "out.jsonl.gz"], "out.jsonl.gz", True),
    ("batch --summary", ["batch", "rows.jsonl", "--summary", "counts.json", "-o", "out.jsonl"], "out.jsonl", True),
    ("embed", ["embed", "rows.jsonl", "-o", "out.npy"], "out.npy", True),
    (
        "explain --summary",
        [*"explain --input rows.jsonl --limit 40 -o explained.jsonl --summary words.json".split()],
        "words.json",
        True,
    ),
    ("classify", ["classify", "a fine film", "-o", "out.json"], "out.json", False),
    ("tokenize", ["tokenize", "a fine film", "-o", "out.json"], "out.json", False),
    ("attention", ["attention", "a fine film", "-o", "out.svg"], "out.svg", False),
    ("explain", ["explain", "a fine film", "-o", "out.html"], "out.html", False),
    ("evaluate", ["evaluate", "rows.jsonl", "-o", "out.json"], "out.json", False),
    ("evaluate --errors", ["evaluate", "rows.jsonl", "--errors", "out.jsonl"], "out.jsonl", False),
    (
        "evaluate --write",
        [*"evaluate rows.jsonl --then kept --limit 60 --write".split()],
        "model/cascade.json",
        False,
    ),
    ("inspect", ["inspect", "-o", "out.json"], "out.json", False),
    ("init", ["init", str(CONFIG), "-o", "made"], MADE, False),
    ("fit --train head", "fit rows.jsonl --train head -o fitted".split(), "fitted/model.safetensors", False),
    ("fit --train ngrams", "fit rows.jsonl --train ngrams -o made".split(), MADE, False),
    ("fit --train static", "fit rows.jsonl --train static -o made".split(), MADE, False),
    (
        "fit --train static -m",
        "fit rows.jsonl --train static -m encoder --limit 60 -o made".split(),
        MADE,
        False,
    ),
    ("fit --train contrastive", "fit rows.jsonl --train contrastive --limit 60 -o made".split(), MADE, False),
    ("fit", "fit rows.jsonl --limit 60 -o made".split(), MADE, False),
    ("fit --train tfidf", "fit rows.jsonl --train tfidf -o made".split(), MADE, False),
    (
        "fit --log",
        "fit rows.jsonl --train head --log log.jsonl -o logged".split(),
        "logged/model.safetensors",
        False,
    ),
    (
        "fit --train all",
        ["fit", "rows.jsonl", "-m", str(CONFIG), "--epochs", "2", "--limit", "100", "-o", "trained"],
        "trained/model.safetensors",
        False,
    ),
    (
        "fit --problems",
        "fit rows.jsonl --limit 60 --train head --problems problems.jsonl -o made".split(),
        "problems.jsonl",
        False,
    ),
    (
        "rank",
        ["rank", "a fine film", *"rows.jsonl -m encoder --limit 60 -o ranked.jsonl".split()],
        "ranked.jsonl",
        True,
    ),
    ("check", "check rows.jsonl -m encoder --limit 60 -o doubtful.csv".split(), "doubtful.csv", False),
    ("export", "export -m encoder --layout bert -o others".split(), "others/model.safetensors", False),
    (
        "explain --rows",
        ["explain", "a fine film", *"-m ./kept --rows rows.jsonl -o out.json".split()],
        "out.json",
        False,
    ),
]


def run(folder, arguments, **environment):
    model = [] if {"-m", "init", "static", "tfidf"} & set(arguments) else ["-m", "model"]
    command = [program.path(), *arguments, *model, "-q"]
    return subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, timeout=60)


def is_whole(folder, output, expected):
    path = folder / output
    return path.exists() and path.read_bytes() == expected


def problem_of(folder, case, expected, preload, fault):
    """What is wrong with a run whose system call fails; empty if nothing is."""
    _, arguments, output, resumes = case
    for left in [*folder.glob("*.partial*"), *folder.glob("made/*.partial*")]:
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    (folder / output).parent.mkdir(exist_ok=True)
    (folder / output).write_bytes(b"old")
    done = run(folder, [*arguments, "--force"], LD_PRELOAD=preload, HEADLIGHT_FAULT=fault)
    lines = done.stderr.decode(errors="replace").splitlines()
    if done.returncode == 0:
        return "" if is_whole(folder, output, expected) else "status 0 with a wrong output"
    if done.returncode != 1:
        return f"status {done.returncode}: {lines[-1:]}"
    if len(lines) != 1 or not lines[0].startswith("headlight: "):
        return f"{len(lines)} lines: {lines[:3]}"
    if not is_whole(folder, output, b"old") and not is_whole(folder, output, expected):
        return f"the old output is lost: {lines[0]}"
    if not resumes:
        left = [*folder.glob("*.partial*"), *folder.glob("*.old"), *folder.glob(output + ".partial*")]
        return "" if not left else f"{left[0].name} is left"
    again = "--resume" if (folder / f"{output}.partial").exists() else "--force"
    resumed = run(folder, [*arguments, again])
    if resumed.returncode != 0 or not is_whole(folder, output, expected):
        return f"cannot be resumed: {resumed.stderr.decode(errors='replace').strip()} (after {lines[0]})"
    return ""


def check(folder, case, preload):
    """Prints the row of a command and returns the number of problems."""
    name, arguments, output, _ = case
    # The second run replaces what the first one wrote, as those that fail do.
    for environment in ({}, {"LD_PRELOAD": preload, "HEADLIGHT_CALLS": str(folder / "calls")}):
        done = run(folder, [*arguments, "--force"], **environment)
        if done.returncode != 0:
            raise program.ProgramError(f"{name}: {done.stderr.decode(errors='replace').strip()}")
    expected = (folder / output).read_bytes()
    calls = dict(line.split() for line in (folder / "calls").read_text().splitlines())
    problems, tried = [], 0
    for function in FUNCTIONS:
        last = int(calls[function])
        for call in sorted({1, (last + 1) // 2, last} if last else ()):
            for error in ERRORS:
                fault = f"{function}:{call}:{getattr(errno, error)}"
                tried += 1
                problem = problem_of(folder, case, expected, preload, fault)
                if problem:
                    problems.append(f"  {function} {call} of {last}, {error}: {problem}")
    print(f"{name:20} {tried:4} faults, {len(problems)} problems", flush=True)
    print("".join(f"{problem}\n" for problem in problems), end="", flush=True)
    return len(problems)


def main():
    options = parser("check faults", __doc__)
    options.add_argument("--only", default="", metavar="NAME", help="only commands whose names contain NAME")
    options.add_argument("--library", type=pathlib.Path, default=LIBRARY, metavar="FILE")
    arguments = options.parse_args()
    if not arguments.library.exists():
        raise program.ProgramError(f"no {arguments.library}; build the tests")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with (folder / "rows.jsonl").open("w") as rows:
            for i in range(600):
                word, label = ("fine", "positive") if i % 3 else ("bad", "negative")
                rows.write(json.dumps({"id": i, "text": f"a {word} film number {i}", "label": label}) + "\n")
        program.run("init", CONFIG, "-o", folder / "model", "-q")
        program.run(*f"fit {folder}/rows.jsonl -m {folder}/model --train head -o {folder}/kept -q".split())
        preload = str(arguments.library.resolve())
        problems = sum(check(folder, case, preload) for case in COMMANDS if arguments.only in case[0])
    return 0 if problems == 0 else 1


if __name__ == "__main__":
    finish(main)
