// Models of fastText's own program give its answers; broken files are refused.
#include "fasttext/fasttext_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "fasttext/golden_models.h"

namespace headlight::fasttext_model_test {
namespace {

constexpr std::size_t kAll = UINT32_MAX;

/// Checks the labels of a text, in order, and their probabilities, which have six digits.
void check_answer(const FasttextModel& model, const std::string& text, const Json& expected,
                  std::size_t most) {
  FasttextScratch scratch;
  model.read(text, scratch);
  REQUIRE(model.average(scratch));
  model.scorer().score(scratch.mean, most, true, scratch.scores);
  const std::vector<std::size_t> none;
  const auto& ranked = scratch.rows.empty() ? none : scratch.scores.ranked;
  REQUIRE(ranked.size() == expected.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    CHECK(model.dictionary().label(ranked[i]) == expected[i][0].get<std::string>());
    const auto probability = expected[i][1].get<double>();
    CHECK(std::abs(double{scratch.scores.printed[ranked[i]]} - probability) <=
          1e-6 + 5e-6 * probability);
  }
}

TEST_CASE("labels, their order and probabilities are those of fastText's program") {
  const auto texts = golden_texts();
  for (const auto& [file, answers] : golden_answers()["models"].items()) {
    if (!answers.contains("best")) continue;
    CAPTURE(file);
    const FasttextModel model(golden_fasttext(file));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(texts[i]);
      check_answer(model, texts[i], answers["best"][i], 3);
    }
    for (std::size_t i = 0; i < answers["all"].size(); ++i) {
      CAPTURE(texts[i]);
      check_answer(model, texts[i], answers["all"][i], kAll);
    }
  }
}

TEST_CASE("vectors are those of fastText's program, also of a model of words without labels") {
  const auto texts = golden_texts();
  for (const auto& [file, answers] : golden_answers()["models"].items()) {
    CAPTURE(file);
    const FasttextModel model(golden_fasttext(file));
    FasttextScratch scratch;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(texts[i]);
      model.read(texts[i], scratch);
      CHECK((model.is_supervised() ? model.average(scratch)
                                   : model.average_words(texts[i], scratch)));
      REQUIRE(scratch.mean.size() == 4);
      for (std::size_t j = 0; j < 4; ++j) {
        const auto expected = answers["vectors"][i][j].get<double>();
        CHECK(std::abs(double{scratch.mean[j]} - expected) <= 1e-5 + 5e-5 * std::abs(expected));
      }
    }
  }
}

TEST_CASE("float32 sums are close to those of float64") {
  for (const std::string file : {"softmax-words.bin", "softmax-both-quantised.ftz"}) {
    CAPTURE(file);
    const FasttextModel model(golden_fasttext(file));
    FasttextScratch scratch;
    for (const std::string& text : golden_texts()) {
      model.read(text, scratch);
      REQUIRE(model.average(scratch));
      model.scorer().score(scratch.mean, 1, true, scratch.scores);
      std::vector<double> mean(4);
      for (const std::uint32_t row : scratch.rows) {
        std::vector<float> numbers(4);
        model.input().add_row(row, numbers.data());
        for (std::size_t j = 0; j < 4; ++j) mean[j] += double{numbers[j]};
      }
      double sum = 0.0;
      std::vector<double> logits;
      for (std::size_t label = 0; label < model.output().rows(); ++label) {
        std::vector<float> numbers(4);
        model.output().add_row(label, numbers.data());
        double logit = 0.0;
        for (std::size_t j = 0; j < 4; ++j) logit += double{numbers[j]} * mean[j];
        logits.push_back(logit /
                         static_cast<double>(std::max<std::size_t>(scratch.rows.size(), 1)));
        sum += std::exp(logits.back());
      }
      for (std::size_t label = 0; label < logits.size(); ++label) {
        CHECK(std::abs(double{scratch.scores.logits[label]} - logits[label]) < 1e-5);
        const double expected = std::exp(logits[label]) / sum + 1e-5;
        CHECK(std::abs(double{scratch.scores.printed[label]} - expected) < 1e-6);
      }
    }
  }
}

TEST_CASE("words end at blanks of ASCII, labels are left out, and a typed end ends the text") {
  const FasttextModel model(golden_fasttext("softmax-words.bin"));
  std::vector<FasttextWord> words;
  struct Case {
    std::string text;
    std::vector<std::string> words;  // before the end
  };
  const std::string nul("a\0b", 3);
  const Case cases[] = {
      {"", {}},
      {" \t\v\f\r\n", {}},
      {"a b\tc\vd\fe\rf\ng", {"a", "b", "c", "d", "e", "f", "g"}},
      {nul, {"a", "b"}},
      {"a\u00a0b", {"a\u00a0b"}},
      {"\xff \x80", {"\xff", "\x80"}},
      {"a __label__größe0 b", {"a", "b"}},
      {"a __label__ __label__other b", {"a", "b"}},
      {"a x__label__ b", {"a", "x__label__", "b"}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    model.words().split(one.text, words);
    std::vector<std::string> found;
    for (const auto& word : words)
      found.push_back(one.text.substr(word.begin, word.end - word.begin));
    auto expected = one.words;
    expected.emplace_back("");
    CHECK(found == expected);
    CHECK(words.back().number == 0);  // the end is the most frequent word
  }
  const std::string ended = "a </s> b";
  model.words().split(ended, words);
  REQUIRE(words.size() == 2);
  CHECK(words[1].begin == 2);
  CHECK(words[1].number == 0);
}

TEST_CASE("a byte above 127 is hashed as a negative number") {
  CHECK(fasttext_hash("") == 2166136261U);
  CHECK(fasttext_hash("a") == 0xE40C292CU);  // FNV-1a, as published
  CHECK(fasttext_hash("\xff") == ((2166136261U ^ 0xFFFFFFFFU) * 16777619U));
}

template <typename Number>
void put(std::string& bytes, std::size_t at, Number number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

/// What loading these bytes says, or "" where they are a model.
std::string complaint(const TemporaryFolder& folder, const std::string& bytes) {
  const std::string path = folder.write("model.bin", bytes);
  return error_of([&] { const FasttextModel model(path); });
}

// Offsets in the file.
constexpr std::size_t kVersion = 4;
constexpr std::size_t kDim = 8;
constexpr std::size_t kWordNgrams = 28;
constexpr std::size_t kLoss = 32;
constexpr std::size_t kKind = 36;
constexpr std::size_t kBucket = 40;
constexpr std::size_t kMaxn = 48;
constexpr std::size_t kSize = 64;
constexpr std::size_t kWords = 68;
constexpr std::size_t kLabels = 72;
constexpr std::size_t kPruned = 84;

TEST_CASE("a number that does not fit is named") {
  const TemporaryFolder folder;
  const std::string whole = content_of(golden_fasttext("softmax-words.bin"));
  CHECK(complaint(folder, whole) == "");
  struct Case {
    std::size_t at;
    std::int32_t number;
    std::string reason;
  };
  const Case cases[] = {
      {kVersion, 13, "version 13"},
      {kVersion, 10, "version 10"},
      {kDim, 0, "dim is 0"},
      {kDim, 5, "4 numbers, expected 5"},
      {kDim, 1 << 30, "dim is"},
      {kWordNgrams, -1, "wordNgrams is -1"},
      {kWordNgrams, 2, "bucket is 0"},
      {kLoss, 5, "loss is 5"},
      {kKind, 0, "model is 0"},
      {kBucket, -1, "bucket is -1"},
      {kMaxn, 1 << 30, "maxn is"},
      {kSize, -1, "entries of the dictionary"},
      {kSize, INT32_MAX, "entries of the dictionary"},
      {kWords, 1, "entries of the dictionary"},
      {kLabels, -3, "entries of the dictionary"},
  };
  for (const Case& one : cases) {
    std::string bytes = whole;
    put(bytes, one.at, one.number);
    CAPTURE(one.at);
    CHECK(complaint(folder, bytes).find(one.reason) != std::string::npos);
  }
  std::string bytes = whole;
  put(bytes, kSize, INT32_MAX);
  put(bytes, kWords, INT32_MAX - 3);
  CHECK(complaint(folder, bytes).find("ends inside of its dictionary") != std::string::npos);
  bytes = whole;
  put(bytes, kPruned, std::int64_t{0});
  CHECK(complaint(folder, bytes).find("not quantised") != std::string::npos);
  put(bytes, kPruned, INT64_MAX);
  CHECK(complaint(folder, bytes).find("ends inside of its dictionary") != std::string::npos);
  bytes = whole;
  put(bytes, whole.size() - 4, std::nanf(""));
  CHECK(complaint(folder, bytes).find("row 2 of the output matrix") != std::string::npos);
}

TEST_CASE("a row that is not finite is found when a text reads it") {
  const TemporaryFolder folder;
  std::string bytes = content_of(golden_fasttext("softmax-words.bin"));
  const std::size_t output = 1 + 16 + std::size_t{3} * 4 * 4;
  const FasttextModel whole(golden_fasttext("softmax-words.bin"));
  const std::size_t input = bytes.size() - output - whole.input().rows() * 4 * 4;
  put(bytes, input + 4 * 4, std::nanf(""));  // row 1
  const FasttextModel model(folder.write("model.bin", bytes));
  FasttextScratch scratch;
  model.read("", scratch);
  CHECK(model.average(scratch));
  model.read(whole.dictionary().word(1), scratch);
  CHECK(!model.average(scratch));
}

TEST_CASE("a file that ends anywhere is refused, and so is one with other numbers, without harm") {
  const TemporaryFolder folder;
  for (const std::string file : {"softmax-words.bin", "hs-both.bin", "hs-both-cut.ftz"}) {
    CAPTURE(file);
    const std::string whole = content_of(golden_fasttext(file));
    for (std::size_t size = 4; size < whole.size(); size += size < 120 ? 1 : 97) {
      CHECK(complaint(folder, whole.substr(0, size)).find("ends inside of its") !=
            std::string::npos);
    }
    for (std::size_t at = 4; at + 8 < whole.size(); at += at < 120 ? 1 : 61) {
      for (const std::int32_t number : {-1, 0, 1, INT32_MAX, INT32_MIN}) {
        std::string bytes = whole;
        put(bytes, at, number);
        try {
          const FasttextModel model(folder.write("model.bin", bytes));
          FasttextScratch scratch;
          model.read("pa mi 日本 __label__größe1", scratch);
          if (!model.average(scratch) || !model.is_supervised()) continue;
          model.scorer().score(scratch.mean, 3, true, scratch.scores);
        } catch (const Error&) {
        }
      }
    }
  }
}

TEST_CASE("a quantiser that does not fit is refused") {
  const TemporaryFolder folder;
  const std::string whole = content_of(golden_fasttext("softmax-both-quantised.ftz"));
  const FasttextModel model(golden_fasttext("softmax-both-quantised.ftz"));
  const std::size_t output = 1 + 16 + model.output().rows() * 4 * 4;
  const std::size_t quantiser = whole.size() - output - std::size_t{256} * 4 * 4 - 16;
  for (const auto& [field, number] :
       std::vector<std::pair<std::size_t, std::int32_t>>{{0, 3}, {1, 0}, {1, 9}, {2, -2}, {3, 3}}) {
    std::string bytes = whole;
    put(bytes, quantiser + field * 4, number);
    CHECK(complaint(folder, bytes).find("the quantiser of the input matrix") != std::string::npos);
  }
  std::string bytes = whole;
  put(bytes, quantiser + 16, std::nanf(""));
  CHECK(complaint(folder, bytes).find("not finite") != std::string::npos);
}

TEST_CASE("the beginning of a file says what it is") {
  const TemporaryFolder folder;
  CHECK(is_fasttext_file(golden_fasttext("hs-both-cut.ftz")));
  CHECK(!is_fasttext_file(folder.write("short", "\xba\x16")));
  CHECK(!is_fasttext_file(folder.path()));
  CHECK(!is_fasttext_file(folder / "none"));
}

}  // namespace
}  // namespace headlight::fasttext_model_test
