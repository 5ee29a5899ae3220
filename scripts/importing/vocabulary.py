"""Whether the words of a vocabulary can be found by the tokenizer that the map asks for."""

import json
import re

from common import program
from importing.files import json_bytes

TYPES = ("words", "whitespace")  # the likelier first: whitespace finds nearly every word
SPECIAL = re.compile(r"[<\[].*[>\]]")  # such as <pad> and [MASK], which are not looked for in texts
UNTOUCHED = {"lowercase": False, "strip_accents": False, "remove_punctuation": False}


def warning(folder, config, words, path):
    """A line about words that no text gives, and the setting that finds most of them; None if there are none."""
    settings = {"type": "wordpiece", **config.get("tokenizer", {})}
    pieces = sum(word.startswith("##") for word in words)
    if pieces > len(words) / 20:
        if settings["type"] == "wordpiece":
            return None
        return f'{path}: {pieces:,} of {len(words):,} words begin with ##: that is a vocabulary of "type": "wordpiece"'
    sought = [i for i, word in enumerate(words) if is_sought(word, i, config, settings)]
    lost = never_found(folder, words, sought) if sought else []
    if not lost:
        return None
    changed = {name: off for name, off in UNTOUCHED.items() if settings.get(name)}
    others = [{"type": kind} for kind in TYPES if kind != settings["type"]]
    changes = [*others, *({name: off} for name, off in changed.items()), {"type": "whitespace", **changed}]
    left = {described(change): len(never_found_with(folder, config, change, words, lost)) for change in changes}
    best = min(left, key=left.get)
    found = "all" if left[best] == 0 else f"all but {left[best]:,}"
    advice = f"; with {best}, {found} can" if left[best] < len(lost) else ""
    asked = described({"type": settings["type"]} | {name: True for name in changed})
    return (
        f"{path}: {len(lost):,} of {len(words):,} words can never be found with {asked}, such as "
        f"{json.dumps(words[lost[0]], ensure_ascii=not words[lost[0]].isprintable())}{advice}"
    )


def is_sought(word, i, config, settings):
    """Special tokens are not: they need not stand in texts."""
    tokens = [settings.get(name) for name in ("unk_token", "cls_token", "sep_token")]
    return not (word in tokens or i == config.get("pad_token_id") or SPECIAL.fullmatch(word))


def described(change):
    return json.dumps(change)[1:-1]


def never_found(folder, words, sought):
    """Those of the ids `sought` that their own words do not give. A word with a line end is none of a line's."""
    lines = "".join(("" if re.search("[\r\n]", words[i]) else words[i]) + "\n" for i in sought)
    rows = program.rows("tokenize", "-m", folder, "--format", "jsonl", "--quiet", data=lines, statuses=(0, 3))
    return [i for i, row in zip(sought, rows, strict=True) if i not in row.get("ids", [])]


def never_found_with(folder, config, change, words, sought):
    """The same with another setting, for which the config is replaced meanwhile."""
    kept = (folder / "config.json").read_bytes()
    (folder / "config.json").write_bytes(json_bytes({**config, "tokenizer": {**config.get("tokenizer", {}), **change}}))
    lost = never_found(folder, words, sought)
    (folder / "config.json").write_bytes(kept)
    return lost
