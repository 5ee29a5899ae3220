"""A SentencePiece model to the tokenizer.json that the reference's converters make of it.

The file is a protocol buffer, ModelProto of google/sentencepiece's sentencepiece_model.proto: pieces in
field 1 (piece 1, score 2, type 3), the trainer in 2 (model_type 3, byte_fallback 35, unk_id 40, unk_piece 45), the
normalizer in 3 (charsmap 2, add_dummy_prefix 3).
The pipelines are those of transformers' convert_slow_tokenizer.py.
"""

import struct
from dataclasses import dataclass

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from importing.problem import Problem

FILES = ("sentencepiece.bpe.model", "spiece.model", "sentencepiece.model", "spm.model")

UNIGRAM, BPE = 1, 2
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4
REPLACEMENT = "▁"


@dataclass
class Piece:
    text: str
    score: float
    type: int


@dataclass
class Model:
    pieces: list[Piece]
    charsmap: bytes
    kind: int
    byte_fallback: bool
    unk_id: int
    unk_piece: str
    add_dummy_prefix: bool


def find(folder):
    """The SentencePiece model of a folder, or None."""
    return next((folder / name for name in FILES if (folder / name).exists()), None)


def convert(path, config, settings):
    """tokenizer.json for the config's model_type; `settings` is tokenizer_config.json."""
    family = FAMILIES.get(str(config.get("model_type")))
    if family is None:
        found = config.get("model_type")
        raise Problem(f"{path}: model_type is {found!r}, and only {', '.join(FAMILIES)} are made a tokenizer.json")
    model = read_model(path)
    if model.kind != UNIGRAM:
        raise Problem(f"{path}: is not a Unigram model, expected one for these families")
    try:
        return family(model, settings).to_str(pretty=True)
    except Exception as error:  # of tokenizers, about pieces and settings that do not fit
        raise Problem(f"{path}: no tokenizer.json can be made of it: {str(error).partition(chr(10))[0]}") from None


# The file.


def read_model(path):
    try:
        model = model_of(list(wire_fields(path.read_bytes())))
    except (AttributeError, IndexError, KeyError, ValueError, TypeError, struct.error):
        raise Problem(f"{path}: is not a SentencePiece model") from None
    if not model.pieces:
        raise Problem(f"{path}: is not a SentencePiece model: it has no pieces")
    return model


def model_of(fields):
    trainer = dict(field for number, value in fields if number == 2 for field in wire_fields(value))
    normalizer = dict(field for number, value in fields if number == 3 for field in wire_fields(value))
    return Model(
        [read_piece(value) for number, value in fields if number == 1],
        normalizer.get(2, b""),
        trainer.get(3, UNIGRAM),
        bool(trainer.get(35, 0)),
        trainer.get(40, 0),
        trainer.get(45, b"<unk>").decode(errors="replace"),
        bool(normalizer.get(3, 1)),
    )


def read_piece(value):
    fields = dict(wire_fields(value))
    score = struct.unpack("<f", fields[2])[0] if 2 in fields else 0.0
    return Piece(fields.get(1, b"").decode(), score, fields.get(3, NORMAL))


def wire_fields(data):
    """(number, value) of each field: an int where it is a varint, else its bytes."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = read_varint(data, at)
        else:
            size, at = read_varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind] if kind in (1, 5) else -1, at)
            if size < 0 or at + size > len(data):
                raise ValueError
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
        if shift > 63:
            raise ValueError


# The pipelines.


def xlm_roberta(model, settings):
    vocabulary = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    vocabulary += [(piece.text, piece.score) for piece in model.pieces[3:]] + [("<mask>", 0.0)]
    tokenizer = unigram(model, vocabulary, unk_id=3)
    tokenizer.normalizer = spaces_to_pieces(model)
    return finished(tokenizer, roberta_template(vocabulary), ["<s>", "<pad>", "</s>", "<unk>"], "<mask>")


def camembert(model, settings):
    vocabulary = [("<s>NOTUSED", 0.0), ("<pad>", 0.0), ("</s>NOTUSED", 0.0), ("<unk>", 0.0), ("<unk>NOTUSED", -100.0)]
    vocabulary += [(piece.text, piece.score) for piece in model.pieces[1:]] + [("<mask>", 0.0)]
    tokenizer = unigram(model, vocabulary, unk_id=3)
    tokenizer.normalizer = spaces_to_pieces(model)
    special = ["<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED", "<s>", "</s>"]
    return finished(tokenizer, roberta_template(vocabulary), special, "<mask>")


def albert(model, settings):
    vocabulary = [(piece.text, piece.score if may_join(piece.text) else piece.score - 100) for piece in model.pieces]
    unk_id = next((i for i, (text, _) in enumerate(vocabulary) if text == "<unk>"), 0)
    tokenizer = unigram(model, vocabulary, unk_id)
    steps = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
    if not settings.get("keep_accents", False):
        steps += [normalizers.NFKD(), normalizers.StripAccents()]
    if settings.get("do_lower_case", True):
        steps.append(normalizers.Lowercase())
    steps += precompiled(model)
    tokenizer.normalizer = normalizers.Sequence([*steps, normalizers.Replace(Regex(" {2,}"), " ")])
    return finished(tokenizer, bert_template(vocabulary), ["<pad>", "<unk>", "[CLS]", "[SEP]"], "[MASK]")


def deberta_v2(model, settings):
    vocabulary = [(piece.text, piece.score) for piece in model.pieces]
    tokenizer = unigram(model, vocabulary, model.unk_id)
    steps = [normalizers.Lowercase()] if settings.get("do_lower_case", False) else []
    steps += [normalizers.Strip(), *precompiled(model), normalizers.Replace(Regex(" {2,}"), " ")]
    tokenizer.normalizer = normalizers.Sequence(steps)
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    finished(tokenizer, bert_template(vocabulary), special, "[MASK]", takes_blank=False)
    if settings.get("split_by_punct", False):
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Punctuation(behavior="isolated"), tokenizer.pre_tokenizer]
        )
    return tokenizer


FAMILIES = {
    **dict.fromkeys(("xlm-roberta", "xlm-roberta-xl", "gte", "jina_embeddings_v3"), xlm_roberta),
    "camembert": camembert,
    "albert": albert,
    "deberta-v2": deberta_v2,
}


def may_join(text):
    """ALBERT was trained with digits never before a comma at a piece's end; such pieces are made unlikely."""
    return not (len(text) >= 2 and text[-1] == "," and text[-2].isdigit())


def unigram(model, vocabulary, unk_id):
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unk_id, byte_fallback=False))
    add_marked_pieces(tokenizer, model)
    return tokenizer


def add_marked_pieces(tokenizer, model):
    tokenizer.add_tokens(
        [
            AddedToken(piece.text, normalized=False, special=piece.type == CONTROL)
            for piece in model.pieces
            if piece.type in (CONTROL, USER_DEFINED)
        ]
    )


def precompiled(model):
    return [normalizers.Precompiled(model.charsmap)] if model.charsmap else []


def spaces_to_pieces(model):
    return normalizers.Sequence(
        [
            *precompiled(model),
            normalizers.Strip(left=False, right=True),
            normalizers.Replace(Regex(" {2,}"), REPLACEMENT),
        ]
    )


def roberta_template(vocabulary):
    return processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[(token, id_of(vocabulary, token)) for token in ("<s>", "</s>")],
    )


def bert_template(vocabulary):
    return processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[(token, id_of(vocabulary, token)) for token in ("[CLS]", "[SEP]")],
    )


def id_of(vocabulary, token):
    for i, (text, _) in enumerate(vocabulary):
        if text == token:
            return i
    raise Problem(f"the SentencePiece model has no piece {token}")


def finished(tokenizer, template, special, mask, takes_blank=True):
    """With the splitter, and with the special tokens as transformers adds them."""
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=REPLACEMENT, prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement=REPLACEMENT, prepend_scheme="always")
    tokenizer.post_processor = template
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in special])
    tokenizer.add_special_tokens([AddedToken(mask, lstrip=takes_blank, normalized=False, special=True)])
    return tokenizer
