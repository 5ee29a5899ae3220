"""Made folders of tables of vectors, as model2vec and sentence-transformers write them."""

import json
import random

import numpy
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

MODULE = "sentence_transformers.models."


def word_pieces(words):
    """With an unknown token, and special tokens around a text that no table reads."""
    vocabulary = {
        word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words, *("##" + w for w in words)])
    }
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return tokenizer


def whole_words(words):
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(["<unk>", *words])}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def pieces(words):
    """Unigram, whose unknown token is a number."""
    scores = [
        ("<unk>", 0.0),
        ("▁", -2.0),
        *(("▁" + word, -3.0 - 0.01 * i) for i, word in enumerate(words)),
        *((w, -6.0) for w in words),
    ]
    tokenizer = Tokenizer(models.Unigram(scores, unk_id=0))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer


def bytes_of_words(words):
    """Without an unknown token."""
    vocabulary = {symbol: i for i, symbol in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    merges = []
    for word in words:
        for left, right in [(word[:1], word[1:2])]:
            if left in vocabulary and right in vocabulary and left + right not in vocabulary:
                vocabulary[left + right] = len(vocabulary)
                merges.append((left, right))
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


TOKENIZERS = {"word-pieces": word_pieces, "words": whole_words, "unigram": pieces, "bytes": bytes_of_words}


def tensors_of(kind, tokens, width, generator):
    """float32, float16 and int8 tables, and tables whose rows several tokens share, with weights."""
    rows = max(2, tokens // 3) if "shared" in kind else tokens
    table = generator.normal(size=(rows, width)).astype(numpy.float32)
    if "int8" in kind:
        table = numpy.clip(numpy.round(table * 40), -127, 127).astype(numpy.int8)
    elif "float16" in kind:
        table = table.astype(numpy.float16)
    elif "float64" in kind:
        table = table.astype(numpy.float64)
    tensors = {"embeddings": table}
    if "shared" in kind:
        tensors["mapping"] = generator.integers(0, rows, size=tokens, dtype=numpy.int64)
    if "weights" in kind:
        tensors["weights"] = generator.uniform(0.1, 2.0, size=tokens).astype(numpy.float32)
    return tensors


def write_model2vec(folder, tokenizer, kind, width, seed, **config):
    """A folder of model2vec; `kind` names what its tensors have, such as "int8-shared-weights"."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    tensors = tensors_of(kind, tokenizer.get_vocab_size(), width, numpy.random.default_rng(seed))
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"normalize": False, **config}, indent=1) + "\n")


def write_static_embedding(folder, tokenizer, width, seed, normalize=True, truncation=None):
    """A folder of sentence-transformers whose first module is a StaticEmbedding."""
    inside = folder / "0_StaticEmbedding"
    inside.mkdir(parents=True, exist_ok=True)
    if truncation:
        tokenizer.enable_truncation(truncation)
    tokenizer.save(str(inside / "tokenizer.json"))
    table = tensors_of("float32", tokenizer.get_vocab_size(), width, numpy.random.default_rng(seed))["embeddings"]
    save_file({"embedding.weight": table}, inside / "model.safetensors")
    modules = [{"idx": 0, "name": "0", "path": "0_StaticEmbedding", "type": MODULE + "StaticEmbedding"}]
    if normalize:
        modules.append({"idx": 1, "name": "1", "path": "1_Normalize", "type": MODULE + "Normalize"})
        (folder / "1_Normalize").mkdir(exist_ok=True)
    (folder / "modules.json").write_text(json.dumps(modules, indent=1) + "\n")
    (folder / "config_sentence_transformers.json").write_text("{}\n")


def static_embedding_vector(folder, text):
    """What StaticEmbedding.forward and Normalize of sentence-transformers 6.2 give, without torch: the mean of the rows
    of the tokens that tokenizer.json gives without special tokens, 0 without tokens; divided by its length."""
    inside = folder / "0_StaticEmbedding"
    ids = Tokenizer.from_file(str(inside / "tokenizer.json")).encode(text, add_special_tokens=False).ids
    table = load_file(inside / "model.safetensors")["embedding.weight"].astype(numpy.float64)
    mean = table[ids].mean(axis=0) if ids else numpy.zeros(table.shape[1])
    if "Normalize" not in (folder / "modules.json").read_text():
        return mean
    return mean / max(numpy.linalg.norm(mean), 1e-12)


def made_texts(words, count, seed):
    """Texts of the words, of unknown ones, in several scripts; empty and long ones."""
    drawn = random.Random(seed)
    others = ["中文", "naïve", "Ünïcode", "zzzz", "x9", "é", "\t", "  ", "."]
    texts = ["", " ", "zzzz zzzz", "word " * 900, "é" * 9000]
    while len(texts) < count:
        texts.append(
            " ".join(drawn.choice(others if drawn.random() < 0.2 else words) for _ in range(drawn.randint(1, 30)))
        )
    return texts
