// headlight fit of few rows: what chooses nothing, what is said, and which training is gone.
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/utf8.h"
#include "cli/arguments.h"
#include "cli/toy_place.h"

namespace headlight::few_rows_test {
namespace {

/// Different texts, of which none is a part of another.
std::string text_of(int i) {
  const std::string words[] = {"movie", "a", "plot", "good", "bad"};
  return words[i / 2 % 3] + ' ' + words[i / 6 % 3] + ' ' + words[i / 18 % 5] +
         (i % 2 == 0 ? " good good good" : " bad bad bad");
}

std::string two_labels(int count) {
  std::string rows = "text,label\n";
  for (int i = 0; i < count; ++i) rows += text_of(i) + (i % 2 == 0 ? ",yes\n" : ",no\n");
  return rows;
}

/// Texts of made words whose labels have nothing to do with them, each four times: as it is, with a
/// capital letter, with a full stop, and a part of it.
std::string without_rule(std::uint64_t texts) {
  const std::string syllables[] = {"ba", "ke", "lo", "mi", "nu", "ra", "so", "ti"};
  std::string rows = "text,label\n";
  for (std::uint64_t i = 0; i < texts; ++i) {
    const auto drawn = [&](std::uint64_t k) { return mixed_bits(16 * i + k); };
    std::vector<std::string> words;
    for (std::uint64_t k = 0; k < 7; ++k) {
      words.push_back(syllables[drawn(k) % 8] + syllables[drawn(k) / 8 % 8]);
    }
    const std::string part = joined(std::span(words).subspan(1, 5), " ");
    std::string capital = joined(words, " ");
    capital.front() = static_cast<char>(capital.front() - 'a' + 'A');
    const std::string label = i % 2 == 0 ? ",yes\n" : ",no\n";
    for (const std::string& text : {joined(words, " "), capital, joined(words, " ") + '.', part}) {
      rows += text + label;
    }
  }
  return rows;
}

TEST_CASE("fewer than twenty development rows choose neither a penalty nor a temperature") {
  ToyPlace place;
  place.files().write("rows.csv", two_labels(40));
  for (const char* train : {"head", "static"}) {
    CAPTURE(train);
    place.output({"fit", "rows.csv", "-m", "toy", "--train", train, "-o", train});
    const std::string card = place.files().read(std::string(train) + "/README.md");
    CHECK(card.find("accuracy on the development rows") != std::string::npos);
    CHECK(card.find("The development rows chose") == std::string::npos);
    CHECK(card.find("temperature") == std::string::npos);
  }
}

TEST_CASE("rows whose label no other row has are trained on, not scored, and said") {
  ToyPlace place;
  place.files().write("rows.csv", two_labels(80) + "plot plot movie,alone\n");
  const Outcome outcome = place.run({"fit", "rows.csv", "-m", "toy", "-o", "made"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find("1 row with a label that no row of another fold has: in all trainings, "
                         "and not scored\n") != std::string::npos);
  CHECK(outcome.out.find("training rows           81 of rows.csv\n") != std::string::npos);
  CHECK(outcome.out.find("development rows        80, ") != std::string::npos);
}

TEST_CASE(
    "labels without a rule are not known from a capital letter, a full stop or a part of a text") {
  constexpr double kMost = 0.75;  // 2.7 standard errors of 30 texts above a half
  ToyPlace place;
  place.files().write("rows.csv", without_rule(30));
  const OrderedJson found =
      place.json({"fit", "rows.csv", "--minutes", "0.022", "-o", "made", "--format", "json", "-q"});
  CHECK(found["candidates"].size() == 3);  // static, tfidf and ngrams
  for (const auto& each : found["candidates"]) {
    CAPTURE(each.dump());
    CHECK(each["score"].get<double>() < kMost);
    const double width = each["interval"][1].get<double>() - each["interval"][0].get<double>();
    CHECK(width > 0.3);  // of 30 texts, not of 120
  }
}

TEST_CASE("contrastive comes first with at most 32 rows a label, and last with at most 64") {
  ToyPlace place;
  for (const auto& [count, first, last] :
       {std::tuple(60, "contrastive", "static"), std::tuple(80, "ngrams", "contrastive"),
        std::tuple(160, "ngrams", "all")}) {
    place.files().write("rows.csv", two_labels(count));
    const OrderedJson found = place.json(
        {"fit", "rows.csv", "-m", "toy", "-o", "made", "--format", "json", "-q", "--force"});
    CAPTURE(found["candidates"].dump());
    CHECK(found["candidates"].front()["train"] == first);
    CHECK(found["candidates"].back()["train"] == last);
  }
}

TEST_CASE("where too few rows can be scored, the rows of a label choose the training") {
  struct Case {
    std::string rows;
    const char* train;
  };
  std::string of_many = "text,label\n";
  for (int i = 0; i < 64; ++i) {
    of_many += text_of(i) + ',' + (i < 54 ? "l" + std::to_string(i) : "many") + '\n';
  }
  for (const Case& each : {Case{two_labels(16), "contrastive"}, Case{of_many, "head"}}) {
    ToyPlace place;
    place.files().write("rows.csv", each.rows);
    const Outcome outcome = place.run({"fit", "rows.csv", "-m", "toy", "-o", "made"});
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.find("too few rows of each label to compare trainings; --train " +
                           std::string(each.train) + " was chosen by their number\n") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::few_rows_test
