"""A model directory around a tokenizer, and what `headlight tokenize` says with it."""

import json
import os
import pathlib
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEFAULT = os.environ.get("HEADLIGHT", str(ROOT / "build/release/bin/headlight"))
CHUNK = 100_000  # texts a process
ARGUMENT_BYTES = 60_000


def write_model(folder, size, settings, files):
    """A classifier without layers: only its tokenizer is of interest."""
    config = {
        "model_type": "headlight", "vocab_size": size, "hidden_size": 8, "num_hidden_layers": 0,
        "num_attention_heads": 1, "position_embedding_type": "none",
        "id2label": {"0": "no", "1": "yes"},
    }
    if settings is not None:
        config["tokenizer"] = settings
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    for name, source in files.items():
        (folder / name).write_bytes(pathlib.Path(source).read_bytes())
    shapes = {"embeddings.token.weight": [size, 8], "classifier.weight": [2, 8],
              "classifier.bias": [2]}
    header, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + 4 * shape[0] * (shape[1] if len(shape) == 2 else 1)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + bytes(end))
    return folder


def is_line(text):
    return "\n" not in text and not text.endswith("\r")


def run(command, lines=None):
    data = None if lines is None else "".join(f"{line}\n" for line in lines).encode()
    stdin = {"stdin": subprocess.DEVNULL} if lines is None else {"input": data}
    done = subprocess.run(command, stdout=subprocess.PIPE, **stdin)
    if done.returncode not in (0, 3):  # 3: some texts are errors, which differ
        sys.exit(f"{' '.join(command[:6])} … ended with status {done.returncode}")
    return [json.loads(line) for line in done.stdout.decode().split("\n")[:-1]]


def found_by_lines(command, texts):
    for at in range(0, len(texts), CHUNK):
        # The first line is ours: a byte-order mark there would not be text.
        rows = run(command, ["first", *texts[at : at + CHUNK]])
        yield from rows[1:]


def found_by_arguments(command, texts):
    batch, size = [], 0
    for text in texts:
        if batch and size + len(text.encode()) > ARGUMENT_BYTES:
            yield from run([*command, "--", *batch])
            batch, size = [], 0
        batch.append(text)
        size += len(text.encode()) + 1
    if batch:
        yield from run([*command, "--", *batch])
