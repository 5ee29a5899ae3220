"""The ways of scoring the sentences that are compared, ready to run.

The door is `ready_ways`. A peer's way is a Plan first; trying its candidates out makes it a Way.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarking import calibrated, machine
from benchmarking.graphs import file_of
from benchmarking.program import Coprocess, Headlight
from benchmarking.workers import Team, start_to_exit

FLOAT32, BF16, INT8 = "float32", "bf16", "int8"
CHOICE = "as it comes"  # the precision that the engine chooses for this processor
USUAL = "as people run it"
USUAL_BATCH = 32
BATCHES = (1, 4, 8, 16, 32, 64)
QUICK_BATCHES = (8, 32)
TRIAL_SECONDS = 1.5  # as long a batch size is tried again,
TRIALS = 5  # so often at most


@dataclass
class Way:
    engine: str
    name: str
    precision: str
    setting: str  # what was found to be best
    bulk: Callable  # () → seconds for all sentences
    logits: Callable  # () → of all sentences
    close: Callable
    one: Callable | None = None  # runs → seconds of the short text, each time
    start: Callable | None = None  # () → seconds of a process, and of making the session or None
    start_bulk: Callable | None = None  # () → seconds of the part of `bulk` that is no scoring


@dataclass
class Plan:
    engine: str
    name: str
    worker: str  # name of the engine's class in engines.py
    candidates: list  # (label, settings) pairs
    precision: str = FLOAT32
    sorted: bool = True
    batches: tuple = BATCHES
    processes: int = 1
    alone: bool = False  # whether it also scores the short text and is started anew


@dataclass
class Work:
    """What there is to score."""

    texts: list
    ids: list
    rows: object  # path of the texts as JSONL
    ids_file: object
    short: int  # the row that is scored alone
    quick: bool = False
    notes: list = field(default_factory=list)


def headlight_ways(checkpoint, work):
    for precision in (FLOAT32, BF16, INT8):
        program = Headlight(checkpoint, () if precision == FLOAT32 else ("--precision", precision))
        if not program.takes_options():
            work.notes.append(f"headlight {precision} is left out: this program has no --precision {precision}")
            continue
        yield headlight_way(program, precision, work)


def headlight_way(program, precision, work):
    text = work.texts[work.short]
    short_rows = work.rows.with_name("one-row.jsonl")
    short_rows.write_text(work.rows.read_text().split("\n")[work.short] + "\n")
    coprocess = Coprocess(program)
    return Way(
        "headlight",
        "batch, a whole run",
        precision,
        "file order",
        lambda: program.bulk(work.rows),
        lambda: program.logits(work.rows),
        coprocess.close,
        lambda runs: coprocess.one(text, runs),
        lambda: (program.start_to_exit(text), None),
        lambda: program.bulk(short_rows),
    )


def onnxruntime_plans(graphs, cores, batches):
    for precision in (FLOAT32, INT8):

        def settings(threads, precision=precision):
            return [
                (label, {"model": str(file_of(graphs, fused, precision == INT8)), "threads": threads})
                for label, fused in (("exported graph", False), ("fused graph", True))
            ]

        yield Plan(
            "onnxruntime", USUAL, "onnxruntime", settings(None)[:1], precision, False, (USUAL_BATCH,), alone=True
        )
        yield Plan(
            "onnxruntime",
            "at its best, one session",
            "onnxruntime",
            settings(cores),
            precision,
            True,
            batches,
            alone=True,
        )
        if cores > 1:
            yield Plan(
                "onnxruntime",
                "at its best, a process a core",
                "onnxruntime",
                settings(1),
                precision,
                True,
                batches,
                cores,
            )


def openvino_plans(graphs, cores, batches):
    exported, quantized = str(file_of(graphs)), str(calibrated.file_of(graphs))
    candidates = {
        FLOAT32: [("exported graph", {"model": exported, "precision": "f32"})],
        CHOICE: [("exported graph", {"model": exported, "precision": None})],
        INT8: [
            ("NNCF", {"model": quantized, "precision": None}),
            ("NNCF, what is not int8 in float32", {"model": quantized, "precision": "f32"}),
        ],
    }
    for precision, settings in candidates.items():
        yield Plan("openvino", USUAL, "openvino", settings[:1], precision, False, (USUAL_BATCH,), alone=True)
        if precision == FLOAT32:
            yield Plan("openvino", "at its best, synchronous", "openvino", settings, batches=batches)
        yield Plan("openvino", "at its best, AsyncInferQueue", "openvino-queue", settings, precision, batches=batches)


def pytorch_plans(checkpoint, batches):
    for precision, dtype in ((FLOAT32, "float32"), (BF16, "bfloat16")):
        settings = [("SDPA", {"model": str(checkpoint), "dtype": dtype})]
        yield Plan("pytorch", USUAL, "pytorch", settings, precision, False, (USUAL_BATCH,), alone=True)
        yield Plan("pytorch", "at its best", "pytorch", settings, precision, batches=batches)


def peer_plans(engines, folder, quick):
    batches = QUICK_BATCHES if quick else BATCHES
    cores = machine.cores()
    plans = {
        "onnxruntime": onnxruntime_plans(folder / "graphs", cores, batches),
        "openvino": openvino_plans(folder / "graphs", cores, batches),
        "pytorch": pytorch_plans(folder / "checkpoint", batches),
    }
    return [plan for engine in engines if engine in plans for plan in plans[engine]]


def trial(team, batch, plan):
    """Seconds of the best run."""
    team.plan(batch, plan.sorted)
    found = []
    while len(found) < TRIALS and sum(found) < TRIAL_SECONDS:
        found.append(team.seconds())
    return min(found)


def tried(plan, work):
    """The way with the candidate and the batch size that were fastest."""
    best, best_team, best_choice = None, None, None
    for label, settings in plan.candidates:
        team = Team(plan.worker, settings, work.ids_file, plan.processes)
        trials = [(trial(team, batch, plan), batch) for batch in plan.batches]
        if best is None or min(trials) < best:
            if best_team:
                best_team.close()
            best, best_team, best_choice = min(trials), team, (label, settings)
        else:
            team.close()
    label, settings = best_choice
    best_team.plan(best[1], plan.sorted)
    return way_of(plan, best_team, f"{label}, batches of {best[1]}", settings, work)


def way_of(plan, team, setting, settings, work):
    way = Way(plan.engine, plan.name, plan.precision, setting, team.seconds, team.logits, team.close)
    if plan.alone:
        way.one = lambda runs: team.one(work.short, runs)
        way.start = lambda: start_to_exit(plan.worker, settings, work.ids_file, work.short)
    return way


def ready_ways(engines, folder, work, stack):
    """All ways, each of which `stack`, an ExitStack, closes."""
    ways = []

    def add(way):
        stack.callback(way.close)
        ways.append(way)

    if "headlight" in engines:
        for way in headlight_ways(folder / "checkpoint", work):
            add(way)
    for plan in peer_plans(engines, folder, work.quick):
        add(tried(plan, work))
    return ways
