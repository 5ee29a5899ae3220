"""Kills the commands that write at random moments, and compares what is there in the end.

    scripts/check kills [--kills 1000] [--only batch] [--seed 0]

The commands take turns. One that can be resumed is started again and again with --resume and killed up to six times,
then it may end: its output must have the bytes of a run that nobody disturbed, and another --resume must know that it
is complete. Of one that cannot, the output must be the old one or the new one after each kill. The moments are spread
evenly over the time that a run takes. A command that is neither resumed nor replaces its output is run again after
each kill, and goes on. Beside the finished output, nothing may be left.
"""

import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

from common import program
from common.command_line import finish, parser

CONFIG = program.ROOT / "configs/encoder-block.json"
MOST_KILLS = 6  # of one output
OLD = b"old"

# The name of each, the arguments, the output, whether a stopped run can be resumed (None: it is run again), and what
# else is written. The log is compared, too.
COMMANDS = [
    ("batch, jsonl", ["batch", "rows.jsonl", "-m", "model", "-o", "out.jsonl"], "out.jsonl", True),
    ("batch, csv", ["batch", "rows.jsonl", "-m", "model", "-o", "out.csv"], "out.csv", True),
    ("batch, gz", ["batch", "rows.jsonl", "-m", "model", "-o", "out.jsonl.gz"], "out.jsonl.gz", True),
    (
        "batch --errors",
        ["batch", "rows.jsonl", "-m", "model", "-o", "good.jsonl", "--errors", "bad.jsonl"],
        "good.jsonl",
        True,
        "bad.jsonl",
    ),
    ("embed, npy", ["embed", "rows.jsonl", "-m", "model", "-o", "out.npy"], "out.npy", True),
    (
        "explain --summary",
        [*"explain --input rows.jsonl --limit 3000 -m model -o explained.jsonl --summary words.json".split()],
        "words.json",
        True,
        "explained.jsonl",
    ),
    (
        "fit --train all",
        ["fit", "rows.jsonl", "-m", str(CONFIG), "--epochs", "2", "--limit", "2000", "-o", "trained"],
        "trained/model.safetensors",
        True,
    ),
    (
        "fit --train all --log",
        ["fit", "rows.jsonl", "-m", str(CONFIG), "--epochs", "2", "--limit", "2000", "--log", "log", "-o", "logged"],
        "logged/model.safetensors",
        True,
    ),
    (
        "fit --train head --log",
        ["fit", "rows.jsonl", "-m", "model", "--train", "head", "--log", "head-log", "-o", "fitted"],
        "fitted/model.safetensors",
        True,
    ),
    (
        "fit --train static --log",
        ["fit", "rows.jsonl", *"--train static --limit 1500 --log static-log -o pooled".split()],
        "pooled/model.safetensors",
        True,
    ),
    (
        "fit --train contrastive",
        ["fit", "rows.jsonl", *"-m model --train contrastive --limit 300 --epochs 10 -o moved".split()],
        "moved/model.safetensors",
        True,
    ),
    (
        "fit --problems",
        ["fit", "mixed.jsonl", *"-m model --train head --problems problems.jsonl --row-errors-ok -o usable".split()],
        "usable/model.safetensors",
        True,
        "problems.jsonl",
    ),
    ("fit", [*"fit rows.jsonl -m model --limit 1500 --minutes 1 -o best".split()], "best/model.safetensors", True),
    ("check", [*"check rows.jsonl -m encoder --limit 1000 -o doubtful.csv".split()], "doubtful.csv", None),
    (
        "export",
        [*"export -m sentiment --layout sentence-transformers -o others".split()],
        "others/model.safetensors",
        None,
    ),
    ("evaluate --errors", ["evaluate", "rows.jsonl", "-m", "model", "--errors", "wrong.jsonl"], "wrong.jsonl", False),
    ("init", ["init", str(CONFIG), "-o", "made"], "made/model.safetensors", False),
]


class Case:
    def __init__(self, folder, name, arguments, output, resumes, *others):
        self.before = set(folder.iterdir())
        self.folder, self.name, self.output, self.resumes = folder, name, folder / output, resumes
        self.arguments = [program.path(), *arguments, "-q"]
        self.log = folder / arguments[arguments.index("--log") + 1] if "--log" in arguments else None
        self.place = folder / pathlib.Path(output).parts[0]  # the directory of a model, or the file itself
        self.others = [folder / other for other in others]
        self.kills = 0
        begin = time.monotonic()
        self.end(self.start())
        self.took = time.monotonic() - begin
        self.expected = self.output.read_bytes()
        self.expected_log = self.log and self.log.read_bytes()
        self.remove()

    def start(self, *more):
        return subprocess.Popen(
            [*self.arguments, *more], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def end(self, process):
        _, errors = process.communicate()
        if process.returncode != 0:
            raise program.ProgramError(f"{self.name}: {errors.decode(errors='replace').strip()}")

    def remove(self):
        shutil.rmtree(self.place) if self.place.is_dir() else self.place.unlink()
        for other in self.others:
            other.unlink()
        if self.log:
            self.log.unlink()

    def problem_of_other_log(self):
        """What --resume does to a file that is not the log of the run."""
        if not self.log or self.output.exists():
            return ""
        kept = self.log.read_bytes() if self.log.exists() else b""
        self.log.write_bytes(OLD)
        process = self.start("--resume")
        process.communicate()
        found = self.log.read_bytes()
        self.log.write_bytes(kept)
        return "" if process.returncode == 1 and found == OLD else "--resume replaced a file that is not its log"

    def kill(self, draw, *more):
        """Kills a run that is started now. Whether it was killed before its end."""
        process = self.start(*more)
        time.sleep(draw.uniform(0, self.took))
        process.kill()
        process.communicate()
        self.kills += process.returncode == -9
        return process.returncode == -9

    def problem_of_resumed(self, draw):
        for _ in range(MOST_KILLS):
            if not self.kill(draw, "--resume") or self.output.exists():
                break
        other = self.problem_of_other_log()
        if not self.output.exists():
            self.end(self.start("--resume"))
        self.end(self.start("--resume"))
        found, log = self.output.read_bytes(), self.log and self.log.read_bytes()
        self.remove()
        if found != self.expected or log != self.expected_log:
            return f"{len(found)} other bytes, expected {len(self.expected)}, or another log"
        return other or self.problem_of_leftovers()

    def problem_of_repeated(self, draw):
        for _ in range(MOST_KILLS):
            if not self.kill(draw) or self.output.exists():
                break
        if not self.output.exists():
            self.end(self.start())
        found = self.output.read_bytes()
        self.remove()
        if found != self.expected:
            return f"{len(found)} other bytes, expected {len(self.expected)}"
        return self.problem_of_leftovers()

    def problem_of_leftovers(self):
        left = set(self.folder.iterdir()) - self.before
        for path in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return f"left behind: {', '.join(sorted(path.name for path in left))}" if left else ""

    def problem_of_replaced(self, draw):
        self.output.parent.mkdir(exist_ok=True)
        self.output.write_bytes(OLD)
        self.kill(draw, "--force")
        found = self.output.read_bytes() if self.output.exists() else None
        self.problem_of_leftovers()  # what a killed run leaves for the next one is no problem here
        if found is None:
            return "the old output is lost"
        return "" if found in (OLD, self.expected) else "the output is incomplete"

    def problem(self, draw):
        if self.resumes is None:
            return self.problem_of_repeated(draw)
        return self.problem_of_resumed(draw) if self.resumes else self.problem_of_replaced(draw)


def main():
    options = parser("check kills", __doc__)
    options.add_argument("--kills", type=int, default=1000, metavar="N")
    options.add_argument("--only", default="", metavar="NAME", help="only commands whose names contain NAME")
    options.add_argument("--seed", type=int, default=0)
    arguments = options.parse_args()
    draw = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with (folder / "rows.jsonl").open("w") as rows:
            for i in range(20000):
                word, label = ("fine", "positive") if draw.random() < 0.6 else ("bad", "negative")
                rows.write(json.dumps({"id": i, "text": f"a {word} film number {i}", "label": label}) + "\n")
        (folder / "mixed.jsonl").write_text('{"text": "a row without a label"}\n' + (folder / "rows.jsonl").read_text())
        program.run("init", CONFIG, "-o", folder / "model", "-q")
        cases = [Case(folder, *case) for case in COMMANDS if arguments.only in case[0]]
        problems = 0
        while sum(case.kills for case in cases) < arguments.kills:
            for case in cases:
                problem = case.problem(draw)
                if problem:
                    problems += 1
                    print(f"{case.name}, kill {case.kills}: {problem}", flush=True)
        for case in cases:
            print(f"{case.name:20} {case.kills:4} kills of runs of {case.took:.2f} s")
    print(f"{sum(case.kills for case in cases)} kills, {problems} problems")
    return 0 if problems == 0 else 1


if __name__ == "__main__":
    finish(main)
