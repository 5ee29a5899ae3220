"""The tokenizers whose answers `make tokenizer_golden` writes."""

from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

from common.reference_tokenizers import SPECIAL


def other_tokenizers():
    """{name: tokenizer} of components that a native tokenizer does not have, over few words."""
    tokens = [*SPECIAL, "a", "b", "e", "##e", "##\u0301", "##b", "the", "i", "!", "##!", "?", "中", "s"]
    words = {token: number for number, token in enumerate(tokens)}
    piece = models.WordPiece(words, unk_token="[UNK]", max_input_chars_per_word=6)
    split = pre_tokenizers.WhitespaceSplit()
    found = {}

    def add(name, normalizer, splitter, template=None, added=()):
        tokenizer = found[name] = Tokenizer(piece)
        if normalizer is not None:
            tokenizer.normalizer = normalizer
        if splitter is not None:
            tokenizer.pre_tokenizer = splitter
        if template is not None:
            tokenizer.post_processor = processors.TemplateProcessing(
                single=template[0], pair=template[1], special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
            )
        tokenizer.add_tokens(list(added))

    add("NFD", normalizers.NFD(), split, ("[CLS] $A", "[CLS]:1 $A:1 [SEP]:0 $B:2 [SEP]:0"))
    add(
        "marks and case",
        normalizers.Sequence(
            [normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Strip()]
        ),
        pre_tokenizers.Whitespace(),
    )
    for behavior in ("removed", "merged_with_previous", "merged_with_next", "contiguous"):
        add(behavior, None, pre_tokenizers.Sequence([split, pre_tokenizers.Punctuation(behavior)]))
    add(
        "added tokens",
        normalizers.Lowercase(),
        split,
        added=[
            AddedToken("[SEP]", special=True, normalized=False),
            AddedToken("<mask>", special=True, normalized=False, lstrip=True),
            AddedToken("THE", normalized=True),
            AddedToken("the end", normalized=True),
            AddedToken("ab", normalized=False),
            AddedToken("abb", single_word=True, normalized=False),
        ],
    )
    return found


def subword_tokenizers():
    """{name: tokenizer} of BPE and Unigram models, over few tokens."""
    merges = [("l", "o"), ("lo", "w"), ("e", "r"), ("w", "er"), ("é", "é"), ("o", "o"), ("oo", "oo")]
    marked = [("l", "_o"), ("lo", "_w"), ("_e", "_r."), ("_e", "_s"), ("l", "_o.")]
    unknown = {"unk_token": "<unk>"}
    fallback = ["<0xC3>", "<0xA8>", "<0xE4>", "<0xB8>", "<0xAD>", "<0x20>"]
    letters = ["l", "o", "w", "e", "r", "é"]

    def bpe(pairs, prefix="", more=(), **options):
        tokens = [token for pair in pairs for token in (*pair, pair[0] + pair[1][len(prefix) :])]
        tokens = dict.fromkeys(["<unk>", *letters, *more, *tokens])
        # Every other id is a hole.
        ids = {token: 2 * number for number, token in enumerate(tokens)}
        return models.BPE(ids, pairs, **options)

    scores = {
        "<unk>": 0,
        "l": -2,
        "o": -2.5,
        "w": -2,
        "e": -3,
        "r": -3,
        "lo": -4.5,
        "ow": -4,
        "low": -6,
        "er": -9.02165985107422,
        "oo": -5,
        "ooo": -7.5,
        "中x": -30,
        "é": -4.510829925537109,
        "éé": -9.021659851074219,
        " ": -1,
        " l": -2,
    }
    pieces = list(scores.items())
    bytes_too = [(f"<0x{byte:02X}>", -9.5) for byte in "中è☃".encode()]
    found = {
        "BPE": bpe(merges, **unknown),
        "BPE, unknown ones fused": bpe(merges, fuse_unk=True, **unknown),
        "BPE, unknown ones left out": bpe(merges),
        "BPE, bytes": bpe(merges, more=fallback, byte_fallback=True, fuse_unk=True, **unknown),
        "BPE, prefix and suffix": bpe(
            marked, "_", ["_l", "_r", "o."], continuing_subword_prefix="_", end_of_word_suffix=".", **unknown
        ),
        "BPE, whole words": bpe(merges, more=["slow", "wow", "☃"], ignore_merges=True, **unknown),
        "Unigram": models.Unigram(pieces, 0, False),
        "Unigram, bytes": models.Unigram(pieces[1:] + bytes_too + pieces[:1], len(pieces) + len(bytes_too) - 1, True),
    }
    found = {name: Tokenizer(model) for name, model in found.items()}
    merges = [("Ġ", "l"), ("o", "w"), ("Ġl", "ow"), ("e", "r"), ("Ã", "©"), ("Ġ", "Ġ")]
    found["byte-level BPE"] = tokenizer = Tokenizer(bpe(merges, more=["<s>", "</s>", "Ċ", "x", "<", ">"]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens(["<s>", "</s>", AddedToken("<mask>", lstrip=True, normalized=False)])
    tokenizer.post_processor = processors.RobertaProcessing(
        *((token, tokenizer.token_to_id(token)) for token in ("</s>", "<s>")), add_prefix_space=False
    )
    scores = [("<unk>", 0), ("▁", -2), ("▁low", -4), ("low", -5), ("er", -3), ("▁l", -3), ("o", -2), ("e", -4)]
    found["Unigram, Metaspace"] = tokenizer = Tokenizer(models.Unigram(scores, 0, False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.normalizer = normalizers.NFKC()
    return found
