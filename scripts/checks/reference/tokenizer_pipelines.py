"""The tokenizers of the reference that `check tokenizer` asks, each for a model directory that says the same."""

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from common import components, reference_tokenizers
from importing import sentencepiece

CODE_POINTS = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]


def punctuation():
    splitter = pre_tokenizers.Punctuation()
    return {c for c in CODE_POINTS if len(splitter.pre_tokenize_str(f"a{c}b")) == 3}


def reference_of(vocabulary, settings):
    removed = None
    if settings.get("remove_punctuation"):
        marks = "".join("\\" + c if c < "\x80" else c for c in sorted(punctuation()))
        removed = normalizers.Replace(Regex(f"[{marks}]"), "")
    return reference_tokenizers.native(models.WordPiece.read_file(str(vocabulary)), settings, removed)


def write_character_vocabulary(path):
    """Every character below U+30000 as a word and as a piece: the later planes have no case, no
    decomposition and no class of their own."""
    characters = [c for c in CODE_POINTS if c < "\U00030000" and c != "\n"]
    tokens = ["[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters, *(f"##{c}" for c in characters)]
    path.write_text("".join(f"{token}\n" for token in tokens), encoding="utf-8", newline="")
    return path


def other_pipelines(words):
    """{name: tokenizer} of components that a native tokenizer does not have."""
    piece = models.WordPiece(words, unk_token="[UNK]")
    prefixed = models.WordPiece(words, unk_token="[UNK]", continuing_subword_prefix="", max_input_chars_per_word=5)
    letters = models.WordPiece(words, unk_token="[UNK]", continuing_subword_prefix="", max_input_chars_per_word=1000)
    split = pre_tokenizers.WhitespaceSplit()
    template = processors.TemplateProcessing(
        single="[SEP]:2 $A:1 [CLS]:0",
        pair="$B:3 [SEP]:1 [SEP]:0 $A:2",
        special_tokens=[("[CLS]", words["[CLS]"]), ("[SEP]", words["[SEP]"])],
    )
    found = {}

    def add(name, model, normalizer, splitter, processor=None, tokens=()):
        tokenizer = found[name] = Tokenizer(model)
        if normalizer is not None:
            tokenizer.normalizer = normalizer
        if splitter is not None:
            tokenizer.pre_tokenizer = splitter
        if processor is not None:
            tokenizer.post_processor = processor
        tokenizer.add_tokens(list(tokens))

    lower = normalizers.Lowercase()
    add("NFD, template", piece, normalizers.NFD(), split, template)
    add(
        "NFD, StripAccents, Lowercase",
        piece,
        normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), lower]),
        pre_tokenizers.Whitespace(),
    )
    add("Strip, no splitter", prefixed, normalizers.Strip(), None)
    add(
        "Strip left, words",
        models.WordLevel(words, unk_token="[UNK]"),
        normalizers.Strip(left=True, right=False),
        split,
        template,
    )
    for behavior in components.BEHAVIORS:
        add(
            f"Punctuation {behavior}",
            prefixed,
            None,
            pre_tokenizers.Sequence([split, pre_tokenizers.Punctuation(behavior)]),
        )
    for name, steps in components.splitters().items():
        add(name, letters, None, steps)
    for name, step in components.normalizing().items():
        add(name, letters, step, split)
    for name, processor in components.trimming(words).items():
        add(
            name,
            letters,
            None,
            pre_tokenizers.ByteLevel(add_prefix_space="prefix" in name),
            processor,
            [AddedToken("[MASK]", special=True, normalized=False, lstrip=True), AddedToken("the")],
        )
    add(
        "added tokens",
        piece,
        lower,
        split,
        template,
        [
            AddedToken("[SEP]", special=True, normalized=False),
            AddedToken("[MASK]", special=True, normalized=False, lstrip=True),
            AddedToken("<mask>", normalized=False, lstrip=True, rstrip=True),
            AddedToken("THE", normalized=True),
            AddedToken("\u00e9", normalized=True),
            AddedToken("un", normalized=False),
            AddedToken("unaff", normalized=False),
            AddedToken("don't", single_word=True),
            AddedToken(" ", normalized=False, single_word=True),
        ],
    )
    return found


def roberta(folder, prefix_space):
    """The vocabulary of `folder` as RoBERTa uses it, with its special tokens behind the others."""
    model = models.BPE.from_file(
        str(folder / "vocab.json"), str(folder / "merges.txt"), continuing_subword_prefix="", end_of_word_suffix=""
    )
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    tokenizer.add_special_tokens(
        [*("<s>", "<pad>", "</s>", "<unk>"), AddedToken("<mask>", lstrip=True, special=True, normalized=False)]
    )
    tokenizer.post_processor = processors.RobertaProcessing(
        *((token, tokenizer.token_to_id(token)) for token in ("</s>", "<s>")), add_prefix_space=prefix_space
    )
    return tokenizer


def published_pipelines(options):
    """(name, tokenizer) of the vocabularies that other families than BERT publish."""
    for folder in options.bpe:
        for prefix_space in (False, True):
            name = f"{folder.name} RoBERTa" + (" prefix_space" if prefix_space else "")
            yield name, roberta(folder, prefix_space)
    for path in options.sentencepiece:
        for family in ("albert", "xlm-roberta"):
            converted = sentencepiece.convert(path, {"model_type": family}, {})
            yield f"{path.parent.name} as {family}", Tokenizer.from_str(converted)
