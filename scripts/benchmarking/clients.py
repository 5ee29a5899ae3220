"""Programs that classify texts, as a user of each package writes them.

    python clients.py PACKAGE THREADS TEXT FILE MODEL...

Prints the label of TEXT, then the rate, the peak memory and the labels of the lines of FILE as JSON. It is run as a
file and imports nothing before the package, because time is measured from process start to the first line.
"""

import sys

BATCH = 32
LONGEST = 512
LABELS = "negative", "positive"
SECONDS = 1  # at least; the lines are classified again until then


def headlight(threads, model):
    import headlight

    loaded = headlight.Model(model, threads=threads)
    return lambda texts: [each.label for each in loaded.classify(texts)]


def transformers(threads, model):
    import torch
    from transformers import pipeline

    torch.set_num_threads(threads)
    classify = pipeline("text-classification", model=model, device="cpu", batch_size=BATCH)
    return lambda texts: [each["label"] for each in classify(texts)]


def onnxruntime(threads, graph, vocabulary):
    import numpy
    import onnxruntime
    from tokenizers import BertWordPieceTokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    tokenizer = BertWordPieceTokenizer(vocabulary, lowercase=True)
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()

    def some(texts):
        rows = tokenizer.encode_batch(texts)
        fields = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        inputs = {name: numpy.array([getattr(row, field) for row in rows]) for name, field in fields.items()}
        return [LABELS[best] for best in session.run(None, inputs)[0].argmax(1)]

    return lambda texts: [label for at in range(0, len(texts), BATCH) for label in some(texts[at : at + BATCH])]


def fasttext(threads, model):
    import fasttext

    loaded = fasttext.load_model(model)
    return lambda texts: [labels[0].removeprefix("__label__") for labels in loaded.predict(texts)[0]]


def peak():
    """MiB of this process. getrusage() may give the memory of its parent instead."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))


def main():
    package, threads, text, file, *model = sys.argv[1:]
    verdicts = globals()[package](int(threads), *model)
    print(verdicts([text])[0], flush=True)

    import json
    import time

    with open(file, encoding="utf-8") as lines:
        texts = lines.read().split("\n")[:-1]
    verdicts(texts[: 2 * BATCH])
    count, begin = 0, time.perf_counter()
    while count == 0 or time.perf_counter() - begin < SECONDS:
        labels = verdicts(texts)
        count += len(texts)
    rate = count / (time.perf_counter() - begin)
    print(json.dumps({"rate": rate, "peak": peak(), "labels": labels}))


if __name__ == "__main__":
    main()
