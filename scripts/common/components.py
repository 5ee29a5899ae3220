"""The components of a tokenizer.json that a native tokenizer does not have, each in the settings that
published tokenizers use and in some that hurt."""

from tokenizers import Regex, normalizers, pre_tokenizers, processors

from common.charsmap import charsmap

BEHAVIORS = ("isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous")
GPT4 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def splitters():
    """{name: pre-tokenizer} beside those of a native tokenizer."""
    split, metaspace = pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace
    split_at = pre_tokenizers.Split
    byte_level, digits = pre_tokenizers.ByteLevel, pre_tokenizers.Digits
    found = {
        f"Metaspace {scheme}{'' if cut else ', whole'}": metaspace(prepend_scheme=scheme, split=cut)
        for scheme in ("always", "first", "never")
        for cut in (True, False)
    }
    found |= {
        "WhitespaceSplit, Metaspace always": [split, metaspace()],
        "Punctuation, Metaspace first": [
            pre_tokenizers.Punctuation(),
            metaspace(prepend_scheme="first", replacement="_"),
        ],
        "ByteLevel": byte_level(add_prefix_space=False),
        "ByteLevel prefix": byte_level(),
        "ByteLevel prefix, whole": byte_level(use_regex=False),
        "Digits individual, ByteLevel prefix": [digits(True), byte_level()],
        "Digits, ByteLevel whole": [digits(), byte_level(add_prefix_space=False, use_regex=False)],
        "Punctuation, ByteLevel, Digits": [
            pre_tokenizers.Punctuation("contiguous"),
            byte_level(add_prefix_space=False),
            digits(),
        ],
        "GPT-4": [split_at(Regex(GPT4), "isolated"), byte_level(use_regex=False)],
        "Split inverted": split_at(Regex("[a-e]+|\\s"), "removed", True),
        "Split at empty matches": split_at(Regex("(?=[a-e])"), "contiguous"),
        "CharDelimiterSplit": [pre_tokenizers.CharDelimiterSplit("a"), byte_level()],
    }
    found |= {f"Split {behavior}": split_at(Regex("[a-e][a-e]?"), behavior) for behavior in BEHAVIORS}
    found |= {f"Split string {behavior}": split_at("e", behavior) for behavior in BEHAVIORS}
    return {name: pre_tokenizers.Sequence(steps) if isinstance(steps, list) else steps for name, steps in found.items()}


def rule_map():
    """A `precompiled_charsmap` of few rules, some of them longer or shorter than what they replace."""
    return charsmap(
        {
            "\u00e9": "e\u0301",
            "e\u0301": "\u00e9",
            "\u2122": "TM",
            "\u00ad": "",
            "\u200b": "",
            "\r": " ",
            "\r\n": "\n",
            "\u0600": "x",
            "\u00a9": "(c)",
            "\uff76": "\u30ab",
            "ab": "c",
            "\u0301": "",
            "\u0915": "ka",
            "\u0300": "'",
            "\u1100": "g",
            "\ufdfa": "\u0635" * 18,
        }
    )


def normalizing():
    """{name: normalizer} beside those of a native tokenizer."""
    replace, lower = normalizers.Replace, normalizers.Lowercase()
    precompiled = normalizers.Precompiled(rule_map())
    found = {
        "NFC": normalizers.NFC(),
        "NFKC": normalizers.NFKC(),
        "NFKD": normalizers.NFKD(),
        "Nmt": normalizers.Nmt(),
        "Prepend": normalizers.Prepend("ab"),
        "ByteLevel normalizer": normalizers.ByteLevel(),
        "Precompiled": precompiled,
        "XLM-R": [precompiled, normalizers.Strip(left=False), replace(Regex(" {2,}"), "\u2581")],
        "ALBERT": [
            replace("``", '"'),
            replace("''", '"'),
            normalizers.NFKD(),
            normalizers.StripAccents(),
            lower,
            precompiled,
            replace(Regex(" {2,}"), " "),
        ],
        "DeBERTa": [lower, replace(Regex(r"\s{2,}|[\n\r\t]"), " "), normalizers.NFC(), normalizers.Strip()],
        "Llama": [normalizers.Prepend("\u2581"), replace(" ", "\u2581")],
        "Replace, longer and shorter": [replace("a", "xyz"), replace(Regex("[bc]+|\\d\\d"), "-"), replace("e", "")],
        "Replace of nothing": replace(Regex("x*(?=[a-f])"), "_"),
        "NFC, Precompiled, NFKC": [normalizers.NFC(), precompiled, normalizers.NFKC()],
    }
    return {name: normalizers.Sequence(steps) if isinstance(steps, list) else steps for name, steps in found.items()}


def trimming(words):
    """{name: post-processor} that trims offsets."""
    ends = ("[SEP]", words["[SEP]"]), ("[CLS]", words["[CLS]"])
    roberta, byte_level = processors.RobertaProcessing, processors.ByteLevel
    template = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, number) for token, number in ends],
    )
    return {
        "Roberta": roberta(*ends, trim_offsets=True, add_prefix_space=False),
        "Roberta prefix": roberta(*ends, trim_offsets=True, add_prefix_space=True),
        "Roberta whole": roberta(*ends, trim_offsets=False, add_prefix_space=True),
        "trim": byte_level(add_prefix_space=False),
        "trim prefix, template": processors.Sequence([byte_level(), template]),
        "trim twice, template": processors.Sequence([byte_level(), byte_level(), template]),
        "trim, BERT": processors.Sequence([byte_level(add_prefix_space=False), processors.BertProcessing(*ends)]),
    }
