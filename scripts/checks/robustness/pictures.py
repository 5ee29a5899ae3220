"""Compares the pictures and arrays of `headlight attention` with its JSON, cell by cell.

    scripts/check pictures

SVG must be XML. rsvg-convert (from the package librsvg2-bin) makes a picture of it; in the middle of sampled cells, it
must have the colour of the weight in the JSON, within one of 256 steps. NPY and NPZ must load in NumPy with the shape
and the numbers of the JSON.
"""

import io
import json
import pathlib
import random
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy

from checks.robustness.png import read_png
from common import program
from common.command_line import finish, parser

SVG = "{http://www.w3.org/2000/svg}"
SAMPLES = 5
# ColorBrewer's "Blues" of nine classes.
BLUES = numpy.array(
    [
        [247, 251, 255],
        [222, 235, 247],
        [198, 219, 239],
        [158, 202, 225],
        [107, 174, 214],
        [66, 146, 198],
        [33, 113, 181],
        [8, 81, 156],
        [8, 48, 107],
    ],
    float,
)
PALETTE = numpy.floor(
    0.5 + numpy.array([[numpy.interp(step / 255 * 8, range(9), BLUES[:, i]) for i in range(3)] for step in range(256)])
)
APPLES = "I prefer apple over orange because it is less acidic"
LONG = " ".join(["a film that is not half as bad as its title, nor half as good as its music ,"] * 6)


def attention(arguments, form):
    return program.run("attention", "--quiet", "--format", form, *arguments)


def shown_in(document):
    """[maps, q, w]: what a picture shows, map by map."""
    if "rollout" in document:
        return numpy.array(document["rollout"])[None]
    heads = numpy.array(document.get("norm_attention", document["attention"]))
    return heads.reshape(-1, *heads.shape[2:])


def translation(element):
    text = element.get("transform", "")
    if not text.startswith("translate("):
        return numpy.zeros(2)
    return numpy.array([float(number) for number in text[len("translate(") : -1].split()])


def cells_in(element, place, rows, columns, maps):
    """Adds the middle of every cell of every map: [q, w, 2]."""
    place = place + translation(element)
    boxes = [child for child in element if child.tag == SVG + "rect" and child.find(SVG + "title") is not None]
    if boxes:
        x, y, width, height = (
            numpy.array([float(box.get(name)) for box in boxes]) for name in ("x", "y", "width", "height")
        )
        maps.append(place + numpy.stack([x + width / 2, y + height / 2], axis=-1).reshape(rows, columns, 2))
    for child in element:
        if child.tag == SVG + "g":
            cells_in(child, place, rows, columns, maps)
        if child.tag == SVG + "image":
            size = numpy.array([float(child.get("width")) / columns, float(child.get("height")) / rows])
            places = numpy.stack(numpy.meshgrid(range(columns), range(rows)), axis=-1)
            maps.append(place + (places + 0.5) * size)
    return maps


def check_picture(arguments, document):
    svg = attention(arguments, "svg")
    weights = shown_in(document)
    maps = cells_in(ElementTree.fromstring(svg), numpy.zeros(2), *weights.shape[1:], [])
    assert len(maps) == len(weights), f"{len(maps)} maps for {len(weights)} matrices"
    png = subprocess.run(["rsvg-convert"], input=svg, stdout=subprocess.PIPE, check=True).stdout
    picture = read_png(png).astype(float)
    worst = 0.0
    for _ in range(SAMPLES):
        map_, row, column = (random.randrange(size) for size in weights.shape)
        x, y = maps[map_][row, column].astype(int)
        differences = abs(PALETTE - picture[y, x]).sum(axis=1)
        steps = numpy.flatnonzero(differences == differences.min())  # some look the same
        worst = max(worst, abs(steps - weights[map_, row, column] / weights.max() * 255).min())
    assert worst <= 1, f"a colour is {worst:.1f} steps off"
    return worst


def check_arrays(arguments, document):
    array = numpy.load(io.BytesIO(attention(arguments, "npy")))
    wanted = document.get("rollout", document.get("norm_attention", document.get("attention")))
    assert array.dtype == numpy.float32 and array.shape == numpy.array(wanted).shape, array.shape
    assert numpy.array_equal(array, numpy.array(wanted, numpy.float32))
    with numpy.load(io.BytesIO(attention(arguments, "npz"))) as archive:
        for name in archive:
            found, expected = archive[name], document.get(name)
            if name == "logits":
                expected = list(expected.values())
            if found.dtype == numpy.float32:
                expected = numpy.array(expected, numpy.float32)
            assert found.tolist() == numpy.array(expected).tolist(), name
        names = sorted(archive)
    assert {"tokens", "logits"} <= set(names)
    return names


def main():
    parser("check pictures", __doc__).parse_args()
    if shutil.which("rsvg-convert") is None:
        sys.exit("rsvg-convert is missing; it is in the package librsvg2-bin")
    random.seed(3)
    configs = program.ROOT / "configs"
    views = [
        ["-m", str(configs / "four-heads.json"), "--heads", "3", APPLES],
        ["-m", str(configs / "four-heads.json"), APPLES],
        ["-m", str(configs / "four-heads.json"), "--weight", "norm", "--query", "it", APPLES],
        ["a gorgeous, witty, seductive movie"],
        ["--rollout", "a gorgeous, witty, seductive movie"],
        ["--words", "--layers", "1-2", "--heads", "0,3", "an unflinching look at 中文 and emoji 😀 <&>"],
        ["--layers", "2", "--heads", "1", LONG],
        ["--layers", "2", LONG],
    ]
    for arguments in views:
        document = json.loads(attention(arguments, "json"))
        worst = check_picture(arguments, document)
        names = check_arrays(arguments, document)
        said = " ".join(
            argument if len(argument) < 30 else "…"
            for argument in arguments
            if not pathlib.Path(argument).is_absolute()
        )
        print(f"{said}: colours within {worst:.2f} steps; {', '.join(names)}")


if __name__ == "__main__":
    finish(main)
