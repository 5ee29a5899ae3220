"""scripts/bench page: how soon a live page shows what is typed, in Chromium."""

import argparse
import os
import pathlib
import sys
import tempfile
import time
from statistics import median

from benchmarking import machine
from benchmarking.checkpoints import make_checkpoint
from benchmarking.report import heading, short, table
from common import program
from common.command_line import finish, number

sys.path.append(str(program.ROOT / "tests/browser"))
from devtools import Browser, Page  # noqa: E402

LENGTHS = (4, 16, 32, 64, 128, 256)
# Types the last word of a text of `count` tokens anew, `keys` times. A key is [until the head and the verdict are
# shown, until the small pictures of all heads are drawn too, of which the model], in milliseconds.
TYPE = """(async (count, keys) => {
  const at = (id) => document.getElementById(id);
  const next = (change) => new Promise((resolve) => {
    const watch = new MutationObserver(() => { watch.disconnect(); resolve(performance.now()); });
    watch.observe(at(change), { childList: true, characterData: true, subtree: true, attributes: true });
  });
  const words = Array.from({ length: count - 2 }, (_, i) => ["good", "bad", "film", "the"][i & 3]);
  const times = [];
  for (let key = 0; key < keys; ++key) {
    words[words.length - 1] = key & 1 ? "good" : "bad";
    const [shown, start] = [next("lines-note"), performance.now()];
    at("text").value = words.join(" ");
    at("text").dispatchEvent(new Event("input"));
    const own = await shown - start;
    const drawn = at("grid").dataset.drawn;
    const all = at("grid").dataset.drawn === drawn ? await next("grid") - start : own;
    times.push([own, all, Number(at("sizes").textContent.match(/([0-9]+) ms/)[1])]);
    await new Promise((resolve) => { setTimeout(resolve, 150); });
  }
  return times;
})(%d, %d)"""

EXAMPLES = """
A key comes 150 ms after the text before it is shown. ms a key is the time from it to the lines, the map and the verdict
of the new text; with the small pictures of all heads; and, of that, in the model. ready is the time from opening the
file to the first verdict. MiB is what the processes of the browser hold more than with an empty page, after texts of
up to 256 tokens and an explanation.

The model minilm has random weights and is kept in build/bench. Nothing else should run.

examples:
  scripts/bench page
  scripts/bench page --keys 5 -m path/to/model

Exit status: 0, 1 if a program fails, 2 for a wrong command line, 130 when interrupted.
"""


def parse():
    p = argparse.ArgumentParser(
        prog="scripts/bench page",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Measures the page of headlight attention --live. Needs chromium and scripts/build-page.",
    )
    p.add_argument("-m", "--model", action="append", help="(default: sentiment, and a MiniLM of random weights)")
    p.add_argument("--keys", metavar="N", type=number(int, 2), default=15, help="of each length (default: %(default)s)")
    return p.parse_args()


def resident(browser):
    """MiB of the proportional set sizes of the browser's processes."""
    total = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"--user-data-dir={browser.profile}".encode() not in (process / "cmdline").read_bytes():
                continue
            lines = (process / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue  # it has ended
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def measure(model, keys, scratch):
    path = os.path.join(scratch, "page.html")
    program.run("attention", "--live", "--quiet", "--force", "-m", model, "-o", path)
    nothing = pathlib.Path(scratch, "nothing.html")
    nothing.write_text("<p>nothing</p>")
    with Browser("chromium") as browser:
        blank = Page(browser, nothing)
        time.sleep(2)
        empty = resident(browser)
        blank.close()
        begin = time.perf_counter()
        page = Page(browser, path)
        page.wait("document.querySelector('.outcome') !== null")
        ready = time.perf_counter() - begin
        times = {}
        for count in LENGTHS:
            page.value(TYPE % (count, 3))
            times[count] = page.value(TYPE % (count, keys))
        page.value(TYPE % (16, 2))
        page.wait("document.querySelectorAll('#effect-rows tr').length === 14")
        page.wait("document.getElementById('effect-note').textContent.endsWith('by occlusion.')")
        page.send("HeapProfiler.enable")
        page.send("HeapProfiler.collectGarbage")
        time.sleep(1)
        return os.path.getsize(path), ready, resident(browser) - empty, times


def run(options):
    models = options.model or ["sentiment", str(make_checkpoint("minilm") / "checkpoint")]
    print(heading(machine.describe([], program.version()), f"Medians of {options.keys} keys."))
    for model in models:
        with tempfile.TemporaryDirectory() as scratch:
            size, ready, memory, times = measure(model, options.keys, scratch)
        print(f"\n{model}: a page of {size / 1e6:.1f} MB, ready after {ready:.2f} s, {memory:.0f} MiB.\n")
        rows = [
            [str(count), *(short(median(key[i] for key in each)) for i in range(3))] for count, each in times.items()
        ]
        print(table(["tokens", "ms a key", "with all heads", "in the model"], rows))


def main():
    finish(lambda: run(parse()), "bench: ", (OSError, RuntimeError, TimeoutError))


if __name__ == "__main__":
    main()
