"""What public test suites expect of tokenizers, as a tokenizer, a text and an answer each.

A test of one step of a tokenizer becomes a text for a tokenizer that has this step alone, and a
model that leaves every word as it is.
"""

import dataclasses
import hashlib
import json
import pathlib

from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

from checks.reference import spm_converter

UNCASED_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
BERT_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@dataclasses.dataclass
class Case:
    group: str
    tokenizer: Tokenizer = None
    text: str = ""
    pair: str = None
    expected: dict = None  # some of tokens, ids, type_ids, offsets, other_ids
    left_out: str = ""  # why


def bert_normalizer(**flags):
    off = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return normalizers.BertNormalizer(**{**off, **flags})


def step(normalizer=None, splitter=None, special=()):
    """Words as they are: to a Unigram without pieces each is one unknown token."""
    tokenizer = Tokenizer(models.Unigram([("<unk>", 0.0)], 0, False))
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if splitter is not None:
        tokenizer.pre_tokenizer = splitter
    tokenizer.add_special_tokens(list(special))
    return tokenizer


def bert(words, lower, strip_accents, special, add_special):
    tokenizer = Tokenizer(models.WordPiece(words, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=bool(lower), strip_accents=strip_accents)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens([token for token in special if token in words])
    if add_special:
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", words["[SEP]"]), ("[CLS]", words["[CLS]"]))
    return tokenizer


def byte_level(model, add_special, prefix_space, trim_offsets):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    if add_special:
        tokenizer.add_special_tokens(
            [*("<s>", "<pad>", "</s>", "<unk>"), AddedToken("<mask>", lstrip=True, special=True, normalized=False)]
        )
        ends = ((token, tokenizer.token_to_id(token)) for token in ("</s>", "<s>"))
        tokenizer.post_processor = processors.RobertaProcessing(
            *ends, trim_offsets=trim_offsets, add_prefix_space=prefix_space
        )
    return tokenizer


class Vocabularies:
    """Those of published models that are there; a model is made once."""

    def __init__(self, folder, uncased):
        self.words = {"bert-base-cased": self.read(folder / "bert-base-cased/vocab.txt")}
        if uncased is not None:
            if hashlib.sha256(uncased.read_bytes()).hexdigest() != UNCASED_SHA256:
                raise SystemExit(f"{uncased} is not the vocabulary of bert-base-uncased")
            self.words["bert-base-uncased"] = self.read(uncased)
        self.gpt2 = models.BPE.from_file(str(folder / "gpt2/vocab.json"), str(folder / "gpt2/merges.txt"))
        self.made = {}

    @staticmethod
    def read(path):
        return models.WordPiece.read_file(str(path))

    def once(self, maker, *arguments):
        key = (maker.__name__, *arguments)
        if key not in self.made:
            self.made[key] = maker(*arguments)
        return self.made[key]

    def bert(self, name, lower, add_special):
        return bert(self.words[name], lower, None, BERT_SPECIAL, add_special)

    def roberta(self, add_special, prefix_space, trim_offsets):
        return byte_level(self.gpt2, add_special, prefix_space, trim_offsets)


def expected_of(answer):
    """The fields that a tokenizer decides; masks and decoded texts are not among them."""
    found = {name: answer[name] for name in ("tokens", "ids", "type_ids") if name in answer}
    if "offsets_chars" in answer:
        found["offsets"] = [[0, 0] if offset is None else offset for offset in answer["offsets_chars"]]
    return found


def of_step(case, group):
    """The cases of single steps."""
    kind, text, answer = case["kind"], case["input"], case["expected"]
    kept = [f"a{text}b"]
    if kind == "is_control":
        kept = ["a b"] if text.isspace() else kept
        return Case(
            group, step(bert_normalizer(clean_text=True)), f"a{text}b", expected={"tokens": ["ab"] if answer else kept}
        )
    if kind == "is_whitespace":
        return Case(
            group,
            step(None, pre_tokenizers.WhitespaceSplit()),
            f"a{text}b",
            expected={"tokens": ["a", "b"] if answer else kept},
        )
    if kind == "is_punctuation":
        return Case(
            group,
            step(None, pre_tokenizers.Punctuation()),
            f"a{text}b",
            expected={"tokens": ["a", text, "b"] if answer else kept},
        )
    if kind in ("clean_text", "normalize"):
        flags = case.get("flags", {"clean_text": True})
        return Case(group, step(bert_normalizer(**flags)), text, expected={"tokens": [answer]})
    if kind == "pretokenize":
        place = {len(text[:at].encode()): at for at in range(len(text) + 1)}
        spaced = bert_normalizer(handle_chinese_chars="CJK" in case["source"])
        return Case(
            group,
            step(spaced, pre_tokenizers.BertPreTokenizer()),
            text,
            expected={
                "tokens": answer["tokens"],
                "offsets": [[place[begin], place[end]] for begin, end in answer["offsets_bytes"]],
            },
        )
    if kind == "basic":
        normalizer = normalizers.BertNormalizer(lowercase=case["lower"], strip_accents=case.get("strip_accents"))
        special = case.get("never_split", [])
        return Case(
            group, step(normalizer, pre_tokenizers.BertPreTokenizer(), special), text, expected=expected_of(answer)
        )
    return None


def of_small_vocabulary(case, group):
    """The cases that bring their tokens along."""
    kind, text = case["kind"], case["input"]
    words = {token: number for number, token in enumerate(case["vocab"])}
    if kind == "bpe":
        merges = [tuple(merge.split(" ")) for merge in case["merges"]]
        tokenizer = byte_level(models.BPE(words, merges, unk_token="<unk>"), False, False, True)
    elif kind == "wordpiece":
        tokenizer = Tokenizer(models.WordPiece(words, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    else:
        special = BERT_SPECIAL if case.get("special_split") else []
        tokenizer = bert(words, case["lower"], case.get("strip_accents"), special, False)
    return Case(group, tokenizer, text, expected=expected_of(case["expected"]))


def of_byte_level(case, group, vocabularies):
    """GPT-2's ids, or RoBERTa's, which are another numbering of the same tokens."""
    is_gpt2 = case["vocab"] == "gpt2"
    # rust-tokenizers puts a space before every text and leaves offsets as they are.
    is_rust = "rust-tokenizers" in case["source"]
    add_special = not is_gpt2 and case["add_special"]
    tokenizer = vocabularies.once(vocabularies.roberta, add_special, is_rust, not is_rust)
    expected = expected_of(case["expected"])
    if not is_gpt2:
        expected["other_ids"] = expected.pop("ids")
    return Case(group, tokenizer, case["input"], expected=expected)


def of_bert(case, group, vocabularies):
    name = case["vocab"].removeprefix("google-bert/")
    if name not in vocabularies.words:
        return [Case(group, left_out=f"the vocabulary {name} is not there")]

    def ask(text, pair, expected, add_special=True):
        tokenizer = vocabularies.once(vocabularies.bert, name, case["lower"], add_special)
        return Case(group, tokenizer, text, pair, expected)

    text = case["input"]
    if case["kind"] == "encode_special_layout":
        plain = vocabularies.once(vocabularies.bert, name, case["lower"], False)
        first, second = (plain.encode(part).ids for part in text)
        return [ask(text[0], None, {"ids": [101, *first, 102]}), ask(*text, {"ids": [101, *first, 102, *second, 102]})]
    texts = [text, None] if isinstance(text, str) else text
    expected, add_special = expected_of(case["expected"]), case.get("add_special", False)
    if add_special and len(expected.get("tokens", [])) + 2 == len(expected.get("ids", [])):
        # The tokens are those before the special ones are added.
        return [ask(*texts, {"tokens": expected["tokens"]}, False), ask(*texts, {"ids": expected["ids"]})]
    return [ask(*texts, expected, add_special)]


def collected_cases(path, vocabularies):
    """The file of cases that names a source on each."""
    for case in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["cases"]:
        vocabulary = case.get("vocab")
        of = f" {vocabulary}" if isinstance(vocabulary, str) else ""
        group = f"{case['kind']}{of}"
        if isinstance(vocabulary, list):
            yield of_small_vocabulary(case, group)
        elif vocabulary is None:
            yield of_step(case, group)
        elif vocabulary in ("gpt2", "roberta-base"):
            yield of_byte_level(case, group, vocabularies)
        else:
            yield from of_bert(case, group, vocabularies)


def fixture_cases(path):
    """The file of tokenizers, which stand beside it, and of the ids that they give."""
    path = pathlib.Path(path)
    for name, entry in json.loads(path.read_text(encoding="utf-8")).items():
        source = path.parent / entry["tokenizer"]
        tokenizer = Tokenizer.from_file(str(source)) if source.suffix == ".json" else spm_converter.converted(source)
        for case in entry["cases"]:
            yield Case(f"fixture {name}", tokenizer, case["text"], expected={"ids": case["ids"]})
