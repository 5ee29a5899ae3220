"""The numbers as Markdown."""

from statistics import median

from benchmarking.ways import BF16, CHOICE, FLOAT32


def heading(machine, how):
    """What the numbers were taken on, and in `how`, how."""
    sets = " ".join(machine["instruction_sets"])
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    cores = f"{machine['cores']} core" + "s" * (machine["cores"] > 1)
    lines = [
        "# headlight and its peers",
        "",
        f"{machine['processor']} ({sets}), {cores}, {machine['system']}, {machine['date']}, "
        f"load {machine['load']:.1f} at the start.",
        ", ".join(filter(None, [machine["headlight"], packages, f"Python {machine['python']}"])) + ".",
        how,
    ]
    return "\n".join(lines)


def table(columns, rows, names=2):
    """The first columns, `names` of them, are words, the others numbers."""
    rule = ["---"] * names + ["--:"] * (len(columns) - names)
    lines = ["| " + " | ".join(columns) + " |", "|" + "|".join(rule) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def short(number):
    return f"{number:.3g}" if number < 100 else f"{number:.0f}"


def name_of(record):
    return record["engine"] + ("" if record["precision"] == FLOAT32 else f" {record['precision']}")


def like(record, records):
    """headlight in the same precision, in bf16 against what an engine chooses, in float32 where it has no other, or
    None."""
    ours = [each for each in records if each["engine"] == "headlight"]
    wanted = BF16 if record["precision"] == CHOICE else record["precision"]
    return next((each for each in ours if each["precision"] == wanted), ours[0] if ours else None)


def ratio(theirs, ours):
    """How many times as fast ours is: the median over rounds."""
    return f"{median(their / our for their, our in zip(theirs, ours)):.2f}"


def scoring(record):
    """Seconds of a headlight run without those of its start, each round."""
    start = median(record["start_bulk"])
    return [max(seconds - start, 1e-9) for seconds in record["bulk"]]


def bulk(records, sentences):
    rows = []
    for record in records:
        ours = like(record, records)
        ratios = ["", ""]
        if ours and record["engine"] != "headlight":
            ratios = [ratio(record["bulk"], ours["bulk"]), ratio(record["bulk"], scoring(ours))]
        way = f"{record['way']} ({record['setting']})"
        rows.append([name_of(record), way, *rates(record["bulk"], sentences), *ratios])
        if record["engine"] == "headlight":
            rows.append([name_of(record), "the same, start taken off", *rates(scoring(record), sentences), "", ""])
    return table(
        [
            "bulk",
            "",
            "sentences/s",
            "of the slowest and fastest round",
            "headlight is × as fast",
            "its start taken off",
        ],
        rows,
    )


def rates(seconds, sentences):
    """The median, and the range of all rounds."""
    return short(sentences / median(seconds)), f"{short(sentences / max(seconds))}–{short(sentences / min(seconds))}"


def one(records, tokens):
    rows = []
    for record in (each for each in records if each["one"]):
        ours = like(record, records)
        middle = [median(runs) for runs in record["one"]]
        against = ""
        if ours and record["engine"] != "headlight":
            against = ratio(middle, [median(runs) for runs in ours["one"]])
        way = "a line in, a line out" if record["engine"] == "headlight" else record["way"]
        rows.append([name_of(record), way, short(1e3 * median(sum(record["one"], []))), against])
    return table([f"one text of {tokens} tokens, warm", "", "ms", "headlight is × as fast"], rows)


def start(records):
    rows = []
    for record in (each for each in records if each["start"]):
        ours = like(record, records)
        against = ratio(record["start"], ours["start"]) if ours and record["engine"] != "headlight" else ""
        create = short(1e3 * median(record["create"])) if record["create"] else ""
        way = "classify" if record["engine"] == "headlight" else f"{record['way']}, ids given"
        rows.append([name_of(record), way, short(1e3 * median(record["start"])), create, against])
    return table(["one sentence, start to exit", "", "ms", "of which the session", "headlight is × as fast"], rows)


def agreement(records):
    rows = [[name_of(each), each["way"], f"{each['difference']:.1e}", str(each["other_labels"])] for each in records]
    return table(["logits", "", "largest difference from the first", "changed verdicts"], rows)


def of_size(name, size, found):
    records, sentences = found["ways"], found["sentences"]
    parts = [
        f"## {name}: {size}",
        f"{sentences} sentences of {found['mean_tokens']:.1f} tokens on average, {found['longest']} at most.",
        bulk(records, sentences),
        one(records, found["short_tokens"]),
        start(records),
        agreement(found["agreement"]),
        *found["notes"],
    ]
    return "\n\n".join(parts)
