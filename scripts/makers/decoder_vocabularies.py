"""Tokenizer files of ModernBERT and of decoders, over few words, as small_vocabularies has them for other families."""

import json

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from makers import small_vocabularies as small
from makers.fixture_table import VOCABULARY

BYTES = small.BYTES[5:]
END = "<|endoftext|>"
# Of Qwen2Tokenizer in transformers.
QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
GEMMA_WORDS = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "a", "b", "▁", "▁a", "ab", "▁ab", ",", "é"]


def byte_words(specials):
    return {word: i for i, word in enumerate(small.filled([*specials, *BYTES], VOCABULARY))}


def byte_tokenizer(specials, prefix_space=False):
    tokenizer = Tokenizer(models.BPE(byte_words(specials), small.MERGES))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def finished(tokenizer, config):
    return {"tokenizer.json": json.loads(tokenizer.to_str()), "tokenizer_config.json": config}


def modernbert_files():
    tokenizer = byte_tokenizer(["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"])
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.post_processor = small.template("[CLS]", "[SEP]", {"[CLS]": 1, "[SEP]": 2})
    tokenizer.add_special_tokens(["[PAD]", "[CLS]", "[SEP]", "[UNK]"])
    tokenizer.add_special_tokens([AddedToken("[MASK]", lstrip=True, normalized=False, special=True)])
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "cls", "sep", "unk", "mask")}
    return finished(tokenizer, {**small.AS_GIVEN, **names, "model_input_names": ["input_ids", "attention_mask"]})


def gpt2_files():
    return {
        "vocab.json": byte_words([END]),
        "merges.txt": "#version: 0.2\n" + small.lines(" ".join(pair) for pair in small.MERGES),
        "tokenizer_config.json": {"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": False},
    }


def llama_files():
    """As of Llama 3: the first token is put in front by the tokenizer.json."""
    tokenizer = byte_tokenizer(["<|pad|>", "<|begin_of_text|>", "<|eot_id|>"])
    start = processors.TemplateProcessing(
        single="<|begin_of_text|> $A",
        pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1",
        special_tokens=[("<|begin_of_text|>", 1)],
    )
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), start])
    tokenizer.add_special_tokens(["<|begin_of_text|>", "<|eot_id|>"])
    names = {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>"}
    return finished(tokenizer, {"tokenizer_class": "PreTrainedTokenizer", **names})


def qwen_files(with_end=False):
    """With an end of each text in the tokenizer.json, which does not ask tokenizer_config.json for it."""
    tokenizer = byte_tokenizer([END])
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN_PATTERN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    if with_end:
        end = processors.TemplateProcessing(single=f"$A {END}", pair=f"$A {END} $B {END}", special_tokens=[(END, 0)])
        tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), end])
    tokenizer.add_special_tokens([END])
    names = {"bos_token": None, "eos_token": END, "pad_token": END, "unk_token": None}
    return finished(tokenizer, {"tokenizer_class": "Qwen2Tokenizer", "add_bos_token": False, **names})


def gemma_files():
    bytes_of_two = [f"<0x{byte:02X}>" for byte in (0xE4, 0xB8, 0xAD, 0xCC, 0x81, 0x0A)]
    words = small.filled([*GEMMA_WORDS, *bytes_of_two], VOCABULARY)
    merges = [("▁", "a"), ("a", "b"), ("▁", "ab")]
    vocabulary = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, fuse_unk=True, unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<bos> $A", pair="<bos> $A <bos>:1 $B:1", special_tokens=[("<bos>", 2)]
    )
    tokenizer.add_special_tokens(GEMMA_WORDS[:5])
    names = {f"{name}_token": f"<{name}>" for name in ("pad", "eos", "bos", "unk", "mask")}
    return finished(
        tokenizer, {"tokenizer_class": "GemmaTokenizer", "add_bos_token": True, "add_eos_token": False, **names}
    )
