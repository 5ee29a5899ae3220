"""SetFit as the peer of `bench few`: python -m benchmarking.setfit_peer TRAIN TEST ENCODER prints its accuracy.

TRAIN and TEST are JSONL with text and label. Settings are those of its paper: 20 pairs of each kind a row, batches of
16 pairs, one epoch, then a logistic regression.
"""

import json
import pathlib
import sys
import tempfile

import torch
from datasets import Dataset
from setfit import SetFitModel, Trainer, TrainingArguments


def read_lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]]


def main():
    train, test = map(read_lines, sys.argv[1:3])
    torch.set_num_threads(1)  # CPU seconds are compared, and idle threads would spin
    labels = sorted({row["label"] for row in train})
    rows = Dataset.from_list([{"text": row["text"], "label": labels.index(row["label"])} for row in train])
    model = SetFitModel.from_pretrained(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        course = TrainingArguments(
            output_dir=folder, batch_size=16, num_epochs=1, num_iterations=20, report_to="none", save_strategy="no"
        )
        Trainer(model=model, args=course, train_dataset=rows).train()
    found = model.predict([row["text"] for row in test], as_numpy=True)
    right = sum(labels[int(label)] == row["label"] for label, row in zip(found, test, strict=True))
    print(json.dumps(right / len(test)))


if __name__ == "__main__":
    main()
