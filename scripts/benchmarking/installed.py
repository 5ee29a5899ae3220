"""The size of installed packages."""

import importlib.metadata
import pathlib
import zipfile

from packaging.requirements import Requirement

from common.program import ROOT

CUDA = "nvidia-"


def bytes_of(names):
    """Of packages and all that they require, if installed, without CUDA and compiled Python."""
    wanted, seen, total = list(names), set(), 0
    while wanted:
        name = wanted.pop().lower().replace("_", "-")
        if name in seen or name.startswith(CUDA):
            continue
        seen.add(name)
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        total += bytes_of_files(package)
        needs = [Requirement(line) for line in package.requires or ()]
        wanted += [need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]
    return total


def bytes_of_cuda():
    return sum(bytes_of_files(each) for each in importlib.metadata.distributions() if each.name.startswith(CUDA))


def bytes_of_files(package):
    paths = [pathlib.Path(file.locate()) for file in package.files or () if file.suffix != ".pyc"]
    return sum(path.stat().st_size for path in paths if path.is_file())


def bytes_of_wheel():
    """Of the newest wheel of headlight in build/packages, unpacked; None if there is none."""
    wheels = sorted((ROOT / "build/packages").glob("headlight-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        return None
    with zipfile.ZipFile(wheels[-1]) as wheel:
        return sum(entry.file_size for entry in wheel.infolist())
