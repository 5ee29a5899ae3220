"""Measures the time and the memory of the worst texts that one can make, for each reader and tokenizer component.

    scripts/check worst_cases [--sizes 1,4,16] [--only bpe] [--slowest 30]

Each row of the table is one text of 1, 4 and 16 MiB on one line: processor seconds, and peak memory in bytes per byte
of text beside that of the same run without a text. A case fails if four times the text takes more than eight times
the time (quadratic is sixteen), or if a run takes longer than --slowest seconds. `explain` cuts each text, and lists
all its words.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from checks.reference.tokenizing import write_model
from common import program
from common.command_line import finish, parser

MIB = 1 << 20
GROWTH = 8.0  # for four times the text: 4 is linear, n log n beyond the caches takes up to 7, quadratic 16
SHORTEST = 0.3  # seconds; below it, the start of the program hides the growth
MOST_BYTES = {"batch": 64, "explain": 256}  # of memory per byte of text; explain lists words of one letter

WORDS = ["[UNK]", "[CLS]", "[SEP]", "a", "b", "aa", "##a", "##aa", "aaaa", "##b", "ab", "\u2581", "\u2581a", "x"]
LADDER = ["a" * 2**k for k in range(10)]  # up to the longest token that is allowed


def byte_tokens():
    """The characters that ByteLevel writes bytes as."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [chr(b) for b in plain] + [chr(256 + i) for i in range(256 - len(plain))]


def pieces(words):
    return {word: i for i, word in enumerate(words)}


def tokenizer(model, **parts):
    return {"version": "1.0", "added_tokens": [], "model": model, **parts}


def tokenizers():
    """{name: tokenizer.json}"""
    word_piece = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": pieces(WORDS),
    }
    endless = word_piece | {
        "max_input_chars_per_word": 1 << 30,
        "vocab": pieces(WORDS + [w for w in LADDER if w not in WORDS]),
    }
    bytes_and_merges = [*byte_tokens(), *LADDER[1:]]
    bpe = {
        "type": "BPE",
        "vocab": pieces(bytes_and_merges),
        "merges": [[w, w] for w in LADDER[:-1]],
    }
    unigram = {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], ["\u2581", -1.0], ["b", -2.0], *[[w, -1.0 - len(w) / 4096] for w in LADDER]],
    }
    bert = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": True,
        "lowercase": True,
    }
    metaspace = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    added = [
        {"id": 3 + i, "content": word, "special": False, "normalized": False}
        for i, word in enumerate(["aaa", "a" * 2047 + "b", "b b"])
    ]
    split = {"type": "Split", "pattern": {"Regex": "a*b|\\s+"}, "behavior": "Isolated", "invert": False}
    forms = {
        "type": "Sequence",
        "normalizers": [{"type": form} for form in ("NFD", "NFKC", "Lowercase", "StripAccents")],
    }
    replace = {"type": "Replace", "pattern": {"String": "a"}, "content": "bb"}
    splits = {"type": "BertPreTokenizer"}
    return {
        "WordPiece, BERT": tokenizer(word_piece, normalizer=bert, pre_tokenizer=splits),
        "WordPiece without a limit": tokenizer(endless, pre_tokenizer=splits),
        "BPE, ByteLevel": tokenizer(bpe, pre_tokenizer=byte_level),
        "BPE, whole text": tokenizer(bpe, pre_tokenizer=byte_level | {"use_regex": False}),
        "Unigram, Metaspace": tokenizer(unigram, pre_tokenizer=metaspace),
        "Unigram, whole text": tokenizer(unigram, pre_tokenizer=metaspace | {"split": False}),
        "added tokens": tokenizer(word_piece, added_tokens=added, pre_tokenizer=splits),
        "normal forms": tokenizer(word_piece, normalizer=forms, pre_tokenizer=splits),
        "Replace": tokenizer(word_piece, normalizer=replace, pre_tokenizer=splits),
        "Split by a pattern": tokenizer(word_piece, pre_tokenizer=split),
    }


EXPLAINING = {
    "occlusion": [],
    "pairs": ["--order", "2"],
    "shapley": ["--method", "shapley"],
    "gradient": ["--method", "gradient"],
    "integrated gradients": ["--method", "integrated-gradients"],
    "smallest change": ["--flip"],
    "lrp": ["--method", "lrp"],
    "faithfulness": ["--faithfulness"],
}

TEXTS = {
    "a": "a",
    "a b": "a b ",
    "blanks": " ",
    "unknown": "\u2603",
    "accents": "\u0301",
    "accents upside down": "\u0301\u0323",
    "long form": "\ufdfa",
    "CJK": "\u4e2d",
    "punctuation": "!",
    "quotes": "'s",
}
BATCH = ["batch"]
READERS = ("txt", "jsonl", "csv", "tsv")


def long_text(unit, size):
    """A line of at most the longest that is read: 16 MiB with what is around it."""
    unit = unit.encode()
    return unit * ((size - 64) // len(unit))


def files(folder, sizes):
    """Yields (name, model, {MiB: file}, command) of all cases."""
    native = write_model(folder / "words", 3, {"type": "whitespace", "vocabulary": ["[UNK]", "a", "b"]}, {})
    for name in READERS:
        units = {"jsonl": "\\\\u00e9", "csv": '""', "tsv": "\\t"} | {}
        for kind, unit in {"plain": "a ", "escaped": units.get(name, "\u00e9")}.items():
            yield f"{name}, {kind}", native, {mib: input_file(folder, name, unit, mib) for mib in sizes}, BATCH
        if name != "txt":
            yield f"{name}, many columns", native, {mib: wide_file(folder, name, mib) for mib in sizes}, BATCH
    for number, (name, document) in enumerate(tokenizers().items()):
        source = folder / f"{number}.json"
        source.write_text(json.dumps(document))
        model = write_model(folder / str(number), 2000, None, {"tokenizer.json": source})
        for kind, unit in TEXTS.items():
            yield f"{name}: {kind}", model, {mib: input_file(folder, "txt", unit, mib) for mib in sizes}, BATCH

    sparse = train_sparse(folder)
    for kind, unit in TEXTS.items():
        yield f"tfidf: {kind}", sparse, {mib: input_file(folder, "txt", unit, mib) for mib in sizes}, BATCH
    for kind, options in EXPLAINING.items():
        texts = {mib: input_file(folder, "jsonl", "a b ", mib) for mib in sizes}
        yield f"explain, {kind}", native, texts, ["explain", *options, "--input"]


def train_sparse(folder):
    """A model whose n-grams are those of the texts."""
    rows = folder / "sparse.csv"
    rows.write_text(
        "text,label\n" + "".join(f'"{3 * unit} {i % 2}",{i % 2}\n' for i, unit in enumerate(TEXTS.values()))
    )
    program.run("fit", rows, "--train", "tfidf", "--dev-share", "0", "-o", folder / "sparse", "-q")
    return folder / "sparse"


def input_file(folder, ending, unit, mib):
    path = folder / f"{mib}.{ending}"
    text = long_text(unit, mib * MIB)
    if ending == "jsonl":
        text = b'{"text":"' + text + b'"}'
    elif ending == "csv":
        text = b'text\n"' + text + b'"'
    elif ending == "tsv":
        text = b"text\n" + text
    path.write_bytes(text + b"\n")
    return path


def wide_file(folder, ending, mib):
    path = folder / f"{mib}.{ending}"
    count = mib * MIB // 16
    names = [f"c{i}" for i in range(count)]
    if ending == "jsonl":
        row = '{"text":"a",' + ",".join(f'"{name}":1' for name in names) + "}"
        path.write_text(f"{row}\n")
    else:
        mark = "," if ending == "csv" else "\t"
        path.write_text(mark.join(["text", *names]) + "\n" + mark.join(["a"] * (count + 1)) + "\n")
    return path


def measure(model, file, slowest, how):
    """Processor seconds and peak memory in bytes; None if it took too long."""
    keeps = ["--keep"] if file.suffix != ".txt" and how[0] == "batch" else []
    command = [program.path(), *how, file, "-m", model, "-q", "--threads", "1", "--max-length", "8", *keeps]
    command += ["--row-errors-ok"]
    begin = time.monotonic()
    child = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if ended:
            break
        if time.monotonic() - begin > slowest:
            child.kill()
            os.wait4(child.pid, 0)
            child.returncode = -9
            return None
        time.sleep(0.002)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise program.ProgramError(f"{' '.join(map(str, command))} ended with status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def row_of(name, model, texts, base, slowest, how):
    """Prints the row of a case and returns what is wrong with it."""
    seconds, wrong, cells = {}, [], []
    for mib, file in texts.items():
        found = measure(model, file, slowest, how)
        if found is None:
            wrong.append(f"more than {slowest} s at {mib} MiB")
            cells.append(f"> {slowest} s")
            break
        seconds[mib], memory = found
        per_byte = max(0.0, memory - base) / (mib * MIB)
        cells.append(f"{seconds[mib]:6.2f} s {per_byte:6.1f}")
        if per_byte > MOST_BYTES[how[0]]:
            wrong.append(f"{per_byte:.0f} bytes of memory per byte at {mib} MiB")
        if seconds.get(mib // 4, 0) > SHORTEST and seconds[mib] > GROWTH * seconds[mib // 4]:
            wrong.append(f"{seconds[mib] / seconds[mib // 4]:.1f} times the time for four times the text")
    print(f"{name:38}  " + "   ".join(cells) + ("" if not wrong else "   " + "; ".join(wrong)), flush=True)
    return wrong


def main():
    options = parser("check worst_cases", __doc__)
    options.add_argument("--sizes", default="1,4,16", help="MiB, each four times the one before")
    options.add_argument("--only", default="", metavar="NAME", help="only cases whose names contain NAME")
    options.add_argument("--slowest", type=float, default=30.0, metavar="SECONDS")
    arguments = options.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    print(f"{'seconds, and memory per byte of text':38}  " + "   ".join(f"{size:6} MiB      " for size in sizes))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, model, texts, how in files(folder, sizes):
            if arguments.only.lower() not in name.lower():
                continue
            empty = folder / "empty.txt"
            empty.write_text("a\n")
            _, base = measure(model, empty, arguments.slowest, how)
            failed += 1 if row_of(name, model, texts, base, arguments.slowest, how) else 0
    print("all cases are within the limits" if failed == 0 else f"{failed} cases are not within the limits")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    finish(main)
