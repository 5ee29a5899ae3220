"""Trains text classifiers and writes them as native headlight models.

In the order of work: rows (files to texts and labels), vocabulary (texts to ids), model (the
encoder in torch), start (a model's first weights), loop (training), native (the model directory).
The doors are train.py (scripts/train) and compare.py (scripts/compare_trainer).
"""
