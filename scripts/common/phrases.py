"""Texts and their parts: held out from training together, and put together anew."""

import itertools
import random

from common.program import ProgramError


def hold_out(texts, count, seed):
    """Numbers of `count` rows to keep from training, and of the rows to train on.

    They are drawn from the rows that are no part of another row, as SST-2's whole sentences are none;
    what is a part of a drawn one, words in a row, is in neither list. Raises ProgramError if there are too few.
    """
    texts = [" ".join(text.split()) for text in texts]
    known = set(texts)

    def parts(text):
        words = text.split()
        spans = ((a, b) for a in range(len(words)) for b in range(a + 1, len(words) + 1) if b - a < len(words))
        return {part for a, b in spans if (part := " ".join(words[a:b])) in known}

    inner = set().union(*(parts(text) for text in known))
    whole = [i for i, text in enumerate(texts) if text not in inner]
    if count >= len(whole):
        raise ProgramError(f"{count} rows cannot be held out: only {len(whole)} are no part of another")
    held = sorted(random.Random(seed).sample(whole, count))
    gone = {texts[i] for i in held}.union(*(parts(texts[i]) for i in held))
    return held, [i for i, text in enumerate(texts) if text not in gone]


def recombined(texts, count, seed, long=False):
    """`count` new texts: the head of one text and the tail of another, each cut at random between words.

    With `long`, a text of twice as many words is drawn twice as often.
    """
    pick = random.Random(seed)
    words = [text.split() for text in texts]
    ends = list(itertools.accumulate(len(text) for text in words))
    made = []
    for _ in range(count):
        first, second = pick.choices(words, cum_weights=ends, k=2) if long else (pick.choice(words), pick.choice(words))
        made.append(" ".join(first[: pick.randint(0, len(first))] + second[pick.randint(0, len(second)) :]))
    return made
