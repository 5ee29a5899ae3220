"""Writes tests/golden/tokenizer.json, components.json and windows.json: what the reference tokenizer makes of texts.

    scripts/make tokenizer_golden [-o FOLDER]

Reads tests/golden/tokenizer_texts.json, and makes a vocabulary of its characters and of the words below,
tokenizer_vocabulary.txt. A group of cases has either the settings of a native tokenizer over that vocabulary or a
tokenizer.json of its own.
"""

import json

import tokenizers
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

from common import components
from common.command_line import finish, output_path
from common.program import ROOT
from common.reference_tokenizers import SPECIAL, cut, fields_of, native
from makers.golden_tokenizers import other_tokenizers, subword_tokenizers

GOLDEN = ROOT / "tests/golden"
COMMAND = "scripts/make tokenizer_golden"
WORDS = """the The quick brown fox jump over lazy dog one two three space end hello un able
    cafe café CAFÉ kanto Kant don can we tis tag user http https example org mail first last
    naive façade quoted wow x İ istanbul stanbul οδος ΟΔΟΣ привет ёлка 한국어 バビブ 中文""".split()
PIECES = "##s ##ing ##aff ##able ##x ##e ##fe ##anbul ##t ##ville".split()
PAIRS = [
    ("the quick brown fox", "the lazy dog", 8),
    ("one two", "one two three the end", 8),
    ("one two three", "one two three", 8),
    ("one", "two", None),
    ("[SEP] x", "", None),
    ("the quick brown fox", None, 4),
    ("café", "cafe\u0301 İ 中", 6),
    ("", "", 5),
]
LONGEST = 40  # texts longer than this are in the first group alone


def vocabulary(texts):
    """The special tokens, the words, and each character that a text can come to."""
    uncased = normalizers.BertNormalizer(lowercase=True)
    cased = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    seen = set()
    for text in texts:
        seen |= set(uncased.normalize_str(text)) | set(cased.normalize_str(text))
    characters = sorted(c for c in seen if not c.isspace() and c not in "\u0344\u2e43")
    letters = [f"##{c}" for c in characters if c.isalnum()]
    return list(dict.fromkeys(SPECIAL + WORDS + PIECES + characters + letters))


OTHER_TEXTS = [
    "a b!? é be\u0301 éb",
    "?!a!!b! ?",
    " the a\u0301\u0323 É ",
    "abb abbb xab <mask>  a",
    "The  <mask> THE END[SEP]the",
    "[sep] 中é b\u0903",
    "aé\u0323b \u0344",
    "",
    "  ",
]


SUBWORD_TEXTS = [
    "lower",
    "slow lowwer wow",
    "loooooow ooooo",
    "éé ééé é\u0301",
    "中x中xlo中中",
    "☃ ☃☃low☃",
    "è\u00a0èlè中",
    "<unk> <unk>low<unk>x",
    "LOW",
    "o",
    "l o",
    " low  low<mask>er\n lower ",
    "",
]


def component_groups():
    """Groups of the components of common/components.py, over a vocabulary of most of the characters that
    the texts come to; a group names its components, `model` is the same for all."""
    tokenizers_of = {}
    for name, step in components.normalizing().items():
        tokenizers_of[name] = {"normalizer": step}
    for name, step in components.splitters().items():
        tokenizers_of[name] = {"pre_tokenizer": step}
    ends = {"[CLS]": 1, "[SEP]": 2}
    for name, step in components.trimming(ends).items():
        tokenizers_of[name] = {
            "post_processor": step,
            "pre_tokenizer": pre_tokenizers.ByteLevel(add_prefix_space="prefix" in name),
        }

    def made(model, parts):
        tokenizer = Tokenizer(model)
        for part, component in parts.items():
            setattr(tokenizer, part, component)
        tokenizer.add_tokens([AddedToken("<m>", normalized=False, lstrip=True), AddedToken("ab")])
        return tokenizer

    unknown = models.WordLevel({"[UNK]": 0}, unk_token="[UNK]")
    seen = set()
    for parts in tokenizers_of.values():
        tokenizer = made(unknown, parts)
        for text in COMPONENT_TEXTS:
            normalizer, splitter = tokenizer.normalizer, tokenizer.pre_tokenizer
            normal = normalizer.normalize_str(text) if normalizer else text
            pieces = splitter.pre_tokenize_str(normal) if splitter else [(normal, None)]
            seen.update(*(piece for piece, _ in pieces))
    letters = [*ends, *sorted(seen - {"\u00d7", "\u0135"})]
    vocabulary = {token: number for number, token in enumerate(["[UNK]", *letters])}
    model = models.WordPiece(vocabulary, unk_token="[UNK]", continuing_subword_prefix="", max_input_chars_per_word=1000)
    groups = []
    for name, parts in tokenizers_of.items():
        tokenizer = made(model, parts)
        content = json.loads(tokenizer.to_str())
        named = {key: content[key] for key in (*parts, "added_tokens")}
        cases = [case(tokenizer, text) for text in COMPONENT_TEXTS]
        cases += [case(tokenizer, *pair) for pair in COMPONENT_PAIRS]
        tokenizer.no_truncation()
        for row in cases:
            del row["ids"]  # each token has its own
        groups.append({"name": name, "tokenizer": named, "cases": cases})
    return json.loads(Tokenizer(model).to_str())["model"], groups


COMPONENT_TEXTS = [
    " don't  a1b22\u00bd\t",
    "\u2122\u00adx e\u0301\u0323 \u00e9 <m>  end ",
    "\u00ade <m>a ab",
    "\uac00\u1100\u1161\u11a8 \ufb01 \ufdfa",
    "\u0915\u0300 \u00a9\u200d\u00d7 \u0600a",
    "a\r\nb \u2581c__d",
    "A\u030a \u212b \u0344 \U0001d15e",
    "``e'' !? 12345",
    "",
    "  ",
    "\u0301",
    "<m>",
]
COMPONENT_PAIRS = [(" a b", " c d", 7), ("<m> a", "a <m>", None), ("abc", " \u00e9", 5)]


def case(tokenizer, text, pair=None, max_length=None):
    cut(tokenizer, max_length)
    row = {"text": text, "pair": pair, "max_length": max_length, **fields_of(tokenizer.encode(text, pair))}
    if pair is None:
        row["type_ids"] = None
    return {name: value for name, value in row.items() if value is not None}


def group(name, reference, texts, **how):
    cases = [case(reference, text) for text in texts]
    cases += [case(reference, *pair) for pair in PAIRS]
    reference.no_truncation()
    return {"name": name, **how, "cases": cases}


WINDOW_LENGTHS = [(7, None), (8, None), (23, None), (1, 9), (9, 2), (3, 4), (3, 12), (0, 11)]


def window_groups():
    """The ids of the windows of texts of the words "one" and "two", of at most 10 tokens: what is kept
    and what overflows, in the order of the text. Of a pair only the longer text overflows."""
    words = {token: number for number, token in enumerate([*SPECIAL, "one", "two"])}
    bert = native(words, {})
    roberta = native(words, {})
    roberta.post_processor = processors.RobertaProcessing(("[SEP]", words["[SEP]"]), ("[CLS]", words["[CLS]"]))
    groups = []
    for name, tokenizer in (("BERT", bert), ("RoBERTa", roberta)):
        for direction in ("right", "left"):
            cases = [windows(tokenizer, direction, lengths, stride) for lengths in WINDOW_LENGTHS for stride in (0, 2)]
            tokenizer.no_truncation()
            groups.append(
                {
                    "name": name,
                    "truncation_side": direction,
                    "tokenizer": json.loads(tokenizer.to_str()),
                    "cases": cases,
                }
            )
    return groups


def windows(tokenizer, direction, lengths, stride):
    text, pair = (
        None if length is None else " ".join(("one", "two")[i * i // 3 % 2] for i in range(length))
        for length in lengths
    )
    tokenizer.enable_truncation(10, stride=stride, strategy="longest_first", direction=direction)
    kept = tokenizer.encode(text, pair)
    found = [kept, *kept.overflowing]
    if direction == "left":
        found.reverse()
    row = {"text": text, "pair": pair, "stride": stride, "windows": [[window.ids, window.type_ids] for window in found]}
    return {name: value for name, value in row.items() if value is not None}


def write(path, groups, **more):
    """One case a line, so that a change shows where it is."""

    def compact(value):
        return json.dumps(value, separators=(",", ":"))

    header = {"made_by": COMMAND, "tokenizers": tokenizers.__version__, **more}
    lines = []
    for found in groups:
        head = compact({name: value for name, value in found.items() if name != "cases"})
        cases = ",\n".join(compact(row) for row in found["cases"])
        lines.append(f'{head[:-1]},"cases":[\n{cases}\n]}}')
    path.write_text(f'{compact(header)[:-1]},"groups":[\n' + ",\n".join(lines) + "\n]}\n")


def main():
    folder = output_path("make tokenizer_golden", __doc__, GOLDEN)
    texts = json.loads((GOLDEN / "tokenizer_texts.json").read_text(encoding="utf-8"))
    tokens = vocabulary(texts)
    (folder / "tokenizer_vocabulary.txt").write_text("\n".join(tokens) + "\n", encoding="utf-8")
    words = {token: number for number, token in enumerate(tokens)}
    short = [text for text in texts if len(text) <= LONGEST]
    uncased = {"lowercase": True, "strip_accents": True}
    settings = [
        ("uncased", uncased, texts),
        ("cased", {}, short),
        ("lower case, accents kept", {"lowercase": True, "strip_accents": False}, short),
        ("words", {"type": "words", **uncased}, short),
        ("white space", {"type": "whitespace"}, short),
    ]
    groups = [group(name, native(words, chosen), its_texts, settings=chosen) for name, chosen, its_texts in settings]
    for name, tokenizer in other_tokenizers().items():
        content = json.loads(tokenizer.to_str())
        groups.append(group(name, tokenizer, OTHER_TEXTS, tokenizer=content))
    for name, tokenizer in subword_tokenizers().items():
        # Read again, because that rounds the scores.
        content = tokenizer.to_str()
        reference = Tokenizer.from_str(content)
        groups.append(group(name, reference, SUBWORD_TEXTS, tokenizer=json.loads(content)))
    write(folder / "tokenizer.json", groups)
    write(folder / "windows.json", window_groups())
    model, groups = component_groups()
    write(folder / "components.json", groups, model=model)


if __name__ == "__main__":
    finish(main)
