"""Writes tests/golden/tokenizer_folders.json: what the reference makes of the tokenizer files of published folders.

    scripts/make folder_golden [-o FILE]

A group is a folder, its files written out, loaded by AutoTokenizer of `transformers`. The folders differ in which file
says what: tokenizer.json or the vocabulary alone, tokenizer_config.json, special_tokens_map.json, added_tokens.json,
added_tokens_decoder. Folders whose tokenizer.json is unusual for its class are left out: release 5 builds those anew
and does not read the file; release 4 and every other reader do.
"""

import json
import os
import pathlib
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"

import transformers
from transformers import AutoTokenizer

from common.command_line import finish, output_path
from common.program import ROOT
from makers.decoder_vocabularies import gemma_files, gpt2_files, qwen_files
from makers.small_vocabularies import (
    AS_GIVEN,
    PAIRS,
    TEXTS,
    WORDS,
    answer,
    bert_files,
    bert_json,
    lines,
    mpnet_files,
    roberta_files,
    roberta_json,
    unigram_json,
    write,
)

OUTPUT = ROOT / "tests/golden/tokenizer_folders.json"

CUT = [("a b ab b a", None, 5), ("a b ab", "b, a b", 8), ("a", "b b b b b", 7)]


def token(content, **rules):
    return {"content": content, "lstrip": False, "rstrip": False, "single_word": False, "normalized": False, **rules}


def configured(files, **fields):
    """The files with fields added to tokenizer_config.json."""
    return {**files, "tokenizer_config.json": {**files.get("tokenizer_config.json", {}), **fields}}


WORDS_FILE = bert_files()
CASED = {"tokenizer_config.json": {"do_lower_case": False}}
ROBERTA_FILES = roberta_files()
MASK_TAKES_BLANK = {"mask_token": token("[MASK]", lstrip=True)}

# Name: model_type, files. The class is that of the model_type where no file names another.
FOLDERS = {
    "BERT, vocab.txt": ("bert", WORDS_FILE),
    "BERT, cased vocab.txt": ("bert", {**WORDS_FILE, **CASED}),
    "BERT, accents kept": ("bert", {**WORDS_FILE, "tokenizer_config.json": {"strip_accents": False}}),
    "BERT, Chinese not spaced": ("bert", {**WORDS_FILE, "tokenizer_config.json": {"tokenize_chinese_chars": False}}),
    "BERT, vocab.txt without a mask": ("bert", {"vocab.txt": lines(word for word in WORDS if word != "[MASK]")}),
    "BERT, vocab.txt without [CLS]": ("bert", {"vocab.txt": lines(word for word in WORDS if word != "[CLS]")}),
    "BERT, a word twice, a blank line, blanks": ("bert", {"vocab.txt": lines(WORDS[:6] + ["", "b ", "a", "##b\t"])}),
    "BERT, mask that takes blanks": ("bert", {**WORDS_FILE, "special_tokens_map.json": MASK_TAKES_BLANK}),
    "BERT, another mask": ("bert", {**WORDS_FILE, "special_tokens_map.json": {"mask_token": "<mask>"}}),
    "BERT, another unknown": ("bert", {**WORDS_FILE, "tokenizer_config.json": {"unk_token": "<mask>"}}),
    "BERT, added_tokens.json": ("bert", {**WORDS_FILE, "added_tokens.json": {"b, a": 19, "</s>": 20}}),
    "BERT, extra special tokens": (
        "bert",
        {**WORDS_FILE, "special_tokens_map.json": {"extra_special_tokens": ["</s>", token("ab", lstrip=True)]}},
    ),
    "BERT, tokenizer.json, lower-cased by default": ("bert", {"tokenizer.json": bert_json(False)}),
    "BERT, tokenizer.json, cased": ("bert", {"tokenizer.json": bert_json(True), **CASED}),
    "BERT, tokenizer.json against special_tokens_map.json": (
        "bert",
        {"tokenizer.json": bert_json(True), "special_tokens_map.json": MASK_TAKES_BLANK},
    ),
    "BERT, added_tokens_decoder": (
        "bert",
        {
            "tokenizer.json": bert_json(True),
            "tokenizer_config.json": {
                "added_tokens_decoder": {
                    "4": {**token("[MASK]", lstrip=True), "special": True},
                    "19": {**token("ab", normalized=True), "special": False},
                }
            },
        },
    ),
    "tokenizer.json as given": ("bert", {"tokenizer.json": bert_json(False), "tokenizer_config.json": AS_GIVEN}),
    "tokenizer.json as given, a named mask": (
        "bert",
        {"tokenizer.json": bert_json(False), "tokenizer_config.json": {**AS_GIVEN, "mask_token": "<mask>"}},
    ),
    "tokenizer.json as given, added_tokens.json": (
        "bert",
        {"tokenizer.json": bert_json(False), "tokenizer_config.json": AS_GIVEN, "added_tokens.json": {"a b": 19}},
    ),
    "special tokens are text": ("bert", {**WORDS_FILE, "tokenizer_config.json": {"split_special_tokens": True}}),
    "cut on the left": ("bert", {**WORDS_FILE, "tokenizer_config.json": {"truncation_side": "left"}}),
    "DistilBERT, Fast class": (
        "distilbert",
        {**WORDS_FILE, "tokenizer_config.json": {"tokenizer_class": "DistilBertTokenizerFast", "do_lower_case": False}},
    ),
    "ELECTRA": (
        "electra",
        {"tokenizer.json": bert_json(True), "tokenizer_config.json": {"tokenizer_class": "ElectraTokenizer"}},
    ),
    "MPNet": ("mpnet", mpnet_files()),
    "MPNet, cased": ("mpnet", {**mpnet_files(), **CASED}),
    "RoBERTa, vocab.json and merges.txt": ("roberta", ROBERTA_FILES),
    "RoBERTa, prefix space": ("roberta", {**ROBERTA_FILES, "tokenizer_config.json": {"add_prefix_space": True}}),
    "RoBERTa, named tokens": (
        "roberta",
        {**ROBERTA_FILES, "special_tokens_map.json": {"mask_token": token("<mask>", lstrip=True), "cls_token": "b"}},
    ),
    "RoBERTa, tokenizer.json": ("roberta", {"tokenizer.json": roberta_json(False)}),
    "RoBERTa, tokenizer.json with a prefix space that the class does not have": (
        "roberta",
        {"tokenizer.json": roberta_json(True)},
    ),
    "RoBERTa, tokenizer.json as given": (
        "roberta",
        {"tokenizer.json": roberta_json(True), "tokenizer_config.json": AS_GIVEN},
    ),
    "GPT-2, vocab.json and merges.txt": ("gpt2", gpt2_files()),
    "GPT-2, prefix space": ("gpt2", configured(gpt2_files(), add_prefix_space=True)),
    "GPT-2, begin and end": ("gpt2", configured(gpt2_files(), add_bos_token=True, add_eos_token=True)),
    "GPT-2, no begin": ("gpt2", configured(gpt2_files(), add_bos_token=True, bos_token=None)),
    "Qwen2, vocab.json and merges.txt": ("qwen2", {name: gpt2_files()[name] for name in ("vocab.json", "merges.txt")}),
    "Qwen3, tokenizer.json with an end": ("qwen3", qwen_files(with_end=True)),
    "Gemma": ("gemma3_text", gemma_files()),
    "Unigram as given": ("xlm-roberta", {"tokenizer.json": unigram_json(), "tokenizer_config.json": AS_GIVEN}),
}


def main():
    output = output_path("make folder_golden", __doc__, OUTPUT)
    groups = []
    for name, (model_type, files) in FOLDERS.items():
        with tempfile.TemporaryDirectory() as folder:
            write(pathlib.Path(folder), {"config.json": {"model_type": model_type}})
            written = write(pathlib.Path(folder), files)
            tokenizer = AutoTokenizer.from_pretrained(folder)
            cases = [answer(tokenizer, text) for text in TEXTS]
            cases += [answer(tokenizer, *given) for given in PAIRS + CUT]
            groups.append({"name": name, "model_type": model_type, "files": written, "cases": cases})
    made = {"transformers": transformers.__version__, "command": "scripts/make folder_golden"}
    text = json.dumps({"made": made, "groups": groups}, ensure_ascii=False, separators=(",", ":"))
    output.write_text(text.replace('{"name"', '\n{"name"') + "\n", encoding="utf-8")
    print(f"{output}: {len(groups)} folders, {sum(len(group['cases']) for group in groups)} cases")


if __name__ == "__main__":
    finish(main)
