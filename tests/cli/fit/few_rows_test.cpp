// headlight fit of few rows: what chooses nothing, what is said, and which training is gone.
#include <string>

#include <doctest/doctest.h>

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

TEST_CASE("where too few rows can be scored, the rows of a label choose the training") {
  struct Case {
    std::string rows;
    const char* train;
  };
  std::string of_many = "text,label\n";
  for (int i = 0; i < 40; ++i) {
    of_many += text_of(i) + ',' + (i < 30 ? "l" + std::to_string(i) : "many") + '\n';
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
