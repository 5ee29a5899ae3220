"""Tries the Python module, with numpy and without, and compares it with the program, float by float.

    scripts/check python-module

HEADLIGHT_LIBRARY names the library (default: build/release/lib/libheadlight.so.0). Needs no package; numpy is tried
where it is installed. python_learning.py tries what trains, and other packages.
"""

import ast
import asyncio
import concurrent.futures
import doctest
import importlib
import importlib.util
import json
import math
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from common import program

GOLDEN = program.ROOT / "tests/golden/published"
LIBRARY = os.environ["HEADLIGHT_LIBRARY"] = program.library()
# Processes of this check find both packages, and do without numpy where this one has to.
os.environ["PYTHONPATH"] = f"{program.MODULE}:{program.ROOT / 'scripts'}"
sys.path.insert(0, str(program.MODULE))
WITHOUT_NUMPY = "HEADLIGHT_CHECK_WITHOUT_NUMPY"


class NoNumpy:
    """On sys.meta_path: no numpy is installed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "sklearn"):
            raise ImportError(f"no module {name}")


if WITHOUT_NUMPY in os.environ:
    sys.meta_path.insert(0, NoNumpy)

headlight = importlib.import_module("headlight")
_library = importlib.import_module("headlight._library")

HAS_NUMPY = WITHOUT_NUMPY not in os.environ and importlib.util.find_spec("numpy") is not None
TEXTS = [
    "not bad at all",
    "a gorgeous, witty, seductive movie",
    "",
    " ",
    "naïve 😀 日本語 film – ein Stück",
    ("a cat sleeps", "an animal réste"),
    ("日本語", ""),
    "[SEP] typed \0 and\nlines",
    "long " * 700,
    *(f"text number {i} is {'good' if i % 3 else 'bad'}" for i in range(60)),
]
BAD = "one two three four five six"  # more than 4 tokens


def bits(values):
    """The float32 numbers of nested lists, which NaN would not compare."""
    if isinstance(values, (list, tuple)):
        return b"".join(map(bits, values))
    return struct.pack("f", values)


def numbers(array):
    """The bytes of an array, whatever it is."""
    return bytes(memoryview(array).cast("B"))


def rows_of_program(command, texts, *options):
    """The rows of texts and pairs, in order; one run reads texts alone, the other pairs."""
    found = {}
    for kind, flags in ((str, []), (tuple, ["--pair-text", "1"])):
        ours = [i for i, text in enumerate(texts) if isinstance(text, kind)]
        rows = [dict(zip("01", [texts[i]] if kind is str else texts[i])) for i in ours]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        how = ["--input-format", "jsonl", "--text", "0", *flags, "--row-errors-ok", "-q", *options]
        found.update(zip(ours, program.rows(command, "-", *how, data=lines)))
    return [found[i] for i in range(len(texts))]


def document_of_program(command, text, *options):
    pair = [] if isinstance(text, str) else ["--pair", text[1]]
    found = program.document(command, "--format", "json", "-q", *options, text if not pair else text[0], *pair)
    return found[0] if isinstance(found, list) else found


def make_multi_label(folder):
    shutil.copytree(GOLDEN / "bert-three-labels", folder, dirs_exist_ok=True)
    config = pathlib.Path(folder, "config.json")
    kind = {"problem_type": "multi_label_classification"}
    config.write_text(json.dumps({**json.loads(config.read_text()), **kind}))


def python(code, *arguments, **how):
    """What a fresh interpreter prints."""
    how.setdefault("check", True)
    done = subprocess.run([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True, **how)
    return done.stdout.strip()


def logits_in_process(_):
    return numbers(shared.logits(TEXTS))


def classify_in_process(model):
    return os.getpid(), model.classify("not bad")


def fail_in_process(model):
    return model.classify("a", long_texts="never")


def setUpModule():
    global model, shared
    model = shared = headlight.Model("sentiment", threads=2)
    unittest.addModuleCleanup(model.close)


class Import(unittest.TestCase):
    def test_importing_loads_neither_numpy_nor_the_library_nor_slow_modules(self):
        code = """import sys
before = set(sys.modules)
import headlight
assert not {"numpy", "dataclasses", "typing", "importlib.metadata"} & (set(sys.modules) - before), sys.modules
assert "libheadlight" not in open("/proc/self/maps").read()
"""
        python(code)

    def test_the_source_is_that_of_python_3_9(self):
        for file in (program.MODULE / "headlight").glob("*.py"):
            ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
        self.assertTrue((program.MODULE / "headlight/py.typed").is_file())

    def test_the_version_is_that_of_the_library(self):
        self.assertRegex(headlight.__version__, r"^\d+\.\d+\.\d+")
        self.assertRaises(AttributeError, getattr, headlight, "nothing")

    def test_library_and_command_are_found_in_the_package_wherever_it_is(self):
        environment = {name: os.environ[name] for name in os.environ if name not in ("HEADLIGHT_LIBRARY", "PYTHONPATH")}
        for packages in ("lib/python3.9/site-packages", "lib64/python3.14t/site-packages", "local/dist-packages", "."):
            with self.subTest(packages), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name).resolve() / packages
                package = folder / "headlight"
                shutil.copytree(program.MODULE / "headlight", package)
                library = package / "lib/headlight" / _library.NAME
                for place, target in ((library, LIBRARY), (package / "bin/headlight", "/bin/echo")):
                    place.parent.mkdir(parents=True)
                    place.symlink_to(target)
                environment["PYTHONPATH"] = str(folder)
                code = "import headlight._library as l; print(l.library_path()); l.library()"
                self.assertEqual(python(code, env=environment), str(library))
                command = [sys.executable, "-m", "headlight", "a b", "--c"]
                self.assertEqual(subprocess.check_output(command, env=environment), b"a b --c\n")
                # What an installer makes of [project.scripts].
                script = folder / "script"
                script.write_text("from headlight.__main__ import main\nmain()\n")
                command = [sys.executable, script, "a b"]
                self.assertEqual(subprocess.check_output(command, env=environment), b"a b\n")

    def test_a_missing_library_is_an_error(self):
        code = "import headlight\ntry: headlight.Model('x')\nexcept headlight.Error as error: print(error)"
        said = python(code, env={**os.environ, "HEADLIGHT_LIBRARY": "/nowhere.so"})
        self.assertIn("/nowhere.so", said)

    def test_without_numpy(self):
        if not HAS_NUMPY:
            self.skipTest("this run is without")
        done = subprocess.run(
            [sys.executable, "-m", "checks.robustness.python_module"],
            env={**os.environ, WITHOUT_NUMPY: "1"},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)


class SameAsProgram(unittest.TestCase):
    def test_predictions(self):
        for name, options, flags in (
            ("sentiment", {}, []),
            ("sentiment-stream", {}, []),
            ("intent", {"max_tokens": 7}, ["--max-length", "7"]),
            ("sentiment", {"long_texts": "window", "plain_text": True}, ["--long", "window", "--plain-text"]),
        ):
            with self.subTest(name, **options), headlight.Model(name, threads=2, **options) as other:
                rows = rows_of_program("batch", TEXTS, "-m", name, "--logits", "--probabilities", *flags)
                found = other.classify(TEXTS)
                bad = dict.fromkeys(other.labels, math.nan)  # the numbers of a bad text
                for key, score in (("logits", other.logits), ("probabilities", other.probabilities)):
                    expected = [list(row.get(key, bad).values()) for row in rows]
                    self.assertEqual(numbers(score(TEXTS)), bits(expected))
                for row, prediction in zip(rows, found):
                    self.assertEqual((prediction.label, prediction.error), (row.get("label"), row.get("error")))
                    self.assertEqual(list(prediction.probabilities), list(row.get("probabilities", ())))
                    self.assertEqual(bits(prediction.probability or 0), bits(row.get("probability", 0)))
                    self.assertEqual(numbers(prediction.logits), bits(list(row.get("logits", bad).values())))
                one = document_of_program("classify", TEXTS[8], "-m", name, *flags)
                self.assertEqual((found[8].tokens, found[8].truncated), (one["tokens"], one.get("truncated", 0)))

    def test_vectors(self):
        with headlight.Model("encoder", threads=1) as encoder:
            rows = rows_of_program("embed", TEXTS, "-m", "encoder", "--format", "jsonl")
            self.assertEqual(numbers(encoder.embed(TEXTS)), bits([row["vector"] for row in rows]))
            self.assertEqual(len(encoder.embed("one")), encoder.embedding_width)
            for score in (encoder.classify, encoder.logits, encoder.probabilities, encoder.explain):
                self.assertRaisesRegex(ValueError, "classification head", score, "one")
            self.assertIsNone(encoder.attention("one").logits)

    def test_tokens(self):
        for text in (text for text in TEXTS if "\0" not in text):
            expected = document_of_program("tokenize", text)
            found = model.tokenize(text)
            self.assertEqual(len(found), len(expected["ids"]))
            self.assertEqual((found.ids, found.tokens), (expected["ids"], expected["tokens"]))
            self.assertEqual([list(offset) for offset in found.offsets], expected["offsets"])
            self.assertEqual(found.sequence, expected["sequence"])

    def test_attention(self):
        for name, text in (("sentiment", TEXTS[4]), ("sentiment", TEXTS[5]), ("sentiment-stream", "not bad")):
            with self.subTest(name), headlight.Model(name) as other:
                expected = document_of_program("attention", text, "-m", name)
                found = other.attention(text)
                self.assertEqual(numbers(found.weights), bits(expected["attention"]))
                self.assertEqual(tuple(found.weights.shape[:2]), (len(other.heads), other.heads[0]))
                self.assertEqual((found.ids, found.tokens), (expected["ids"], expected["tokens"]))
                self.assertEqual(numbers(found.logits), bits(list(expected["logits"].values())))

    def test_explanations(self):
        for method in ("occlusion", "shapley", "gradient", "integrated-gradients", "lrp"):
            for text in (TEXTS[4], TEXTS[5]):
                with self.subTest(method):
                    seed = {"seed": 7} if method == "shapley" else {}
                    flags = ["--method", method, *(["--seed", "7"] if seed else [])]
                    expected = document_of_program("explain", text, *flags)
                    found = model.explain(text, method=method, **seed)
                    effects = [list(word["effect"].values()) for word in expected["words"]]
                    self.assertEqual(found.words, [word["word"] for word in expected["words"]])
                    self.assertEqual([list(at) for at in found.offsets], [word["offset"] for word in expected["words"]])
                    self.assertEqual(numbers(found.effects), bits(effects))
                    self.assertEqual(numbers(found.logits), bits(list(expected["logits"].values())))

    def test_what_is_left_open_is_as_the_program_does_it(self):
        rows = "text,label\ngood film,a\nbad film,b\na good one,a\na bad one,b\nvery good,a\nvery bad,b\n"
        text = "good film that is not bad " * 60
        for flags in (["--train", "head", "--long", "window"], ["--train", "static"]):
            with self.subTest(flags), tempfile.TemporaryDirectory() as name:
                how = ["--input-format", "csv", "--label", "label", "-q", *flags, "-o", name]
                program.run("fit", "-", *how, "--force", data=rows)
                with headlight.Model(name, threads=1, long_texts=None) as other:
                    expected = document_of_program("explain", text, "-m", name)
                    found = other.explain(text, method=None)
                    effects = [list(word["effect"].values()) for word in expected["words"]]
                    self.assertEqual(numbers(found.effects), bits(effects))
                    self.assertEqual(numbers(other.logits(text)), bits(list(expected["logits"].values())))

    def test_the_command_is_started(self):
        if _library.command_path() is None:
            self.skipTest("no program beside the library")
        said = subprocess.check_output([sys.executable, "-m", "headlight", "classify", "not bad", "-q"])
        self.assertEqual(said, program.run("classify", "not bad", "-q"))


class Answers(unittest.TestCase):
    def test_arrays_have_their_shape_with_and_without_numpy(self):
        for found, shape in (
            (model.logits(["a", "b", "c", "d"]), (4, 3)),
            (model.logits("a"), (3,)),
            (model.embed([("a", "b")]), (1, 384)),
            (model.explain("not bad").effects, (2, 3)),
        ):
            self.assertEqual(tuple(found.shape), shape)
            self.assertEqual(found.itemsize, 4)
            self.assertEqual(isinstance(found, memoryview), not HAS_NUMPY)
        self.assertEqual(tuple(model.logits([]).shape), (0, 3) if HAS_NUMPY else (0,))
        self.assertEqual(model.classify([]), [])
        self.assertEqual(model.explain("").words, [])

    def test_an_array_outlives_its_model(self):
        with headlight.Model("sentiment", threads=1) as other:
            weights, before = other.attention("not bad").weights, numbers(model.attention("not bad").weights)
        self.assertEqual(numbers(weights), before)

    def test_any_iterable_is_read_in_chunks(self):
        texts = [TEXTS[i % 3] for i in range(2500)]
        expected = numbers(model.logits(texts))
        self.assertEqual(numbers(model.logits(text for text in texts)), expected)
        self.assertEqual(b"".join(numbers(found.logits) for found in model.classify(iter(texts))), expected)
        self.assertRaises(ZeroDivisionError, model.classify, (1 // 0 for _ in "a"))

    def test_a_tuple_alone_is_a_pair_of_a_model_that_reads_pairs(self):
        texts = ("a cat sleeps", "an animal rests")
        rows = "text,other,label\nx,y,a\ny,x,b\nz,x,a\nx,z,b\n"
        how = ["--input-format", "csv", "--label", "label", "-q", "--train", "static"]
        with tempfile.TemporaryDirectory() as name:
            for place, flags in (("single", []), ("pairs", ["--pair-text", "other"])):
                program.run("fit", "-", *how, *flags, "-o", f"{name}/{place}", data=rows)
            for single in ("sentiment", "intent", "sentiment-stream", f"{name}/single"):
                with headlight.Model(single, threads=1) as other:
                    for call in (other.classify, other.logits, other.probabilities, other.embed):
                        self.assertRaisesRegex(TypeError, "this model reads single texts; give a list", call, texts)
                    self.assertEqual(len(other.classify(list(texts))), 2)
                    self.assertEqual(len(other.classify([texts])), 1)
                    self.assertGreater(len(other.tokenize(texts)), len(other.tokenize(texts[0])))
            for pairs in (f"{name}/pairs", str(GOLDEN / "bert-three-labels")):
                with headlight.Model(pairs, threads=1) as other:
                    self.assertEqual(repr(other.classify(texts)), repr(other.classify([texts])[0]))

    def test_bad_texts(self):
        found = model.classify(["a", BAD, "b"], max_tokens=4, long_texts="error")
        self.assertEqual([prediction.label is None for prediction in found], [False, True, False])
        self.assertIn("more than the 4", found[1].error)
        self.assertEqual((found[1].probability, found[1].probabilities, found[0].error), (None, {}, None))
        self.assertTrue(all(map(math.isnan, found[1].logits)))
        self.assertIn("more than the 4", model.classify(BAD, max_tokens=4, long_texts="error").error)
        self.assertIn("not valid UTF-8", model.classify(["a", "b\udfffc"])[1].error)
        for score in (model.logits, model.embed):
            rows = score(["a", BAD], max_tokens=4, long_texts="error").tolist()
            self.assertEqual([math.isnan(row[0]) for row in rows], [False, True])
        with self.assertRaises(headlight.ArgumentError) as caught:
            model.attention(BAD, max_tokens=4, long_texts="error")
        self.assertEqual(caught.exception.status, 3)

    def test_bad_arguments(self):
        for error, call in (
            (ValueError, lambda: model.tokenize("\ud800")),
            (ValueError, lambda: model.classify("a", max_tokens=-1)),
            (ValueError, lambda: model.classify("a", long_texts="never")),
            (ValueError, lambda: model.classify("a", heads_off=[(99, 0)])),
            (ValueError, lambda: model.explain("a", seed=2**64)),
            (ValueError, lambda: headlight.Model("sentiment", threads=2**32)),
            (ValueError, lambda: headlight.Model("sentiment", precision="fp\ud800")),
            (ValueError, lambda: headlight.Model(GOLDEN / "bert-token-labels").classify("a")),
            (headlight.Error, lambda: headlight.Model("no such model")),
            (ValueError, lambda: headlight.Model("sentiment\0")),
            (ValueError, lambda: headlight.Model("sentiment", precision="fp32\0")),
            (ValueError, lambda: model.classify("a", among=["positive\0", "negative"])),
            (ValueError, lambda: model.classify("a", long_texts="truncate\0")),
            (ValueError, lambda: model.zero_shot("a", ["film\0", "book"])),
            (TypeError, lambda: model.classify(b"a")),
            (TypeError, lambda: model.classify({"a": 1})),
            (TypeError, lambda: model.classify(1)),
            (TypeError, lambda: model.classify([b"a"])),
            (TypeError, lambda: model.classify(("a", "b", "c"))),
            (TypeError, lambda: model.classify("a", max_tokens=1.5)),
            (TypeError, lambda: model.classify("a", seed=1)),
        ):
            with self.assertRaises(error) as caught:
                call()
            if error is not TypeError:
                self.assertIsInstance(caught.exception, headlight.Error)
                self.assertGreater(caught.exception.status, 0)
                self.assertTrue(str(caught.exception))

    def test_heads_are_switched_off(self):
        every = [(layer, head) for layer in range(3) for head in range(12)]
        expected = numbers(model.logits("not bad", heads_off=every))
        self.assertNotEqual(expected, numbers(model.logits("not bad")))
        found = model.logits(["not bad"] * 1030, heads_off=iter(every))  # more than a chunk
        self.assertEqual(numbers(found), expected * 1030)

    def test_regression_has_a_value_and_no_label(self):
        with headlight.Model(GOLDEN / "xlm-roberta-regression") as other:
            found = other.classify("the film")
            expected = document_of_program("classify", "the film", "-m", other.name)
            self.assertEqual((found.label, found.probability, found.probabilities), (None, None, {}))
            self.assertEqual(numbers(found.logits), bits(expected["value"]))

    def test_labels_of_a_multi_label_model_have_probabilities_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            make_multi_label(folder)
            with headlight.Model(folder) as other:
                found = other.classify("the film")
                for logit, (label, probability) in zip(found.logits.tolist(), found.probabilities.items()):
                    self.assertAlmostEqual(probability, 1 / (1 + math.exp(-logit)), 6, label)
                self.assertEqual(found.probability, max(found.probabilities.values()))

    def test_labels_are_those_that_the_command_gives(self):
        texts = [text for text in TEXTS if isinstance(text, str)]
        with tempfile.TemporaryDirectory() as name:
            make_multi_label(name)
            with headlight.Model(name, threads=1) as other:
                middle = [sorted(column)[len(texts) // 2] for column in zip(*other.probabilities(texts).tolist())]
                self.assertEqual(set(other.thresholds.values()), {0.5})
            thresholds = dict(zip(other.labels, middle))
            thresholds[other.labels[0]] = 0.999
            for stored in (None, thresholds):
                if stored:
                    pathlib.Path(name, "calibration.json").write_text(json.dumps({"thresholds": stored}))
                with self.subTest(stored), headlight.Model(name, threads=1) as other:
                    found = other.classify(texts)
                    expected = [
                        [given["label"] for given in row["labels"]]
                        for row in rows_of_program("batch", texts, "-m", name)
                    ]
                    self.assertEqual([prediction.labels for prediction in found], expected)
                    if stored:
                        self.assertEqual(bits(list(other.thresholds.values())), bits(list(stored.values())))
                        self.assertGreater(len(set(map(tuple, expected))), 2)
                    self.assertIn("labels=[", repr(found[0]))
                    self.assertEqual(pickle.loads(pickle.dumps(found[0])).labels, found[0].labels)
                    self.assertEqual(other.classify(["a\ud800"])[0].labels, [])
        self.assertEqual((model.thresholds, model.classify("not bad").labels), ({}, ["positive"]))
        with headlight.Model(GOLDEN / "xlm-roberta-regression") as other:
            self.assertEqual(other.classify("the film").labels, [])

    def test_a_closed_model_says_so(self):
        with headlight.Model("sentiment-stream", threads=1) as other:
            pass
        other.close()
        self.assertRaisesRegex(headlight.ArgumentError, "closed", other.classify, "a")
        self.assertRaisesRegex(ValueError, "closed", other.tokenize, "a")


class Processes(unittest.TestCase):
    def test_pickled(self):
        again = pickle.loads(pickle.dumps(headlight.Model("sentiment", threads=1, max_tokens=4, heads_off=[[0, 1]])))
        self.assertEqual(repr(again), repr(pickle.loads(pickle.dumps(again))))
        self.assertIn("Model('sentiment', threads=1", repr(again))
        self.assertEqual(again.classify(BAD).tokens, 4)
        found = model.classify(["a", "not bad"])[1]
        copy = pickle.loads(pickle.dumps(found))
        self.assertEqual((repr(copy), numbers(copy.logits)), (repr(found), numbers(found.logits)))
        folder = os.getcwd()
        self.addCleanup(os.chdir, folder)
        os.chdir(GOLDEN)
        self.assertEqual(headlight.Model("bert-three-labels").name, str(GOLDEN / "bert-three-labels"))

    def test_other_processes(self):
        expected = numbers(model.logits(TEXTS))
        for method in ("fork", "spawn"):
            with self.subTest(method), multiprocessing.get_context(method).Pool(2) as pool:
                if method == "fork":
                    self.assertEqual(pool.map(logits_in_process, range(2)), [expected] * 2)
                process, found = pool.apply(classify_in_process, (model,))
                self.assertNotEqual(process, os.getpid())
                self.assertEqual(repr(found), repr(model.classify("not bad")))
                with self.assertRaises(headlight.ArgumentError) as caught:
                    pool.apply(fail_in_process, (model,))
                self.assertEqual(caught.exception.status, 1)

    def test_threads_get_the_same_bytes_and_do_not_wait_for_each_other(self):
        expected = [numbers(model.logits([text])) for text in TEXTS]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            runs = list(pool.map(lambda _: [numbers(model.logits([text])) for text in TEXTS], range(8)))
            self.assertEqual(runs, [expected] * 8)
            busy = pool.submit(model.explain, "one two three four five six seven " * 5, method="shapley")
            rounds = 0
            while not busy.done():
                rounds += 1
                time.sleep(0)
            self.assertGreater(rounds, 100)

    def test_an_event_loop_goes_on_beside_a_call(self):
        async def score_all():
            return await asyncio.gather(*(asyncio.to_thread(model.logits, [text]) for text in TEXTS))

        expected = [numbers(model.logits([text])) for text in TEXTS]
        self.assertEqual([numbers(found) for found in asyncio.run(score_all())], expected)

    def test_an_interrupt_is_heard(self):
        code = """import headlight, sys, threading
model = headlight.Model("sentiment", threads=2)
found = []
other = threading.Thread(target=lambda: found.append(model.explain("one two three " * 6, method="shapley")))
other.start()
text = "a gorgeous, witty, seductive movie that is very long. " * 30
calls = {"classify": lambda: model.classify(f"{i} {text}" for i in range(10 ** 9)),
         "one": lambda: model.logits(" ".join(map(str, range(200000))), long_texts="window"),
         "explain": lambda: model.explain(text, method="shapley")}
print("begun", flush=True)
try:
    calls[sys.argv[1]]()
except KeyboardInterrupt:
    print("heard", model.classify("not bad").label, flush=True)
other.join()
print(len(found[0].words))
"""
        for name in ("classify", "one", "explain"):
            with self.subTest(name):
                child = subprocess.Popen([sys.executable, "-c", code, name], stdout=subprocess.PIPE, text=True)
                with child:
                    self.assertEqual(child.stdout.readline(), "begun\n")
                    time.sleep(0.7)
                    child.send_signal(signal.SIGINT)
                    begun = time.monotonic()
                    self.assertEqual(child.stdout.readline(), "heard positive\n")
                    self.assertLess(time.monotonic() - begun, 3)  # a second, on a machine that is not busy
                    # What another thread computes with the same model goes on.
                    self.assertEqual(child.stdout.read(), "18\n")
                self.assertEqual(child.returncode, 0)

    def test_ends_while_a_thread_computes(self):
        code = """import headlight, threading, time
model = headlight.Model("sentiment", threads=2)
work = lambda: model.explain("one two three four five six seven " * 20, method="shapley")
threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
print("end")
"""
        for _ in range(3):
            self.assertEqual(python(code, timeout=60), "end")


class Readmes(unittest.TestCase):
    def test_their_examples(self):
        for path in (program.ROOT / "README.md", *([program.MODULE / "README.md"] if HAS_NUMPY else [])):
            text = re.sub("^```.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            examples = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
            self.assertGreater(len(examples.examples), 4)
            self.assertEqual(doctest.DocTestRunner().run(examples).failed, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
