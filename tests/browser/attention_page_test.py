"""The page of `headlight attention --format html` in a browser: attention_page_test.py PROGRAM SOURCE.
HEADLIGHT_PICTURES=DIR keeps pictures of it there, to be looked at."""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import unittest

import pages
from attention import Attention, merged, unpacked
from pages import PICTURES, PROGRAM, SOURCE, model, path_of

STEPS = 4000
ROUNDED = 0.0005 + 0.5 / STEPS + 1e-9  # three decimals of a weight that is kept in steps
HOSTILE = [
    "<script>alert(1)</script>",
    "</script>",
    "<!--",
    "\"'&amp;",
    "שלום",
    "\u202eevil\u202c",
    "😀👩‍👩‍👧",
    "مرحبا",
    "a" * 80,
    "<img/src=x/onerror=alert(2)>",
    "\u2028\u0085x",
]
# What is shown of each token while its line is pointed at, a row a query.
SHOWN = """[...document.querySelectorAll(".queries .token")].map((token) => {
  token.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  return [...document.querySelectorAll(".keys .weight")].map((weight) => Number(weight.textContent));
})"""


def setUpModule():
    global films, pair, labels, hostile, long, bare, stacks
    sentiment = model("sentiment")
    films = make("films", "-m", sentiment, "Not bad at all: an unflinching, gorgeously shot portrait.")
    pair = make("pair", "-m", sentiment, "an unflinching meal", "--pair", "somebody eats")
    long = make("long", "-m", toy("many", words=["w"], max_position_embeddings=400), " ".join(["w"] * 400))
    bare = make(
        "bare", "-m", toy("bare", words=["a", "b"], residual=False, intermediate_size=0), "a b b", residual=False
    )
    stacks = make("stacks", "-m", os.path.join(SOURCE, "tests/golden/published/bart-entailment"), "a b ab")
    with open(os.path.join(SOURCE, "configs/label-attention.json"), encoding="utf-8") as config:
        labels = make("labels", "-m", initialized("labelled", json.load(config)), "the film is not bad at all")
    evil = toy("evil", words=HOSTILE, id2label={"0": "<b>no</b>", "1": HOSTILE[0] + "\u202e"})
    hostile = make("hostile", "-m", evil, " ".join(HOSTILE), "--pair", HOSTILE[1])


def make(name, *arguments, **fields):
    return Attention(PROGRAM, path_of(name + ".html"), *arguments, **fields)


def initialized(name, config):
    path = path_of(name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)
    subprocess.run([PROGRAM, "init", "-q", path, "-o", path_of(name)], check=True)
    return path_of(name)


def toy(name, words, **fields):
    """A model of two layers with four heads that splits at white space."""
    config = {
        "model_type": "headlight",
        "vocab_size": len(words) + 1,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 16,
        "id2label": {"0": "no", "1": "yes"},
        "tokenizer": {"type": "whitespace", "lowercase": False, "vocabulary": ["[UNK]", *words]},
    }
    return initialized(name, config | fields)


class PageTest(pages.PageTest):
    def open(self, attention, **how):
        """The page once all of it is drawn."""
        page = self.open_file(attention.path, **how)
        page.wait("document.getElementById('grid').dataset.drawn")
        return page

    def assert_close(self, found, expected, tolerance):
        self.assertEqual([len(row) for row in found], [len(row) for row in expected])
        worst = max(abs(a - b) for row, other in zip(found, expected) for a, b in zip(row, other))
        self.assertLessEqual(worst, tolerance)

    def weights(self, page, side):
        """What stands beside the tokens of a side."""
        found = f"[...document.querySelectorAll('.{side} .weight')]"
        return page.value(f"{found}.map((weight) => Number(weight.textContent))")

    def name(self, page):
        return page.value("document.getElementById('head-name').textContent")

    def open_head(self, page, layer, column, name=None):
        page.click_at(f'.thumb[data-layer="{layer}"][data-column="{column}"]')
        expected = f"Layer {layer}, {name or f'head {column}'}"
        page.wait(f"document.getElementById('head-name').textContent === '{expected}'")


class Files(unittest.TestCase):
    def test_every_weight_is_that_of_the_json_within_half_a_step(self):
        for attention in (films, pair, long):
            blocks = attention.block("matrices")["layers"]
            self.assertEqual(len(blocks), len(attention.heads))
            for layer, block in enumerate(blocks):
                for head, packed in enumerate(block["heads"]):
                    exact = [weight for row in attention.heads[layer][head] for weight in row]
                    kept = unpacked(packed, STEPS)
                    self.assertEqual(len(kept), len(exact))
                    self.assertLessEqual(max(abs(a - b) for a, b in zip(kept, exact)), 0.5 / STEPS + 1e-7)

    def test_the_policy_allows_this_script_and_this_style_and_nothing_else(self):
        policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', films.html).group(1)
        hashes = {}
        for element in ("script", "style"):
            (content,) = re.findall(f"<{element}>(.*?)</{element}>", films.html, re.DOTALL)
            hashes[element] = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        self.assertEqual(
            policy,
            "default-src 'none'; "
            f"script-src 'sha256-{hashes['script']}'; style-src 'sha256-{hashes['style']}'; "
            "base-uri 'none'; form-action 'none'",
        )
        outward = r"(?i)\s(?:src|href|onclick|style)=|https?://(?!www\.w3\.org/2000/svg)|@import"
        self.assertEqual(re.findall(outward, films.html), [])


class Heads(PageTest):
    def test_a_head_opens_by_a_click_and_by_the_keyboard(self):
        page = self.open(films)
        self.assertEqual(self.name(page), "Layer 2, head 0")
        self.open_head(page, 1, 3)
        self.assertIn(f"entropy {films.entropy(1, 3):.2f}", page.value("document.getElementById('head').textContent"))
        page.press("ArrowDown", "ArrowRight", "Enter")
        page.wait("document.getElementById('head-name').textContent === 'Layer 2, head 4'")
        page.press("Home", "ArrowUp", " ")
        page.wait("document.getElementById('head-name').textContent === 'Layer 1, head 0'")
        page.press("End", "Enter")
        page.wait("document.getElementById('head-name').textContent === 'Layer 1, rollout'")
        self.assertEqual(page.value("document.querySelectorAll('.thumb[aria-selected=true]').length"), 1)

    def test_pointing_at_a_cell_of_the_heat_map_shows_its_weight(self):
        page = self.open(films)
        for layer, head, query, key in ((0, 2, 3, 2), (2, 0, 2, 3), (1, 11, 5, 9)):
            self.open_head(page, layer, head)
            left, top, cell = page.value(CELLS)
            page.point(left + (key + 0.5) * cell, top + (query + 0.5) * cell)
            page.wait("!document.getElementById('tooltip').hidden")
            names = page.value("[...document.querySelectorAll('#tooltip bdi')].map((name) => name.textContent)")
            weight = page.value("Number(document.querySelector('#tooltip b').textContent)")
            self.assertEqual(names, [films.json["tokens"][query], films.json["tokens"][key]])
            self.assertAlmostEqual(weight, films.heads[layer][head][query][key], delta=ROUNDED)
            page.point(1, 1)
            self.assertTrue(page.value("document.getElementById('tooltip').hidden"))

    def test_layers_of_a_decoder_are_named_by_what_it_reads(self):
        names = "[...document.querySelectorAll('.{} .token bdi')].map((name) => name.textContent)"

        def shown(page):
            return [page.value(names.format(side)) for side in ("queries", "keys")]

        page = self.open(stacks)
        own, target = stacks.json["tokens"], stacks.json["target_tokens"]
        self.assertEqual(self.name(page), "Layer 4 (cross), head 0")
        self.assertEqual(shown(page), [target, own])
        for layer, kind, expected in ((0, "encoder", [own, own]), (3, "decoder", [target, target])):
            page.click_at(f'.thumb[data-layer="{layer}"][data-column="1"]')
            page.wait(f"document.getElementById('head-name').textContent === 'Layer {layer} ({kind}), head 1'")
            self.assertEqual(shown(page), expected)
            self.assert_close(page.value(SHOWN), stacks.heads[layer][1], ROUNDED)
        page.click_at('.thumb[data-layer="4"][data-column="rollout"]')
        page.wait("document.getElementById('head-name').textContent === 'Layer 4 (cross), rollout'")
        self.assertEqual(shown(page), [target, own])
        command = [PROGRAM, "attention", "-q", "-m", os.path.join(SOURCE, "tests/golden/published/bart-entailment")]
        found = subprocess.run([*command, "--rollout", "--format", "json", "a b ab"], check=True, capture_output=True)
        self.assert_close(page.value(SHOWN), json.loads(found.stdout)["rollout"], 4 * ROUNDED)

    def test_pointing_at_a_token_shows_its_weights(self):
        page = self.open(films)
        self.open_head(page, 1, 5)
        page.point_at('.queries .token[data-index="4"]')
        row = self.weights(page, "keys")
        self.assert_close([row], [films.heads[1][5][4]], ROUNDED)
        page.point_at('.keys .token[data-index="6"]')
        column = self.weights(page, "queries")
        self.assert_close([column], [[row[6] for row in films.heads[1][5]]], ROUNDED)
        self.assert_close(page.value(SHOWN), films.heads[1][5], ROUNDED)

    def test_a_token_is_pinned_until_it_is_let_go(self):
        weights = "[...document.querySelectorAll('.keys .weight')].map((weight) => weight.textContent).join('')"
        pinned = """[...document.querySelectorAll(".token[aria-selected=true] bdi")].map((name) => name.textContent)"""
        page = self.open(films)
        page.click_at('.queries .token[data-index="2"]')
        page.point(1, 1)
        self.assertEqual(page.value(pinned), ["bad"])
        self.assertNotEqual(page.value(weights), "")
        self.open_head(page, 0, 7)  # it outlives a change of head
        self.assertEqual(page.value(pinned), ["bad"])
        self.assertIn("bad attends to", page.value("document.getElementById('status').textContent"))
        page.press("Escape")
        self.assertEqual(page.value(pinned), [])
        self.assertEqual(page.value(weights), "")
        page.value("document.querySelector('.queries .token').focus()")
        page.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
        self.assertEqual(page.value(pinned), ["at"])
        page.press("Enter")
        self.assertEqual(page.value(pinned), [])

    def test_the_arrow_keys_read_the_heat_map(self):
        page = self.open(films)
        self.open_head(page, 0, 1)
        page.value("document.querySelector('#map canvas').focus()")
        page.press("ArrowDown", "ArrowRight", "ArrowRight")
        said = page.value("document.getElementById('status').textContent")
        self.assertEqual(said.split()[:3], ["not", "→", "bad"])
        self.assertAlmostEqual(float(said.split()[3]), films.heads[0][1][1][2], delta=ROUNDED)

    def test_layers_and_heads_are_filtered_by_mouse_and_keyboard(self):
        shown = """[...document.querySelectorAll(".thumb")].filter((thumb) => thumb.checkVisibility())
                   .map((thumb) => `${thumb.dataset.layer} ${thumb.dataset.column}`)"""
        page = self.open(films)
        self.assertEqual(len(page.value(shown)), 3 * (12 + 2))
        page.click_at("#layers .chip:nth-of-type(1)")
        self.assertEqual({name.split()[0] for name in page.value(shown)}, {"1", "2"})
        page.value("document.querySelector('#heads input').focus()")
        page.press(" ")
        self.assertNotIn("1 0", page.value(shown))
        self.assertEqual(len(page.value(shown)), 2 * (11 + 2))
        for expected in (2 * (12 + 2), 2 * 2, 2 * (12 + 2)):
            page.click_at("#heads .chips-all")
            self.assertEqual(len(page.value(shown)), expected)


# Where the cells of the heat map begin in the window, and how large they are: their border is found in
# the picture by walking over it with the pointer.
CELLS = """(() => {
  const canvas = document.querySelector("#map canvas");
  canvas.scrollIntoView({ block: "center" });
  const box = canvas.getBoundingClientRect();
  const inside = (x, y) => {
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y }));
    return !document.getElementById("tooltip").hidden;
  };
  const [right, bottom] = [box.right - 3, box.bottom - 3];
  let left = right;
  while (inside(left - 1, bottom)) --left;
  let top = bottom;
  while (inside(right, top - 1)) --top;
  return [left, top, (box.right - 1 - left) / document.querySelectorAll(".keys .token").length];
})()"""


class Views(PageTest):
    def test_pieces_are_merged_to_words_whose_rows_sum_to_one(self):
        page = self.open(films)
        self.open_head(page, 2, 1)
        page.click_at("#words + span")
        page.wait("document.querySelector('.token:nth-child(10)').textContent === 'gorgeously'")
        names = page.value("[...document.querySelectorAll('.queries bdi')].map((name) => name.textContent)")
        self.assertEqual(
            names,
            [
                "[CLS]",
                "Not",
                "bad",
                "at",
                "all",
                ":",
                "an",
                "unflinching",
                ",",
                "gorgeously",
                "shot",
                "portrait",
                ".",
                "[SEP]",
            ],
        )
        words = []
        for i, token in enumerate(films.json["tokens"]):
            if token.startswith("##"):
                words[-1].append(i)
            else:
                words.append([i])
        expected = merged(films.heads[2][1], words)
        found = page.value(SHOWN)
        self.assert_close(found, expected, 0.0005 + 4 * 0.5 / STEPS)
        for row, exact in zip(found, expected):
            self.assertAlmostEqual(sum(exact), 1, delta=1e-5)
            self.assertAlmostEqual(sum(row), 1, delta=0.01)
        self.assertEqual(page.value("document.querySelectorAll('.keys .token').length"), len(words))

    def test_special_tokens_are_hidden_and_the_others_keep_their_weights(self):
        page = self.open(films)
        self.open_head(page, 1, 2)
        page.click_at("#no-specials + span")
        page.wait("document.querySelector('.queries bdi').textContent === 'not'")
        self.assert_close(page.value(SHOWN), [row[1:-1] for row in films.heads[1][2][1:-1]], ROUNDED)

    def test_mean_and_rollout_are_those_of_the_paper(self):
        for attention, layers in ((films, 3), (bare, 2)):
            page = self.open(attention)
            for layer in range(layers):
                self.open_head(page, layer, "mean", "mean")
                self.assert_close(page.value(SHOWN), attention.mean(layer), ROUNDED)
                self.open_head(page, layer, "rollout", "rollout")
                self.assert_close(page.value(SHOWN), attention.rollout(layer), ROUNDED + 3 / STEPS)

    def test_sentences_of_a_pair_are_looked_at_alone(self):
        page = self.open(pair)
        self.open_head(page, 0, 4)
        places = {which: [i for i, found in enumerate(pair.json["sequence"]) if found == which] for which in (0, 1)}
        for chip, (queries, keys) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1)), start=2):
            page.click_at(f"#pairs .chip:nth-of-type({chip})")
            page.wait(
                f"document.querySelectorAll('.queries .token').length === {len(places[queries])} && "
                f"document.querySelectorAll('.keys .token').length === {len(places[keys])}"
            )
            expected = [[pair.heads[0][4][i][k] for k in places[keys]] for i in places[queries]]
            self.assert_close(page.value(SHOWN), expected, ROUNDED)

    def test_label_attention_is_shown_by_head_and_averaged(self):
        self.assertTrue(self.open(films).value("document.getElementById('labels').hidden"))
        page = self.open(labels)
        exact = labels.json["label_attention"]
        said = "document.getElementById('label-status').textContent"
        for chip, weight in ((1, sum(head[1] for head in exact[1]) / 4), (4, exact[1][2][1])):
            page.click_at(f"#label-heads .chip:nth-of-type({chip})")
            page.wait(f"{said} === 'Point at a cell to see its weight.'")
            page.value("document.querySelector('#label-map canvas').focus()")
            page.press("ArrowDown", "ArrowRight")
            words = page.value(said).split()
            self.assertEqual(words[:3], ["blame", "→", "film"])
            self.assertAlmostEqual(float(words[3]), weight, delta=ROUNDED)

    def test_the_verdict_stands_on_top(self):
        page = self.open(films)
        best = films.json["label"]
        shown = page.value("[...document.querySelector('.outcome').children].map((part) => part.textContent)")
        self.assertEqual(shown, [best, f"{100 * films.json['probabilities'][best]:.1f} %"])
        rows = page.value("[...document.querySelectorAll('#verdict tr th[scope=row]')].map((name) => name.textContent)")
        self.assertEqual(rows, sorted(films.json["probabilities"], key=films.json["probabilities"].get, reverse=True))


class Harmless(PageTest):
    def test_text_of_others_is_text(self):
        page = self.open(hostile, width=900)
        visible = [
            word.replace("\u202e", "\\u202e")
            .replace("\u202c", "\\u202c")
            .replace("\u2028", "\\u2028")
            .replace("\u0085", "\\x85")
            for word in HOSTILE
        ]
        tokens = page.value("[...document.querySelectorAll('.queries bdi')].map((name) => name.textContent)")
        known = [visible[HOSTILE.index(token)] if token in HOSTILE else token for token in hostile.json["tokens"]]
        self.assertEqual(tokens, known)
        self.assertGreaterEqual(sum(token in visible for token in tokens), 9)
        text = page.value("document.querySelector('.text bdi').textContent")
        self.assertEqual(text, " ".join(visible))
        self.assertEqual(page.value("document.querySelectorAll('img, b > b, body script').length"), 4)
        self.assertIn("<b>no</b>", page.value("document.getElementById('verdict').textContent"))
        page.click_at("#words + span")
        page.point_at('.keys .token[data-index="0"]')

    def test_400_tokens_can_be_used(self):
        page = self.open(long)
        self.open_head(page, 1, 2)
        page.point_at('.queries .token[data-index="399"]')
        self.assert_close([self.weights(page, "keys")], [long.heads[1][2][399]], ROUNDED)
        lines = page.value("document.querySelector('#lines svg').innerHTML.match(/M/g).length")
        self.assertLessEqual(lines, 400)


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class Looks(PageTest):
    def test_light_dark_and_narrow(self):
        pages = {"films": films, "pair": pair, "labels": labels, "long": long, "hostile": hostile}
        looks = {"light": {}, "dark": {"dark": True}, "narrow": {"width": 380, "height": 800}}
        for name, attention in pages.items():
            for look, how in looks.items():
                with self.subTest(page=name, look=look):
                    page = self.open(attention, **how)
                    page.picture(os.path.join(PICTURES, f"{name}-{look}.png"))
                    self.assertLessEqual(page.value("document.documentElement.scrollWidth"), how.get("width", 1280))
                    self.check_contrast(page, is_dark=look == "dark")
                    page.value("document.querySelector('.queries .token').click()")
                    page.value("document.querySelector('.keys .token').focus()")
                    self.check_contrast(page, is_dark=None)

    def test_a_dark_page_is_printed_on_white(self):
        page = self.open(films, dark=True)
        self.assertAlmostEqual(films.heads[0][2][0][-1], 0, delta=0.001)
        corner = """(() => {
          const canvas = document.querySelector('.thumb[data-layer="0"][data-column="2"] canvas');
          const copy = new OffscreenCanvas(1, 1).getContext("2d");
          copy.drawImage(canvas, canvas.width - 1, 0, 1, 1, 0, 0, 1, 1);
          return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)];
        })()"""
        self.assertLess(luminance(page.value(corner)), 0.05)
        page.value("dispatchEvent(new Event('beforeprint'))")
        self.assertGreater(luminance(page.value(corner)), 0.95)
        page.value("dispatchEvent(new Event('afterprint'))")
        self.assertLess(luminance(page.value(corner)), 0.05)
        page.print(path_of("films.pdf"))
        with open(path_of("films.pdf"), "rb") as file:
            self.assertEqual(file.read(5), b"%PDF-")

    def check_contrast(self, page, is_dark):
        """Web Content Accessibility Guidelines 2.2, 1.4.3: all text that is shown, against what is behind it, which is
        dark or light where that is known."""
        found = page.value("""(() => {
          const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
          const behind = (element) => {
            for (let at = element; at; at = at.parentElement) {
              const colour = parts(getComputedStyle(at).backgroundColor);
              if (colour.length === 3 || colour[3] > 0) return colour.slice(0, 3);
            }
          };
          const holders = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility() &&
            [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ""));
          const unlike = new Map();
          for (const element of holders) {
            const pair = [parts(getComputedStyle(element).color).slice(0, 3), behind(element)];
            unlike.set(JSON.stringify(pair), element.className || element.tagName);
          }
          return [...unlike].map(([pair, name]) => [...JSON.parse(pair), name]);
        })()""")
        self.assertGreater(len(found), 4)
        for colour, back, name in found:
            light, dark = sorted((luminance(colour), luminance(back)), reverse=True)
            self.assertGreaterEqual((light + 0.05) / (dark + 0.05), 4.5, name)
            if is_dark is not None:
                self.assertEqual(luminance(back) < 0.2, is_dark, name)

    def test_what_can_be_reached_has_a_role_and_a_name(self):
        page = self.open(pair)
        reachable = page.reachable()
        roles = {node["role"]["value"] for node in reachable}
        self.assertLessEqual({"gridcell", "option", "checkbox", "radio", "button", "application"}, roles)
        for node in reachable:
            self.assertTrue(node.get("name", {}).get("value"), node["role"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
