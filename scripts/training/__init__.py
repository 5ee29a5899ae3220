"""Trains text classifiers and writes them as native headlight models.

In the order of work: rows (files to texts and labels), vocabulary (texts to ids), model (the
encoder in torch), start (a model's first weights), teacher (another model's logits, and texts that only
it labels), loop (training), native (the model directory). For the models that ship: recipes (their stages),
figures (what the program measures), card (their README.md).
The doors are train.py (scripts/train), compare.py (scripts/compare_trainer) and evaluate.py
(scripts/evaluate_models).
"""
