// headlight fit --train tfidf, and what the other commands make of such a model.
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::tfidf_program_test {
namespace {

/// Rows that only pairs of words tell apart.
std::string rows() {
  std::string rows = "text,label,topics,score,other\n";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    rows += "x" + n + " red cup,first,cup|red," + n + ",a\nblue cup y" + n + ",second,cup," + n +
            ",b\nred pan x" + n + ",second,red," + n + ",c\nblue pan y" + n + ",first,," + n +
            ",d\n";
  }
  return rows;
}

Outcome fit(const ToyPlace& place, const Arguments& more) {
  return place.run(with({"fit", "rows.csv", "--train", "tfidf", "-q"}, more));
}

double accuracy(const ToyPlace& place, const Arguments& more) {
  return place.json(with({"evaluate", "--format", "json", "-q"}, more))["accuracy"];
}

TEST_CASE("fit --train tfidf learns pairs of words, the same with any number of threads") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  for (const std::string threads : {"1", "2", "3"}) {
    const std::string made = "made" + threads;
    REQUIRE(fit(place, {"-o", made, "--threads", threads, "--log", made + ".jsonl"}).status == 0);
  }
  for (const std::string other : {"made2", "made3"}) {
    CHECK(place.files().read(other + "/model.safetensors") ==
          place.files().read("made1/model.safetensors"));
    CHECK(place.files().read(other + ".jsonl") == place.files().read("made1.jsonl"));
  }
  CHECK(place.files().read("made1.jsonl").find("\"strength\":") == 1);
  CHECK(accuracy(place, {"rows.csv", "-m", "./made1"}) == 1.0);
  const std::string card = place.files().read("made1/README.md");
  CHECK(card.find("which folds of the training rows chose |") != std::string::npos);
  CHECK(card.find("then it was trained on all.") != std::string::npos);
  CHECK(card.find("a little too good") == std::string::npos);
}

TEST_CASE("fit --train tfidf learns several labels a row, and labels of unequal weight") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  REQUIRE(fit(place, {"-o", "several", "--label", "topics"}).status == 0);
  const OrderedJson found = place.json(
      {"evaluate", "rows.csv", "--label", "topics", "-m", "./several", "--format", "json", "-q"});
  CHECK(found["subset_accuracy"] == 1.0);
  REQUIRE(fit(place, {"-o", "four", "--label", "other", "--class-weights", "balanced"}).status ==
          0);
  CHECK(accuracy(place, {"rows.csv", "--label", "other", "-m", "./four"}) == 1.0);
}

TEST_CASE("what each word adds is exact in a model of fit --train tfidf") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  for (const std::string label : {"label", "other"}) {
    REQUIRE(fit(place, {"-o", label, "--label", label}).status == 0);
    const OrderedJson found =
        place.json({"explain", "-m", "./" + label, "--format", "json", "my red cup, and unseen"});
    CHECK(found["method"] == "exact");
    const std::string best = found["label"];
    double sum = found["bias_share"][best].get<double>();
    for (const auto& word : found["words"]) sum += word["effect"][best].get<double>();
    CHECK(sum == doctest::Approx(found["logits"][best].get<double>()).epsilon(1e-5));
  }
}

TEST_CASE("each character of a script without blanks has its effect, and they add up") {
  const ToyPlace place;
  for (const auto& [good, bad, text, words] :
       std::vector<std::tuple<std::string, std::string, std::string, std::vector<std::string>>>{
           {"最高",
            "最低",
            "この映画is最高 です",
            {"こ", "の", "映", "画", "is", "最", "高", "で", "す"}},
           {"ดี", "แย่", "หนังดี", {"ห", "นั", "ง", "ดี"}}}) {
    std::string rows = "text,label\n";
    for (int i = 0; i < 10; ++i) rows += good + std::to_string(i) + ",good\n" + bad + ",bad\n";
    place.files().write("rows.csv", rows);
    REQUIRE(fit(place, {"-o", "made", "--force", "--dev-share", "0"}).status == 0);
    for (const std::string method : {"exact", "occlusion"}) {
      const OrderedJson found =
          place.json({"explain", "-m", "./made", "--format", "json", "--method", method, text});
      std::vector<std::string> read;
      double sum = method == "exact" ? found["bias_share"]["good"].get<double>() : 0.0;
      for (const auto& word : found["words"]) {
        read.push_back(word["word"]);
        sum += word["effect"]["good"].get<double>();
      }
      CHECK(read == words);
      if (method != "exact") continue;
      CHECK(sum == doctest::Approx(found["logits"]["good"].get<double>()).epsilon(1e-5));
    }
  }
}

TEST_CASE("batch asks another model where such a model is not sure, and the other way round") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  REQUIRE(fit(place, {"-o", "sum"}).status == 0);
  REQUIRE(place.run({"fit", "rows.csv", "--train", "static", "-o", "mean", "-q"}).status == 0);
  for (const std::string first : {"sum", "mean"}) {
    const std::string then = first == "sum" ? "mean" : "sum";
    const std::string out = place.output(
        {"batch", "-", "-m", "./" + first, "--then", "./" + then, "--keep-above", "0.9", "-q"},
        "red cup x1\nzzz\n");
    CHECK(out.find(R"("model":")" + first + '"') != std::string::npos);
    CHECK(out.find(R"("model":")" + then + '"') != std::string::npos);
  }
}

/// Texts of a script, each another one, with what tells the labels apart within.
std::string rows_of(const std::vector<std::string>& around, const std::string& first,
                    const std::string& second) {
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < 64; ++i) {
    const std::string& before = around[i % 8];
    const std::string& after = around[i / 8];
    rows +=
        before + after + first + after + ",first\n" + before + after + second + after + ",second\n";
  }
  return rows;
}

TEST_CASE("texts of any script are learned, with blanks and without") {
  const std::vector<std::string> kCases = {
      rows_of({"ア", "イ", "ウ", "エ", "オ", "カ", "キ", "ク"}, "サッカー", "ビョウイン"),
      rows_of({"这 ", "那", "我 ", "他", "好 ", "大", "小 ", "来"}, "足球", "医院"),
      rows_of({"и ", "в ", "на ", "мы ", "вы ", "он ", "за ", "по "}, "футбол", "больница"),
      rows_of({"ก", "ข", "ค", "ง", "จ", "ฉ", "ช", "ซ"}, "ฟุตบอล", "โรงพยาบาล"),
      rows_of({"A", "C", "G", "T", "AC", "GT", "CA", "TG"}, "GATTACA", "CATGCAT"),
      rows_of({"get", "set", "_", "my", "Do", "is", "x2", "on"}, "UserName", "fileSize")};
  for (const std::string& rows : kCases) {
    CAPTURE(rows);
    const ToyPlace place;
    place.files().write("rows.csv", rows);
    REQUIRE(fit(place, {"-o", "made"}).status == 0);
    const std::string card = place.files().read("made/README.md");
    CHECK(card.find("accuracy on the development rows | 100.0 %") != std::string::npos);
  }
}

TEST_CASE("fit without options tries tfidf where rows are many, and keeps the best") {
  const ToyPlace place;
  std::string rows =
      rows_of({"и ", "в ", "на ", "мы ", "вы ", "он ", "за ", "по "}, "футбол", "больница");
  place.files().write("rows.csv", rows);
  const Outcome outcome = place.run({"fit", "rows.csv", "-o", "made"});
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.find("--train tfidf: accuracy") != std::string::npos);
  CHECK(accuracy(place, {"rows.csv", "-m", "./made"}) == 1.0);
  // From a start that was asked for, none is tried that does not begin with it.
  rows = "text,label\n";
  for (std::size_t i = 1; i <= 50; ++i) {
    for (const std::string word : {"good", "bad"}) {
      for (std::size_t n = 0; n < i; ++n) rows += word + ' ';
      rows += "," + word + '\n';
    }
  }
  place.files().write("rows.csv", rows);
  const Outcome toy = place.run({"fit", "rows.csv", "-o", "other", "-m", "toy"});
  CHECK(toy.err.find("--train head: accuracy") == std::string::npos);
  CHECK(toy.err.find("--train ngrams: accuracy") != std::string::npos);
  CHECK(toy.err.find("--train tfidf") == std::string::npos);
}

TEST_CASE("fit --train tfidf refuses what it cannot learn, and its model what needs layers") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  REQUIRE(fit(place, {"-o", "made"}).status == 0);
  struct Case {
    Arguments arguments;
    int status;
    const char* reason;
  };
  const std::vector<Case> cases = {
      {{"-m", "toy"}, 1, "toy|starts from the rows alone|leave out -m"},
      {{"-m", "./made"}, 1, "made|without layers"},
      {{"--label", "score", "--regression"}, 1, "rows.csv|numbers to predict|--train head"},
      {{"--pair-text", "other"}, 1, "rows.csv|pairs of texts|--train head"},
      {{"--penalty", "1"}, 2, "--penalty"},
      {{"--store", "int8"}, 2, "--store|--train static"},
      {{"--epochs", "3"}, 2, "--epochs|--train all"}};
  for (const Case& refused : cases) {
    CAPTURE(refused.reason);
    check_refusal(fit(place, with(refused.arguments, {"-o", "new"})), refused.status,
                  refused.reason);
  }
  check_refusal(place.run({"fit", "rows.csv", "-m", "./made", "-o", "new"}), 1,
                "made|without layers");
  check_refusal(place.run({"attention", "-m", "./made", "red cup"}), 1, "made|without layers");
  check_refusal(place.run({"export", "-m", "./made", "--layout", "bert", "-o", "new"}), 1,
                "made|without layers");
  check_refusal(place.run({"embed", "-m", "./made", "--format", "jsonl", "rows.csv"}), 1,
                "made|without");
}

}  // namespace
}  // namespace headlight::tfidf_program_test
