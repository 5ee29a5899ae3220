"""Compares `headlight tokenize` with the `tokenizers` package, token by token: every code point, given files.

    scripts/check tokenizer --quick
    scripts/check tokenizer --vocabulary VOCAB.txt --texts *.tsv --hostile strings.json
    scripts/check tokenizer --tokenizer-json TOKENIZER.json --quick
    scripts/check tokenizer --bpe gpt2 --sentencepiece albert/spiece.model --quick

Texts: every code point alone and between two letters, the strings of tests/golden, random strings, the lines of
--texts and the strings of --hostile, special tokens as plain text, and pairs that are cut. Every vocabulary is tried
cased and uncased, with the three types of a native tokenizer; a tokenizer.json as it is, a byte-level BPE as RoBERTa's,
a SentencePiece model as ALBERT's and as XLM-RoBERTa's. One more vocabulary has single characters, so that no
difference hides in an unknown word, and tokenizer.json files have the other supported components; --only-given leaves
them out. If neither the vocabulary nor the settings are the usual ones, 64 code points share a text. --quick leaves
out code points, characters and other components; a full run takes an hour. Without a vocabulary or a tokenizer.json,
the uncased vocabulary of the package `minilm` is used.

Tokens, ids, segments, offsets and sequences must be the same. One line per check: texts, and how many differ. Exit
status 1 if any does.

A text that is not a line (it contains a line feed or ends in a carriage return) is passed as an argument; a text that
cannot be an argument either (it contains U+0000) is left out and counted.
"""

import itertools
import json
import os
import pathlib
import random
import tempfile
import unicodedata

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from tokenizers import Tokenizer, models

from checks.reference import tokenizing
from checks.reference.tokenizer_pipelines import (
    CODE_POINTS,
    other_pipelines,
    published_pipelines,
    reference_of,
    write_character_vocabulary,
)
from common import program, reference_tokenizers
from common.command_line import finish, parser

GOLDEN_TEXTS = program.ROOT / "tests/golden/tokenizer_texts.json"
SHARED = 64  # code points that share a text

SETTINGS = [
    {"type": "wordpiece", "lowercase": True, "strip_accents": True},
    {"type": "wordpiece", "lowercase": False, "strip_accents": False},
    # Every code point has a text of its own with these two.
    {"type": "wordpiece", "lowercase": True, "strip_accents": False},
    {"type": "wordpiece", "lowercase": False, "strip_accents": True, "remove_punctuation": True},
    {"type": "words", "lowercase": True, "strip_accents": True},
    {"type": "whitespace", "lowercase": False, "strip_accents": False, "remove_punctuation": True},
]


# Asking both.


def expected(tokenizer, texts, pair, max_length, plain_text):
    tokenizer.encode_special_tokens = plain_text
    tokenizer.no_padding()
    reference_tokenizers.cut(tokenizer, max_length)
    for at in range(0, len(texts), tokenizing.CHUNK):
        inputs = texts[at : at + tokenizing.CHUNK]
        inputs = inputs if pair is None else [(text, pair) for text in inputs]
        for encoding in tokenizer.encode_batch(inputs):
            yield {**reference_tokenizers.fields_of(encoding), "sequence": encoding.sequence_ids}


class Checker:
    def __init__(self, show):
        self.show = show
        self.differing = 0

    def check(self, name, folder, tokenizer, texts, pair=None, max_length=None, plain_text=False):
        """Returns (texts, differing, left out), and shows the first that differ."""
        options = [] if pair is None else ["--pair", pair]
        options += [] if max_length is None else ["--max-length", str(max_length)]
        options += ["--plain-text"] if plain_text else []
        lines = [text for text in texts if tokenizing.is_line(text)]
        others = [text for text in texts if not tokenizing.is_line(text) and "\0" not in text]
        differing = 0
        for group, ask in ((lines, tokenizing.found_by_lines), (others, tokenizing.found_by_arguments)):
            rows = itertools.zip_longest(
                group, expected(tokenizer, group, pair, max_length, plain_text), ask(folder, options, group)
            )
            for text, want, got in rows:
                if got is not None and all(got.get(key) == want[key] for key in want):
                    continue
                differing += 1
                if differing <= self.show:
                    print(f"  {name}: {text!r}\n    expected {want}\n    found    {got}")
        self.differing += differing
        return len(lines) + len(others), differing, len(texts) - len(lines) - len(others)

    def report(self, name, *results):
        texts, differing, left_out = (sum(column) for column in zip(*results))
        note = f"   ({left_out} left out)" if left_out else ""
        print(f"{name:76} {texts:8} texts {differing:6} differ{note}", flush=True)


# Texts.


def sharing(words):
    """Texts of many words; the first ones, which a line cannot hold, are texts of their own."""
    first, rest = words[:SHARED], words[SHARED:]
    return first + [" ".join(rest[at : at + SHARED]) for at in range(0, len(rest), SHARED)]


def random_strings(count, seed):
    """Strings of 1 to 24 characters of all sorts, marks and neighbours of words among them."""
    generator = random.Random(seed)
    marks = [c for c in CODE_POINTS if unicodedata.category(c)[0] == "M"]
    blocks = [CODE_POINTS[at : at + 128] for at in range(0, 0x3000, 128)]
    words = ["the", "Hello", "unaffable", "[SEP]", "[MASK]", "##ing", "café", "don't", " ", "\t"]

    def character():
        kind = generator.random()
        if kind < 0.2:
            return generator.choice(marks)
        if kind < 0.4:
            return generator.choice(words)
        if kind < 0.6:
            return chr(generator.randrange(0x20, 0x7F))
        if kind < 0.9:
            return generator.choice(generator.choice(blocks))
        return generator.choice(CODE_POINTS)

    return ["".join(character() for _ in range(generator.randint(1, 24))) for _ in range(count)]


def check_pairs(checker, name, folder, tokenizer, quick):
    """Pairs of all small lengths, cut to all lengths from 3 up, which the special tokens need; and
    some of a real model's length."""
    words = ["unaffable", "the", "café", "x", "Hello", "[SEP]", "中文", "!", "of"]
    texts = [" ".join(words[:count]) for count in range(len(words) + 1)]
    results = []
    shortest = max(3, tokenizer.num_special_tokens_to_add(True))
    for second in texts[::3] if quick else texts:
        for max_length in range(shortest, 24, 4 if quick else 1):
            results.append(checker.check(name, folder, tokenizer, texts, second, max_length))
    for first, second in ((255, 255), (300, 100), (100, 300), (254, 256), (300, 301)):
        texts = ["the " * first]
        results.append(checker.check(name, folder, tokenizer, texts, "of " * second, 512))
    checker.report(f"{name}: pairs, cut", *results)


def check_all(checker, name, folder, tokenizer, options, alone):
    def one(what, texts, **rest):
        checker.report(f"{name}: {what}", checker.check(name, folder, tokenizer, texts, **rest))

    for what, words in (("", CODE_POINTS), (" between letters", [f"a{c}b" for c in CODE_POINTS])):
        if alone:
            one(f"every code point{what}", words)
        elif not options.quick:
            one(f"every code point{what}, {SHARED} a text", sharing(words))
    golden = json.loads(GOLDEN_TEXTS.read_text(encoding="utf-8"))
    one("strings of tests/golden", golden)
    one("special tokens as text", golden + ["<mask>", "a <mask>", "[MASK]x"], plain_text=True)
    one("random strings", random_strings(2_000 if options.quick else 100_000, options.seed))
    for path in options.texts:
        lines = path.read_text(encoding="utf-8").split("\n")
        one(f"lines of {path.name}", lines)
        one(f"lines of {path.name}, cut", lines[:1000], max_length=16)
    for path in options.hostile:
        one(f"strings of {path.name}", json.loads(path.read_text(encoding="utf-8")))
    check_pairs(checker, name, folder, tokenizer, options.quick)


def main():
    line = parser("check tokenizer", __doc__)
    line.add_argument(
        "--vocabulary", type=pathlib.Path, action="append", default=[], help="a WordPiece vocab.txt; may be repeated"
    )
    line.add_argument("--tokenizer-json", type=pathlib.Path, action="append", default=[])
    line.add_argument(
        "--bpe",
        type=pathlib.Path,
        action="append",
        default=[],
        help="a folder with vocab.json and merges.txt, tried as RoBERTa's",
    )
    line.add_argument(
        "--sentencepiece",
        type=pathlib.Path,
        action="append",
        default=[],
        help="a SentencePiece model, tried as ALBERT's and as XLM-RoBERTa's",
    )
    line.add_argument("--texts", type=pathlib.Path, nargs="+", default=[])
    line.add_argument("--hostile", type=pathlib.Path, nargs="+", default=[], help="JSON lists of strings")
    line.add_argument("--quick", action="store_true", help="without every code point")
    line.add_argument(
        "--only-given", action="store_true", help="without the vocabulary of characters and the other components"
    )
    line.add_argument("--show", type=int, default=3, help="differing texts shown a check")
    line.add_argument("--seed", type=int, default=1)
    options = line.parse_args()
    if not any((options.vocabulary, options.tokenizer_json, options.bpe, options.sentencepiece)):
        packaged = reference_tokenizers.packaged_vocabulary()
        if not packaged:
            line.error("give a --vocabulary, --tokenizer-json, --bpe or --sentencepiece")
        options.vocabulary = [packaged]

    checker = Checker(options.show)
    with tempfile.TemporaryDirectory() as folder:
        folders = (pathlib.Path(folder) / str(number) for number in itertools.count())
        vocabularies = [(path.parent.name, path) for path in options.vocabulary]
        files = [(f"{path.parent.name}/{path.name}", path) for path in options.tokenizer_json]
        published = []
        for name, tokenizer in published_pipelines(options):
            published.append(next(folders))
            tokenizer.save(str(published[-1]))
            files.append((name, published[-1]))
        if not options.quick and not options.only_given:
            characters = write_character_vocabulary(next(folders))
            vocabularies.insert(0, ("characters", characters))
            words = models.WordPiece.read_file(str(characters))
            for name, tokenizer in other_pipelines(words).items():
                files.append((name, next(folders)))
                tokenizer.save(str(files[-1][1]))
        for vocabulary_name, vocabulary in vocabularies:
            for settings in SETTINGS:
                tokenizer = reference_of(vocabulary, settings)
                size = vocabulary.read_bytes().count(b"\n")
                model = tokenizing.write_model(next(folders), size, settings, {"vocab.txt": vocabulary})
                flags = [key for key, value in settings.items() if value is True]
                name = " ".join([vocabulary_name, settings["type"], *flags])
                alone = settings in SETTINGS[:2] and not options.quick
                check_all(checker, name, model, tokenizer, options, alone)
        for name, path in files:
            tokenizer = Tokenizer.from_file(str(path))
            size = 1 + max(tokenizer.get_vocab().values())
            model = tokenizing.write_model(next(folders), size, None, {"tokenizer.json": path})
            alone = path in published and not options.quick
            check_all(checker, name, model, tokenizer, options, alone)
    print(f"{checker.differing} texts differ")
    return 1 if checker.differing else 0


if __name__ == "__main__":
    finish(main)
