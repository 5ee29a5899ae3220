// Texts that differ only in what the tokenizer removes are one text: they are not trained on and
// measured at once.
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/text_reader.h"
#include "metrics/confidence.h"
#include "model/init.h"
#include "training/course/development.h"
#include "training/rows/training_data.h"
#include "training/spelled_rows.h"
#include "training/whole/fresh_model.h"

namespace headlight::equal_texts_test {
namespace {

/// A text of two words for each number.
std::string text_of(std::size_t number) {
  return "a" + std::string(number % 10, 'o') + " e" + std::string(number / 10, 'i');
}

/// 60 texts, each in three spellings that a tokenizer of kTokenizer reads alike.
Spelled three_spellings() {
  Spelled rows;
  for (std::size_t i = 0; i < 60; ++i) {
    const std::string text = text_of(i);
    const std::string label = i % 2 == 0 ? "x" : "y";
    std::string large = text;
    for (char& c : large) {
      if (c != ' ') c = static_cast<char>(c - 'a' + 'A');
    }
    rows.emplace_back(text, label);
    rows.emplace_back(large, label);
    rows.emplace_back(
        "\u00e1" + text.substr(1, text.find(' ')) + "  " + text.substr(text.find(' ') + 1) + ' ',
        label);
  }
  return rows;
}

const std::string kTokenizer = R"("type": "words", "lowercase": true, "strip_accents": true)";

/// A config without weights; `words`: the vocabulary, or empty to learn it.
std::string config_of(const std::string& words) {
  return R"({"model_type": "headlight", "vocab_size": 40, "hidden_size": 4, "num_hidden_layers": 1,
      "num_attention_heads": 1, "tokenizer": {)" +
         kTokenizer + words + "}}";
}

std::string all_words() {
  std::string words = R"(, "vocabulary": ["[UNK]")";
  for (std::size_t i = 0; i < 10; ++i) words += R"(, "a)" + std::string(i, 'o') + '"';
  for (std::size_t i = 0; i < 6; ++i) words += R"(, "e)" + std::string(i, 'i') + '"';
  return words + "]";
}

/// The data that headlight fit makes, and the texts that a vocabulary is learned from.
TrainingData data_of(FreshModel& fresh, const Spelled& rows, const std::optional<Spelled>& dev,
                     std::set<std::string>& learned) {
  const bool learns = fresh.needs_words();
  const TextReading reading{fresh.model(), learns,
                            [&](const TextInput& input) { return fresh.key_of(input); },
                            [&](const std::vector<const TextInput*>& train) {
                              for (const TextInput* input : train) learned.insert(input->text);
                              if (learns) fresh.learn_words(train);
                            }};
  std::optional<SpelledRows> dev_rows;
  if (dev) dev_rows = rows_of(*dev);
  return make_training_data(rows_of(rows), std::move(dev_rows), {}, reading);
}

/// The texts without their case, accents and blanks.
std::set<std::string> plain(const std::vector<LabelledRow>& rows) {
  std::set<std::string> texts;
  for (const LabelledRow& row : rows) {
    std::string text;
    for (std::size_t i = 0; i < row.input.text.size(); ++i) {
      const char c = row.input.text[i];
      if (c == '\xC3') {
        text += 'a';
        ++i;
      } else if (c != ' ') {
        text += static_cast<char>(c < 'a' ? c - 'A' + 'a' : c);
      }
    }
    texts.insert(text);
  }
  return texts;
}

TEST_CASE("texts that the tokenizer reads alike are held out together, known words or not") {
  const TemporaryFolder folder;
  for (const std::string& words : {std::string(), all_words()}) {
    CAPTURE(words);
    FreshModel fresh(locate_model(folder.write("bare.json", config_of(words)), ""), {});
    std::set<std::string> learned;
    const TrainingData data = data_of(fresh, three_spellings(), {}, learned);
    CHECK(data.notes.empty());
    CHECK(data.errors == 0);
    CHECK(data.rows.dev.size() == 18);  // a tenth of 60 texts, each in three spellings
    CHECK(data.rows.train.size() == 162);
    const std::set<std::string> held = plain(data.rows.dev);
    CHECK(held.size() == 6);
    for (const std::string& text : plain(data.rows.train)) CHECK(!held.contains(text));
    CHECK(learned.size() == 162);
    for (const LabelledRow& row : data.rows.dev) CHECK(!learned.contains(row.input.text));
  }
}

TEST_CASE("texts of unknown words or more than is read are equal only if their words are") {
  const TemporaryFolder folder;
  const std::string config = config_of(all_words());
  const std::string bare =
      config.substr(0, config.size() - 1) + R"(, "max_position_embeddings": 3})";
  const FreshModel fresh(locate_model(folder.write("bare.json", bare), ""), {});
  ReadingOptions options;
  options.finds_equal = true;
  const TextReader reader(fresh.model(), options);
  struct Row {
    std::string text;
    std::string other;
    bool equal;
    std::size_t unknown;
  };
  const Row rows[] = {
      {"zz yy", "qq ww", false, 2},
      {"zz yy", "ZZ   yy", true, 2},
      {"a zz", "a yy", false, 1},
      {"a zz", "A Zz ", true, 1},
      {"zz yy", "yy zz", false, 2},
      {"a e ei ao", "a e ei aoo", false, 0},
      {"a e ei ao", "A e EI ao", true, 0},
      {"a e", "a  E", true, 0},
      {std::string(101, 'x'), std::string(102, 'x'), false, 1},
  };
  for (const auto& [text, other, equal, unknown] : rows) {
    INFO(text << " | " << other);
    const TextSize size = reader.read({text, {}, {}}).size;
    CHECK((size.key == reader.read({other, {}, {}}).size.key) == equal);
    CHECK(size.unknown == unknown);
    CHECK(size.key != reader.read({text, other, {}}).size.key);
  }
}

TEST_CASE("contradictions and repeated development rows are found in other spellings") {
  const TemporaryFolder folder;
  const Spelled rows = {{"a e", "x"}, {"A  \u00c9", "y"}, {"ao e", "x"}, {"ao ei", "y"}};
  const Spelled dev = {{"AO E", "x"}, {"ao eii", "y"}, {"\u00e0O  eI", "y"}};
  for (const std::string& words : {std::string(), all_words()}) {
    CAPTURE(words);
    FreshModel fresh(locate_model(folder.write("bare.json", config_of(words)), ""), {});
    std::set<std::string> learned;
    const TrainingData data = data_of(fresh, rows, dev, learned);
    REQUIRE(data.notes.size() == 2);
    CHECK(data.notes[0] ==
          "1 text has different labels in different rows: \"a e\" is \"x\" in line 2 and \"y\" in "
          "line 3");
    CHECK(data.notes[1] ==
          "2 of 3 development rows have the text of a training row; figures on them are too good");
  }
}

TEST_CASE("a row without a word of the learned vocabulary is an error") {
  const TemporaryFolder folder;
  const std::string config = config_of(R"(, "unk_token": null)");
  FreshModel fresh(locate_model(folder.write("bare.json", config), ""), {});
  std::set<std::string> learned;
  const Spelled rows = {{"a b", "x"}, {"a b", "x"}, {"c", "x"}, {"b a", "y"}, {"b b", "y"}};
  const TrainingData data = data_of(fresh, rows, Spelled{{"a", "x"}, {" ", "y"}}, learned);
  CHECK(data.errors == 2);
  CHECK(data.rows.train.size() == 4);
  CHECK(data.rows.dev.size() == 1);
  CHECK(data.errors_seen ==
        std::vector<std::string>{
            "rows.csv: 1 of 2 rows cannot be used; first error: row 1 (line 3): has no text to "
            "learn from",
            "1 row cannot be used with the new vocabulary; first error: row 2 (line 4): gives no "
            "tokens, so there is nothing to score"});
}

TEST_CASE("repeated texts count once in intervals") {
  // Wilson's interval of 0.75 for n = 4, by hand: (0.75 + 1.9208 / 4 ± …) / (1 + 3.8415 / 4)
  const Interval four = proportion_interval(30, 40, 4);
  CHECK(four.low == doctest::Approx(0.30064).epsilon(1e-4));
  CHECK(four.high == doctest::Approx(0.95441).epsilon(1e-4));
  CHECK(proportion_interval(30, 40, 40).low == proportion_interval(30, 40).low);

  LabelSet labels;
  labels.names = {"x", "y"};
  const auto figures = [&](std::size_t copies, bool known) {
    std::vector<float> logits;
    std::vector<LabelledRow> rows;
    for (std::size_t i = 0; i < 20 * copies; ++i) {
      const std::size_t text = i % 20;
      logits.insert(logits.end(), {0.1F * static_cast<float>(text), 1.0F});
      LabelledRow& row = rows.emplace_back();
      row.target.labels = {text % 3 == 0 ? 1U : 0U};
      row.key = known ? text + 1000 : i + 1000;
    }
    return development_figures(labels, logits, rows).evaluation;
  };
  const Evaluation once = figures(1, true);
  const Evaluation twice = figures(2, true);
  const auto accuracy = [](const Evaluation& found) { return *found.find("accuracy"); };
  const auto log_loss = [](const Evaluation& found) { return *found.find("log_loss")->interval; };
  CHECK(accuracy(twice).value == accuracy(once).value);
  CHECK(accuracy(twice).interval->low == accuracy(once).interval->low);
  CHECK(accuracy(twice).interval->high == accuracy(once).interval->high);
  CHECK(log_loss(twice).low == doctest::Approx(log_loss(once).low));
  CHECK(log_loss(twice).high == doctest::Approx(log_loss(once).high));
  CHECK(accuracy(figures(2, false)).interval->low > accuracy(once).interval->low);
}

}  // namespace
}  // namespace headlight::equal_texts_test
