"""Small files with labels as people have them, each with the right answer and the report that it comes from.

`CASES` is read by `scripts/check field`. Each case runs its commands in an empty folder with its files; `expected` says
what the last one gives: its exit `status` (default 0), the `labels` of the model `m` afterwards, texts that its output
has (`says`) or lacks (`lacks`), and fields of its JSON.
"""

import json
import subprocess

from common import program

GITHUB = "https://github.com/"
FIT = "fit {} -o m --train head --dev-share 0"
MEASURE = "evaluate {} -m ./m --format json"
TAGGER = program.ROOT / "tests/golden/published/bert-token-labels"
TAG_NAMES = tuple(json.loads((TAGGER / "config.json").read_text())["id2label"].values())


class Case:
    def __init__(self, report, files, *commands, **expected):
        self.report = report if report.startswith("http") else GITHUB + report
        self.files, self.commands, self.expected = files, commands, expected


def jsonl(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def labelled(*labels, field="label"):
    """A row of JSON for each label, each with another text."""
    return jsonl(*({"text": f"text {word}", field: label} for word, label in zip(WORDS, labels, strict=False)))


def table(*labels):
    cells = ['"' + label.replace('"', '""') + '"' for label in labels]
    return "text,label\n" + "".join(f"text {word},{cell}\n" for word, cell in zip(WORDS, cells, strict=False))


WORDS = "fine dull fun slow warm kind cold loud calm dry".split()


def fits(report, content, options, labels, name="rows.jsonl", **expected):
    """`fit` reads these labels, and `evaluate` of the same rows knows all of them."""
    files = {name: content}
    return [
        Case(report, files, f"{FIT.format(name)} {options}", labels=labels, **expected),
        Case(
            report,
            files,
            f"{FIT.format(name)} {options}",
            f"{MEASURE.format(name)} {options}",
            lacks=["unknown_label_rows"],
            json={"errors": 0},
        ),
    ]


def refused(report, content, options, says, name="rows.jsonl", status=1):
    return [Case(report, {name: content}, f"{FIT.format(name)} {options}", status=status, says=[says])]


HOT = [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
HOT_NAMES = ["fun", "slow", "warm"]
SHAPES = [
    *fits("huggingface/autotrain-advanced/issues/905", labelled(["a", "b"], ["c"], ["a"]), "", ["a", "b", "c"]),
    *fits("biolink/kgx/issues/64", table("['fun', 'slow']", "['fun']", "[]"), "", ["fun", "slow"], "rows.csv"),
    *fits("scikit-learn/scikit-learn/issues/14962", table("['stat.ML' 'cs.LG']", "['cs.CV']"), "",
          ["cs.CV", "cs.LG", "stat.ML"], "rows.csv"),
    *fits("UniversalDataTool/universal-data-tool/issues/301", table('["label2"]', "[]", '["label1", "label2"]'), "",
          ["label1", "label2"], "rows.csv"),
    *fits("scikit-learn-contrib/sklearn-pandas/issues/202", table("['a1','a2']", "['a1']", "('a3',)"), "",
          ["a1", "a2", "a3"], "rows.csv"),
    *fits("ThilinaRajapakse/simpletransformers/issues/51", labelled(*HOT), "--label-names fun,slow,warm", HOT_NAMES),
    *fits("ThilinaRajapakse/simpletransformers/issues/51", table(*map(str, HOT)), "--label-names fun,slow,warm",
          HOT_NAMES, "rows.csv"),
    *fits("amaiya/ktrain/issues/300", labelled(*([float(x) for x in hot] for hot in HOT)),
          "--label-names fun,slow,warm", HOT_NAMES),
    *fits("amaiya/ktrain/issues/300", table("[True False True]", "[False True False]"),
          "--label-names fun,slow,warm", HOT_NAMES, "rows.csv"),
    *fits("explosion/spaCy/issues/7587", labelled({"a": 0, "b": 1}, {"a": 1, "b": 0}, field="cats"), "--label cats",
          ["a", "b"]),
    *fits("doccano/doccano-transformer/issues/8", table("{'good': 1, 'bad': 0}", "{'good': 0, 'bad': 1}"),
          "--single-label", ["bad", "good"], "rows.csv"),
    *fits("doccano/doccano/issues/15", labelled({"x": 1.0, "y": 1.0}, {"x": 1.0, "y": 0.0}, field="cats"),
          "--label cats", ["x", "y"]),
    *fits("doccano/doccano/pull/46", labelled(["label1"], ["label1", "label2"], field="labels"), "--label labels",
          ["label1", "label2"]),
    *fits("HumanSignal/label-studio/issues/2954", table('{"choices": ["Positive", "Neutral"]}', "Negative"), "",
          ["Negative", "Neutral", "Positive"], "rows.csv"),
    *fits("refuel-ai/autolabel/pull/411", table("joy, love", "joy", "fear"), '--label-separator ", "',
          ["fear", "joy", "love"], "rows.csv"),
    *fits("Lightning-Universe/lightning-flash/issues/728", table("scab frog", "scab", "rust"), '--label-separator " "',
          ["frog", "rust", "scab"], "rows.csv"),
    *fits("deepset-ai/FARM/issues/493", table("MM\nPR", "MM", "PR"), "--label-separator '\n'", ["MM", "PR"],
          "rows.csv"),
    *fits("PyImageSearch/imutils/issues/150", table("31672;0", "0;78464", "51462"), '--label-separator ";"',
          ["0", "31672", "51462", "78464"], "rows.csv"),
    *fits("amaiya/ktrain/issues/346", "text,positive,negative\nI like it,1,0\nI hated it,0,1\n",
          "--label positive --label negative", ["negative", "positive"], "rows.csv"),
    *fits("appvision-ai/fast-bert/issues/284", "text,toxic,rude,neutral\na,1,1,0\nb,0,0,1\nc,0,0,0\n",
          "--label toxic --label rude --label neutral", ["neutral", "rude", "toxic"], "rows.csv"),
    *fits("kaushaltrivedi/bert-toxic-comments-multilabel/issues/2", labelled(*HOT), "--label-names classes.txt",
          HOT_NAMES),
    *fits("argilla-io/argilla/issues/686", labelled(["a"], ["b"], ["a"]), "--single-label", ["a", "b"]),
    *fits("argilla-io/argilla/issues/686", labelled(["a"], ["b"], ["a"]), "", ["a", "b"],
          says=["--single-label"]),
    *fits("mcordts/cityscapesScripts/issues/78", table("a", "-", "b", "a"), "--ignore-label -", ["a", "b"],
          "rows.csv", says=["1 row has no label but"]),
    *fits("huggingface/setfit/issues/400", table("cars", "dogs", "tea"), "", ["cars", "dogs", "tea"], "rows.csv",
          says=["3 labels have only one row"]),
    *refused("ThilinaRajapakse/simpletransformers/issues/51", labelled(*HOT), "", "multi-hot lists"),
    *refused("ThilinaRajapakse/simpletransformers/issues/51", labelled([1, 0], [0, 1, 1]),
             "--label-names fun,slow,warm", "has 2 values, but --label-names has 3 names", status=3),
    *refused("explosion/spaCy/issues/5299", labelled([{"label": "A", "value": 1}]), "", "is not an array of names"),
    *refused("appvision-ai/fast-bert/issues/284", "text,toxic,rude\na,yes,no\n", "--label toxic --label rude",
             'label "rude" has the value no; expected 0 or 1', "rows.csv"),
]  # fmt: skip

NAMES = [
    Case("persephone-tools/persephone/issues/125", {"rows.csv": table("café", "cafe\u0301", "bar")},
         FIT.format("rows.csv"), says=["differ only in", "cafe\\u0301"]),
    Case("openfoodfacts/openfoodfacts-server/issues/8225", {"rows.csv": table("café", "cafe\u0301", "café", "bar")},
         FIT.format("rows.csv") + " --merge-labels", labels=["bar", "café"]),
    Case("museumsvictoria/nodel/issues/157", {"rows.csv": table("a b", "a\u00a0b", "a b", "c")},
         FIT.format("rows.csv") + " --merge-labels", labels=["a b", "c"]),
    Case("opengovsg/postmangovsg/pull/91", {"rows.csv": table("ab", "a\u200bb", "ab", "c")},
         FIT.format("rows.csv"), says=['"ab" (2 rows) = "a\\u200bb"']),
    Case("alphagov/notifications-utils/pull/539", {"rows.csv": table("ab", "\ufeffab", "ab", "c")},
         FIT.format("rows.csv") + " --merge-labels", labels=["ab", "c"]),
    Case("persephone-tools/persephone/issues/125", {"rows.csv": table("café", "bar"), "new.csv": table("cafe\u0301")},
         FIT.format("rows.csv"), "evaluate new.csv -m ./m", status=1, says=["cafe\\u0301", "--label-map"]),
    *[
        Case("mcordts/cityscapesScripts/issues/19", {"rows.csv": table("0", "1", "0"), "map.txt": content},
             FIT.format("rows.csv") + f" --label-map {given}", labels=["bad", "good"])
        for given, content in [
            ("map.txt", "0=bad\n1=good\n"),
            ("map.txt", "0 = bad\r\n1 = good\r\n"),
            ("map.txt", '{"0": "bad", "1": "good"}'),
            ("map.txt", "0\tbad\n1\tgood\n"),
            ("'0=bad, 1 = good'", ""),
        ]
    ],
    Case("mcordts/cityscapesScripts/issues/19", {"rows.csv": table("0", "1")},
         FIT.format("rows.csv") + " --label-map 0=bad,1=good,2=odd", says=['no row has the label "2"']),
    Case("mcordts/cityscapesScripts/issues/19", {"rows.csv": table("0", "1")},
         FIT.format("rows.csv") + " --label-map 0=bad,1=good", MEASURE.format("rows.csv"), json={"errors": 0}),
]  # fmt: skip

LINES = "__label__a fine film\n\nno label here\n__label__b dull\n__label__a __label__b odd\n"
TAGGED = {"tokens": ["the", "old", "cat"]}
ENTITY = TAG_NAMES[1].split("-")[-1]
OTHERS = [
    Case("facebookresearch/fastText/issues/205", {"rows.txt": LINES}, FIT.format("rows.txt"), labels=["a", "b"],
         says=["skipped 2 lines without a label"]),
    Case("facebookresearch/fastText/issues/192", {"rows.txt": LINES}, FIT.format("rows.txt"),
         MEASURE.format("rows.txt") + " --at 1,2", json={"rows": 3, "errors": 0}),
    Case("facebookresearch/fastText/issues/202", {"rows.txt": LINES}, FIT.format("rows.txt"),
         "evaluate rows.txt -m ./m --at 2", says=["precision, recall at 2  66.7 %, 100.0 %"]),
    Case("cleanlab/cleanlab-studio/pull/177",
         {"rows.csv": table(*"ab" * 5), "fixed.csv": "label,checked\nb,row 0 of other rows\n"},
         FIT.format("rows.csv") + " --apply fixed.csv", status=1, says=["other rows were checked"]),
    *[
        Case(report, {name: content}, f"evaluate {name} -m {TAGGER} --format json {options}", json={"errors": 0})
        for report, name, content, options in [
            ("doccano/doccano/issues/1291", "rows.jsonl", jsonl({"text": "the cat", "labels": [[0, 3, ENTITY]]}), ""),
            ("doccano/doccano/pull/46", "rows.jsonl", jsonl({"text": "the cat", "entities": [[0, 3, ENTITY]]}), ""),
            ("doccano/doccano/issues/113", "rows.jsonl",
             jsonl({"text": "the cat", "entities": [{"label": ENTITY, "start_offset": 0, "end_offset": 3}]}), ""),
            ("HumanSignal/label-studio/issues/6027", "rows.jsonl",
             jsonl({"text": "the cat", "entities": [{"labels": [ENTITY], "start": 0, "end": 3}]}), ""),
            ("huggingface/transformers/issues/8698", "rows.jsonl", jsonl({**TAGGED, "tags": ["O", "O", "O"]}), ""),
            ("huggingface/datasets/pull/850", "rows.jsonl", jsonl({**TAGGED, "ner_tags": [0, 1, 0]}),
             "--label-names " + ",".join(TAG_NAMES)),
            ("huggingface/transformers/issues/7321", "rows.conll", "the O\ncat O\n\nodd O\n", ""),
            ("Franck-Dernoncourt/NeuroNER/issues/107", "rows.conll",
             "-DOCSTART- -X- -X- O\n\nthe DT B-NP O\ncat NN I-NP O\n", ""),
            ("JohnSnowLabs/spark-nlp/issues/5819", "rows.txt", "the\tO\r\n\r\ncat\tO\r\n", "--input-format conll"),
        ]
    ],
]  # fmt: skip

CASES = [*SHAPES, *NAMES, *OTHERS]


def complaints(case, folder):
    """What is wrong with the outcome of a case in an empty folder."""
    for name, content in {"classes.txt": "fun\nslow\nwarm\n", **case.files}.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")
    expected = {"status": 0, "says": [], "lacks": [], "json": {}, **case.expected}
    done = None
    for command in case.commands:
        line = f"'{program.path()}' {command}"
        done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    wrong = [f"lacks {text!r}" for text in expected["says"] if text not in said]
    wrong += [f"has {text!r}" for text in expected["lacks"] if text in said]
    if done.returncode != expected["status"]:
        wrong.append(f"status {done.returncode}: {done.stderr.strip()[-200:]}")
    elif expected["json"]:
        found = json.loads(done.stdout)
        wrong += [
            f"{name} is {found.get(name)}" for name, value in expected["json"].items() if found.get(name) != value
        ]
    if "labels" in expected and done.returncode == 0:
        labels = program.document("inspect", "-m", folder / "m", "--format", "json")["labels"]
        if labels != expected["labels"]:
            wrong.append(f"labels {labels}")
    return wrong
