"""A model directory around a tokenizer, and what `headlight tokenize` answers with it."""

import json
import pathlib
import struct

from common import program

CHUNK = 100_000  # texts a process
ARGUMENT_BYTES = 60_000


def write_model(folder, size, settings, files):
    """A classifier without layers: only its tokenizer is of interest."""
    config = {
        "model_type": "headlight",
        "vocab_size": size,
        "hidden_size": 8,
        "num_hidden_layers": 0,
        "num_attention_heads": 1,
        "position_embedding_type": "none",
        "id2label": {"0": "no", "1": "yes"},
    }
    if settings is not None:
        config["tokenizer"] = settings
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    for name, source in files.items():
        (folder / name).write_bytes(pathlib.Path(source).read_bytes())
    shapes = {"embeddings.token.weight": [size, 8], "classifier.weight": [2, 8], "classifier.bias": [2]}
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


def tokenize(model, *arguments, data=None):
    """The rows of `headlight tokenize`. Status 3: some texts are errors, whose rows then differ."""
    return program.rows("tokenize", "-m", model, "--format", "jsonl", *arguments, data=data, statuses=(0, 3))


def found_by_lines(model, options, texts):
    for at in range(0, len(texts), CHUNK):
        # The first line is ours: a byte-order mark there would not be text.
        lines = ["first", *texts[at : at + CHUNK]]
        yield from tokenize(model, *options, data="".join(f"{line}\n" for line in lines))[1:]


def found_by_arguments(model, options, texts):
    batch, size = [], 0
    for text in texts:
        if batch and size + len(text.encode()) > ARGUMENT_BYTES:
            yield from tokenize(model, *options, "--", *batch)
            batch, size = [], 0
        batch.append(text)
        size += len(text.encode()) + 1
    if batch:
        yield from tokenize(model, *options, "--", *batch)
