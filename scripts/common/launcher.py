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
    "benchmarking.fasttext_speed": ("numpy",),
    "benchmarking.few_labels": (),
    "benchmarking.fit": ("fasttext", "scikit-learn"),
    "benchmarking.languages": ("scikit-learn",),
    "benchmarking.library": ("transformers", "onnxruntime", "onnx"),
    "benchmarking.models": ("scikit-learn", "vader", "py3langid"),
    "benchmarking.page": ("numpy", "safetensors"),
    "benchmarking.precision": ("sentence-transformers",),
    "benchmarking.rows": (),
    "benchmarking.start": ("transformers",),
    "benchmarking.training": ("transformers",),
    "checks.reference.cases": ("tokenizers", "minilm"),
    "checks.reference.classifiers": ("transformers", "minilm"),
    "checks.reference.embed": ("sentence-transformers", "minilm"),
    "checks.reference.exits": ("sentence-transformers", "gliclass", "minilm"),
    "checks.reference.folders": ("model2vec", "sentence-transformers"),
    "checks.reference.gliclass": ("gliclass", "minilm"),
    "checks.reference.heads": ("setfit", "skops", "safetensors", "minilm"),
    "checks.reference.imports": ("transformers",),
    "checks.reference.interventions": ("transformers",),
    "checks.reference.pipelines": ("scikit-learn", "safetensors"),
    "checks.reference.published": ("transformers", "minilm"),
    "checks.reference.rank": ("sentence-transformers", "minilm"),
    "checks.reference.token_labels": ("transformers",),
    "checks.reference.tokenizer": ("tokenizers", "minilm"),
    "checks.reference.zero_shot": ("transformers",),
    "checks.peers.cascade": (),
    "checks.peers.fasttext": (),
    "checks.peers.fit": ("scikit-learn", "minilm"),
    "checks.peers.influence": ("scikit-learn", "minilm"),
    "checks.peers.labels": ("cleanlab", "minilm"),
    "checks.peers.long_texts": (),
    "checks.robustness.abi": (),
    "checks.robustness.beside": ("torch", "onnxruntime", "pyarrow"),
    "checks.robustness.faults": (),
    "checks.robustness.field": (),
    "checks.robustness.kills": (),
    "checks.robustness.pictures": ("numpy",),
    "checks.robustness.python_learning": ("scikit-learn",),
    "checks.robustness.python_module": ("scikit-learn",),
    "checks.robustness.rows": (),
    "checks.robustness.shards": (),
    "checks.robustness.spark": ("pyspark",),
    "checks.robustness.worst_cases": (),
    "cluster.spark": ("pyspark",),
    "importing.head": ("scikit-learn", "safetensors", "skops"),
    "importing.pipeline": ("scikit-learn", "safetensors"),
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
    "makers.language_rows": (),
    "makers.metrics_golden": ("scikit-learn", "pytrec-eval"),
    "makers.opinion_rows": (),
    "makers.optimizer_golden": ("torch", "numpy"),
    "makers.pipeline_golden": ("scikit-learn", "safetensors"),
    "makers.polynomials": ("mpmath",),
    "makers.published_fixtures": ("transformers",),
    "makers.script_tasks": (),
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
    """Starts the module of `package` that the first argument names; lists them, group by group, if there is none."""
    modules = {module.split(".")[-1]: module for module in PACKAGES if module.startswith(package + ".")}
    if not arguments or arguments[0] in ("-h", "--help", "--list"):
        print(f"usage: scripts/{command} NAME [ARGUMENT]..., or NAME --help")
        group = None
        for name, module in modules.items():
            if group != (group := module.rpartition(".")[0]):
                print(f"\n{summary(group)}\n")
            print(f"{name:{max(map(len, modules))}}  {summary(module)}")
        return
    name = arguments[0].replace("-", "_")
    if name not in modules:
        print(f"{command}: unknown name {arguments[0]!r} (known: {', '.join(modules)})", file=sys.stderr)
        sys.exit(2)
    start(modules[name], arguments[1:])


def summary(module):
    """The first line of the documentation of a module or a package."""
    path = SCRIPTS / module.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))).splitlines()[0]
