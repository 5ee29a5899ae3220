"""Compares `headlight tokenize` with what public test suites expect of tokenizers.

    scripts/check cases --cases cases.json --vocabularies FOLDER
    scripts/check cases --fixtures hf_tokenizer_cases.json

--cases is a list of cases with their sources; FOLDER has the vocabularies bert-base-cased/vocab.txt and
gpt2/{vocab,merges}; the uncased one comes from the package `minilm`. --fixtures is a file of tokenizers beside it
(tokenizer.json or SentencePiece models) and of the ids that they give.

One line per group: how many agree, differ, and are left out. A case is left out if its vocabulary is missing, or if the
reference itself gives another answer and headlight gives the same as the reference. Exit status 1 if any differs.
"""

import collections
import pathlib
import tempfile

from tokenizers import Tokenizer

from checks.reference import public_cases, tokenizing
from common import reference_tokenizers
from common.command_line import finish, parser

CONTRADICTS = "the reference gives another answer, and so do we"
REFUSES = "the reference refuses the text, and so do we"


class Numbering:
    """Whether ids can be another numbering of ours: each of ours always the same of theirs."""

    def __init__(self):
        self.theirs, self.ours = {}, {}

    def fits(self, ours, theirs):
        pairs = list(zip(ours, theirs))
        return len(ours) == len(theirs) and all(
            self.theirs.get(a, b) == b and self.ours.get(b, a) == a for a, b in pairs
        )

    def learn(self, ours, theirs):
        self.theirs.update(zip(ours, theirs))
        self.ours.update(zip(theirs, ours))


def found_by(model, case):
    options = [] if case.pair is None else ["--pair", case.pair]
    ask = tokenizing.found_by_lines if "\0" in case.text else tokenizing.found_by_arguments
    return next(iter(ask(model, options, [case.text])))


def reference(tokenizer, case):
    """What the reference says; nothing where it raises an error."""
    try:
        return reference_tokenizers.fields_of(tokenizer.encode(case.text, case.pair))
    except Exception:  # it has no type of its own
        return None


def agrees(expected, found, numbering):
    """A numbering is learned from the cases that fit it."""
    plain = all(found.get(name) == value for name, value in expected.items() if name != "other_ids")
    if "other_ids" not in expected:
        return plain
    fits = plain and numbering.fits(found["ids"], expected["other_ids"])
    if fits:
        numbering.learn(found["ids"], expected["other_ids"])
    return fits


class Replay:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.made = {}  # id of a tokenizer → model, the tokenizer as read from its file
        self.numbering = Numbering()

    def model_for(self, tokenizer):
        """Through its file, because that rounds scores."""
        if id(tokenizer) not in self.made:
            path = self.folder / f"{len(self.made)}.json"
            tokenizer.save(str(path))
            size = 1 + max(tokenizer.get_vocab().values())
            model = tokenizing.write_model(self.folder / str(len(self.made)), size, None, {"tokenizer.json": path})
            # The tokenizer is kept, so that no other gets its id.
            self.made[id(tokenizer)] = model, Tokenizer.from_file(str(path)), tokenizer
        return self.made[id(tokenizer)][:2]

    def result(self, case):
        """ "agree", "differ", or why it is left out."""
        if case.left_out:
            return case.left_out
        model, tokenizer = self.model_for(case.tokenizer)
        found = found_by(model, case)
        if agrees(case.expected, found, self.numbering):
            return "agree"
        known = reference(tokenizer, case)
        is_reference = "error" in found if known is None else all(found.get(name) == known[name] for name in known)
        if self.options.verbose or not is_reference:
            print(
                f"  {case.group}: {case.text!r} {case.pair or ''}\n    expected  {case.expected}\n"
                f"    found     {found}\n    reference {known}"
            )
        if not is_reference:
            return "differ"
        return REFUSES if known is None else CONTRADICTS


def main():
    line = parser("check cases", __doc__)
    line.add_argument("--cases", type=pathlib.Path)
    line.add_argument("--vocabularies", type=pathlib.Path)
    line.add_argument("--fixtures", type=pathlib.Path)
    line.add_argument("--verbose", action="store_true", help="show the cases that are left out too")
    options = line.parse_args()
    if options.cases and not options.vocabularies:
        line.error("--cases needs --vocabularies")
    found = []
    if options.cases:
        vocabularies = public_cases.Vocabularies(options.vocabularies, reference_tokenizers.packaged_vocabulary())
        found += public_cases.collected_cases(options.cases, vocabularies)
    if options.fixtures:
        found += public_cases.fixture_cases(options.fixtures)
    if not found:
        line.error("give --cases or --fixtures")

    groups = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        replay = Replay(options, pathlib.Path(folder))
        for case in found:
            groups[case.group][replay.result(case)] += 1
    groups["all"] = sum(groups.values(), collections.Counter())
    for name, counts in groups.items():
        reasons = {reason: count for reason, count in counts.items() if reason not in ("agree", "differ")}
        print(f"{name:60} {counts['agree']:4} agree {counts['differ']:4} differ {sum(reasons.values()):4} left out")
        for reason, count in reasons.items():
            print(f"    {count} left out: {reason}")
    return 1 if groups["all"]["differ"] else 0


if __name__ == "__main__":
    finish(main)
