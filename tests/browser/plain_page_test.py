"""The pages without scripts in a browser: inspect, explain and evaluate; plain_page_test.py PROGRAM SOURCE.
HEADLIGHT_PICTURES=DIR keeps pictures of them there, to be looked at."""

import json
import os
import subprocess
import sys
import unittest

import pages
from pages import PROGRAM, contrast, luminance, model, path_of

TEXT = "Not bad at all: an unflinching, gorgeously shot portrait of incomprehensibilities."
TOY = os.path.join(pages.SOURCE, "configs/encoder-block.json")
LOOKS = {
    "light": {},
    "dark": {"dark": True},
    "narrow": {"width": 380, "height": 800},
    "narrow-dark": {"width": 380, "height": 800, "dark": True},
}


def setUpModule():
    write("mask.html", "inspect", "--mask", "--length", "24")
    write("causal.svg", "inspect", "--mask", "-m", model("sentiment-stream"), "--length", "100")
    write("positions.html", "inspect", "--positions")
    write("explain.html", "explain", "--order", "2", TEXT)
    with open(path_of("rows.csv"), "w", encoding="utf-8") as file:
        file.write("text,label\nnot bad,yes\nnot good,no\ngood,yes\nbad,no\nnot so bad,yes\nnot so good,no\n")
    dev = ["--dev", path_of("rows.csv"), "--epochs", "40", "--keep-state", "last", "--learning-rate", "0.01"]
    film = ["--film", path_of("film.html"), "not so bad"]
    line = [PROGRAM, "fit", "-q", path_of("rows.csv"), "-m", TOY, "-o", path_of("toy"), *dev, *film]
    subprocess.run(line, check=True, capture_output=True)
    for count in (20, 77):
        labels = bank_labels(count)
        words = ["averyveryverylongword_one", "averyveryverylongword_two", *(f"w{i}" for i in range(count))]
        config = {
            "model_type": "headlight",
            "vocab_size": count + 3,
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "intermediate_size": 16,
            "pooling": "label_attention",
            "id2label": dict(enumerate(labels)),
            "tokenizer": {"type": "whitespace", "lowercase": False, "vocabulary": ["[UNK]", *words]},
        }
        bank = path_of(f"bank{count}")
        with open(bank + ".json", "w", encoding="utf-8") as file:
            json.dump(config, file)
        subprocess.run([PROGRAM, "init", "-q", bank + ".json", "-o", bank], check=True)
        with open(bank + ".jsonl", "w", encoding="utf-8") as file:
            for i in range(4 * count):
                text = f"{words[i * 7 % count]} {words[i * 5 % count]}"
                file.write(json.dumps({"text": text, "label": labels[i % count]}) + "\n")
        page = ["--html", path_of(f"evaluate{count}.html"), "--attention-stats"]
        subprocess.run([PROGRAM, "evaluate", "-q", bank + ".jsonl", "-m", bank, *page], check=True, capture_output=True)
        write(f"explain{count}.html", "explain", "-m", bank, "w1 w2 w3 " + "verylongword" * 5)
        write(f"attention{count}.html", "attention", "-m", bank, " ".join(words[:40]))


def bank_labels(count):
    """Long ones that begin and end alike."""
    begins = ["card_payment_fee", "balance_not_updated_after", "wrong_exchange_rate_for", "pending_withdrawal_of"]
    begins += ["transfer_not_received_by", "top_up_by_bank_transfer", "verify_source_of_funds_of"]
    ends = ["charged", "recipient", "cash_withdrawal", "cheque_or_cash_deposit", "limits", "failed", "reverted"]
    ends += ["not_recognised", "pending", "charge", "disposable_virtual_card"]
    return [f"{begin}_{end}" for begin in begins for end in ends][:count]


def write(name, command, *arguments):
    given = [] if "-m" in arguments else ["-m", model("sentiment")]
    kind = name.rsplit(".", 1)[1]
    line = [PROGRAM, command, "-q", *arguments, *given, "--format", kind, "-o", path_of(name)]
    subprocess.run(line, check=True)


class PageTest(pages.PageTest):
    def open(self, name, look):
        page = self.open_file(path_of(name), **LOOKS[look])
        if "HEADLIGHT_PICTURES" in os.environ:
            page.picture(os.path.join(os.environ["HEADLIGHT_PICTURES"], f"{name}-{look}.png"))
        return page

    def colour(self, page, selector, what):
        """A colour of the first element that fits, as three numbers."""
        found = page.value(f"getComputedStyle(document.querySelector('{selector}'))['{what}']")
        return [int(part) for part in found[found.index("(") + 1 : -1].split(",")[:3]]


class Pictures(PageTest):
    def test_cells_of_a_mask_are_told_from_the_page_and_from_the_grid(self):
        for look in LOOKS:
            with self.subTest(look=look):
                page = self.open("mask.html", look)
                back = self.colour(page, "body", "backgroundColor")
                self.assertEqual(luminance(back) < 0.05, "dark" in look)
                cell = self.colour(page, "rect.two", "fill")
                self.assertGreater(contrast(cell, back), 7)
                self.assertGreater(contrast(self.colour(page, ".grid", "stroke"), cell), 2.5)

    def test_the_lines_of_the_grid_are_those_between_the_cells(self):
        page = self.open("mask.html", "light")
        lines = page.value("document.querySelector('.grid').getAttribute('d').match(/V/g).length")
        self.assertEqual(lines, 24 + 1)
        self.assertEqual(page.value("document.querySelectorAll('rect.two').length"), 24 * 24)

    def test_a_large_map_is_one_image_of_the_mode(self):
        for look in ("light", "dark"):
            page = self.open("causal.svg", look)
            shown = page.value(
                "[...document.querySelectorAll('image')].filter((one) => getComputedStyle(one).display !== 'none')"
                ".map((one) => one.getAttribute('class'))"
            )
            self.assertEqual(shown, [look])
            paper = self.colour(page, ".paper", "fill")
            self.assertEqual(luminance(paper) < 0.05, look == "dark")
            self.assertGreater(contrast(self.colour(page, "text", "fill"), paper), 7)

    def test_numbers_are_told_from_the_cells_of_a_confusion_matrix(self):
        for look in ("light", "dark"):
            with self.subTest(look=look):
                page = self.open("evaluate20.html", look)
                [panel, fill] = [
                    self.colour(page, ".panel", "backgroundColor"),
                    self.colour(page, ".cell.mark", "fill"),
                ]
                shares = "[...document.querySelectorAll('.cell')].map((one) => one.getAttribute('fill-opacity'))"
                share = page.value(f"Math.max(...{shares})")
                cell = [share * colour + (1 - share) * back for colour, back in zip(fill, panel, strict=True)]
                self.assertGreaterEqual(contrast(self.colour(page, "svg a text", "fill"), cell), 4.5)

    def test_a_dark_picture_is_printed_on_white(self):
        page = self.open("causal.svg", "dark")
        page.send("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(self.colour(page, ".paper", "fill"), [255, 255, 255])


class Bars(PageTest):
    def test_a_bar_is_as_long_as_its_number_whatever_the_label(self):
        rows = """[...document.querySelectorAll(".bars")].slice(0, 2).flatMap((table) =>
          [...table.querySelectorAll("tr")].map((row) => [Number(row.querySelector("td").textContent),
            row.querySelector("i").getBoundingClientRect().width]))"""
        for look in ("light", "narrow"):
            page = self.open("explain.html", look)
            bars = page.value(rows)
            largest = max(abs(number) for number, _ in bars)
            longest = max(width for _, width in bars)
            self.assertGreater(longest, 60)
            for number, width in bars:
                self.assertAlmostEqual(width / longest, abs(number) / largest, delta=0.02)


# The size of the smallest letters in pixels of the window; letters of a picture shrink with it.
SMALLEST = """Math.min(...[...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() &&
  [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "")).map((one) => {
    const size = parseFloat(getComputedStyle(one).fontSize);
    const scale = one.ownerSVGElement ? one.getScreenCTM() : { a: 1, b: 0 };
    return size * Math.hypot(scale.a, scale.b);
  }))"""


class Phones(PageTest):
    PAGES = ("mask.html", "positions.html", "explain.html", "film.html") + tuple(
        f"{name}{count}.html" for name in ("evaluate", "explain", "attention") for count in (20, 77)
    )

    def test_pages_fit_and_can_be_read(self):
        for name in self.PAGES:
            for look in LOOKS:
                with self.subTest(page=name, look=look):
                    page = self.open(name, look)
                    self.assertLessEqual(
                        page.value("document.documentElement.scrollWidth"), LOOKS[look].get("width", 1280)
                    )
                    self.assertGreaterEqual(page.value(SMALLEST), 9.5)

    def test_a_picture_says_that_it_scrolls_where_it_does(self):
        state = """[...document.querySelectorAll(".picture")].map((one) => [
          one.querySelector(".hint").getBoundingClientRect().height > 10,
          one.querySelector(".scroller").scrollWidth > one.querySelector(".scroller").clientWidth + 1])"""
        seen = set()
        for name in ("mask.html", "positions.html", "evaluate20.html"):
            for look in LOOKS:
                with self.subTest(page=name, look=look):
                    found = self.open(name, look).value(state)
                    self.assertGreater(len(found), 0)
                    for says, scrolls in found:
                        self.assertEqual(says, scrolls)
                        seen.add(says)
        self.assertEqual(seen, {False, True})

    def test_labels_are_told_apart_in_the_matrix_and_whole_in_tables(self):
        page = self.open("evaluate20.html", "narrow")
        beside = page.value("""[...document.querySelectorAll("svg[aria-label='confusion matrix'] text")]
          .map((one) => one.textContent).filter((text) => /[a-z]/.test(text))""")
        self.assertEqual(len(set(beside)), 20)
        self.assertTrue(all("…" in name for name in beside))
        page = self.open("evaluate77.html", "narrow")
        names = page.value("[...document.querySelectorAll('table td.name:first-child')].map((one) => one.textContent)")
        self.assertEqual(names[:77], bank_labels(77))

    def test_the_detail_of_an_evaluation_begins_within_three_screens(self):
        for count in (20, 77):
            with self.subTest(labels=count):
                page = self.open_file(path_of(f"evaluate{count}.html"), width=390, height=844)
                begin = page.value("""[...document.querySelectorAll("h2")]
                  .find((one) => one.textContent === "Rows").getBoundingClientRect().top""")
                self.assertLess(begin, 3 * 844)

    def test_a_cell_of_the_matrix_leads_to_its_rows(self):
        page = self.open("evaluate20.html", "light")
        link = page.value("document.querySelector('svg a').getAttribute('href')")
        self.assertFalse(page.value(f"document.querySelector('{link}').checkVisibility()"))
        page.click_at("svg a")
        page.wait(f"document.querySelector('{link}').checkVisibility()")
        rows = page.value(f"document.querySelectorAll('{link} tr').length - 1")
        self.assertEqual(rows, int(page.value("document.querySelector('svg a text').textContent")))

    def test_a_table_of_labels_is_sorted_by_the_column_that_is_clicked(self):
        page = self.open("evaluate20.html", "light")
        names = "[...document.querySelectorAll('.sorted td:first-child')].map((one) => one.textContent)"
        page.value("document.querySelector('.sorted').closest('details').open = true")
        page.click_at(".sorted th button")
        self.assertEqual(page.value(names), sorted(bank_labels(20), reverse=True))
        page.press("Enter")  # the other way round
        self.assertEqual(page.value(names), sorted(bank_labels(20)))

    def test_what_scrolls_in_the_attention_page_fades_until_its_end(self):
        page = self.open("attention77.html", "narrow")
        page.wait("document.getElementById('grid').dataset.drawn")
        for box, edge, move in (("map", "right", "scrollLeft"), ("label-map", "below", "scrollTop")):
            box = f"document.getElementById('{box}')"
            page.wait(f"{box}.classList.contains('more-{edge}')")
            self.assertIn("gradient", page.value(f"getComputedStyle({box}).maskImage"))
            page.value(f"{box}.{move} = 99999")
            page.wait(f"!{box}.classList.contains('more-{edge}')")

    def test_long_tokens_show_their_ends(self):
        page = self.open("attention20.html", "narrow")
        page.wait("document.getElementById('grid').dataset.drawn")
        ends = page.value("""[...document.querySelectorAll(".queries .long")].map((name) => {
          const [end, token] = [name.lastChild.getBoundingClientRect(), name.parentNode.getBoundingClientRect()];
          return [name.lastChild.textContent, end.width > 10 && end.left >= token.left && end.right <= token.right];
        })""")
        self.assertEqual(ends, [["d_one", True], ["d_two", True]])


class Films(PageTest):
    def test_the_slider_shows_each_epoch(self):
        page = self.open("film.html", "light")
        when, scores = "document.getElementById('when').textContent", "document.getElementById('verdict').textContent"
        last, told = page.value(when).split(",", 1)
        self.assertTrue(told.startswith(" training loss"))
        self.assertIn("Dashed: development rows", page.value("document.getElementById('curves').textContent"))
        self.assertEqual(page.value("document.getElementById('epochs').textContent"), "epoch 0" + last)
        learned = page.value(scores)
        page.value("document.getElementById('epoch').focus()")
        page.press("Home")
        page.wait(f"{when} === 'epoch 0, before training'")
        self.assertNotEqual(page.value(scores), learned)
        page.click_at("#play")
        page.wait(f"{when}.startsWith('{last},')")
        self.assertEqual(page.value(scores), learned)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
