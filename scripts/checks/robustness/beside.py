"""Imports the Python module of a wheel before and after torch, onnxruntime and pyarrow, and uses all of them.

    scripts/check beside build/packages/headlight-*_x86_64.whl

Each of these brings its own libstdc++, thread pool or zstd. One that shows its copies to other modules breaks them.
"""

import itertools
import os
import subprocess
import sys
import tempfile

from common import command_line

USES = {
    "headlight": """
import headlight
model = headlight.Model("sentiment", threads=2)
def use_headlight():
    assert model.classify("a gorgeous, witty, seductive movie").label == "positive"
    try:
        headlight.Model("/nowhere")
    except headlight.Error:
        pass
""",
    "torch": """
import torch
def use_torch():
    torch.set_num_threads(2)
    assert float((torch.ones(300, 300) @ torch.ones(300, 300))[0, 0]) == 300
    try:
        torch.ones(2) @ torch.ones(3)
    except RuntimeError:
        pass
""",
    "onnxruntime": """
import onnxruntime
def use_onnxruntime():
    try:
        onnxruntime.InferenceSession(b"no model")
    except Exception as error:
        assert "INVALID" in str(error), error
""",
    "pyarrow": """
import pyarrow, pyarrow.compute
def use_pyarrow():
    text = b"headlight" * 1000
    assert pyarrow.decompress(pyarrow.compress(text, "zstd"), len(text), "zstd").to_pybytes() == text
    assert pyarrow.compute.sum(pyarrow.array(range(100000))).as_py() == 4999950000
""",
}


def main():
    parser = command_line.parser("check beside", __doc__)
    parser.add_argument("wheel")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", folder]
        subprocess.run([*pip, arguments.wheel], check=True)
        for order in itertools.permutations(USES):
            if 0 < order.index("headlight") < len(order) - 1:
                continue
            uses = "".join(USES[name] for name in order)
            calls = "".join(f"use_{name}()\n" for name in (*order, *order[::-1]))
            environment = {**os.environ, "PYTHONPATH": folder, "HEADLIGHT_LIBRARY": ""}
            environment.pop("HEADLIGHT_LIBRARY")
            subprocess.run([sys.executable, "-c", uses + calls], check=True, env=environment)
            print("ok  ", ", ".join(order))


if __name__ == "__main__":
    main()
