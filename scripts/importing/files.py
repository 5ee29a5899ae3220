"""Reading and writing: JSON, pickled tensors, and files that are replaced whole or not at all.

Only what reads tensors of torch loads it.
"""

import json
import os
import pickle
import tempfile
import warnings
from pathlib import Path

from importing.problem import Problem


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Problem(f"{path}: no such file") from None
    except ValueError as error:
        raise Problem(f"{path}: is not JSON: {error}") from None


def read_object(path):
    found = read_json(path)
    if not isinstance(found, dict):
        raise Problem(f"{path}: expected a JSON object")
    return found


def read_pickle(path):
    """What a .bin or .pt holds, on the CPU. Nothing in the file is run."""
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise Problem(f"{path}: no such file") from None
    except OSError:
        raise
    except pickle.UnpicklingError as error:
        reason = str(error)
        if "Unsupported global" in reason or "Unsupported operand" in reason or "Unsupported class" in reason:
            raise Problem(
                f"{path}: holds more than tensors, which would have to be run to be read; "
                "save the model's state_dict() where it was trained"
            ) from None
    except Exception:
        # A broken file makes torch call its own functions with anything, so anything is raised; what it
        # says is many lines about its own insides.
        pass
    raise Problem(f"{path}: is not a whole PyTorch file")


def check_tensors(tensors, path):
    """A dict of names and tensors, or a Problem that names what is not one."""
    import torch

    if not isinstance(tensors, dict):
        raise Problem(f"{path}: holds a {type(tensors).__name__}, expected a state dict of tensors by name")
    for name, tensor in tensors.items():
        if not isinstance(name, str):
            raise Problem(f"{path}: {name!r} is a {type(name).__name__}, expected the name of a tensor")
        if not isinstance(tensor, torch.Tensor):
            raise Problem(f"{path}: {name!r} is a {type(tensor).__name__}, expected a tensor")
        if tensor.layout != torch.strided or tensor.is_quantized or tensor.is_meta:
            raise Problem(f"{path}: {name!r} is a sparse, quantized or empty tensor, expected all its numbers")
    if not tensors:
        raise Problem(f"{path}: holds no tensors")
    return tensors


def safetensors_bytes(tensors, path):
    """Each tensor with bytes of its own, for safetensors knows no shared ones; float64 as the float32 it is read as.
    `path` is the file that they were read from."""
    import torch
    from safetensors.torch import save

    try:
        own = {name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()}
        return save(
            {name: tensor.float() if tensor.dtype == torch.float64 else tensor for name, tensor in own.items()},
            {"format": "pt"},
        )
    except Exception as error:  # shapes beyond all memory, names that are not Unicode, …
        raise Problem(f"{path}: cannot be written as safetensors: {str(error).partition(chr(10))[0]}") from None


def json_bytes(value):
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


class Writer:
    """Files of a folder, looked at before anything is written."""

    def __init__(self, folder, force):
        self.folder = folder
        self.force = force
        self.contents = {}

    def add(self, name, content):
        path = self.folder / name
        if path.exists() and not self.force:
            raise Problem(f"{path}: exists already; --force replaces it")
        self.contents[name] = content

    def drop(self, name):
        """Lets no file of an earlier import stand that would be read beside the new ones."""
        if (self.folder / name).exists():
            self.add(name, None)

    def write(self, trial=None):
        """Writes all, unless `trial`, called with a folder of the same files, raises; gives a line about each."""
        contents = {name: content for name, content in self.contents.items() if content is not None}
        near = next(folder for folder in (self.folder, *self.folder.parents) if folder.is_dir())
        with tempfile.TemporaryDirectory(prefix=".import-", dir=near) as staged:
            for name, content in contents.items():
                (Path(staged) / name).write_bytes(content)
            if trial:
                trial(Path(staged))
            self.folder.mkdir(parents=True, exist_ok=True)
            for name in self.contents.keys() - contents.keys():
                (self.folder / name).unlink()
            for name in contents:
                os.replace(Path(staged) / name, self.folder / name)
        return [f"{self.folder / name}: {len(content):,} bytes" for name, content in contents.items()]
