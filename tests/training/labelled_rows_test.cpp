#include "training/rows/labelled_rows.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "model/init.h"
#include "model/locate.h"
#include "model/model.h"

namespace headlight::labelled_rows_test {
namespace {

const std::string kConfig = std::string(HEADLIGHT_SOURCE) + "/configs/self-attention.json";

/// A toy with the vocabulary of its config.
Model toy(const TemporaryFolder& folder) {
  init_model(kConfig, folder / "toy", 0, /*force=*/true);
  return load_model(locate_model(folder / "toy", ""));
}

LabelledText text(std::size_t number, const std::string& words, std::size_t label) {
  LabelledText row;
  row.number = number;
  row.input.text = words;
  row.target.labels = {label};
  return row;
}

TEST_CASE("rows keep their numbers and targets beside the tokens of their texts") {
  const TemporaryFolder folder;
  const Model model = toy(folder);
  const TextReader reader(model, {});
  LabelledTexts texts;
  texts.labels.names = {"a", "b"};
  texts.train = {text(3, "the film is", 1), text(7, "bad", 0)};
  texts.dev = {text(0, "good good", 1)};
  const LabelledRows rows = tokenize_rows(texts, reader);
  REQUIRE(rows.train.size() == 2);
  REQUIRE(rows.dev.size() == 1);
  CHECK(rows.labels.names == texts.labels.names);
  CHECK(rows.train[0].number == 3);
  CHECK(rows.train[0].tokens.ids == reader.read(texts.train[0].input).windows[0].ids);
  CHECK(rows.train[1].target.labels == std::vector<std::size_t>{0});
  CHECK(rows.dev[0].tokens.size() == reader.read(texts.dev[0].input).size.tokens);
  CHECK(rows.truncated == 0);
}

TEST_CASE("a text that the model cannot read is an error that names its row") {
  const TemporaryFolder folder;
  const Model model = toy(folder);
  const TextReader reader(model, {});
  LabelledTexts texts;
  texts.train = {text(0, "bad", 0), text(4, "", 0)};
  try {
    tokenize_rows(texts, reader);
    FAIL("expected an error");
  } catch (const TextError& error) {
    CHECK(error.line() == "row 4: gives no tokens, so there is nothing to score");
  }
}

TEST_CASE("the hash of rows changes with the last bit of a number, a name, and the order") {
  LabelledRow row;
  row.tokens.ids = {3, 1, 4};
  row.tokens.type_ids = {0, 0, 0};
  row.target = {{1}, 0.5F};
  row.teacher_logits = {0.1F, -2.0F};
  LabelledRow other = row;
  other.number = 1;
  LabelledRows rows;
  rows.labels.names = {"a", "b"};
  rows.train = {row, other};
  rows.dev = {row};
  using Change = void (*)(LabelledRows&);
  const std::vector<std::pair<const char*, Change>> changes = {
      {"target", [](LabelledRows& r) { r.train[0].target.value = std::nextafter(0.5F, 1.0F); }},
      {"teacher", [](LabelledRows& r) { r.dev[0].teacher_logits[1] = std::nextafter(-2.0F, 0.F); }},
      {"no teacher", [](LabelledRows& r) { r.train[1].teacher_logits.clear(); }},
      {"label", [](LabelledRows& r) { r.train[0].target.labels = {0}; }},
      {"token", [](LabelledRows& r) { r.train[0].tokens.ids[2] = 5; }},
      {"type", [](LabelledRows& r) { r.train[0].tokens.type_ids[2] = 1; }},
      {"renamed label", [](LabelledRows& r) { r.labels.names[1] = "c"; }},
      {"moved letter",
       [](LabelledRows& r) {
         r.labels.names = {"ab", ""};
       }},
      {"problem", [](LabelledRows& r) { r.labels.problem_type = ProblemType::multi_label; }},
      {"swapped rows", [](LabelledRows& r) { std::swap(r.train[0], r.train[1]); }},
      {"held-out row", [](LabelledRows& r) {
         r.train.push_back(r.dev[0]);
         r.dev.clear();
       }}};
  std::set<std::string> hashes = {hash_of_rows(rows)};
  CHECK(hash_of_rows(rows) == *hashes.begin());
  for (const auto& [name, change] : changes) {
    CAPTURE(name);
    LabelledRows changed = rows;
    change(changed);
    CHECK(hashes.insert(hash_of_rows(changed)).second);
  }
}

}  // namespace
}  // namespace headlight::labelled_rows_test
