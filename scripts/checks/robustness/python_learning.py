"""Tries what the Python module learns, measures and reads by columns, and its estimators, beside the program.

    scripts/check python_learning

Needs no package; numpy, pandas, polars, pyarrow, scikit-learn, DuckDB, Jupyter and mypy are tried where they are
installed.
"""

import doctest
import functools
import gc
import importlib
import importlib.util
import json
import math
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import weakref

from common import program

GOLDEN = program.ROOT / "tests/golden/published"
os.environ["HEADLIGHT_LIBRARY"] = program.library()
os.environ["PYTHONPATH"] = f"{program.MODULE}:{program.ROOT / 'scripts'}"
sys.path.insert(0, str(program.MODULE))
headlight = importlib.import_module("headlight")

TEXTS = ["good film", "bad film", "a good one", "a bad one", "very good", "very bad"]
LABELS = ["up", "down"] * 3
FILES = ("config.json", "model.safetensors", "vocab.txt", "tokenizer.json", "calibration.json")


def has(*names):
    return all(importlib.util.find_spec(name) is not None for name in names)


def needs(*names):
    """Skips a test where a package is not installed."""
    return unittest.skipUnless(has(*names), f"needs {', '.join(names)}")


def model_bytes(folder):
    return {file: pathlib.Path(folder, file).read_bytes() for file in FILES if pathlib.Path(folder, file).is_file()}


def lines_of(texts, labels):
    rows = ({"text": text, "label": label} for text, label in zip(texts, labels))
    return "".join(json.dumps({k: v for k, v in row.items() if v is not None}) + "\n" for row in rows)


def read(texts, **options):
    return [found.label for found in model.classify(texts, **options)]


def setUpModule():
    global model
    model = headlight.Model("sentiment", threads=2)
    unittest.addModuleCleanup(model.close)


class Fits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def fit_of_program(self, name, texts, labels, *options):
        how = ["--input-format", "jsonl", "-q", "-o", self.path(name), *options]
        program.run("fit", "-", *how, data=lines_of(texts, labels))
        return model_bytes(self.path(name))

    def test_it_gives_the_bytes_of_the_command_with_any_number_of_threads(self):
        texts = [f"{text} number {i}" for i in range(20) for text in TEXTS]
        pairs = {"labels": LABELS * 20, "several": [["up", "film"], "down", "film"] * 40}
        pairs["lists"] = [["up"], ["down"], [], ["up", ""]] * 30
        for name, train, labels in (
            ("static", "static", pairs["labels"]),
            ("several", "static", pairs["several"]),
            ("lists", "static", pairs["lists"]),
            ("head", "head", pairs["labels"]),
            ("auto", "auto", pairs["labels"]),
        ):
            minutes = "0.2"
            flags = ["--minutes", minutes] if train == "auto" else []
            expected = self.fit_of_program(name, texts, labels, "--train", train, "--seed", "3", *flags)
            for threads in (1, 2):
                with self.subTest(name, threads=threads):
                    made = headlight.fit(
                        texts, labels, train=train, minutes=float(minutes), seed=3, threads=threads, progress=False
                    )
                    self.assertEqual(model_bytes(made.name), expected)
                    self.assertEqual(made.report["errors"], 0)

    def test_a_child_of_a_process_with_threads_trains_and_measures(self):
        expected = headlight.fit(TEXTS * 20, LABELS * 20, train="head", threads=2)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            made = headlight.fit(TEXTS * 20, LABELS * 20, train="head", threads=2)
            is_right = model_bytes(made.name) == model_bytes(expected.name)
            is_right = is_right and made.evaluate(TEXTS, LABELS) == expected.evaluate(TEXTS, LABELS)
            os._exit(0 if is_right else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_a_temporary_model_goes_with_its_last_reference_and_can_be_saved(self):
        made = headlight.fit(TEXTS, LABELS, train="static", threads=1)
        folder, before = made.name, model_bytes(made.name)
        child = os.fork()
        if child == 0:
            try:
                weakref.finalize._exitfunc()  # of what runs at the end, that of the models
            finally:
                os._exit(0)  # what it inherited stays
        os.waitpid(child, 0)
        made.save(self.path("kept"))
        self.assertRaises(FileExistsError, made.save, self.path("kept"))
        del made
        gc.collect()
        self.assertFalse(os.path.exists(folder))
        self.assertEqual(model_bytes(self.path("kept")), before)
        headlight.Model("sentiment").save(self.path("bundled"))
        self.assertEqual(headlight.Model(self.path("bundled"), threads=1).labels, model.labels)
        made = headlight.fit(TEXTS, LABELS, os.fsencode(self.path("bytes")), train="static", threads=1)
        self.assertEqual(made.name, self.path("bytes"))
        headlight.Model(os.fsencode(made.name), threads=1).save(os.fsencode(self.path("again")))
        self.assertEqual(model_bytes(self.path("again")), model_bytes(made.name))

    def test_a_saved_model_is_all_that_is_copied_and_gives_the_same(self):
        golden, source = program.ROOT / "tests/golden", pathlib.Path(self.path("source"))
        source.mkdir()
        for file in ("softmax-words.bin", "hs-both-cut.ftz", "skipgram.bin"):
            shutil.copy(golden / "fasttext" / file, source)
        source.joinpath("softmax-words.calibration.json").write_text('{"temperature": 2}')
        shutil.copytree(GOLDEN / "bert-three-labels", source / "published/bert-three-labels")
        shutil.copytree(golden / "adapters/bert-query-value", source / "adapters/bert-query-value")
        source.joinpath("bare.json").write_bytes((golden / "pipelines/words/config.json").read_bytes())
        shutil.copy(golden / "pipelines/words/model.safetensors", source / "bare.safetensors")
        for name, copied in (
            ("softmax-words.bin", "softmax-words.bin softmax-words.calibration.json"),
            ("hs-both-cut.ftz", "hs-both-cut.ftz"),
            ("skipgram.bin", "skipgram.bin"),
            ("published/bert-three-labels/config.json", "config.json"),
            ("adapters/bert-query-value", "bert-query-value"),
            ("bare.json", "bare.json"),
        ):
            with self.subTest(name), headlight.Model(source / name, threads=1) as one:
                folder = pathlib.Path(self.path("copies"), str(len(name)))
                one.save(folder / os.path.basename(name))
                self.assertEqual(sorted(os.listdir(folder)), copied.split())
                self.assertRaises(FileExistsError, one.save, folder / os.path.basename(name))
                with headlight.Model(folder / os.path.basename(name), threads=1) as other:
                    for texts in (["the film", "a bb c"], [""]):
                        given = [m.logits(texts) if m.labels else m.embed(texts) for m in (one, other)]
                        self.assertEqual(given[0].tolist(), given[1].tolist())
        code = "import headlight, sys; headlight.Model(sys.argv[1]).save(sys.argv[2])"
        command = [sys.executable, "-c", code, "skipgram.bin", self.path("named.bin")]
        subprocess.run(command, env={**os.environ, "HEADLIGHT_MODELS": str(source)}, check=True)
        self.assertEqual(pathlib.Path(self.path("named.bin")).read_bytes(), (source / "skipgram.bin").read_bytes())

    def test_rows_without_a_text_or_a_label_are_left_out(self):
        texts, labels = [*TEXTS, None, "no label", float("nan")], [*LABELS, "up", [None], "up"]
        made = headlight.fit(texts, labels, path=self.path("m"), train="static", threads=1)
        self.assertEqual((made.report["errors"], made.report["train_rows"]), (3, 6))
        self.assertEqual(made.name, self.path("m"))
        self.assertRaises(headlight.Error, headlight.fit, TEXTS, LABELS, path=self.path("m"), train="static")
        headlight.fit(TEXTS, LABELS, path=self.path("m"), train="static", overwrite=True)

    def test_development_rows_and_weights(self):
        made = headlight.fit(TEXTS, LABELS, train="static", dev=(["good", "bad"], ["up", "down"]), threads=1)
        self.assertEqual(made.report["dev_rows"], 2)
        plain, weighted = (
            headlight.fit(texts, labels, train="static", threads=1, weights=weights)
            for texts, labels, weights in (
                (["good film", *TEXTS], ["up", *LABELS], None),
                (TEXTS, LABELS, [2, 1, 1, 1, 1, 1]),
            )
        )
        self.assertEqual(model_bytes(plain.name), model_bytes(weighted.name))

    def test_numbers_and_several_labels_are_labels(self):
        made = headlight.fit(TEXTS, [1, 0] * 3, train="static", threads=1)
        self.assertEqual(made.labels, ["0", "1"])
        made = headlight.fit([("a", text) for text in TEXTS], LABELS, train="static", threads=1)
        self.assertTrue(made.reads_pairs)

    def test_what_it_refuses(self):
        for error, call in (
            (ValueError, lambda: headlight.fit(TEXTS, LABELS[:3])),
            (ValueError, lambda: headlight.fit(TEXTS, LABELS, train="cellar")),
            (ValueError, lambda: headlight.fit(TEXTS, LABELS, seed=-1)),
            (ValueError, lambda: headlight.fit(TEXTS, LABELS, minutes=-1)),
            (ValueError, lambda: headlight.fit(TEXTS, LABELS, weights=[1])),
            (headlight.Error, lambda: headlight.fit([], [])),
            (headlight.Error, lambda: headlight.fit(TEXTS, ["a"] * 6, train="static")),
            (TypeError, lambda: headlight.fit([1] * 6, LABELS)),
            (TypeError, lambda: headlight.fit("abcdef", LABELS)),
            (TypeError, lambda: headlight.fit(TEXTS, "updown")),
            (TypeError, lambda: headlight.fit(TEXTS, dict(zip(TEXTS, LABELS)))),
            (TypeError, lambda: headlight.fit(TEXTS, LABELS, dev={"a": 1})),
            (ValueError, lambda: headlight.fit(TEXTS, ["a\nb", "c"] * 3)),
            (ValueError, lambda: headlight.fit(TEXTS, ["a\0b", "a"] * 3)),
            (ValueError, lambda: headlight.fit(TEXTS, LABELS, train="static\0")),
            (ValueError, lambda: headlight.fit(TEXTS, LABELS, self.path("m\0"))),
            (ValueError, lambda: headlight.fit(TEXTS, LABELS, start="encoder\0")),
        ):
            self.assertRaises(error, call)
        with self.assertRaisesRegex(headlight.Error, "at least two$"):  # without a hint to an option of the command
            headlight.fit(TEXTS, ["a"] * 6, train="static")
        with headlight.Model(GOLDEN / "bert-multi-label-shards", threads=1) as other:
            self.assertRaisesRegex(headlight.Error, "has no vocabulary$", other.classify, "a")
        with self.assertRaisesRegex(ValueError, "exists already; overwrite=True replaces it"):
            headlight.fit(TEXTS, LABELS, self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_progress_is_told_and_can_stop(self):
        calls = []
        headlight.fit(TEXTS, LABELS, train="static", progress=lambda done, phase: calls.append((done, phase)))
        self.assertIn("training", {phase for _, phase in calls})
        self.assertTrue(all(0 <= done <= 1 for done, _ in calls))
        with self.assertRaises(headlight.Error) as caught:
            headlight.fit(TEXTS, LABELS, self.path("m"), train="static", progress=lambda done, _: done > 0.1)
        self.assertEqual(caught.exception.status, 5)
        self.assertEqual(str(caught.exception), "stopped: the function of progress returned True")
        if has("numpy"):
            import numpy

            self.assertRaises(
                headlight.Error, headlight.fit, TEXTS, LABELS, train="static", progress=lambda *_: numpy.bool_(True)
            )
        self.assertRaises(
            ZeroDivisionError, headlight.fit, TEXTS, LABELS, self.path("m"), train="static", progress=lambda *_: 1 / 0
        )
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_interrupt_is_heard_within_a_second(self):
        code = """import headlight, sys
texts = [f"{text} {i}" for i in range(100000) for text in ("good film", "bad film")]
print("begun", flush=True)
try:
    headlight.fit(texts, ["up", "down"] * 100000, sys.argv[1], train=sys.argv[2], minutes=60)
except KeyboardInterrupt:
    print("heard", flush=True)
"""
        for train in ("auto", "static"):
            with self.subTest(train):
                command = [sys.executable, "-c", code, self.path("m"), train]
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
                    self.assertEqual(child.stdout.readline(), "begun\n")
                    time.sleep(1.5)
                    child.send_signal(signal.SIGINT)
                    begun = time.monotonic()
                    self.assertEqual(child.stdout.readline(), "heard\n")
                    self.assertLess(time.monotonic() - begun, 3)  # a second, on a machine that is not busy
                self.assertEqual(os.listdir(self.folder), [])


class Measures(unittest.TestCase):
    def test_evaluate_has_the_json_of_the_command(self):
        texts = ["a gorgeous film", "a dull one", "awful", "great", None]
        labels = ["positive", "negative", "positive", "positive", "negative"]
        rows = lines_of(texts, labels)
        flags = ["--input-format", "jsonl", "--row-errors-ok", "--missing", "error", "-q", "--format", "json"]
        expected = json.loads(program.run("evaluate", "-", *flags, data=rows))
        del expected["provenance"]
        self.assertEqual(model.evaluate(texts, labels), expected)
        self.assertEqual(expected["errors"], 1)
        self.assertRaises(headlight.Error, model.evaluate, ["a"], ["mixed"])
        both = ["negative", "positive"]
        expected = json.loads(program.run("evaluate", "-", *flags, "--among", ",".join(both), data=rows))
        del expected["provenance"]
        self.assertEqual(model.evaluate(texts, labels, among=both), expected)
        with headlight.Model(GOLDEN / "bert-token-labels", threads=1) as other:
            self.assertRaisesRegex(ValueError, "labels each token", other.evaluate, ["a"], ["x"])
        self.assertRaises(ValueError, model.evaluate, ["a"], [])

    def test_rank_has_the_scores_of_the_command(self):
        texts = ["my card is gone", "the weather", "how to replace a card", "a lost dog"]
        rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        flags = ["--input-format", "jsonl", "--format", "jsonl", "-q"]
        expected = program.rows("rank", "a lost card", "-", *flags, data=rows)
        with headlight.Model("encoder", threads=1) as encoder:
            found = encoder.rank("a lost card", [*texts, None], k=3)
            self.assertEqual([index for index, _ in found], [row["id"] for row in expected][:3])
            for (_, score), row in zip(found, expected):
                self.assertAlmostEqual(score, row["score"], 6)
            self.assertEqual(len(encoder.rank("a lost card", texts, k=None)), 4)
            self.assertRaises(ValueError, encoder.rank, "a", texts, k=-1)
            self.assertRaises(TypeError, encoder.rank, None, texts)
            self.assertRaises(TypeError, encoder.rank, "a", "texts")

    def test_entities_are_those_of_the_command(self):
        text = "the naïve film of a bb"
        with headlight.Model(GOLDEN / "bert-token-labels", threads=1) as other:
            found = other.entities(text)
            document = program.document("classify", "--format", "json", "-q", "-m", other.name, text)
            expected = (document[0] if isinstance(document, list) else document)["entities"]
            self.assertEqual([one.label for one in found], [one["label"] for one in expected])
            self.assertEqual([one.text for one in found], [one["text"] for one in expected])
            self.assertEqual([text[one.start : one.end] for one in found], [one.text for one in found])
        self.assertRaisesRegex(ValueError, "labels texts", model.entities, "a")

    def test_zero_shot_labels_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as name:
            shutil.copytree(GOLDEN / "bert-three-labels", name, dirs_exist_ok=True)
            config = json.loads(pathlib.Path(name, "config.json").read_text())
            config["id2label"] = {"0": "entailment", "1": "neutral", "2": "contradiction"}
            config.pop("label2id", None)
            pathlib.Path(name, "config.json").write_text(json.dumps(config))
            for each_alone, flags in ((False, []), (True, ["--multi-label"])):
                zero_shot = ["--zero-shot", "film,book", "-q", "--probabilities", *flags]
                expected = program.rows("batch", "-", "-m", name, *zero_shot, data="the film\n")[0]["probabilities"]
                with headlight.Model(name, threads=1) as other:
                    one, missing = other.zero_shot(["the film", None], ["film", "book"], each_alone=each_alone)
                    for label, value in expected.items():
                        self.assertAlmostEqual(one.probabilities[label], value, 6)
                    self.assertEqual(one.label, max(expected, key=expected.get))
                    self.assertEqual(missing.error, "text 1 is missing")
        self.assertRaises(headlight.Error, model.zero_shot, ["a"], ["x"])

    def test_models_are_listed(self):
        listed = program.document("models", "--format", "json")
        self.assertEqual([one["name"] for one in headlight.models()], [one["name"] for one in listed])


class Results(unittest.TestCase):
    def test_they_are_compared_and_have_their_fields(self):
        for call in (model.classify, model.tokenize, model.attention, model.explain):
            one, other = call("not bad"), call("not bad")
            self.assertEqual(one, other)
            self.assertNotEqual(one, call("not good"))
            self.assertEqual(pickle.loads(pickle.dumps(one)), one)
            self.assertNotIn("source", one._asdict())
            self.assertEqual(set(one._asdict()), {name for name in one._asdict() if hasattr(one, name)})
        prediction = model.classify("not bad")
        self.assertEqual(dict(zip(prediction._fields, prediction))["label"], prediction.label)
        self.assertEqual((prediction[1], len(prediction)), (prediction.probability, 9))
        self.assertRaises(IndexError, lambda: prediction[9])

    def test_some_labels_decide_as_in_the_command(self):
        texts, both = ["a gorgeous film", "it opens on friday", None], ["positive", "negative"]
        flags = ["-q", "--among", ",".join(both), "--probabilities", "--logits"]
        expected = program.rows("batch", "-", *flags, data="\n".join(texts[:2]) + "\n")
        with headlight.Model("sentiment", threads=1, among=both) as other:
            self.assertEqual(
                (other.labels, model.labels), (["negative", "positive"], ["negative", "neutral", "positive"])
            )
            self.assertEqual(other.logits(texts).shape, (3, 2))
            self.assertEqual(other.attention("not bad").logits.shape, (3,))
            self.assertEqual(pickle.loads(pickle.dumps(other)).labels, other.labels)
            found = other.classify(texts)
            self.assertEqual(found, model.classify(texts, among=iter(both)))
            self.assertEqual(other.classify(texts, among=model.labels), model.classify(texts))
        for one, row in zip(found, expected):
            self.assertEqual((one.label, list(one.probabilities)), (row["label"], ["negative", "positive"]))
            for label, value in row["probabilities"].items():
                self.assertAlmostEqual(one.probabilities[label], value, 6)
            for value, logit in zip(one.logits, row["logits"].values()):
                self.assertAlmostEqual(float(value), logit, 4)
        self.assertEqual(found[2].error, "text 2 is missing")
        for message, among in (
            ("no label", ["good", "negative"]),
            ("two or more", ["negative"]),
            ("two or more", []),
            ("twice", ["negative"] * 2),
        ):
            self.assertRaisesRegex(ValueError, message, headlight.Model, "sentiment", among=among)
            self.assertRaisesRegex(ValueError, message, model.classify, "a", among=among)
        self.assertRaises(TypeError, model.classify, "a", among="negative")

    def test_unknown_tokens_are_counted(self):
        with headlight.Model(GOLDEN / "bert-three-labels", threads=1) as other:
            found = other.classify(["a b", "qqq a", None])
        self.assertEqual([(one.tokens, one.unknown) for one in found], [(4, 0), (4, 1), (0, 0)])

    def test_missing_texts_have_an_error_or_are_empty(self):
        found = model.classify(["good", None, float("nan"), "bad"])
        self.assertEqual([one.error for one in found], [None, "text 1 is missing", "text 2 is missing", None])
        self.assertTrue(all(map(math.isnan, found[1].logits)))
        self.assertEqual((found[1].tokens, found[1].probabilities), (0, {}))
        self.assertEqual(model.classify([None], missing="empty"), model.classify([""]))
        self.assertRaises(ValueError, model.classify, ["a"], missing="no")
        for call in (model.attention, model.explain, model.tokenize):
            self.assertRaises(TypeError, call, None)
        many = ["a"] * 1500 + [None]
        self.assertEqual(model.classify(many)[-1].error, "text 1500 is missing")

    def test_html_loads_nothing(self):
        shown = {
            "prediction": model.classify("not <b> bad")._repr_html_(),
            "error": model.classify([None])[0]._repr_html_(),
            "explanation": model.explain("not <b> bad")._repr_html_(),
            "attention": model.attention("not bad")._repr_html_(),
            "page": model.explain("not bad").show()._repr_html_(),
        }
        for name, text in shown.items():
            with self.subTest(name):
                self.assertNotIn("<b> bad", text)
                self.assertNotRegex(text, r"(src|href)=.?https?:")
        self.assertIn("no words", model.explain("")._repr_html_())
        with headlight.Model("sentiment", threads=1, among=["neutral", "positive"]) as other:
            self.assertEqual(other.explain("awful")._repr_html_(), model.explain("awful")._repr_html_())
            attention = other.attention("awful")
        self.assertIsNone(attention._repr_html_())  # of a closed model, the text is shown
        self.assertIn("<iframe srcdoc=", shown["attention"])
        self.assertNotIn("<script", shown["prediction"] + shown["explanation"])
        attention = pickle.loads(pickle.dumps(model.attention("not bad")))
        self.assertIn("head-first", attention.show("lines").html)
        self.assertIn("softmax", attention.show("steps", layer=2, head=1, query=1).html)
        self.assertRaises(ValueError, attention.show, "cellar")
        self.assertRaises(ValueError, attention.show, "steps", layer=9)
        with tempfile.TemporaryDirectory() as name:
            attention.show().save(os.path.join(name, "a.html"))
            self.assertTrue(pathlib.Path(name, "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))


class Columns(unittest.TestCase):
    TEXTS = ("a gorgeous film", None, "a dull one", "", "naïve 😀")

    def check(self, column):
        expected = model.logits(["" if text is None else text for text in self.TEXTS])
        found = model.classify(column)
        self.assertEqual([one.error for one in found], [None, "text 1 is missing", None, None, None])
        self.assertEqual([one.label is None for one in found], [False, True, False, False, False])
        self.assertEqual(found, model.classify(list(self.TEXTS)))
        self.assertEqual(model.classify(column, missing="empty"), model.classify(list(self.TEXTS), missing="empty"))
        self.assertEqual(model.logits(column, missing="empty").tolist(), expected.tolist())
        self.assertTrue(math.isnan(model.embed(column)[1][0]))
        self.assertEqual(model.logits(column[:0]).shape, (0, 3))

    @needs("numpy", "pandas")
    def test_pandas(self):
        import numpy
        import pandas

        self.check(numpy.array(self.TEXTS, dtype=object))
        for kind in (object, "string", "category", *(["string[pyarrow]"] if has("pyarrow") else [])):
            with self.subTest(kind):
                self.check(pandas.Series(list(self.TEXTS), dtype=kind))
        frame = pandas.DataFrame(model.classify(list(self.TEXTS)))
        self.assertEqual(list(frame.columns)[:3], ["label", "probability", "probabilities"])
        self.assertEqual(list(frame["error"].notna()), [False, True, False, False, False])
        table = pandas.DataFrame({"id": [1], "body": ["a"]})
        for call in (model.classify, functools.partial(headlight.fit, labels=["a"])):
            self.assertRaisesRegex(TypeError, r"a DataFrame of 2: .*df\['body'\]", call, table)
        self.assertRaisesRegex(TypeError, "labels are a column", headlight.fit, ["a"], table)
        self.assertRaisesRegex(TypeError, "not ndarray", model.classify, numpy.array([["a", "b"]]))
        pairs = pandas.Series([("a", "b"), ("c", "d")])
        self.assertEqual(len(model.classify(pairs)), 2)

    @needs("numpy", "polars")
    def test_polars(self):
        import polars

        for kind in (polars.String, polars.Categorical):
            with self.subTest(kind):
                self.check(polars.Series(self.TEXTS, dtype=kind))
        self.assertRaises(TypeError, model.classify, polars.DataFrame({"a": ["b"]}))
        self.assertRaisesRegex(TypeError, r"collect\(\)", model.classify, polars.LazyFrame({"a": ["b"]}))
        self.assertRaises(TypeError, model.classify, polars.Series([1, 2]))
        made = headlight.fit(polars.Series(TEXTS), polars.Series(LABELS), train="static", threads=1)
        self.assertEqual(made.labels, ["down", "up"])

    @needs("numpy", "pyarrow")
    def test_arrow(self):
        import pyarrow

        texts = list(self.TEXTS)
        for kind in (
            pyarrow.string(),
            pyarrow.large_string(),
            *([pyarrow.string_view()] if hasattr(pyarrow, "string_view") else []),
        ):
            with self.subTest(kind):
                self.check(pyarrow.array(texts, kind))
                self.check(pyarrow.array(["x", *texts, "y"], kind)[1:-1])
        self.check(pyarrow.array(texts).dictionary_encode())
        self.check(pyarrow.chunked_array([texts[:1], [], texts[1:3], texts[3:]], pyarrow.string()))
        self.assertRaises(TypeError, model.classify, pyarrow.array([1, 2]))
        self.assertRaises(TypeError, model.classify, pyarrow.table({"a": ["b"]}))
        column = pyarrow.array(["a", "x " * 900])
        self.assertIn("more than the", model.classify(column, long_texts="error")[1].error)
        made = headlight.fit(pyarrow.array(TEXTS), pyarrow.array(LABELS), train="static", threads=1)
        self.assertEqual(made.labels, ["down", "up"])

    @needs("numpy", "pyarrow", "duckdb")
    def test_duckdb(self):
        import duckdb

        relation = duckdb.sql("SELECT unnest(['a gorgeous film', 'a dull one']) AS body").to_arrow_table()
        self.assertEqual(read(relation["body"]), ["positive", "negative"])


@needs("numpy", "pyarrow")
class Parquet(unittest.TestCase):
    def setUp(self):
        import pyarrow
        import pyarrow.parquet

        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.source, self.target = os.path.join(self.folder, "in.parquet"), os.path.join(self.folder, "out.parquet")
        self.texts = [None if i % 1000 == 7 else f"a {'good' if i % 3 else 'bad'} film {i}" for i in range(70000)]
        table = pyarrow.table({"n": range(len(self.texts)), "body": self.texts})
        pyarrow.parquet.write_table(table, self.source, row_group_size=30000)

    def read(self):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(self.target)

    def test_rows_keep_their_order_and_a_stopped_run_goes_on(self):
        static = headlight.fit(TEXTS, LABELS, train="static", threads=2)
        calls = []

        class Stopping(headlight.Model):
            def _score(self, *arguments, **how):
                calls.append(arguments)
                if len(calls) == 2:
                    raise KeyboardInterrupt
                return super()._score(*arguments, **how)

        stopping = Stopping(static.name, threads=2)
        batch = functools.partial(headlight.batch_parquet, self.source, self.target, stopping, "body", keep=True)
        self.assertRaises(KeyboardInterrupt, batch)
        self.assertFalse(os.path.exists(self.target))
        self.assertRaisesRegex(
            ValueError, "another input", headlight.batch_parquet, self.source, self.target, static, "n"
        )
        done = []
        stopping._engine_options = (1, "fp32")  # another number of threads is the same run
        self.assertRaises(headlight.Error, batch, progress=lambda share, phase: done.append(share) is None)
        self.assertEqual(batch(), len(self.texts))
        self.assertEqual((len(calls), len(done)), (3, 1))  # the first part was kept
        found = self.read()
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.parquet", "out.parquet"])
        self.assertEqual(found.column_names, ["n", "body", "label", "probability", "error"])
        self.assertEqual(found["body"].to_pylist(), self.texts)
        expected = static.classify(self.texts)
        self.assertEqual(found["label"].to_pylist(), [one.label for one in expected])
        self.assertEqual(found["probability"].to_pylist(), [one.probability for one in expected])
        self.assertEqual(found["error"].null_count, sum(one.error is None for one in expected))
        self.assertEqual(set(found["error"].to_pylist()), {None, "the text is missing"})

    def test_a_stopped_run_does_not_go_on_with_another_file_of_fasttext(self):
        file = os.path.join(self.folder, "m.bin")
        batch = functools.partial(headlight.batch_parquet, self.source, self.target, file, "body", threads=1)
        shutil.copy(program.ROOT / "tests/golden/fasttext/softmax-words.bin", file)
        self.assertRaisesRegex(headlight.Error, "returned True", batch, progress=lambda *_: True)
        shutil.copy(program.ROOT / "tests/golden/fasttext/ova-characters.bin", file)
        self.assertRaisesRegex(ValueError, "another input", batch)

    def test_what_it_refuses(self):
        for message, how in (
            ("no column 'text'; it has n, body", {}),
            ("exists already", {"output": self.source}),
        ):
            how = {"input": self.source, "output": self.target, **how}
            self.assertRaisesRegex(ValueError, message, headlight.batch_parquet, **how)
        self.assertRaisesRegex(TypeError, "not int", headlight.batch_parquet, self.source, self.target, text="n")
        self.assertFalse(os.path.exists(self.target + ".parts"))  # which would refuse the next run

    def test_several_labels_and_values(self):
        import pyarrow

        several = headlight.fit([*TEXTS, "good and bad"], [*LABELS, ["up", "down"]], train="static", threads=1)
        with headlight.Model(GOLDEN / "xlm-roberta-regression", threads=1) as regression:
            parquet = importlib.import_module("headlight._parquet")
            column = pyarrow.array(["the film", None])
            found = parquet.scored_table(several, column).to_pydict()
            self.assertEqual(found["labels"], [one.labels for one in several.classify(column)])
            values = parquet.scored_table(regression, column).to_pydict()["value"]
            self.assertEqual(values, [regression.classify("the film").logits.tolist()[0], None])


@needs("sklearn")
class Estimators(unittest.TestCase):
    @staticmethod
    def rows():
        import numpy

        return TEXTS * 4, numpy.array([1, 0] * 12)

    @staticmethod
    def classifier(**parameters):
        from headlight.sklearn import HeadlightClassifier

        return HeadlightClassifier(**{"train": "static", "threads": 1, **parameters})

    def test_it_trains_and_keeps_the_kind_of_its_classes(self):
        import numpy

        texts, y = self.rows()
        for kind, labels in (("i", y), ("b", y == 1), ("U", numpy.where(y, "up", "down")), ("f", y.astype(float))):
            with self.subTest(kind):
                fitted = self.classifier().fit(texts, labels)
                self.assertEqual((fitted.classes_.dtype.kind, fitted.score(texts, labels)), (kind, 1.0))
        self.assertEqual(list(self.classifier().fit(texts, ["b", "a"] * 12).classes_), ["a", "b"])
        weighted = self.classifier().fit(texts, y, sample_weight=numpy.ones(24))
        self.assertEqual(
            weighted.predict_proba(texts).tolist(), self.classifier().fit(texts, y).predict_proba(texts).tolist()
        )

    def test_an_indicator_matrix_has_several_labels(self):
        import numpy

        texts, _ = self.rows()
        y = numpy.array([[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]] * 4)
        fitted = self.classifier().fit(texts, y)
        self.assertEqual((fitted.predict(texts).shape, fitted.predict_proba(texts).shape), (y.shape, y.shape))
        self.assertGreater((fitted.predict(texts) == y).mean(), 0.8)
        some_none = numpy.array([[1, 0], [0, 1], [0, 0], [0, 1]] * 6)
        fitted = self.classifier().fit(texts, some_none)
        self.assertEqual((fitted._model.report["train_rows"], fitted._model.report["errors"]), (24, 0))
        one_each = numpy.array([[1, 0], [0, 1]] * 12)
        self.assertEqual(self.classifier().fit(texts, one_each).predict(texts).tolist(), one_each.tolist())

    def test_the_tools_of_scikit_learn_take_it(self):
        from headlight.sklearn import HeadlightVectorizer
        from sklearn.base import clone, is_classifier
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer

        texts, y = self.rows()
        self.assertTrue(is_classifier(self.classifier()))
        self.assertEqual(clone(self.classifier(minutes=1)).get_params()["minutes"], 1)
        self.assertEqual(cross_val_score(self.classifier(), texts, y, cv=2, n_jobs=2).mean(), 1.0)
        self.assertEqual(cross_val_predict(self.classifier(), texts, y, cv=2, method="predict_proba").shape, (24, 2))
        self.assertEqual(GridSearchCV(self.classifier(), {"minutes": [1, 2]}, cv=2).fit(texts, y).best_score_, 1.0)
        lower = FunctionTransformer(lambda given: [text.lower() for text in given])
        self.assertEqual(make_pipeline(lower, self.classifier()).fit(texts, y).score(texts, y), 1.0)
        calibrated = CalibratedClassifierCV(self.classifier(), cv=2).fit(texts, y)
        self.assertEqual(calibrated.predict_proba(texts).shape, (24, 2))
        vectors = make_pipeline(HeadlightVectorizer(threads=1), LogisticRegression())
        self.assertEqual(vectors.fit(texts, y).score(texts, y), 1.0)
        self.assertEqual(HeadlightVectorizer().fit().get_feature_names_out().shape, (384,))

    def test_the_workers_of_joblib_share_the_cores(self):
        import joblib
        from headlight.sklearn import _threads

        for workers in (2, 4):
            found = joblib.Parallel(n_jobs=workers)(joblib.delayed(_threads)(0) for _ in range(workers))
            self.assertEqual(found, [max(joblib.cpu_count() // workers, 1)] * workers)
        code = """import joblib
from headlight.sklearn import _threads
for backend in ("multiprocessing", "threading"):
    print(*joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(_threads)(0) for _ in range(2)))
"""
        said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(said, "1 1\n1 1\n")

    def test_it_is_pickled_with_its_files(self):
        texts, y = self.rows()
        fitted = self.classifier().fit(texts, y)
        expected, stored = fitted.predict_proba(texts).tolist(), pickle.dumps(fitted)
        del fitted
        gc.collect()
        code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).predict_proba(['very good']).tolist())"
        said = subprocess.run([sys.executable, "-c", code], input=stored, stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(json.loads(said), [expected[4]])
        self.assertEqual(pickle.loads(pickle.dumps(pickle.loads(stored))).predict_proba(texts).tolist(), expected)
        made = headlight.fit(texts, ["up", "down"] * 12, train="static", threads=1)
        stored = pickle.dumps(type(self.classifier()).from_model(made))
        del made
        gc.collect()
        self.assertEqual(list(pickle.loads(stored).predict(["very good"])), ["up"])

    def test_a_model_that_exists(self):
        from headlight.sklearn import HeadlightClassifier

        path = str(GOLDEN / "bert-three-labels")  # labels no, maybe, yes
        texts = ["a", "a bb", "bb c"]
        made = HeadlightClassifier.from_model(path, threads=1)
        self.assertEqual(list(made.classes_), ["maybe", "no", "yes"])
        with headlight.Model(path, threads=1) as other:
            expected = [[one.probabilities[label] for label in made.classes_] for one in other.classify(texts)]
            self.assertEqual(list(made.predict(texts)), [one.label for one in other.classify(texts)])
        self.assertEqual(made.predict_proba(texts).tolist(), expected)
        self.assertEqual(pickle.loads(pickle.dumps(made)).predict_proba(texts).tolist(), expected)
        self.assertRaisesRegex(ValueError, "no labels", HeadlightClassifier.from_model, "encoder")
        self.assertRaisesRegex(ValueError, "encoder has no labels", HeadlightClassifier().fit, ["a"])
        self.assertRaisesRegex(ValueError, "not fitted", HeadlightClassifier().predict, ["a"])
        start = HeadlightClassifier(path, threads=1)
        self.assertEqual(start.predict_proba(texts).tolist(), expected)
        self.assertEqual(start.fit(texts).fit(texts, ["no", "yes", "no"]).predict_proba(texts).tolist(), expected)
        self.assertRaisesRegex(ValueError, "lacks: 'perhaps'", start.fit, texts, ["no", "yes", "perhaps"])
        trained = HeadlightClassifier(path, train="head", threads=1).fit(texts * 2, ["b", "a"] * 3)
        self.assertEqual(list(trained.classes_), ["a", "b"])

    def test_what_selects_and_measures_leaves_a_model_that_exists_as_it_is(self):
        import numpy
        from headlight.sklearn import HeadlightClassifier
        from sklearn.base import clone
        from sklearn.model_selection import cross_val_predict, cross_val_score

        path = str(GOLDEN / "bert-three-labels")
        texts, y = ["a", "a bb", "bb c", "c", "b", "bb bb"], numpy.array(["no", "maybe", "yes"] * 2)
        for made in (HeadlightClassifier(path, threads=1), HeadlightClassifier.from_model(path, threads=1)):
            expected = made.predict_proba(texts)
            self.assertEqual(clone(made).fit(texts, y).predict_proba(texts).tolist(), expected.tolist())
            found = cross_val_predict(made, texts, y, cv=2, method="predict_proba")
            self.assertTrue(numpy.array_equal(found, expected))
            places = [list(made.classes_).index(label) for label in y]
            loss = -numpy.log(expected[numpy.arange(6), places].astype(float)).mean()
            self.assertAlmostEqual(-cross_val_score(made, texts, y, cv=2, scoring="neg_log_loss").mean(), loss, 5)

    def test_what_it_refuses(self):
        import numpy

        texts, y = self.rows()
        fitted = self.classifier(max_tokens=4, long_texts="error").fit(texts, y)
        self.assertRaisesRegex(
            ValueError, "text 1: .*more than the 4", fitted.predict, ["a", "one two three four five"]
        )
        self.assertRaisesRegex(ValueError, "text 1 is missing", fitted.predict, ["a", None])
        for message, given, labels in (
            ("not a str", "text", y),
            ("24 texts and y 3 rows", texts, y[:3]),
            ("one class", texts, ["a"] * 24),
            ("continuous", texts, y / 3),
            ("0 texts", [], []),
            ("no label of text 0", texts, [None, "a", "b"] * 8),
            ("several types", texts, numpy.array([1, "a"] * 12, dtype=object)),
            ("indicator matrix", texts, numpy.array([[2, 0], [0, 1]] * 12)),
            ("MultiLabelBinarizer", texts, [["a", "b"], ["c", "d"]] * 12),
            ("MultiLabelBinarizer", texts, [["a", "b"], ["c"]] * 12),
            ("MultiLabelBinarizer", texts, [("a", "b"), ("c", "d")] * 12),
            ("MultiLabelBinarizer", texts, [{"a", "b"}, {"c", "d"}] * 12),
            ("MultiLabelBinarizer", texts, numpy.array([["a", "b"], ["c", "d"]] * 12, dtype=object)),
            ("list of labels, not a str", texts, "ab" * 12),
            ("no label of text 1 .it is empty", texts, ["a", "", "b"] * 8),
            ("no label of text 1 .it is empty", texts, numpy.array(["a", "", "b"] * 8)),
            ("NUL", texts, ["a\0b", "a"] * 12),
            ("spelling of a list", texts, ["['a', 'b']", "c"] * 12),
            ("infinity", texts, [1.0, float("inf")] * 12),
        ):
            with self.subTest(message):
                self.assertRaisesRegex(ValueError, message, self.classifier().fit, given, labels)
        for message, weights in (("2 dimensions", numpy.ones((24, 1))), ("24 texts and 1", [1]), ("convert", "a" * 24)):
            self.assertRaisesRegex(ValueError, message, self.classifier().fit, texts, y, weights)
        expected = fitted.predict(["good film", "bad film"]).tolist()
        for labels in (["a"] * 24, ["['a', 'b']", "c"] * 12, ["a\0b", "c"] * 12):
            self.assertRaises(ValueError, fitted.fit, texts, labels)
            self.assertEqual(fitted.predict(["good film", "bad film"]).tolist(), expected)
        for state in (numpy.random.default_rng(0), 1.5, "1", -1):
            self.assertRaisesRegex(ValueError, "random_state|seed", self.classifier(random_state=state).fit, texts, y)

    def test_a_missing_label_is_refused_whatever_it_is(self):
        import numpy
        from headlight.sklearn import HeadlightClassifier

        missing = [None, float("nan"), numpy.float64("nan"), numpy.datetime64("NaT")]
        kinds = [list, lambda labels: numpy.array(labels, dtype=object)]
        if has("pandas"):
            import pandas

            missing += [pandas.NaT, pandas.NA]
            kinds += [lambda labels: pandas.Series(labels, dtype=object), pandas.DataFrame]
        texts, _ = self.rows()
        start = HeadlightClassifier("sentiment", threads=1)
        for lost in missing:
            for kind in kinds:
                with self.subTest(lost, kind=kind):
                    for labels in (["a", lost, "b"], [1, lost, 2]):
                        self.assertRaisesRegex(
                            ValueError, "no label of text 1", self.classifier().fit, texts, kind(labels * 8)
                        )
                    self.assertRaisesRegex(
                        ValueError, "no label of text 1", start.fit, texts, kind(["positive", lost] * 12)
                    )

    def test_checks_of_scikit_learn_that_are_for_texts(self):
        """The others give a matrix of numbers to fit(), which is no text."""
        from headlight.sklearn import HeadlightVectorizer
        from sklearn.utils import estimator_checks

        names = """check_estimator_cloneable check_estimator_repr check_no_attributes_set_in_init
            check_do_not_raise_errors_in_init_or_set_param check_get_params_invariance check_set_params
            check_parameters_default_constructible check_mixin_order check_valid_tag_types
            check_estimator_tags_renamed check_estimator_get_tags_default_keys""".split()
        for estimator in (self.classifier(), HeadlightVectorizer(threads=1)):
            for name in names:
                check = getattr(estimator_checks, name, None)
                if check is not None:
                    with self.subTest(name, estimator=estimator):
                        check(type(estimator).__name__, estimator)


class Documentation(unittest.TestCase):
    @needs("numpy")
    def test_the_examples_of_docstrings(self):
        for name in ("_model", "_fit", *(["sklearn"] if has("sklearn") else [])):
            module = importlib.import_module(f"headlight.{name}")
            names = {"headlight": headlight, "model": model}
            for test in doctest.DocTestFinder().find(module, globs=names):
                if test.examples:
                    self.assertEqual(doctest.DocTestRunner().run(test).failed, 0, test.name)

    @needs("numpy", "nbclient", "nbformat", "ipykernel")
    def test_the_notebooks_run(self):
        import nbclient
        import nbformat

        for path in sorted((program.ROOT / "apps/examples").glob("*.ipynb")):
            with self.subTest(path.name):
                book = nbformat.read(path, as_version=4)
                self.assertTrue(all(not cell.get("outputs") for cell in book.cells))  # they are stored without
                nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
                shown = [output for cell in book.cells for output in cell.get("outputs", [])]
                self.assertTrue(any("text/html" in output.get("data", {}) for output in shown))
                folder = os.environ.get("HEADLIGHT_PICTURES")
                if folder:
                    nbformat.write(book, os.path.join(folder, path.name))

    @needs("numpy", "mypy", "sklearn")
    def test_a_program_is_typed(self):
        command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--ignore-missing-imports"]
        with tempfile.TemporaryDirectory() as name:
            done = subprocess.run(
                [*command, "--cache-dir", name, program.ROOT / "scripts/checks/robustness/typed_program.py"],
                env={**os.environ, "MYPYPATH": str(program.MODULE)},
                stdout=subprocess.PIPE,
                text=True,
            )
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_memory_stays_flat(self):
        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        made = headlight.fit(TEXTS, LABELS, train="static", threads=1)
        calls = 200_000 if "HEADLIGHT_LONG" in os.environ else 20_000
        before = 0
        for call in range(calls):
            made.classify("so good")
            before = resident() if call == calls // 10 else before
        self.assertLess(resident() - before, 2_000_000)

    def test_signatures_name_every_option(self):
        import inspect

        for call in (model.classify, model.logits, model.embed, model.attention, headlight.Model, model.evaluate):
            self.assertLess(
                {"max_tokens", "long_texts", "plain_text", "heads_off"}, set(inspect.signature(call).parameters)
            )
        for name in headlight.__all__:
            if name != "__version__":
                self.assertTrue(getattr(headlight, name).__doc__, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
