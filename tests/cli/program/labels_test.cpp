// What the labels of a file are to a model: numbers, labels that it lacks, and lists of labels.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::labels_test {
namespace {

using Arguments = std::vector<std::string>;

double accuracy(const ToyPlace& place, Arguments more) {
  more.insert(more.begin(), {"evaluate", "rows.csv", "-m", "toy", "--format", "json"});
  return place.json(more)["accuracy"];
}

const std::string kNumbers = "text,label\ngood,1\nbad,0\ngood plot,0\n";

TEST_CASE("numbers are refused for labels that have names, and the message says what to write") {
  const ToyPlace place;
  place.add("other", {});
  for (const Arguments& more : {Arguments{},
                                {"--compare", "other"},
                                {"--ablate", "layers"},
                                {"--fit-temperature"},
                                {"--by", "length"}}) {
    place.files().write("rows.csv", kNumbers);
    Arguments arguments = {"evaluate", "rows.csv", "-m", "toy"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_refusal(place.run(arguments), 1,
                  "rows.csv: its labels are not the model's: found 0, 1; the model has negative, "
                  "positive; say what they mean with --label-map NUMBER=NAME,…|--label-numbers");
  }
  for (const std::string last : {"2", "positive", "great"}) {
    place.files().write("rows.csv", kNumbers + "good plot," + last + "\n");
    check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy"}), 1,
                  "found 0, 1, " + last + "|the model has negative, positive|--label-map");
  }
  place.files().write("rows.csv", "text,label\ngood,2\nbad,1\ngood plot,1\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy"}), 1,
                "found 1, 2|say what they mean with --label-map NUMBER=NAME,…");
  CHECK(accuracy(place, {"--label-map", "1=negative,2=positive"}) == 2.0 / 3.0);
  CHECK(accuracy(place, {"--label-map", "1=negative", "--label-map", "2=1"}) == 2.0 / 3.0);
  CHECK(accuracy(place, {"--label-map", " 2 = positive , 1 = negative "}) == 2.0 / 3.0);
}

TEST_CASE("numbers of development rows are no labels of training rows that have names") {
  const ToyPlace place;
  place.files().write("train.csv", "text,label\ngood,praise\nbad,blame\ngood good,praise\n");
  place.files().write("dev.csv", kNumbers);
  check_last_reason(place.run({"fit", "train.csv", "--dev", "dev.csv", "-m", "toy", "-o", "made"}),
                    1, "dev.csv: its labels are not the model's: found 0, 1|blame, praise");
  CHECK_FALSE(place.files().has("made"));
}

TEST_CASE("--label-numbers reads positions and says what they stand for") {
  const ToyPlace place;
  place.files().write("rows.csv", kNumbers);
  const Outcome outcome =
      place.run({"evaluate", "rows.csv", "-m", "toy", "--label-numbers", "--format", "json"});
  CHECK(outcome.status == 0);
  CHECK(OrderedJson::parse(outcome.out)["accuracy"] == 2.0 / 3.0);
  CHECK(outcome.err == "headlight: numbers are positions of labels: 0 = negative, 1 = positive\n");
}

TEST_CASE("numbers are labels of a model whose names are numbers or LABEL_n") {
  const ToyPlace place;
  place.files().write("rows.csv", kNumbers);
  struct Row {
    std::string model;
    OrderedJson names;
    double accuracy;
  };
  const Row rows[] = {
      {"unnamed", {{"0", "LABEL_0"}, {"1", "LABEL_1"}}, 2.0 / 3.0},
      {"numbers", {{"0", "0"}, {"1", "1"}}, 2.0 / 3.0},
      {"turned", {{"0", "1"}, {"1", "0"}}, 1.0 / 3.0},  // names, not positions
  };
  for (const auto& [model, names, right] : rows) {
    place.add(model, [&, &ours = names](OrderedJson& config) {
      config["id2label"] = ours;
      config.erase("label2id");
    });
    CHECK(place.json({"evaluate", "rows.csv", "-m", model, "--format", "json"})["accuracy"] ==
          right);
  }
}

TEST_CASE("labels that differ in case, or are all unknown, are one error") {
  const ToyPlace place;
  place.files().write("rows.csv", "text,label\ngood,Positive\nbad,negative\nbad,Negative\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy", "-o", "out"}), 1,
                "found Negative, Positive, negative|--label-map "
                "Negative=negative,Positive=positive");
  CHECK_FALSE(place.files().has("out"));
  CHECK(accuracy(place, {"--label-map", "Negative=negative,Positive=positive"}) == 1.0);
  place.files().write("rows.csv", "text,label\ngood,pos\nbad,neg\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy", "--row-errors-ok"}), 1,
                "rows.csv: its labels are not the model's: found neg, pos|negative, positive");
  for (const auto& [list, reason] : std::vector<std::pair<std::string, std::string>>{
           {"pos", "FOUND=LABEL"},
           {"pos=great", "\"great\" is not one of the model's labels: negative, positive"},
           {"pos=2", "\"2\" is not one of the model's"},
           {"pos=positive,pos=negative", "\"pos\" is translated twice"},
           {"pos=positive, pos=negative", "\" pos\" is translated twice"}}) {
    check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy", "--label-map", list}), 2,
                  "--label-map|" + reason);
  }
}

/// The toy finds "good" positive, and "bad" and "movie" negative.
const std::string kUnknown =
    "text,label,shop\ngood,positive,a\ngood,positive,b\nbad,negative,a\ngood,negative,b\n";
const std::string kLacked = "good,great,a\nbad,awful,a\ngood,great,c\n";

TEST_CASE("labels that the model lacks are wrong in every measure that counts") {
  const ToyPlace place;
  place.files().write("rows.csv", kUnknown);
  const OrderedJson known = place.json({"evaluate", "rows.csv", "-m", "toy", "--format", "json"});
  CHECK_FALSE(known.contains("unknown_label_rows"));
  place.files().write("rows.csv", kUnknown + kLacked);
  const OrderedJson found = place.json({"evaluate", "rows.csv", "-m", "toy", "--format", "json",
                                        "--by", "shop", "--errors", "wrong.jsonl"});
  CHECK(found["rows"] == 7);
  CHECK(found["errors"] == 0);
  CHECK(found["unknown_label_rows"] == 3);
  // scikit-learn 1.9.1: accuracy_score; f1_score(labels=[negative, positive, great, awful],
  // average="macro", "micro", "weighted"; zero_division=0); confusion_matrix
  CHECK(found["accuracy"].get<double>() == doctest::Approx(0.42857142857142855));
  CHECK(found["macro_f1"].get<double>() == doctest::Approx(0.26785714285714285));
  CHECK(found["micro_f1"].get<double>() == doctest::Approx(0.42857142857142855));
  CHECK(found["weighted_f1"].get<double>() == doctest::Approx(0.30612244897959184));
  CHECK(found["confusion"] == OrderedJson::parse("[[1,1],[0,2],[0,2],[1,0]]"));
  CHECK(found["labels"][2] ==
        OrderedJson::parse(R"({"label":"great","precision":0,"recall":0,"f1":0,"support":2})"));
  for (const char* same : {"log_loss", "brier", "ece", "auc", "calibration", "coverage"}) {
    CHECK(found[same] == known[same]);  // of the other rows
  }
  CHECK(found["notes"].back().get<std::string>().find("rows with known labels") !=
        std::string::npos);
  CHECK(found["slices"][0]["value"] == "c");
  CHECK(found["slices"][0]["accuracy"] == 0.0);
  CHECK_FALSE(found["slices"][0].contains("log_loss"));
  const auto wrong = lines_of(place.files().read("wrong.jsonl"));
  REQUIRE(wrong.size() == 4);
  CHECK(OrderedJson::parse(wrong[1])["gold"] == "great");
  const std::string text =
      place.output({"evaluate", "rows.csv", "-m", "toy", "--html", "page.html"});
  const std::string line = "3 rows have 2 labels that the model lacks; counted as wrong";
  CHECK(text.find("\nunknown labels          " + line + "\n") != std::string::npos);
  CHECK(text.find("\ngreat                    0         2\n") != std::string::npos);
  const std::string page = place.files().read("page.html");
  CHECK(page.find("<td>" + line + "</td>") != std::string::npos);
  CHECK(page.find("gold great, predicted positive: 2") != std::string::npos);
}

TEST_CASE("a row whose label both models lack is right for neither, with every part") {
  const ToyPlace place;
  place.add("other", {});
  place.files().write("rows.csv", kUnknown + kLacked);
  const OrderedJson compared = place.json({"evaluate", "rows.csv", "-m", "toy", "--compare",
                                           "other", "--format", "json"})["comparison"];
  CHECK(compared["both"] == 3);
  CHECK(compared["neither"] == 4);
  CHECK(compared["second"]["unknown_label_rows"] == 3);
  place.add_attending();
  const Arguments ablate = {"evaluate", "rows.csv", "-m",       "attending",
                            "--ablate", "heads",    "--format", "json"};
  const OrderedJson all = place.json(ablate)["ablation"][0];
  place.files().write("rows.csv", kUnknown);
  const OrderedJson known = place.json(ablate)["ablation"][0];
  CHECK(all["rows"] == 7);
  CHECK(all["log_loss_change"] == known["log_loss_change"]);
}

TEST_CASE("a temperature is fitted to the rows whose labels the model has") {
  const ToyPlace place;
  double temperature = 0.0;
  for (const std::string& more : {std::string(), kLacked}) {
    place.files().write("rows.csv", kUnknown + more);
    const double fitted = place.json({"evaluate", "rows.csv", "-m", "toy", "--fit-temperature",
                                      "--force", "--format", "json"})["fitted"]["temperature"];
    if (!more.empty()) CHECK(fitted == temperature);
    temperature = fitted;
  }
}

TEST_CASE("multi-hot lists are no names and no positions, whatever spells them") {
  const ToyPlace place;
  place.add("mood",
            [](OrderedJson& config) { config["problem_type"] = "multi_label_classification"; });
  const std::string reason = "its labels are multi-hot lists, such as |; expected lists of names; ";
  for (const std::string list :
       {"[1, 0, 1]", "[1.0, 0.0, 1.0]", "[true,false,true]", "[\"1\", \"0\", \"1\"]"}) {
    CAPTURE(list);
    std::string csv = "text,label\n";
    std::string cell = "\"";
    for (const char c : list) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
    for (int i = 0; i < 6; ++i) {
      csv += (i % 2 == 0 ? "good," + cell + "\"" : std::string("bad,\"[0, 1, 0]\"")) + '\n';
    }
    place.files().write("hot.csv", csv);
    place.files().write("hot.jsonl", "{\"text\": \"good\", \"label\": " + list +
                                         "}\n{\"text\": \"bad\", \"label\": [0, 1, 0]}\n");
    for (const std::string file : {"hot.csv", "hot.jsonl"}) {
      for (const Arguments& command : {Arguments{"fit", file, "-m", "toy", "-o", "made"},
                                       {"check", file, "-o", "out.jsonl", "-m", "toy"},
                                       {"evaluate", file, "-m", "mood"},
                                       {"evaluate", file, "-m", "mood", "--label-numbers"},
                                       {"evaluate", file, "-m", "toy"}}) {
        check_last_reason(place.run(command), 1, file + "|" + reason);
      }
    }
  }
  place.files().write("rows.jsonl",
                      "{\"text\": \"good\", \"label\": [1]}\n"
                      "{\"text\": \"bad\", \"label\": [0, 1]}\n");
  CHECK(place.run({"evaluate", "rows.jsonl", "-m", "mood", "--label-numbers"}).status == 0);
}

TEST_CASE("objects, and lists as Python prints them, are errors of their rows, not names") {
  const ToyPlace place;
  for (const std::string label : {R"({"good": 1.0, "bad": 0.0})", "{'good': 1}", "['good', 'bad']",
                                  "('good', 'bad')", "[1 0 1]", "[1. 0.]", "[True, False]"}) {
    CAPTURE(label);
    const std::string field = label.find("\"") == std::string::npos ? '"' + label + '"' : label;
    const std::string row = "{\"text\": \"good\", \"label\": " + field + "}\n";
    place.files().write("rows.jsonl", row + row);
    const std::string reason =
        std::string(label[0] == '{' ? "an object" : "a list as Python prints it") +
        "; expected a name, a number or a JSON array of names";
    check_last_reason(place.run({"fit", "rows.jsonl", "-m", "toy", "-o", "made"}), 1,
                      "rows.jsonl: has no row to train on|" + reason);
    check_last_reason(place.run({"evaluate", "rows.jsonl", "-m", "toy"}), 3,
                      "2 of 2 rows could not be scored|" + reason);
  }
  std::string rows;
  for (const std::string label : {"[good]", "(bad)", "{bad}", "(1)"}) {
    rows += "{\"text\": \"good\", \"label\": \"" + label + "\"}\n";
    rows += "{\"text\": \"good a\", \"label\": \"" + label + "\"}\n";
  }
  place.files().write("rows.jsonl", rows);
  CHECK(place.run({"fit", "rows.jsonl", "-m", "toy", "-o", "made"}).status == 0);
  CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["labels"] ==
        OrderedJson({"(1)", "(bad)", "[good]", "{bad}"}));
}

TEST_CASE("rows whose label is NaN are counted, and said where nothing can be learned") {
  const ToyPlace place;
  const std::string nan = "{\"text\": \"bad\", \"label\": NaN}\n";
  const std::string good = "{\"text\": \"good\", \"label\": \"a\"}\n";
  place.files().write("rows.jsonl", good + nan + good + nan);
  check_last_reason(place.run({"fit", "rows.jsonl", "-m", "toy", "-o", "made"}), 1,
                    "found a single label, \"a\", in 2 rows|2 other rows cannot be used, the first "
                    "is row 1 (line 2): has no label");
  place.files().write("rows.csv", "text,label\ngood,a\nbad,nan\ngood a,a\nbad bad,nan\n");
  const Outcome noted = place.run({"fit", "rows.csv", "-m", "toy", "-o", "made"});
  CHECK(
      noted.err.find("2 rows have the label \"nan\"; if it stands for a missing one, --null nan") !=
      std::string::npos);
}

TEST_CASE("empty names are dropped, and a list among other labels makes no list of them all") {
  const ToyPlace place;
  std::string rows = "text,label\n";
  for (int i = 0; i < 20; ++i) rows += i % 2 == 0 ? "good,praise\n" : "bad,blame\n";
  for (const std::string stray :
       {"|", "||", "[\"\"praise\"\"]", "[1]", "praise|", "praise|blame"}) {
    place.files().write("fit.csv", rows + "good,\"" + stray + "\"\n");
    const Outcome outcome = place.run({"fit", "fit.csv", "-m", "toy", "-o", "made", "--force"});
    CHECK(outcome.err.find("1 of 21 rows cannot be used; first error: row 20 (line 22)") !=
          std::string::npos);
    const OrderedJson made = place.json({"inspect", "-m", "./made", "--format", "json"});
    CHECK(made["problem_type"] == "single_label_classification");
    CHECK(made["labels"] == OrderedJson({"blame", "praise"}));
  }
  place.files().write("rows.csv", rows + "good,praise|blame\nbad,praise|blame\n");
  const Outcome said = place.run({"fit", "rows.csv", "-m", "toy", "-o", "several"});
  CHECK(said.err.find("2 of 22 rows have several labels, the first in line 22, so the model gives "
                      "any number of labels; for one label a row, leave one in each of these") !=
        std::string::npos);
  place.files().write("rows.csv", "text,label\ngood,praise||\nbad,|blame\nmovie,||\n");
  CHECK(place.json({"evaluate", "rows.csv", "-m", "./several", "--format", "json"})["errors"] == 0);
}

}  // namespace
}  // namespace headlight::labels_test
