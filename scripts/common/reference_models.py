"""Models and pipelines of the package `transformers`, and their answers in our fields."""

import logging

import torch
import transformers

STRATEGIES = ("none", "simple", "first", "average", "max")  # how tokens become entities


def start():
    """One thread and no notes, so that a run gives the same numbers again."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    logging.captureWarnings(True)  # words of a tokenizer that does not mark them are a guess of the reference


def inputs_of(model, ids, type_ids):
    """A batch of one text without padding, with segments where the model has them."""
    inputs = {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids), dtype=torch.long)}
    if getattr(model.config, "type_vocab_size", 0) > 0:
        inputs["token_type_ids"] = torch.tensor([type_ids])
    return inputs


@torch.no_grad()
def run(model, ids, type_ids):
    """The output of a model for one text, with every attention matrix and the vectors after each layer."""
    return model(**inputs_of(model, ids, type_ids), output_attentions=True, output_hidden_states=True)


def entity_of(text, found):
    """An entity of the token classification pipeline in our fields."""
    start, end = found["start"], found["end"]
    entity = {"label": found.get("entity_group", found.get("entity"))}
    if "index" in found:
        entity["index"] = int(found["index"])
    return {**entity, "text": text[start:end], "start": start, "end": end, "probability": float(found["score"])}
