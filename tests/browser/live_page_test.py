"""The page of `headlight attention --live` in a browser: live_page_test.py PROGRAM SOURCE. Skipped where the module
is not built. HEADLIGHT_PICTURES=DIR keeps pictures of it there, to be looked at: apps/live-page.png is
live-film-light.png."""

import base64
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

import pages
from pages import PICTURES, PROGRAM, contrast, model, path_of

FILM = "Not bad at all: an unflinching, gorgeously shot portrait."
OTHER = "Not good at all: a tedious, badly shot portrait."
HOSTILE = "<script>alert(1)</script> </script> <!-- \"'&amp; <img/src=x/onerror=alert(2)> \u202eevil"
STORED = 2e-3  # the page holds weights as float16, and its processor rounds otherwise
TEXT = "document.getElementById('{}').textContent"
SAID = TEXT.format("line-status")
TOY = os.path.abspath(os.path.join(pages.SOURCE, "configs/one-head.json"))  # knows ten words, and no token for others


def setUpModule():
    made = page("film", FILM)
    if made.returncode == 1 and "build-page" in made.stderr:
        raise unittest.SkipTest(made.stderr.strip())
    if made.returncode != 0:
        raise RuntimeError(made.stderr)


def page(name, *arguments, command="attention", of="sentiment"):
    line = [PROGRAM, command, "--live", "-m", model(of), "--force", "-o", path_of(name + ".html"), *arguments]
    return subprocess.run(line, capture_output=True, text=True)


def told(command, *arguments, of="sentiment"):
    line = [PROGRAM, command, "-q", "-m", model(of), "--format", "json", *arguments]
    return json.loads(subprocess.run(line, check=True, capture_output=True).stdout)


class LiveTest(pages.PageTest):
    def open(self, name="film", **how):
        found = self.open_file(path_of(name + ".html"), **how)
        found.wait("document.querySelector('.outcome') !== null")
        return found

    def type(self, found, text, box="text"):
        found.value(f"(() => {{ const box = document.getElementById('{box}'); box.focus(); box.select(); }})()")
        found.send("Input.insertText", text=text)

    def wait_for_tokens(self, found, text, *arguments, side="", of="sentiment"):
        """Until the page shows the text; what the program says of it."""
        expected = told("attention", *arguments, text, of=of)
        names = f"""[...document.querySelectorAll("#lines{side} .queries bdi")].map((one) => one.textContent)"""
        found.wait(f"JSON.stringify({names}) === JSON.stringify({json.dumps(expected['tokens'])})")
        return expected

    def logits(self, found, side=""):
        """The logits that are shown, by label."""
        rows = found.value(f"""[...document.querySelectorAll("#verdict{side} table > tr")]
          .map((row) => [row.querySelector("th").textContent, row.querySelector(".number + .number").textContent])""")
        return {name: float(number) for name, number in rows}

    def assert_logits(self, found, expected, side=""):
        shown = self.logits(found, side)
        self.assertEqual(shown.keys(), expected.keys())
        for name, logit in expected.items():
            self.assertAlmostEqual(shown[name], logit, delta=0.005 + STORED)

    def open_head(self, found, layer, head):
        found.click_at(f'#grid .thumb[data-layer="{layer}"][data-column="{head}"]')
        found.wait(f"{TEXT.format('head-name')} === 'Layer {layer}, head {head}'")


class Typing(LiveTest):
    def test_each_text_has_the_tokens_verdict_and_attention_of_the_program(self):
        found = self.open()
        for text in (OTHER, "", "good", "a " * 100 + "bad", "日本語 😀 e\u0301"):
            with self.subTest(text=text):
                self.type(found, text)
                expected = self.wait_for_tokens(found, text)
                self.assert_logits(found, expected["logits"])
        self.type(found, OTHER)
        expected = self.wait_for_tokens(found, OTHER)
        self.open_head(found, 1, 5)
        found.point_at('.queries .token[data-index="4"]')
        row = found.value("[...document.querySelectorAll('.keys .weight')].map((one) => Number(one.textContent))")
        for shown, weight in zip(row, expected["attention"][1][5][4], strict=True):
            self.assertAlmostEqual(shown, weight, delta=0.0005 + STORED)

    def test_a_long_text_is_cut_to_what_the_model_reads(self):
        found = self.open()
        limit = 256  # tokens of the model
        text = "a good, bad film " * 5000  # 85 KB, as an argument of the program can be
        self.type(found, text)
        expected = self.wait_for_tokens(found, text)
        self.assert_logits(found, expected["logits"])
        found.wait(f"{SAID}.includes('reads at most {limit} tokens')")
        words = "document.querySelectorAll('#texts .word').length"
        found.wait(f"{words} === {limit}")
        found.wait("location.hash.length < 10000")
        for long in ("good bad " * 120000, "x" * 1000000, "日本語" * 100000):
            self.type(found, long)
            found.wait(f"{SAID}.includes('reads at most')")
            found.wait(f"document.querySelector('#texts .word').textContent.startsWith({json.dumps(long[:2])})")
            self.assertLessEqual(found.value(words), limit)
        self.type(found, "good")
        self.wait_for_tokens(found, "good")
        found.wait(f"{SAID} === ''")

    def test_a_damaged_file_is_named(self):
        source = pathlib.Path(path_of("film.html")).read_text()
        begin = source.index(">", source.index('data-file="model.safetensors"')) + 1
        middle = (begin + source.index("<", begin)) // 2
        pathlib.Path(path_of("damaged.html")).write_text(source[:middle] + "AAAAAAAA" + source[middle + 8 :])
        found = self.open_file(path_of("damaged.html"))
        found.wait("document.getElementById('line-status').textContent.includes('model.safetensors: is damaged')")

    def test_a_second_text_makes_a_pair(self):
        found = self.open()
        found.click_at("#has-pair + span")
        for nothing in ("", " \u00a0\n"):
            self.type(found, nothing, box="pair")
            self.wait_for_tokens(found, FILM)
            found.wait(f"{SAID}.includes('nothing to read in the second text')")
        self.type(found, "a portrait", box="pair")
        expected = self.wait_for_tokens(found, FILM, "--pair", "a portrait")
        self.assert_logits(found, expected["logits"])
        found.wait(f"{SAID} === ''")
        self.assertFalse(found.value("document.getElementById('pairs').hidden"))
        found.click_at("#pairs .chip:nth-of-type(3)")
        found.wait("document.querySelectorAll('.keys .token').length === 2")
        found.click_at("#has-pair + span")
        self.wait_for_tokens(found, FILM)

    def test_what_cannot_be_read_is_said_and_the_old_picture_is_grey(self):
        self.assertEqual(page("toy", "I prefer apple", of=TOY).returncode, 0)
        found = self.open("toy")
        grey = "(getComputedStyle(document.querySelector('.main')).filter === 'grayscale(1)')"
        for text, said in (
            ("", "nothing to read in the text"),
            ("I prefer pears", "pears"),
            (" \u0085", "nothing to read"),
        ):
            with self.subTest(text=text):
                self.type(found, text)
                found.wait(f"{SAID}.includes('{said}') && {grey}")
                self.type(found, "I prefer orange")
                found.wait(f"{SAID} === '' && !{grey}")
        found = self.open()
        self.type(found, " ")  # which has special tokens
        self.wait_for_tokens(found, " ")
        found.wait(f"{SAID}.includes('nothing to read') && !{grey}")
        self.assertEqual(page("empty", "", of=TOY).returncode, 0)
        found = self.open_file(path_of("empty.html"))
        found.wait(f"{SAID}.includes('nothing to read')")
        self.assertEqual(found.value(TEXT.format("model")), "one-head")

    def test_the_link_carries_the_texts(self):
        found = self.open(link="#text=so%20bad%3F&pair=really")
        self.wait_for_tokens(found, "so bad?", "--pair", "really")
        self.type(found, "no & yes=#1")
        self.wait_for_tokens(found, "no & yes=#1", "--pair", "really")
        found.wait("location.hash.includes('yes')")
        link = found.value("location.hash")
        self.assertEqual(self.open(link=link).value("document.getElementById('text').value"), "no & yes=#1")


class Leaving(LiveTest):
    def test_a_word_is_left_out_and_taken_back(self):
        found = self.open()
        whole = told("attention", FILM)
        found.click_at("#texts .word:nth-of-type(2)")
        without = FILM.replace(" bad", "")
        expected = self.wait_for_tokens(found, without)
        self.assert_logits(found, expected["logits"])
        self.assertIn("“bad”", found.value(TEXT.format("changes")))
        self.assertIn("With everything", found.value(TEXT.format("verdict")))
        change = (
            found.value("document.querySelector('.best .change').textContent").replace("−", "-").removesuffix(" points")
        )
        name = found.value("document.querySelector('.best th').textContent")
        rise = 100 * (expected["probabilities"][name] - whole["probabilities"][name])
        self.assertAlmostEqual(float(change), rise, delta=0.05 + 100 * STORED)
        found.click_at("#changes button")
        self.wait_for_tokens(found, FILM)
        self.assert_logits(found, whole["logits"])
        self.assertNotIn("Without", found.value(TEXT.format("changes")))
        found.value("document.querySelector('.word').focus()")
        found.press("ArrowRight", "ArrowRight", " ")
        self.wait_for_tokens(found, FILM.replace(" at", ""))
        found.press(" ")
        self.wait_for_tokens(found, FILM)

    def test_heads_are_switched_off(self):
        found = self.open()
        whole = self.logits(found)
        self.open_head(found, 2, 3)
        found.click_at("#switch")
        found.wait("document.querySelector('.thumb.off') !== null")
        found.wait("document.querySelector('.change') !== null")
        found.value('document.querySelector(\'#grid .thumb[data-layer="0"][data-column="1"]\').focus()')
        found.press("Delete")
        found.wait("document.querySelectorAll('.thumb.off').length === 2")
        self.assertEqual(found.value("document.querySelectorAll('#changes button').length"), 3)
        self.assertNotEqual(self.logits(found), whole)
        found.click_at("#changes button:last-child")
        found.wait("document.querySelector('.thumb.off') === null")
        found.wait("document.querySelector('.change') === null")
        self.assertEqual(self.logits(found), whole)


class Comparing(LiveTest):
    def test_the_difference_to_a_held_text(self):
        found = self.open()
        before = self.wait_for_tokens(found, FILM)
        found.click_at("#hold")
        found.wait(f"{TEXT.format('held')} === {json.dumps('compared with: ' + FILM)}")
        self.type(found, FILM.replace("bad", "good"))
        after = self.wait_for_tokens(found, FILM.replace("bad", "good"))
        self.assertIn("With the kept text", found.value(TEXT.format("verdict")))
        self.open_head(found, 1, 2)
        found.click_at("#difference + span")
        found.wait("document.querySelector('.queries .token:nth-child(3)').textContent.includes('bad → good')")
        found.value("document.querySelector('#map canvas').focus()")
        found.press("ArrowDown", "ArrowDown", "ArrowRight")
        said = found.value(TEXT.format("status")).split()
        self.assertEqual(said[:5], ["bad", "→", "good", "→", "Not"])
        rise = after["attention"][1][2][2][1] - before["attention"][1][2][2][1]
        self.assertAlmostEqual(float(said[5].replace("−", "-")), rise, delta=0.0005 + STORED)
        found.click_at("#hold")
        found.wait("document.querySelector('.change') === null")
        found.wait("document.querySelector('.queries .token:nth-child(3)').textContent === 'good'")


class Steps(LiveTest):
    def test_the_four_steps_lead_from_products_to_the_sum(self):
        found = self.open()
        expected = self.wait_for_tokens(found, FILM)
        self.open_head(found, 0, 4)
        found.click_at("#steps summary")
        found.wait("document.querySelector('#steps-rows tr') !== null")
        found.point_at('.queries .token[data-index="2"]')
        found.wait("document.getElementById('steps-query').textContent.startsWith('Query: bad')")
        rows = found.value("""[...document.querySelectorAll("#steps-rows tr")]
          .map((row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent)))""")
        self.assertEqual(len(rows), len(expected["tokens"]))
        size = found.value(TEXT.format("steps-output")).count(",") + 1
        sum_of_exp = sum(math.exp(score) for _, score, _, _ in rows)
        for (product, score, weight, _), exact in zip(rows, expected["attention"][0][4][2], strict=True):
            self.assertAlmostEqual(score, product / math.sqrt(size), delta=0.002)
            self.assertAlmostEqual(math.exp(score) / sum_of_exp, weight, delta=0.002)
            self.assertAlmostEqual(weight, exact, delta=0.0005 + STORED)

    def test_typed_vectors_and_a_temperature_change_the_attention_of_a_toy(self):
        text = "I prefer apple over orange"
        self.assertEqual(page("typed", text, of=TOY).returncode, 0)
        found = self.open("typed")
        expected = self.wait_for_tokens(found, text, of=TOY)
        verdict = self.logits(found)
        found.click_at("#steps summary")
        found.wait("document.querySelectorAll('.vector').length === 11")  # q, and k and v of five tokens
        rows = """[...document.querySelectorAll("#steps-rows tr")]
          .map((row) => [...row.querySelectorAll(".number")].map((cell) => Number(cell.textContent)))"""
        seen = "[...document.querySelectorAll('.keys .weight')].map((one) => Number(one.textContent))"
        vectors = "[...document.querySelectorAll('td .vector')].map((box) => box.value.split(' ').map(Number))"
        weights = expected["attention"][0][0]

        def assert_weights(query, wanted):
            found.point(1, 1)
            found.point_at(f'.queries .token[data-index="{query}"]')
            found.wait("document.querySelector('.keys .weight').textContent !== ''")
            for shown in (found.value(seen), [weight for _, _, weight, _ in found.value(rows)]):
                for weight, exact in zip(shown, wanted, strict=True):
                    self.assertAlmostEqual(weight, exact, delta=0.0005 + STORED)

        def softmax(scores):
            powers = [math.exp(score) for score in scores]
            return [power / sum(powers) for power in powers]

        def set_box(selector, value):
            found.value(f"""(() => {{ const box = document.querySelector("{selector}"); box.value = "{value}";
              box.dispatchEvent(new Event("input")); }})()""")

        assert_weights(0, weights[0])
        set_box("#temperature", "-0.3")
        found.wait(f"{TEXT.format('temperature-text')} === '0.50'")
        found.wait(f"{TEXT.format('head-facts')}.includes('changed below')")
        assert_weights(2, softmax([math.log(weight) / 10**-0.3 for weight in weights[2]]))
        set_box("#temperature", "0")
        assert_weights(2, weights[2])
        self.assertTrue(found.value("document.getElementById('steps-reset').hidden"))
        query = [0, 2, 0, 0, 1, 0, 0, -1]
        set_box("#steps-query .vector", " ".join(map(str, query)))
        keys = found.value(vectors)[::2]
        products = [sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
        assert_weights(2, softmax([product / math.sqrt(8) for product in products]))
        assert_weights(1, weights[1])
        set_box("tr:nth-child(2) .vector", "1, 2")  # not eight numbers
        self.assertEqual(found.value("document.querySelector('.vector[aria-invalid=true]').value"), "1, 2")
        set_box("tr:nth-child(1) td:last-child .vector", "[5, 0, 0, 0, 0, 0, 0, 0]")
        assert_weights(1, weights[1])
        output = found.value(TEXT.format("steps-output")).split("[")[1].split(",")
        self.assertAlmostEqual(float(output[0]), 5 * weights[1][0], delta=0.0005 + 5 * STORED)
        self.assertEqual(self.logits(found), verdict)
        found.click_at("#steps-reset")
        found.wait("document.getElementById('steps-reset').hidden")
        assert_weights(2, weights[2])

    def test_the_vectors_of_a_large_head_are_not_typed(self):
        found = self.open()
        found.click_at("#steps summary")
        found.wait("document.querySelector('#steps-rows tr') !== null")
        self.assertEqual(found.value("document.querySelectorAll('.vector').length"), 0)
        box = "document.querySelector('.scroller')"
        self.type(found, "good, " * 60)
        found.wait("document.querySelectorAll('#steps-rows tr').length === 122")
        self.assertTrue(found.value(f"{box}.scrollHeight <= {box}.clientHeight + 1"))  # all of them are seen


class Explaining(LiveTest):
    def effects(self, found, method):
        found.wait(f"{TEXT.format('effect-note')}.endsWith('by {method}.')")
        numbers = found.value("[...document.querySelectorAll('#effect-rows .number')].map((one) => one.textContent)")
        return [float(number.replace("−", "-")) for number in numbers]

    def test_words_have_the_effects_of_the_program(self):
        self.assertEqual(page("why", FILM, command="explain").returncode, 0)
        found = self.open("why")
        self.assertFalse(found.value("document.getElementById('overview').checkVisibility()"))
        for method in ("occlusion", "integrated-gradients", "lrp", "gradient"):
            with self.subTest(method=method):
                found.value(f"""(() => {{ const box = document.getElementById("effect-method"); box.value = "{method}";
                  box.dispatchEvent(new Event("change")); }})()""")
                expected = told("explain", "--method", method, FILM)
                shown = self.effects(found, method)
                for effect, word in zip(shown, expected["words"], strict=True):
                    self.assertAlmostEqual(effect, word["effect"][expected["label"]], delta=0.0005 + 5 * STORED)
        found.wait(f"{TEXT.format('colours')}.startsWith(' for {expected['label']} ')")
        strongest = max(range(len(shown)), key=lambda i: abs(shown[i]))
        share = found.value(f"document.querySelectorAll('.word')[{strongest}].style.getPropertyValue('--share')")
        self.assertEqual(float(share), 1)
        found.value("""(() => { const box = document.getElementById("effect-label"); box.selectedIndex = 1;
          box.dispatchEvent(new Event("change")); })()""")
        chosen = found.value("document.getElementById('effect-label').selectedOptions[0].textContent")
        self.assertNotEqual(chosen, expected["label"])
        self.assertTrue(found.value(TEXT.format("colours")).startswith(f" for {chosen} "))
        self.type(found, OTHER)
        found.wait("document.querySelector('#effect-rows tr:nth-child(2)').textContent.startsWith('good')")
        self.assertEqual(len(self.effects(found, "gradient")), len(OTHER.split()))


class Sides(LiveTest):
    def test_two_models_read_one_line(self):
        self.assertEqual(page("two", FILM, "--compare", model("sentiment-stream")).returncode, 0)
        found = self.open("two")
        found.wait("document.querySelector('#verdict-2 .outcome') !== null")
        self.type(found, OTHER)
        first = self.wait_for_tokens(found, OTHER)
        found.wait("document.querySelectorAll('#texts-2 .word').length === 9")
        self.assert_logits(found, first["logits"])
        second = told("attention", OTHER, of="sentiment-stream")
        found.wait(f"document.querySelectorAll('#lines-2 .queries .token').length === {len(second['tokens'])}")
        self.assert_logits(found, second["logits"], side="-2")
        found.resize(380, 800)
        gap = found.value("""(() => { const [one, other] = document.querySelectorAll(".side");
          return other.querySelector("h1").getBoundingClientRect().top - one.getBoundingClientRect().bottom; })()""")
        self.assertGreater(gap, 32)


class Saving(LiveTest):
    def saved(self, found, name):
        """The file that a button saves, as text (PNG: its first bytes)."""
        found.value("""(() => {
          window.saved = new Promise((resolve) => {
            URL.createObjectURL = (blob) => { resolve(blob.text()); return "#"; };
            HTMLAnchorElement.prototype.click = () => {};
          });
        })()""")
        found.value(
            f"[...document.querySelectorAll('#save button')].find((one) => one.textContent === '{name}').click()"
        )
        return found.value("window.saved")

    def test_what_is_saved_is_what_is_shown(self):
        found = self.open()
        expected = self.wait_for_tokens(found, FILM)
        self.open_head(found, 2, 1)
        saved = json.loads(self.saved(found, "JSON"))
        for field in ("model", "text", "tokens", "ids", "sequence", "label", "layers", "heads"):
            self.assertEqual(saved[field], expected[field], field)
        for mine, theirs in zip(saved["attention"][2][1], expected["attention"][2][1], strict=True):
            for a, b in zip(mine, theirs, strict=True):
                self.assertAlmostEqual(a, b, delta=STORED)
        svg = self.saved(found, "SVG")
        self.assertEqual(svg.count("<rect"), 1 + len(expected["tokens"]) ** 2)
        self.assertEqual(svg.count("gorgeous → "), len(expected["tokens"]))
        self.assertIn("PNG", self.saved(found, "PNG")[:8])


class Harmless(LiveTest):
    def test_text_of_others_is_text(self):
        found = self.open(link="#text=" + "".join(f"%{byte:02x}" for byte in HOSTILE.encode()))
        found.wait("document.querySelectorAll('#texts .word').length === 6")
        self.assertEqual(found.value("document.querySelectorAll('img').length"), 0)
        self.assertIn("\\u{202e}evil", found.value(TEXT.format("texts")))
        found.click_at("#texts .word:nth-of-type(1)")
        found.wait(f"{TEXT.format('changes')}.startsWith('Without')")

    def test_a_broken_model_says_one_line(self):
        with open(path_of("film.html"), encoding="utf-8") as file:
            whole = file.read()
        start = whole.index('data-file="config.json">') + len('data-file="config.json">')
        with open(path_of("broken.html"), "w", encoding="utf-8") as file:
            file.write(
                whole[:start] + base64.b64encode(gzip.compress(b"{")).decode() + whole[whole.index("<", start) :]
            )
        found = self.open_file(path_of("broken.html"))
        found.wait(f"{TEXT.format('line-status')}.includes('config.json')")


class Looks(LiveTest):
    def test_light_dark_and_narrow(self):
        self.assertEqual(page("explained", FILM, command="explain").returncode, 0)
        for name in ("film", "explained"):
            for look, how in {"light": {}, "dark": {"dark": True}, "narrow": {"width": 380, "height": 800}}.items():
                with self.subTest(page=name, look=look):
                    found = self.open(name, **how)
                    found.click_at("#texts .word:nth-of-type(2)")
                    found.wait("document.querySelector('.change') !== null")
                    found.wait(f"{TEXT.format('effect-note')}.endsWith('by occlusion.')")
                    found.picture(os.path.join(PICTURES, f"live-{name}-{look}.png"))
                    self.assertLessEqual(found.value("document.documentElement.scrollWidth"), how.get("width", 1280))

    def test_the_numbers_of_cells_are_told_from_their_colours(self):
        self.assertEqual(page("numbers", "I prefer apple over orange", of=TOY).returncode, 0)
        for look in ({}, {"dark": True}):
            with self.subTest(look=look):
                found = self.open("numbers", **look)
                found.value("""(() => {
                  window.inks = [];
                  const draw = CanvasRenderingContext2D.prototype.fillText;
                  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                    const place = this.getTransform().transformPoint({ x: x - 16, y });  // beside the number
                    if (/^\\.\\d{3}$/.test(text)) inks.push([this.fillStyle, place.x, place.y]);
                    draw.call(this, text, x, y);
                  };
                  dispatchEvent(new Event("resize"));
                })()""")
                found.wait("inks.length >= 25")
                cells = found.value("""(() => {
                  const { width, height } = document.querySelector("#map canvas");
                  const context = document.querySelector("#map canvas").getContext("2d");
                  const { data } = context.getImageData(0, 0, width, height);
                  const colourAt = (place) => data.slice(4 * place, 4 * place + 3);
                  return inks.map(([ink, x, y]) => [ink, ...colourAt(Math.round(y) * width + Math.round(x))]);
                })()""")
                for ink, *cell in cells:
                    self.assertGreaterEqual(contrast(bytes.fromhex(ink[1:]), cell), 4.5)

    def test_what_can_be_reached_has_a_role_and_a_name(self):
        found = self.open()
        reachable = found.reachable()
        self.assertIn("textbox", {node["role"]["value"] for node in reachable})
        for node in reachable:
            self.assertTrue(node.get("name", {}).get("value"), node["role"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
