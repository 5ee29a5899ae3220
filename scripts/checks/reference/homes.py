"""What `scripts/check exits` compares of models whose weights were all trained: `fit --train all` keeps their layout.

Random models of every family, small, as `save_pretrained` writes them: with a head, and of the encoder alone, in
float32 and bfloat16. The folder that `headlight fit` makes of each is opened by the reference's Auto classes: no weight
is missing, unexpected or of another shape, tokens are equal, and logits within 1e-4.
"""

import json
import random
import shutil

import torch
import transformers

from checks.reference import classifiers
from common import program
from makers import published_fixtures as fixtures
from makers import small_vocabularies as small
from makers.fixture_table import CLASSIFIER

BOUND = 1e-4
LONGEST = 20


def write_rows(path):
    draw = random.Random(1)
    lines = ["text,label"]
    for number in range(60):
        words = " ".join(draw.choice(["a", "b", "ab", "ba"]) for _ in range(draw.randint(1, 6)))
        lines.append(f"{words},{['no', 'yes'][number % 2]}")
    path.write_text("\n".join(lines) + "\n")


def starts():
    """(name, model, its fixture) of each: the classes of a fixture's family."""
    for name in fixtures.TOKENIZERS:
        family, kind, fields, _ = fixtures.FIXTURES[name]
        if kind != CLASSIFIER or name in fixtures.stacks.FIXTURES:
            continue
        stem = fixtures.FAMILIES[family][0]
        for other in (CLASSIFIER, "Model", "ForMaskedLM", "ForCausalLM"):
            if hasattr(transformers, stem + other):
                yield f"{stem}{other}", fixtures.make_model(family, other, fields, spread=0.2), name


def check_start(name, model, fixture, folder):
    """Whether all agrees; says what was found."""
    start, made = folder / "start", folder / "made"
    for place in (start, made):
        shutil.rmtree(place, ignore_errors=True)
    model.save_pretrained(start)
    small.write(start, fixtures.TOKENIZERS[fixture])
    options = ["--train", "all", "--epochs", 1, "--keep-state", "last", "--format", "json"]
    program.run("fit", folder / "rows.csv", "-m", start, "-o", made, *options)
    if json.loads((made / "config.json").read_text())["model_type"] == "headlight":
        print(f"     {name}: left out, as its files are native")
        return True
    read, report = transformers.AutoModelForSequenceClassification.from_pretrained(
        made, output_loading_info=True, attn_implementation="eager"
    )
    others = [key for keys in report.values() for key in keys]
    tokenizer = transformers.AutoTokenizer.from_pretrained(made)
    inputs = [*((text, None) for text in [*small.TEXTS, "a b " * 12]), *small.PAIRS]
    inputs = [each for each in inputs if tokenizer(*each)["input_ids"]]
    different, worst = classifiers.compare(tokenizer, read.eval(), made, inputs, LONGEST)
    good = not others and different == 0 and worst <= BOUND and read.dtype == torch.float32
    print(
        f"{'ok  ' if good else 'FAIL'} trained: {name}, read as {type(read).__name__}: {len(inputs)} texts, "
        f"{different} with other tokens, logits within {worst:.1e}"
        + (f", other weights {others[:3]}" if others else "")
    )
    return good


def check_trained(folder):
    write_rows(folder / "rows.csv")
    torch.manual_seed(20264)
    good = True
    with torch.enable_grad():  # make_model() asks which numbers are learned
        models = list(starts())
    for name, model, fixture in models:
        for dtype in (torch.float32, torch.bfloat16)[: 1 + name.endswith(CLASSIFIER)]:
            good = check_start(f"{name} ({str(dtype).split('.')[1]})", model.to(dtype), fixture, folder) and good
    return good
