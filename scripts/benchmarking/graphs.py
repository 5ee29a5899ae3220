"""The ONNX graphs of a checkpoint: as torch exports it, with the fused operators of onnxruntime, and both in int8.

    python -m benchmarking.graphs CHECKPOINT FOLDER

CHECKPOINT is of BertForSequenceClassification, or a folder of sentence-transformers whose vectors are the logits. A
process of its own, because torch need not be in the memory of one that measures.
"""

import logging
import os
import pathlib
import sys
import warnings

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OPSET = 17


def file_of(folder, fused=False, int8=False):
    return folder / f"{'fused' if fused else 'exported'}{'.int8' if int8 else ''}.onnx"


def is_made(folder):
    return all(file_of(folder, fused, int8).exists() for fused in (False, True) for int8 in (False, True))


def load(checkpoint):
    """The module from ids to logits, and the config of its BERT."""
    import torch
    from transformers import BertForSequenceClassification

    if not (checkpoint / "modules.json").exists():
        model = BertForSequenceClassification.from_pretrained(checkpoint, attn_implementation="eager").eval()
        return model, model.config

    from sentence_transformers import SentenceTransformer

    class Logits(torch.nn.Module):
        def __init__(self):
            super().__init__()
            settings = {"attn_implementation": "eager"}
            self.model = SentenceTransformer(str(checkpoint), device="cpu", model_kwargs=settings)

        def forward(self, *inputs):
            return self.model(dict(zip(INPUTS, inputs)))["sentence_embedding"]

    model = Logits().eval()
    return model, model.model[0].auto_model.config


def export(checkpoint, path):
    import torch

    model, config = load(checkpoint)
    ids = torch.ones(2, 9, dtype=torch.long)
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in INPUTS},
        opset_version=OPSET,
        dynamo=False,
    )
    return config


def fuse(source, path, config):
    from onnxruntime.transformers import optimizer

    model = optimizer.optimize_model(
        str(source), model_type="bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size
    )
    model.save_model_to_file(str(path))


def quantize(source, path):
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    # The operators of the fused graph have no shape inference, so that the type must be said.
    quantize_dynamic(
        str(source), str(path), weight_type=QuantType.QInt8, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT}
    )


def made(path, make):
    """Makes `path` whole or not at all."""
    partial = path.with_name(f"partial-{path.name}")
    result = make(partial)
    os.replace(partial, path)
    return result


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    checkpoint, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(exist_ok=True)
    config = made(file_of(folder), lambda path: export(checkpoint, path))
    made(file_of(folder, fused=True), lambda path: fuse(file_of(folder), path, config))
    for fused in (False, True):
        made(file_of(folder, fused, int8=True), lambda path, fused=fused: quantize(file_of(folder, fused), path))


if __name__ == "__main__":
    main()
