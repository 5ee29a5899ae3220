"""Small SentencePiece models, and the tokenizers that the converters of transformers make of them."""

import importlib
import struct
import types


def wire(number, value):
    """A field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(number):
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def pieces_of(family):
    special = {
        "albert": [("<pad>", 3), ("<unk>", 2), ("[CLS]", 3), ("[SEP]", 3), ("[MASK]", 4)],
        "deberta-v2": [("[PAD]", 3), ("[UNK]", 2), ("[CLS]", 3), ("[SEP]", 3)],
    }
    pieces = [(token, 0.0, kind) for token, kind in special.get(family, [("<unk>", 2), ("<s>", 3), ("</s>", 3)])]
    texts = [
        "▁",
        "▁the",
        "▁film",
        "s",
        "ing",
        "▁1",
        "9,",
        "▁(",
        "é",
        "中",
        "▁un",
        "aff",
        "able",
        *"abcdefghijklmnopqrstuvwxyz1,",
    ]
    return pieces + [(text, struct.unpack("<f", struct.pack("<f", -1.5 - i / 7))[0], 1) for i, text in enumerate(texts)]


def model_file(pieces):
    """The bytes of a Unigram model: its pieces, and settings as XLM-RoBERTa publishes them."""
    body = b"".join(
        wire(1, wire(1, text.encode()) + wire(2, score) + (b"" if kind == 1 else wire(3, kind)))
        for text, score, kind in pieces
    )
    body += wire(2, wire(3, 1) + wire(40, 1)) + wire(3, wire(1, b"nmt_nfkc") + wire(3, 1))
    return body


def converter_of(family, pieces, charsmap):
    """transformers' own converter, with the proto handed to it: reading one needs packages that it does not."""
    reference = importlib.import_module("transformers.convert_slow_tokenizer")
    kind = {
        "xlm-roberta": reference.XLMRobertaConverter,
        "camembert": reference.CamembertConverter,
        "albert": reference.AlbertConverter,
        "deberta-v2": reference.DebertaV2Converter,
    }[family]
    proto = types.SimpleNamespace(
        pieces=[types.SimpleNamespace(piece=text, score=score, type=kind) for text, score, kind in pieces],
        trainer_spec=types.SimpleNamespace(model_type=1, unk_id=1 if family in ("albert", "deberta-v2") else 0),
        normalizer_spec=types.SimpleNamespace(precompiled_charsmap=charsmap),
    )
    converter = kind.__new__(kind)
    converter.proto = proto
    ids = {text: i for i, (text, _) in reversed(list(enumerate(converter.vocab(proto))))}
    converter.original_tokenizer = types.SimpleNamespace(
        keep_accents=False,
        do_lower_case=family == "albert",
        split_by_punct=False,
        convert_tokens_to_ids=ids.__getitem__,
    )
    return converter.converted()
