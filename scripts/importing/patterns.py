"""A token_pattern of Python's `re` as fields of a dictionary: runs of word characters, or Oniguruma's syntax.

Python's own parser reads the pattern, so that what is not known here is refused, not guessed.
"""

import re

from importing.problem import Problem

try:
    from re import _constants as words
    from re import _parser as parser
except ImportError:  # before Python 3.11
    import sre_constants as words
    import sre_parse as parser

WORD = r"\p{L}\p{N}_"
CLASSES = {
    "CATEGORY_WORD": WORD,
    "CATEGORY_NOT_WORD": f"[^{WORD}]",
    "CATEGORY_DIGIT": r"\p{Nd}",
    "CATEGORY_NOT_DIGIT": r"[^\p{Nd}]",
}
SPACES = r"\x{9}-\x{D}\x{1C}-\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}"
CLASSES |= {"CATEGORY_SPACE": SPACES, "CATEGORY_NOT_SPACE": f"[^{SPACES}]"}
AFTER, BEFORE = f"(?<=[{WORD}])", f"(?=[{WORD}])"
NOT_AFTER, NOT_BEFORE = f"(?<![{WORD}])", f"(?![{WORD}])"
PLACES = {
    "AT_BEGINNING": r"\A",
    "AT_BEGINNING_STRING": r"\A",
    "AT_END": r"(?=\n?\z)",
    "AT_END_STRING": r"\z",
    "AT_BOUNDARY": f"(?:{AFTER}{NOT_BEFORE}|{NOT_AFTER}{BEFORE})",
    "AT_NON_BOUNDARY": f"(?:{AFTER}{BEFORE}|{NOT_AFTER}{NOT_BEFORE})",
}


def fields(pattern):
    """`shortest_word`, or `pattern`; a Problem for a pattern that may be read in another way."""
    try:
        parsed = parser.parse(pattern, re.UNICODE)
    except (re.error, TypeError) as error:
        raise Problem(f"token_pattern={pattern!r}: {error}") from None
    if parsed.state.flags != re.UNICODE.value:
        raise Problem(f"token_pattern={pattern!r}: flags other than (?u) are not read")
    items = list(parsed)
    if parsed.state.groups == 2 and len(items) == 1 and items[0][0] is words.SUBPATTERN:
        items = list(items[0][1][-1])  # a group that is all of it
    elif parsed.state.groups > 1:
        raise Problem(f"token_pattern={pattern!r}: a group inside is not read; (?:…) is")
    if parsed.getwidth()[0] == 0:
        raise Problem(f"token_pattern={pattern!r}: matches the empty string, which is not read")
    shortest = shortest_word(items)
    if shortest:
        return {"shortest_word": shortest}
    try:
        return {"pattern": sequence(items)}
    except KeyError as error:
        raise Problem(f"token_pattern={pattern!r}: {error.args[0]} is not read") from None


def shortest_word(items):
    """k of the longest runs of at least k word characters; None for another pattern."""
    boundary = (words.AT, words.AT_BOUNDARY)
    items = items[items[:1] == [boundary] : len(items) - (items[-1:] == [boundary])]
    word = [(words.IN, [(words.CATEGORY, words.CATEGORY_WORD)])]
    least, is_open = 0, False
    for item in items:
        low = high = 1
        if item[0] is words.MAX_REPEAT:
            low, high, inner = item[1]
            item = list(inner)[0] if len(inner) == 1 else None
        if [item] != word or (low != high and high is not words.MAXREPEAT):
            return None
        least += low
        is_open = is_open or high is words.MAXREPEAT
    return least if is_open else None


def sequence(items):
    return "".join(map(one, items))


def character(code):
    return chr(code) if chr(code).isascii() and chr(code).isalnum() else f"\\x{{{code:X}}}"


def one(item):
    """A part of a pattern; a KeyError names one that is unknown."""
    name, value = str(item[0]), item[1]
    if name == "LITERAL":
        return character(value)
    if name == "NOT_LITERAL":
        return f"[^{character(value)}]"
    if name == "ANY":
        return r"[^\n]"
    if name == "IN":
        return f"[{''.join(map(member, value))}]"
    if name in ("MAX_REPEAT", "MIN_REPEAT"):
        low, high, inner = value
        most = "" if high is words.MAXREPEAT else high
        lazy = "?" if name == "MIN_REPEAT" and low != high else ""
        return f"(?:{sequence(inner)})" + (f"{{{low}}}" if low == high else f"{{{low},{most}}}") + lazy
    if name == "BRANCH":
        return f"(?:{'|'.join(map(sequence, value[1]))})"
    if name == "SUBPATTERN" and value[0] is None and not (value[1] or value[2]):
        return f"(?:{sequence(value[3])})"
    if name in ("ASSERT", "ASSERT_NOT"):
        behind = "<" if value[0] < 0 else ""
        return f"(?{behind}{'=' if name == 'ASSERT' else '!'}{sequence(value[1])})"
    if name == "AT":
        return PLACES[str(value)]
    raise KeyError(name)


def member(item):
    name, value = str(item[0]), item[1]
    if name == "NEGATE":
        return "^"
    if name == "LITERAL":
        return character(value)
    if name == "RANGE":
        return f"{character(value[0])}-{character(value[1])}"
    if name == "CATEGORY":
        return CLASSES[str(value)]
    raise KeyError(name)
