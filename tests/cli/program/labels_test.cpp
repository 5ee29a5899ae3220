// What the labels of a file are to a model: numbers, labels that it lacks, and lists of labels.
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/json_fwd.h"
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
  const Outcome mapped = place.run({"fit", "train.csv", "--dev", "dev.csv", "-m", "toy", "-o",
                                    "made", "--train", "head", "--label-map", "0=blame,1=praise"});
  CHECK(mapped.status == 0);
  CHECK(mapped.err.find("label-map") == std::string::npos);
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

TEST_CASE("a label of the file may have a comma, as the advice writes it") {
  const ToyPlace place;
  place.files().write("rows.csv", "text,label\ngood,\"Yes, a lot\"\nbad,No\n");
  place.files().write("pairs.txt", "Yes, a lot=positive\nNo=negative\n");
  CHECK(accuracy(place, {"--label-map", "No=negative", "--label-map", "Yes, a lot=positive"}) ==
        1.0);
  CHECK(accuracy(place, {"--label-map", "pairs.txt"}) == 1.0);
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

/// `label` in a cell of CSV.
std::string cell(const std::string& label) {
  std::string quoted = "\"";
  for (const char c : label) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
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
    for (int i = 0; i < 6; ++i) {
      csv += (i % 2 == 0 ? "good," + cell(list) : std::string("bad,\"[0, 1, 0]\"")) + '\n';
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
  place.files().write("share.jsonl", "{\"text\": \"good\", \"label\": [0.9, 0.1]}\n");
  check_last_reason(place.run({"evaluate", "share.jsonl", "-m", "mood"}), 1, reason);
  place.files().write("rows.jsonl",
                      "{\"text\": \"good\", \"label\": [1]}\n"
                      "{\"text\": \"bad\", \"label\": [0, 1]}\n");
  CHECK(place.run({"evaluate", "rows.jsonl", "-m", "mood", "--label-numbers"}).status == 0);
}

/// The labels of "good" in a model that was trained on two rows, by one of two equal files.
struct Spelled {
  std::string good;  // as it stands in the file
  std::string bad;
  Arguments options;
  std::vector<std::string> read = {};  // as fit and evaluate read `good`
  std::string refused = {};            // or why not
};

const Arguments kNames = {"--label-names", "fun, slow,warm"};

const Spelled kShapes[] = {
    {R"(["fun","warm"])", R"(["slow"])", {}, {"fun", "warm"}},
    {"fun|warm", "slow", {}, {"fun", "warm"}},
    {"['fun', 'warm']", "['slow']", {}, {"fun", "warm"}},
    {"('fun', 'warm')", "('slow',)", {}, {"fun", "warm"}},
    {"['fun' 'warm']", "['slow']", {}, {"fun", "warm"}},
    {R"(["it's", 'a "b"'])", "[]", {}, {"a \"b\"", "it's"}},
    {"fun, warm", "slow", {"--label-separator", ", "}, {"fun", "warm"}},
    {"fun;a|b", "slow", {"--label-separator", ";"}, {"a|b", "fun"}},
    {"[1, 0, 1]", "[0, 1, 0]", kNames, {"fun", "warm"}},
    {"[1.0, 0.0, 1.0]", "[0, 1, 0]", kNames, {"fun", "warm"}},
    {"[True, False, True]", "[False, True, False]", kNames, {"fun", "warm"}},
    {"[1. 0. 1.]", "[0. 1. 0.]", kNames, {"fun", "warm"}},
    {"1 0 1", "0 1 0", kNames, {"fun", "warm"}},
    {"1|0|1", "0|1|0", kNames, {"fun", "warm"}},
    {R"(["fun","warm"])", R"(["slow"])", kNames, {"fun", "warm"}},
    {R"({"fun": 0.9, "warm": 1, "slow": 0.5})", R"({"slow": true})", {}, {"fun", "warm"}},
    {"{'fun': 1.0, 'warm': True, 'slow': 0}", "{'slow': 1.0}", {}, {"fun", "warm"}},
    {"[0.9, 0.5, 0.6]", "[0, 0.7, 0]", kNames, {"fun", "warm"}},
    {R"({"choices": ["fun", "warm"]})", R"({"choices": []})", {}, {"fun", "warm"}},
    {R"(["fun","-"])", R"(["slow"])", {"--ignore-label", "-"}, {"fun"}},
    {"fun|-", "slow|fun", {"--ignore-label", "-"}, {"fun"}},
    {"-", "slow|fun", {"--ignore-label", "-"}, {}},
    {R"({"fun": 3})", "[]", {}, {}, R"(label "fun" has the value 3; expected 0 or 1)"},
    {R"({"fun": null})", "[]", {}, {}, R"(label "fun" has no value; expected 0 or 1)"},
    {R"([{"label": "fun"}])", "[]", {}, {}, "is not an array of names"},
    {R"(["fun", null])", "[]", {}, {}, "is not an array of names"},
    {"[np.str_('fun')]", "[]", {}, {}, "is in brackets, but is not a list or an object"},
    {"[1, 0]", "[1, 0, 1]", kNames, {}, "has 2 values, but --label-names has 3 names"},
    {"[1, 0, 2]", "[1, 0, 1]", kNames, {}, "has the value 2; expected 0 or 1"},
    {"dull",
     "[1, 0, 1]",
     kNames,
     {},
     R"(label "dull" is not one of --label-names: fun, slow, warm)"},
    {R"(["fun","slow"])",
     R"(["slow"])",
     {"--single-label"},
     {},
     "has 2 labels, but --single-label"},
};

TEST_CASE("labels are read in every shape that people write, in cells and fields alike") {
  const ToyPlace place;
  for (const Spelled& shape : kShapes) {
    CAPTURE(shape.good);
    const bool is_json = Json::accept(shape.good) && Json::accept(shape.bad);
    place.files().write("rows.csv",
                        "text,label\ngood," + cell(shape.good) + "\nbad," + cell(shape.bad) + "\n");
    place.files().write("rows.jsonl", R"({"text":"good","label":)" + shape.good + "}\n" +
                                          R"({"text":"bad","label":)" + shape.bad + "}\n");
    for (const std::string file : {"rows.csv", "rows.jsonl"}) {
      if (file == "rows.jsonl" && !is_json) continue;
      Arguments fit = {"fit", file, "-m", "toy", "-o", "made", "--train", "head", "--force"};
      fit.insert(fit.end(), shape.options.begin(), shape.options.end());
      const Outcome outcome = place.run(fit);
      if (!shape.refused.empty()) {
        CHECK(outcome.err.find("row 0 (line " + std::string(file == "rows.csv" ? "2" : "1")) !=
              std::string::npos);
        CHECK(outcome.err.find(shape.refused) != std::string::npos);
        continue;
      }
      CAPTURE(outcome.err);
      REQUIRE(outcome.status == 0);
      Arguments measure = {"evaluate", file, "-m", "./made", "--format", "json", "--limit", "1"};
      measure.insert(measure.end(), shape.options.begin(), shape.options.end());
      std::vector<std::string> read;
      const OrderedJson found = place.json(measure)["labels"];
      for (const auto& label : found) {
        if (label["support"] == 1) read.push_back(label["label"]);
      }
      CHECK(read == shape.read);
    }
  }
}

TEST_CASE("a column or a field for each label") {
  const ToyPlace place;
  const Arguments labels = {"--label", "toxic", "--label", "rude"};
  const std::string csv = "text,toxic,rude\ngood,0,0\nbad,1,1.0\nbad bad,True,false\n";
  place.files().write("rows.csv", csv);
  place.files().write("rows.jsonl", R"({"text":"good","toxic":0,"rude":false})"
                                    "\n"
                                    R"({"text":"bad","toxic":1.0,"rude":true})"
                                    "\n"
                                    R"({"text":"bad bad","toxic":1,"rude":0})"
                                    "\n");
  place.files().write("bare.csv", csv.substr(csv.find('\n') + 1));
  for (const auto& [file, more] : std::vector<std::pair<std::string, Arguments>>{
           {"rows.csv", labels},
           {"rows.jsonl", labels},
           {"bare.csv",
            {"--no-header", "--text", "1", "--label", "2", "--label", "3", "--label-names",
             "toxic,rude"}}}) {
    CAPTURE(file);
    Arguments fit = {"fit", file, "-m", "toy", "-o", "made", "--train", "head", "--force"};
    fit.insert(fit.end(), more.begin(), more.end());
    CHECK(place.run(fit).status == 0);
    Arguments measure = {"evaluate", file, "-m", "./made", "--format", "json"};
    measure.insert(measure.end(), more.begin(), more.end());
    const OrderedJson found = place.json(measure)["labels"];
    CHECK(found[0]["label"] == "rude");
    CHECK(found[0]["support"] == 1);
    CHECK(found[1]["support"] == 2);
  }
  place.files().write("rows.csv", csv + "plot,7,0\nmovie,,1\n");
  const Outcome outcome =
      place.run({"evaluate", "rows.csv", "-m", "./made", "--label", "toxic", "--label", "rude"});
  check_last_reason(outcome, 3,
                    "2 of 5 rows could not be scored; first error: row 3|label \"toxic\" has the "
                    "value 7; expected 0 or 1");
  check_last_reason(
      place.run({"fit", "rows.csv", "-m", "toy", "-o", "new", "--label", "toxic,rude"}), 1,
      "give the option once for each column");
}

TEST_CASE("lists of one label each are said, and --single-label reads their labels") {
  const ToyPlace place;
  place.files().write("rows.jsonl", R"({"text":"good","label":["praise"]})"
                                    "\n"
                                    R"({"text":"bad","label":["blame"]})"
                                    "\n");
  const Arguments fit = {"fit", "rows.jsonl", "-m", "toy", "-o", "made", "--train", "head"};
  CHECK(place.run(fit).err.find("each row has a list of one label, so the model gives any number "
                                "of labels; --single-label makes it give one") !=
        std::string::npos);
  Arguments single = fit;
  single.insert(single.end(), {"--single-label", "--force"});
  CHECK(place.run(single).status == 0);
  CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["problem_type"] ==
        "single_label_classification");
  const Json plain = place.json({"evaluate", "rows.jsonl", "-m", "./made", "--format", "json"});
  CHECK(plain["accuracy"] == 1.0);
  CHECK(place.json({"evaluate", "rows.jsonl", "-m", "./made", "--single-label", "--format",
                    "json"})["accuracy"] == plain["accuracy"]);
}

TEST_CASE("with --single-label, a cell is one label, also with a bar") {
  const ToyPlace place;
  place.files().write("rows.csv", "text,label\ngood,p|r\nbad,q\ngood a,p|r\nbad bad,|\n");
  const Arguments fit = {"fit",  "rows.csv", "-m",   "toy",           "-o",
                         "made", "--train",  "head", "--single-label"};
  CHECK(place.run(fit).status == 0);
  const OrderedJson made = place.json({"inspect", "-m", "./made", "--format", "json"});
  CHECK(made["problem_type"] == "single_label_classification");
  CHECK(made["labels"] == OrderedJson({"p|r", "q", "|"}));
  const OrderedJson found =
      place.json({"evaluate", "rows.csv", "-m", "./made", "--single-label", "--format", "json"});
  CHECK(found["rows"] == 4);
  CHECK(found["errors"] == 0);
}

TEST_CASE("an empty cell is none of the labels where rows have any number of them, and is said") {
  const ToyPlace place;
  const Arguments names = {"--label-names", "p,q"};
  for (const auto& [file, bytes, options] :
       std::vector<std::tuple<std::string, std::string, Arguments>>{
           {"rows.csv", "text,label\ngood,p|q\nbad,q\ngood a,p\ngood b,p|q\nbad bad,\n", {}},
           {"rows.csv", "text,label\ngood,1 1\nbad,0 1\nbad bad,\n", names},
           {"rows.jsonl",
            R"({"text":"good","label":["p","q"]})"
            "\n"
            R"({"text":"bad","label":["q"]})"
            "\n"
            R"({"text":"bad bad","label":""})"
            "\n",
            {}},
       }) {
    CAPTURE(bytes);
    place.files().write(file, bytes);
    Arguments fit = {"fit", file, "-m", "toy", "-o", "made", "--train", "head", "--force"};
    fit.insert(fit.end(), options.begin(), options.end());
    const Outcome outcome = place.run(fit);
    CHECK(outcome.err.find("1 row has none of the labels") != std::string::npos);
    Arguments measure = {"evaluate", file, "-m", "./made", "--format", "json"};
    measure.insert(measure.end(), options.begin(), options.end());
    CHECK(place.json(measure)["errors"] == 0);
    if (file == "rows.jsonl") continue;
    measure.insert(measure.end(), {"--null", ""});
    check_last_reason(place.run(measure), 3, "1 of |has no label");
  }
}

TEST_CASE("a row with nothing but a label to ignore is left out where each row has one") {
  const ToyPlace place;
  place.files().write("rows.csv", "text,label\ngood,praise\nbad,blame\nplot,-\n");
  const Outcome fit = place.run(
      {"fit", "rows.csv", "-m", "toy", "-o", "made", "--train", "head", "--ignore-label", "-"});
  CHECK(fit.status == 0);
  CHECK(fit.err.find("1 row has no label but those of --ignore-label") != std::string::npos);
  CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["labels"] ==
        OrderedJson({"blame", "praise"}));
  CHECK(OrderedJson::parse(place
                               .run({"evaluate", "rows.csv", "-m", "./made", "--ignore-label", "-",
                                     "--format", "json"})
                               .out)["rows"] == 2);
}

TEST_CASE("a map may be a file, and names what occurs in no row") {
  const ToyPlace place;
  place.files().write("rows.csv", kNumbers);
  place.files().write("pairs.txt",
                      "\xEF\xBB\xBF"
                      "0 = negative\r\n\r\n1=positive\r\n");
  place.files().write("tabs.tsv", "0\tnegative\n1\tpositive\n");
  place.files().write("map.json", R"({"0": "negative", "1": "positive"})");
  place.files().write("mac.txt", "0=negative\r1=positive\r");
  place.files().write("config.json",
                      R"({"model_type": "bert", "id2label": {"0": "negative", "1": "positive"}})");
  for (const std::string map : {"pairs.txt", "mac.txt", "tabs.tsv", "map.json", "config.json",
                                "1=positive, 0 = negative"}) {
    CAPTURE(map);
    CHECK(accuracy(place, {"--label-map", map}) == 2.0 / 3.0);
    const Outcome fit = place.run({"fit", "rows.csv", "-m", "toy", "-o", "made", "--train", "head",
                                   "--force", "--label-map", map});
    CHECK(fit.status == 0);
    CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["labels"] ==
          OrderedJson({"negative", "positive"}));
    CHECK(place.run({"evaluate", "rows.csv", "-m", "./made"}).status == 0);
  }
  CHECK(place
            .run({"evaluate", "rows.csv", "-m", "toy", "--label-map",
                  "0=negative,1=positive,2=positive"})
            .err == "headlight: --label-map: no row has the label \"2\"\n");
  const Outcome refused =
      place.run({"evaluate", "rows.csv", "-m", "toy", "--label-map", "00=negative,01=positive"});
  CHECK(refused.status == 1);
  CHECK(refused.err.find("no row has the label \"00\", \"01\"\n") != std::string::npos);
  place.files().write("pairs.txt", "0 negative\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy", "--label-map", "pairs.txt"}), 1,
                "pairs.txt: found \"0 negative\", expected FOUND=LABEL");
  place.files().write("pairs.txt", "pairs.txt\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy", "--label-map", "pairs.txt"}), 1,
                "pairs.txt: found \"pairs.txt\", expected FOUND=LABEL");
}

TEST_CASE("labels that only look like those of the model are said with what differs") {
  const ToyPlace place;
  place.add("cafe", [](OrderedJson& config) { config["id2label"] = {"caf\u00e9", "bar"}; });
  place.files().write("rows.csv", "text,label\ngood,cafe\u0301\nbad,b\u200bar\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "cafe"}), 1,
                "found b\\u200bar, cafe\\u0301; the model has caf\u00e9, bar|--label-map");
  place.files().write("fit.csv",
                      "text,label\ngood,caf\u00e9\nbad,bar\ngood good,cafe\u0301\n"
                      "good a,caf\u00e9\n");
  CHECK(place.run({"fit", "fit.csv", "-m", "toy", "-o", "made", "--merge-labels"}).status == 0);
  CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["labels"] ==
        OrderedJson({"bar", "caf\u00e9"}));
}

TEST_CASE("what is in brackets and is no list stays a name") {
  const ToyPlace place;
  std::string rows;
  for (const std::string label : {"[good]", "(bad)", "{bad}", "(1)", "(18, 25)"}) {
    rows += "{\"text\": \"good\", \"label\": \"" + label + "\"}\n";
    rows += "{\"text\": \"good a\", \"label\": \"" + label + "\"}\n";
  }
  place.files().write("rows.jsonl", rows);
  CHECK(place.run({"fit", "rows.jsonl", "-m", "toy", "-o", "made"}).status == 0);
  CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["labels"] ==
        OrderedJson({"(1)", "(18, 25)", "(bad)", "[good]", "{bad}"}));
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
       {"|", "||", "[\"\"praise\"\",\"\"blame\"\"]", "[1]", "praise|", "praise|blame"}) {
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
