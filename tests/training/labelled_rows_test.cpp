#include "training/labelled_rows.h"

#include <string>

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

}  // namespace
}  // namespace headlight::labelled_rows_test
