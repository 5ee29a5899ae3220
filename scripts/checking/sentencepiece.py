"""A SentencePiece model as the tokenizer.json that transformers' converters make of it.

The fields are those of sentencepiece_model.proto
(https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto).
"""

import dataclasses
import pathlib
import struct

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

UNIGRAM, BPE = 1, 2  # TrainerSpec.ModelType
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4  # SentencePiece.Type


@dataclasses.dataclass
class Model:
    pieces: list  # (piece, score, type), the index is the id
    kind: int
    byte_fallback: bool
    unk_id: int
    unk_piece: str
    charsmap: bytes
    add_dummy_prefix: bool


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """(number, value) of each field of a message: an integer, or the bytes of what is longer."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def read(path):
    message = list(fields(pathlib.Path(path).read_bytes()))
    pieces = []
    for found in (dict(fields(value)) for number, value in message if number == 1):
        score = struct.unpack("<f", found[2])[0] if 2 in found else 0.0
        pieces.append((found[1].decode(), score, found.get(3, NORMAL)))
    trainer, normalizer = ({key: value for number, part in message if number == wanted
                            for key, value in fields(part)} for wanted in (2, 3))
    return Model(pieces, trainer.get(3, UNIGRAM), bool(trainer.get(35, 0)), trainer.get(40, 0),
                 trainer.get(45, b"<unk>").decode(), normalizer.get(2, b""),
                 bool(normalizer.get(3, 1)))


def merges_of(ids):
    """Every cut of a token into two tokens, by the id of the token and then by length."""
    found = []
    for token, rank in ids.items():
        cuts = [(token[:at], token[at:]) for at in range(1, len(token))]
        cuts = [cut for cut in cuts if cut[0] in ids and cut[1] in ids]
        cuts.sort(key=lambda cut: (ids[cut[0]], ids[cut[1]]))
        found += [(rank, len(left), len(right), left, right) for left, right in cuts]
    found.sort(key=lambda merge: merge[:3])
    return [(left, right) for _, _, _, left, right in found]


def word_model(model, vocabulary):
    if model.kind == UNIGRAM:
        return models.Unigram(vocabulary, model.unk_id, model.byte_fallback)
    ids = {piece: number for number, (piece, _) in enumerate(vocabulary)}
    return models.BPE(ids, merges_of(ids), unk_token=model.unk_piece, fuse_unk=True,
                      byte_fallback=model.byte_fallback)


def add_special_tokens(tokenizer, model):
    tokenizer.add_tokens([AddedToken(piece, normalized=False, special=kind == CONTROL)
                          for piece, _, kind in model.pieces if kind in (CONTROL, USER_DEFINED)])


def converted(path):
    """As SpmConverter does it, which the converters of the families start from."""
    model = read(path)
    tokenizer = Tokenizer(word_model(model, [(piece, score) for piece, score, _ in model.pieces]))
    add_special_tokens(tokenizer, model)
    steps = [normalizers.Precompiled(model.charsmap)] if model.charsmap else []
    steps += [normalizers.Strip(left=False, right=True), normalizers.Replace(Regex(" {2,}"), "▁")]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(
        prepend_scheme="always" if model.add_dummy_prefix else "never")
    return tokenizer


def converted_albert(path):
    """As AlbertConverter does it."""
    model = read(path)

    def lowered(piece, score):
        """ALBERT prefers a number and a comma to one token of both."""
        has_comma = len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit()
        return score - 100 if has_comma else score

    tokenizer = Tokenizer(word_model(
        model, [(piece, lowered(piece, score)) for piece, score, _ in model.pieces]))
    add_special_tokens(tokenizer, model)
    steps = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
             normalizers.StripAccents(), normalizers.Lowercase()]
    steps += [normalizers.Precompiled(model.charsmap)] if model.charsmap else []
    steps.append(normalizers.Replace(Regex(" {2,}"), " "))
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")])
    return tokenizer
