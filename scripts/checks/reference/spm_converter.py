"""A SentencePiece model as the tokenizer that transformers' SpmConverter makes of it, whatever its family."""

from tokenizers import Tokenizer, models, pre_tokenizers

from importing.sentencepiece import UNIGRAM, add_marked_pieces, read_model, spaces_to_pieces


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


def word_model(model):
    if model.kind == UNIGRAM:
        return models.Unigram([(piece.text, piece.score) for piece in model.pieces], model.unk_id, model.byte_fallback)
    ids = {piece.text: number for number, piece in enumerate(model.pieces)}
    return models.BPE(ids, merges_of(ids), unk_token=model.unk_piece, fuse_unk=True, byte_fallback=model.byte_fallback)


def converted(path):
    model = read_model(path)
    tokenizer = Tokenizer(word_model(model))
    add_marked_pieces(tokenizer, model)
    tokenizer.normalizer = spaces_to_pieces(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always" if model.add_dummy_prefix else "never")
    return tokenizer
