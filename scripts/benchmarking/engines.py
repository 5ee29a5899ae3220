"""The peers: each class loads a model and scores batches of ids. Used in worker processes only (peer.py).

A batch is {input_ids, attention_mask, token_type_ids}, each an int64 array [b, n]. `prepare` makes of it what the
engine takes, outside the time that is measured; `scores` gives the logits [b, c] of each prepared batch, in order.
"""

import warnings


class OnnxRuntime:
    def __init__(self, model, threads=None):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        if threads:
            options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.inputs = [one.name for one in self.session.get_inputs()]

    def prepare(self, batch):
        return {name: batch[name] for name in self.inputs}

    def scores(self, batches):
        return [self.session.run(None, batch)[0] for batch in batches]


class OpenVino:
    """`precision` None: OpenVINO computes with what it finds best for the processor."""

    def __init__(self, model, precision="f32", hint="LATENCY"):
        import openvino

        core = openvino.Core()
        settings = {"PERFORMANCE_HINT": hint}
        if precision:
            settings["INFERENCE_PRECISION_HINT"] = precision
        self.model = core.compile_model(model, "CPU", settings)
        self.inputs = [one.get_any_name() for one in self.model.inputs]
        self.request = self.model.create_infer_request()

    def prepare(self, batch):
        return {name: batch[name] for name in self.inputs}

    def scores(self, batches):
        return [self.request.infer(batch)[0].copy() for batch in batches]


class OpenVinoQueue(OpenVino):
    """As many requests at once as OpenVINO finds best for throughput."""

    def __init__(self, model, precision="f32"):
        import openvino

        super().__init__(model, precision, "THROUGHPUT")
        self.queue = openvino.AsyncInferQueue(self.model)

    def scores(self, batches):
        found = [None] * len(batches)

        def keep(request, i):
            found[i] = request.get_output_tensor(0).data.copy()

        self.queue.set_callback(keep)
        for i, batch in enumerate(batches):
            self.queue.start_async(batch, i)
        self.queue.wait_all()
        return found


class PyTorch:
    def __init__(self, model, dtype="float32"):
        warnings.filterwarnings("ignore")
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        self.torch = torch
        self.model = transformers.BertForSequenceClassification.from_pretrained(
            model, attn_implementation="sdpa", dtype=getattr(torch, dtype)
        ).eval()

    def prepare(self, batch):
        return {name: self.torch.from_numpy(array) for name, array in batch.items()}

    def scores(self, batches):
        with self.torch.inference_mode():
            return [self.model(**batch).logits.float().numpy() for batch in batches]


ENGINES = {"onnxruntime": OnnxRuntime, "openvino": OpenVino, "openvino-queue": OpenVinoQueue, "pytorch": PyTorch}
# What has to be imported before a model is made, so that making it is timed alone.
MODULES = {
    "onnxruntime": "onnxruntime",
    "openvino": "openvino",
    "openvino-queue": "openvino",
    "pytorch": "transformers.models.bert.modeling_bert",
}
