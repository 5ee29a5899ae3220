"""What a sparse model says of texts, compared with the pipeline of scikit-learn that it was made of."""

import json
import random
import unicodedata

import numpy as np

from common import program
from importing.problem import Problem

BOUND = 1e-6  # of a probability, and of a decision value relative to 1 or to itself
MADE = 1000
SHOWN = 3
SAMPLES = (
    "The film wasn't good -- not bad either! don't e-mail me@example.com 3.14 x2",
    "Ist das Straßenfest schön? ÄÖÜ äöü GROẞ",
    "L’été à Noël, ça déçoit; œuvre naïve",
    "¿Qué tal el niño? ¡Adiós!",
    "İstanbul'da ılık IĞDIR şeker",
    "ΟΔΥΣΣΕΥΣ ΑΣ. ΣΑΣ' ὀδύσσεια",
    "Привет, мир! Ёжик й",
    "Zażółć gęślą jaźń",
    "Đường phố Việt Nam",
    "日本語のテキスト、カタカナ ﾊﾝｶｸ",
    "中文文本，没有空格。",
    "한국어 문장입니다 각",
    "مرحبا بالعالم ١٢٣ لَيْسَ",
    "שלום עולם",
    "हिन्दी में पाठ १२३",
    "ภาษาไทยไม่มีช่องว่าง",
    "ﬁne ﬂuﬀ Ⅷ ½ ² ①  ﬃ ℌ",
    "e\u0301 a\u030a\u0323 \u1e69 \u212b",
    "a\u00a0b\u2003c\u200bd\ue000 \U0001d400\U0001d7d9 👍🏽 🇩🇪",
    "tab\tand  two\r\nlines\x0b\x1c\x85end",
    "_under_score_ __ a_b ___",
)


def made_texts(terms):
    """1,000 texts of all of these, of the pipeline's own terms, and of characters of all scripts."""
    chance = random.Random(0)
    known = unicodedata.ucd_3_2_0  # characters that are in every version
    characters = [chr(c) for c in range(0x110000) if known.category(chr(c)) not in ("Cn", "Cs", "Co")]
    texts = ["", " ", "a", "\n", *SAMPLES]
    while len(texts) < MADE:
        words = chance.choices(terms, k=chance.randrange(1, 40))
        if chance.random() < 0.5:
            words.insert(chance.randrange(len(words)), chance.choice(SAMPLES))
        if chance.random() < 0.3:
            words.append("".join(chance.choices(characters, k=chance.randrange(1, 30))))
        text = chance.choice((" ", "  ", ", ", "")).join(words)
        texts.append({0: text.upper, 1: text.title}.get(chance.randrange(6), text.lower)() if texts else text)
        if chance.random() < 0.05:
            texts.append(texts[-1])
    return texts[:MADE]


def terms_of(config, folder):
    from safetensors.numpy import load_file

    tensors = load_file(folder / "model.safetensors")
    found = []
    for number in range(len(config["dictionaries"])):
        name = f"dictionaries.{number}."
        if name + "terms" not in tensors:
            continue
        blob, ends = tensors[name + "terms"].tobytes(), tensors[name + "ends"].tolist()
        step = max(len(ends) // 5000, 1)
        found += [blob[ends[i - 1] if i else 0 : ends[i]].decode() for i in range(0, len(ends), step)]
    return found or SAMPLES


def expected(pipeline, texts):
    """Decision values [t, c], probabilities [t, c], each None where the pipeline has none, and its labels."""
    scores = probabilities = None
    with np.errstate(all="ignore"):
        if hasattr(pipeline, "decision_function"):
            scores = np.asarray(pipeline.decision_function(texts))
        elif hasattr(pipeline[-1], "predict_joint_log_proba"):
            scores = pipeline[-1].predict_joint_log_proba(pipeline[:-1].transform(texts))
        if hasattr(pipeline, "predict_proba"):
            probabilities = np.asarray(pipeline.predict_proba(texts))
        labels = np.asarray(pipeline.predict(texts))
    if scores is not None and (scores.ndim == 1 or scores.shape[1] == 1):
        flat = scores.reshape(-1, 1)
        scores = flat if probabilities is not None and probabilities.shape[1] == 1 else np.hstack([-flat, flat])
    return scores, probabilities, labels


def differences(folder, pipeline, texts):
    """[t] the largest difference of each text, and whether its label is another one."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    scores, probabilities, labels = expected(pipeline, texts)
    lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    options = ["--input-format", "jsonl", "--logits", "--quiet"]
    has_own = config["output"] != "none" or "calibration" in config
    answers = program.rows(
        "batch", "-", "-m", folder, *options, *(["--probabilities"] if has_own else []), data=lines, statuses=(0, 3)
    )
    found, names = [], config["id2label"]
    for row, answer in enumerate(answers):
        if "error" in answer:
            found.append((float("inf"), True))
            continue
        worst = 0.0
        if scores is not None:
            ours = np.array([answer["logits"][name] for name in names])
            worst = float(np.max(np.abs(ours - scores[row]) / np.maximum(1.0, np.abs(scores[row]))))
        if probabilities is not None:
            ours = np.array([answer["probabilities"][name] for name in names])
            worst = max(worst, float(np.max(np.abs(ours - probabilities[row]))))
        order = probabilities[row] if probabilities is not None else scores[row]
        is_tie = order.ndim and len(order) > 1 and np.diff(np.sort(order))[-1] < BOUND
        is_other = labels.ndim == 1 and not is_tie and answer["label"] != str(labels[row].item())
        found.append((worst if worst == worst else float("inf"), bool(is_other)))
    return found


def check(folder, pipeline, texts=None):
    """Prints the largest difference; a Problem, with the first texts that differ, if it is above the bound."""
    if texts is None:
        texts = made_texts(terms_of(json.loads((folder / "config.json").read_text(encoding="utf-8")), folder))
    found = differences(folder, pipeline, texts)
    differing = [i for i, (worst, is_other) in enumerate(found) if worst > BOUND or is_other]
    print(f"compared {len(texts):,} texts, largest difference {max((w for w, _ in found), default=0.0):.2g}")
    for i in differing[:SHOWN]:
        shown = json.dumps(texts[i][:60])
        print(f"text {i + 1}: {shown}: {'another label, ' if found[i][1] else ''}difference {found[i][0]:.2g}")
    if differing:
        raise Problem(f"{len(differing):,} of {len(texts):,} texts differ by more than {BOUND}; nothing was written")
