"""A copy of the files of a model."""

from __future__ import annotations

import errno
import json
import os
import shutil

_FASTTEXT = (793712314).to_bytes(4, "little")  # how its files begin
_BARE = {  # files beside a bare config NAME.json, and their names in a folder
    ".json": "config.json",
    ".safetensors": "model.safetensors",
    ".weights.json": "weights.json",
    ".calibration.json": "calibration.json",
}


def copy_model(source: str, target: str) -> None:
    """Copies what Model(source) reads, so that Model(target) is the same. Raises FileExistsError."""
    if os.path.basename(source) == "config.json":
        source = os.path.dirname(source)
    if os.path.isdir(source):
        shutil.copytree(source, target)
        _name_base(source, target)
        return
    stem = os.path.splitext(source)[0]
    with open(source, "rb") as file:
        is_fasttext = file.read(len(_FASTTEXT)) == _FASTTEXT
    if is_fasttext:
        ending = ".calibration.json"
        copies = {source: target, stem + ending: os.path.splitext(target)[0] + ending}
        folder = os.path.dirname(os.path.abspath(target))
    else:
        copies = {stem + ending: os.path.join(target, name) for ending, name in _BARE.items()}
        copies = {source: copies.pop(stem + ".json"), **copies}
        folder = target
    taken = next(filter(os.path.lexists, [target, *copies.values()]), None)
    if taken is not None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), taken)
    os.makedirs(folder, exist_ok=True)
    for original, copy in copies.items():
        if os.path.exists(original):
            shutil.copyfile(original, copy)


def _name_base(source: str, target: str) -> None:
    """An adapter may name its base from where it lies."""
    name = os.path.join(target, "adapter_config.json")
    if not os.path.exists(name) or os.path.exists(os.path.join(target, "config.json")):
        return
    with open(name, encoding="utf-8") as file:
        config = json.load(file)
    base = config["base_model_name_or_path"]
    for folder in (base, os.path.join(source, base)):
        if os.path.isdir(folder):
            config["base_model_name_or_path"] = os.path.abspath(folder)
            with open(name, "w", encoding="utf-8") as file:
                json.dump(config, file, indent=2)
            return
