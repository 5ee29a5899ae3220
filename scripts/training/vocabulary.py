"""WordPiece vocabularies: train one on texts, cut a large one down, and turn texts into ids.

The tokenizer is the reference's own (the `tokenizers` package), set up as BERT's.
"""

from collections import Counter
from dataclasses import dataclass

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from training.rows import DataError

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@dataclass
class Casing:
    lowercase: bool = True
    strip_accents: bool = True


def make_tokenizer(pieces, casing, max_length=None, special=True):
    """BERT's tokenizer over `pieces`, in the order of their ids; cut to `max_length` ids.

    `special`: whether a text stands between [CLS] and [SEP].
    """
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    if len(vocabulary) != len(pieces):
        raise DataError("the vocabulary has the same piece twice")
    for token in ("[UNK]", "[CLS]", "[SEP]"):
        if token not in vocabulary:
            raise DataError(f"the vocabulary lacks {token}")
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    _set_casing(tokenizer, casing)
    if special:
        ends = [(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")]
        tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    tokenizer.add_special_tokens([token for token in SPECIAL if token in vocabulary])
    if max_length is not None:
        tokenizer.enable_truncation(max_length)
    return tokenizer


def _set_casing(tokenizer, casing):
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=casing.strip_accents, lowercase=casing.lowercase
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()


def encode(tokenizer, texts):
    """The ids of each text, special tokens included."""
    return [encoding.ids for encoding in tokenizer.encode_batch(texts)]


def train_pieces(texts, casing, size, min_frequency):
    """A new vocabulary of at most `size` pieces."""
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    _set_casing(tokenizer, casing)
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, min_frequency=min_frequency, special_tokens=SPECIAL, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    by_piece = tokenizer.get_vocab()
    return sorted(by_piece, key=by_piece.get)


def commonest_pieces(pieces, texts, casing, count):
    """The numbers, in `pieces`' order, of the `count` commonest pieces in `texts`, and besides them
    the special tokens and the single characters that occur: a word whose piece went is still spelt."""
    tokenizer = make_tokenizer(pieces, casing)
    seen = Counter()
    characters = set()
    for encoding in tokenizer.encode_batch(texts, add_special_tokens=False):
        seen.update(encoding.tokens)
    for text in texts:
        characters.update(tokenizer.normalizer.normalize_str(text))
    always = set(SPECIAL) | characters | {"##" + character for character in characters}
    commonest = {piece for piece, _ in seen.most_common(count)}
    return [i for i, piece in enumerate(pieces) if piece in always or piece in commonest]
