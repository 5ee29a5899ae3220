"""Classifies the lines of a file again and again with one package, in a process of its own (fasttext_speed.py).

    python fasttext_calls.py PACKAGE MODEL FILE

PACKAGE is headlight (hl_classify of the library that HEADLIGHT_LIBRARY names, called with ctypes: the best label and
its probability of each text), fasttext-new or fasttext-turbo (their calls with a list of texts). For each line of its
standard input, all texts are classified in one thread; printed are the CPU seconds and a digest of the labels.
"""

import hashlib
import sys
import time


def headlight(model, texts):
    import ctypes

    import headlight
    from headlight import _library

    loaded = headlight.Model(model, threads=1)
    native, handle, n = _library.library(), loaded._ready(), len(texts)
    data = [text.encode() for text in texts]
    rows = (_library.Text * n)(*(_library.Text(text, len(text), None, 0) for text in data))
    options = _library.RunOptions()
    native.run_options_defaults(ctypes.byref(options))
    options.best = best = (_library.Best * n)()
    names = loaded.labels

    def call():
        native.classify(handle, rows, n, ctypes.byref(options), None, None, None)
        return best

    return call, lambda found: [names[each.label] for each in found]


def fasttext_new(model, texts):
    import fasttext_new

    loaded = fasttext_new.load_model(model)
    return lambda: loaded.predict_batch(texts, k=1, threads=1), names_of


def fasttext_turbo(model, texts):
    import fasttext

    loaded = fasttext.load_model(model)
    return lambda: loaded.predict(texts, k=1), names_of


def names_of(found):
    return [labels[0].removeprefix("__label__") for labels in found[0]]


def main():
    package, model, file = sys.argv[1:]
    with open(file, encoding="utf-8") as lines:
        texts = lines.read().split("\n")[:-1]
    call, names = globals()[package.replace("-", "_")](model, texts)
    for _ in sys.stdin:
        begin = time.process_time()
        found = call()
        seconds = time.process_time() - begin
        labels = hashlib.sha256("\n".join(names(found)).encode()).hexdigest()
        print(seconds, labels, flush=True)


if __name__ == "__main__":
    main()
