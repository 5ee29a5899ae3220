"""An OpenVINO model in int8: NNCF smooths activations, takes their ranges from calibration rows and corrects biases.

    python -m benchmarking.calibrated GRAPH IDS FOLDER

GRAPH is an ONNX graph in float32, IDS a JSON file with the ids of the rows. A process of its own, as
graphs.py is.
"""

import json
import pathlib
import sys

from benchmarking.graphs import made
from benchmarking.peer import batch_of

ROWS = 300


def file_of(folder):
    return folder / "nncf/model.xml"


def quantize(graph, rows, folder):
    import nncf
    import openvino

    data = nncf.Dataset([batch_of([ids]) for ids in rows])
    model = openvino.Core().read_model(graph)
    model = nncf.quantize(model, data, subset_size=len(rows), model_type=nncf.ModelType.TRANSFORMER)
    folder.mkdir(exist_ok=True)
    openvino.save_model(model, folder / "model.xml", compress_to_fp16=False)


def main():
    graph, ids, folder = map(pathlib.Path, sys.argv[1:])
    rows = json.loads(ids.read_text())
    made(file_of(folder).parent, lambda path: quantize(graph, rows, path))


if __name__ == "__main__":
    main()
