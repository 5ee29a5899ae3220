"""Starts a module of these packages in the virtual environment that it needs."""

import ast
import os
import pathlib
import subprocess
import sys

from common import program

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent

# The modules that can be started, and what `python-env` installs for each.
PACKAGES = {
    "benchmarking.bench": ("numpy", "safetensors"),
    "benchmarking.corpus": ("fasttext", "scikit-learn"),
    "benchmarking.few_labels": (),
    "benchmarking.fit": ("fasttext", "scikit-learn"),
    "benchmarking.library": ("transformers", "onnxruntime", "onnx"),
    "benchmarking.page": ("numpy", "safetensors"),
    "benchmarking.precision": ("sentence-transformers",),
    "benchmarking.rows": (),
    "benchmarking.start": ("transformers",),
    "benchmarking.training": ("transformers",),
    "checks.abi": (),
    "checks.beside": ("torch", "onnxruntime", "pyarrow"),
    "checks.cascade": (),
    "checks.cases": ("tokenizers", "minilm"),
    "checks.classifiers": ("transformers", "minilm"),
    "checks.embed": ("sentence-transformers", "minilm"),
    "checks.exits": ("sentence-transformers", "gliclass", "minilm"),
    "checks.faults": (),
    "checks.fasttext": (),
    "checks.field": (),
    "checks.fit": ("scikit-learn", "minilm"),
    "checks.folders": ("model2vec",),
    "checks.gliclass": ("gliclass", "minilm"),
    "checks.imports": ("transformers",),
    "checks.influence": ("scikit-learn", "minilm"),
    "checks.interventions": ("transformers",),
    "checks.kills": (),
    "checks.labels": ("cleanlab", "minilm"),
    "checks.long_texts": (),
    "checks.pictures": ("numpy",),
    "checks.precision": (),
    "checks.published": ("transformers", "minilm"),
    "checks.python_module": ("scikit-learn",),
    "checks.rank": ("sentence-transformers", "minilm"),
    "checks.rows": (),
    "checks.shards": (),
    "checks.spark": ("pyspark",),
    "checks.token_labels": ("transformers",),
    "checks.tokenizer": ("tokenizers", "minilm"),
    "checks.worst_cases": (),
    "checks.zero_shot": ("transformers",),
    "cluster.spark": ("pyspark",),
    "importing.main": ("torch", "numpy", "safetensors", "tokenizers"),
    "makers.activation_golden": ("numpy",),
    "makers.attention_golden": ("numpy",),
    "makers.character_tables": ("tokenizers",),
    "makers.encoder_start": ("transformers", "minilm"),
    "makers.fasttext_golden": (),
    "makers.folder_golden": ("transformers",),
    "makers.adapter_fixtures": ("peft",),
    "makers.gliclass_fixtures": ("gliclass",),
    "makers.gradient_golden": ("transformers",),
    "makers.grapheme_tables": ("tokenizers",),
    "makers.label_golden": ("cleanlab",),
    "makers.metrics_golden": ("scikit-learn", "pytrec-eval"),
    "makers.optimizer_golden": ("torch", "numpy"),
    "makers.polynomials": ("mpmath",),
    "makers.published_fixtures": ("transformers",),
    "makers.sentence_fixtures": ("sentence-transformers",),
    "makers.static_fixtures": ("model2vec",),
    "makers.token_label_golden": ("transformers",),
    "makers.tokenizer_golden": ("tokenizers",),
    "makers.training_rows": (),
}


def start(module, arguments):
    """Replaces this process by `module`. HEADLIGHT names the program for it in any case."""
    python = sys.executable
    if PACKAGES[module]:
        done = subprocess.run([SCRIPTS / "python-env", *PACKAGES[module]], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(done.returncode)
        python = done.stdout.strip()
    # spark-submit runs cluster/spark.py as a file, which finds its modules beside itself.
    os.environ["PYTHONPATH"] = f"{SCRIPTS}:{SCRIPTS / 'cluster'}"
    os.environ.setdefault("HEADLIGHT", str(program.DEFAULT))
    os.execv(python, [python, "-m", module, *arguments])


def start_one_of(package, command, arguments):
    """Starts the module of `package` that the first argument names; lists the modules if there is none."""
    modules = {module.split(".")[1]: module for module in PACKAGES if module.startswith(package + ".")}
    if not arguments or arguments[0] in ("-h", "--help", "--list"):
        print(f"usage: scripts/{command} NAME [ARGUMENT]..., or NAME --help\n")
        for name, module in modules.items():
            print(f"{name:{max(map(len, modules))}}  {summary(module)}")
        return
    name = arguments[0].replace("-", "_")
    if name not in modules:
        print(f"{command}: unknown name {arguments[0]!r} (known: {', '.join(modules)})", file=sys.stderr)
        sys.exit(2)
    start(modules[name], arguments[1:])


def summary(module):
    """The first line of a module's documentation."""
    source = SCRIPTS / (module.replace(".", "/") + ".py")
    return ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))).splitlines()[0]
