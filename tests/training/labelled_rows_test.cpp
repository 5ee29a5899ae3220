#include "training/rows/labelled_rows.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/text_reader.h"
#include "model/init.h"
#include "model/locate.h"
#include "model/model.h"
#include "training/rows/training_data.h"
#include "training/spelled_rows.h"

namespace headlight::labelled_rows_test {
namespace {

const std::string kConfig = std::string(HEADLIGHT_SOURCE) + "/configs/self-attention.json";

/// A toy with the vocabulary of its config.
Model toy(const TemporaryFolder& folder) {
  init_model(kConfig, folder / "toy", 0, /*force=*/true);
  return load_model(locate_model(folder / "toy", ""));
}

/// The data of these rows as the model reads them.
TrainingData data_of(const Model& model, const Spelled& train, const Spelled& dev) {
  return make_training_data(rows_of(train), rows_of(dev), {},
                            {model, false, {}, [](const std::vector<const TextInput*>&) {}});
}

TEST_CASE("rows keep their numbers and targets beside the tokens of their texts") {
  const TemporaryFolder folder;
  const Model model = toy(folder);
  const TextReader reader(model, {});
  const TrainingData data =
      data_of(model, {{"the film is", "b"}, {"bad", "a"}, {"not bad", "a"}}, {{"good good", "b"}});
  const LabelledRows& rows = data.rows;
  REQUIRE(rows.train.size() == 3);
  REQUIRE(rows.dev.size() == 1);
  CHECK(rows.labels.names == std::vector<std::string>{"a", "b"});
  CHECK(rows.train[1].number == 1);
  CHECK(rows.train[0].tokens.ids == reader.read(rows.train[0].input).windows[0].ids);
  CHECK(rows.train[0].target.labels == std::vector<std::size_t>{1});
  CHECK(rows.dev[0].tokens.size() == reader.read(rows.dev[0].input).size.tokens);
  CHECK(data.truncated == 0);
}

TEST_CASE("rows choose if enough of their texts differ, and their labels are known") {
  std::vector<LabelledRow> rows(2 * kFewestChoosing);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].key = i / 2 + 1;
  CHECK(can_choose(rows));
  CHECK(!can_choose(rows, kFewestChoosing + 1));
  rows[0].target.unknown = rows[1].target.unknown = {"other"};
  CHECK(!can_choose(rows));
}

TEST_CASE("a text that the model cannot read is an error that names its row") {
  const TemporaryFolder folder;
  const TrainingData data =
      data_of(toy(folder), {{"bad", "a"}, {"good", "b"}, {"", "b"}, {"is", "a"}}, {{"bad", "a"}});
  CHECK(data.rows.train.size() == 3);
  REQUIRE(data.errors_seen.size() == 1);
  CHECK(data.errors_seen[0] ==
        "rows.csv: 1 of 4 rows cannot be used; first error: row 2 (line 4): gives no tokens, so "
        "there is nothing to score");
}

TEST_CASE("tokens are read again by a model that reads texts in another way, keys are not") {
  const TemporaryFolder folder;
  Model model = toy(folder);
  LabelledRows rows =
      data_of(model, {{"the film is", "b"}, {"bad", "a"}, {"not bad", "a"}}, {{"good good", "b"}})
          .rows;
  const std::uint64_t key = rows.train[0].key;
  model.description.max_positions = 2;
  read_tokens_again(model, rows);
  CHECK(rows.train[0].tokens.size() == 2);
  CHECK(rows.train[0].key == key);
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
