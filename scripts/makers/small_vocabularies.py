"""Tokenizer files of published folders, over few words: what the fixtures in tests/golden are made with."""

import json

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    "b",
    "##b",
    "A",
    "é",
    "e",
    ",",
    "<mask>",
    "中",
    "##a",
    "[",
    "]",
    "sep",
    "mask",
]
MPNET_WORDS = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>", "a", "b", "##b", "e", ","]
BYTES = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "a", "b", "Ġ", "Ġa", "ab", "Ġab", ",", "Ã", "©", "Ċ"]
MERGES = [("Ġ", "a"), ("a", "b"), ("Ġ", "ab")]
PIECES = {"▁": -1.5, "a": -2.0, "▁a": -2.25, "b": -3.0, "ab": -3.5, "é": -5.0, ",": -4.0}

TEXTS = [
    "a b ab",
    "A é e\u0301",
    "a [MASK] b",
    "a<mask>",
    " a <mask>  b",
    "a[SEP]b </s><pad>",
    "[sep]",
    "q 中a,b",
    "",
    "  a\nab ",
]
PAIRS = [("a b ab", "b, a"), ("", "ab"), ("[MASK]", "<mask> a")]

AS_GIVEN = {"tokenizer_class": "PreTrainedTokenizerFast"}


def lines(words):
    return "".join(f"{word}\n" for word in words)


def filled(words, size):
    """With words that no text has, up to `size`."""
    return [*words, *(f"filler{number}" for number in range(size - len(words)))]


def bert_files(size=0):
    return {"vocab.txt": lines(filled(WORDS, size))}


def mpnet_files(size=0):
    return {"vocab.txt": lines(filled(MPNET_WORDS, size))}


def roberta_files(size=0):
    return {
        "vocab.json": {word: i for i, word in enumerate(filled(BYTES, size))},
        "merges.txt": "#version: 0.2\n" + lines(" ".join(pair) for pair in MERGES),
    }


def deberta_files(size=0):
    words = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *BYTES[5:]]
    return {
        "vocab.json": {word: i for i, word in enumerate(filled([*words, "[MASK]"], size))},
        "merges.txt": "#version: 0.2\n" + lines(" ".join(pair) for pair in MERGES),
        "tokenizer_config.json": {"tokenizer_class": "DebertaTokenizer"},
    }


def bert_json(lowercase):
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = template("[CLS]", "[SEP]", {"[CLS]": 2, "[SEP]": 3}, segments=True)
    tokenizer.add_special_tokens(WORDS[:5])
    return json.loads(tokenizer.to_str())


def roberta_json(prefix_space):
    tokenizer = Tokenizer(models.BPE({word: i for i, word in enumerate(BYTES)}, MERGES))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, prefix_space)
    tokenizer.add_special_tokens([*BYTES[:4], AddedToken("<mask>", lstrip=True, normalized=False, special=True)])
    return json.loads(tokenizer.to_str())


def template(cls, sep, ids, segments=False):
    middle = f"{sep} $B {sep}" if not segments else f"$B:1 {sep}:1"
    return processors.TemplateProcessing(
        single=f"{cls} $A {sep}",
        pair=f"{cls} $A {sep} {middle}",
        special_tokens=[(token, ids[token]) for token in (cls, sep)],
    )


def unigram_json(size=0, specials=("<s>", "<pad>", "</s>", "<unk>"), mask="<mask>", segments=False):
    """XLM-RoBERTa's, or with ALBERT's special tokens ALBERT's; as published, less the real charsmap."""
    pieces = [*((token, 0.0) for token in specials), *PIECES.items(), (mask, 0.0)]
    pieces += [(word, -20.0) for word in filled([], size - len(pieces))]
    ids = {piece: number for number, (piece, _) in enumerate(pieces)}
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=ids["<unk>" if "<unk>" in ids else "[UNK]"]))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    cls, sep = ("<s>", "</s>") if "<s>" in specials else ("[CLS]", "[SEP]")
    tokenizer.post_processor = template(cls, sep, ids, segments)
    tokenizer.add_special_tokens([*specials, AddedToken(mask, lstrip=True, normalized=False, special=True)])
    return json.loads(tokenizer.to_str())


def write(folder, files):
    """{name: text} of the files as they were written: what is no string is written as JSON."""
    written = {
        name: content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        for name, content in files.items()
    }
    for name, content in written.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")
    return written


def answer(tokenizer, text, pair=None, max_length=None):
    """What the reference makes of a text, as our goldens write it."""
    cut = {} if max_length is None else {"truncation": True, "max_length": max_length}
    encoding = tokenizer(text, pair, return_offsets_mapping=True, return_token_type_ids=True, **cut)
    asked = {"text": text, "pair": pair, "max_length": max_length}
    return {
        **{name: value for name, value in asked.items() if value is not None},
        "tokens": encoding.tokens(),
        "ids": encoding["input_ids"],
        "type_ids": encoding["token_type_ids"],
        "offsets": encoding["offset_mapping"],
    }
