"""What the numbers were taken on, and with which versions."""

import datetime
import importlib.metadata
import os
import pathlib
import platform

SETS = ("avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni", "avx512_bf16", "amx_bf16", "amx_int8")
PACKAGES = {
    "onnxruntime": ["onnxruntime"],
    "openvino": ["openvino", "nncf"],
    "pytorch": ["torch", "transformers"],
    "tokenizers": ["tokenizers"],
    "fasttext": ["fasttext-numpy2-wheel"],
}


def cores():
    return len(os.sched_getaffinity(0))


def processor():
    """Its name and those of its instruction sets that matter here."""
    fields = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    flags = set(fields.get("flags", fields.get("Features", "")).split())
    return fields.get("model name", platform.machine()), [name for name in SETS if name in flags]


def describe(engines, program):
    name, sets = processor()
    packages = [package for engine in engines for package in PACKAGES.get(engine, [])]
    versions = {package: importlib.metadata.version(package) for package in packages}
    return {
        "processor": name,
        "instruction_sets": sets,
        "cores": cores(),
        "system": platform.platform(),
        "load": os.getloadavg()[0],
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "headlight": program,
        "packages": versions,
    }
