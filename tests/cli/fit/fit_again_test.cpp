// headlight fit with more rows than last time: --vectors, --numbers-of, and several files.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fit_again_test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kWords = {"good", "bad", "movie", "a", "plot"};

/// A row for each text of three words; the first decides.
std::string some_rows(const std::vector<std::string>& labels, const std::string& last) {
  std::string rows = "text,label\n";
  for (std::size_t first = 0; first < labels.size(); ++first) {
    for (const std::string& second : kWords) {
      for (const std::string& third : kWords) {
        rows += kWords[first] + ' ' + second + ' ' + third + last + ',' + labels[first] + '\n';
      }
    }
  }
  return rows;
}

/// old.csv has two labels, new.csv a third one.
void add_rows(const ToyPlace& place) {
  place.files().write("old.csv", some_rows({"up", "down"}, ""));
  place.files().write("new.csv", some_rows({"up", "down", "aside"}, " plot"));
}

const Arguments kFit = {"fit", "-m", "toy", "--train", "head", "-q"};
const char* const kFiles[] = {"config.json", "model.safetensors", "calibration.json",
                              "training.json", "README.md"};

TEST_CASE("the result has the same bytes with vectors of earlier runs and without") {
  const ToyPlace place;
  add_rows(place);
  place.output(with(kFit, {"old.csv", "-o", "old", "--vectors", "kept"}));
  const std::string before = place.files().read("kept");
  const auto check_same = [&](const std::string& made, const std::string& expected) {
    for (const char* file : kFiles) {
      CAPTURE(file);
      CHECK(place.files().read(made + '/' + file) == place.files().read(expected + '/' + file));
    }
  };
  fs::create_directory(place.files() / "usual");
  place.output(with(kFit, {"old.csv", "new.csv", "-o", "usual/made"}));
  const auto run_with = [&](const std::string& folder) {
    fs::create_directory(place.files() / folder);
    return place.run({"fit", "-m", "toy", "--train", "head", "old.csv", "new.csv", "-o",
                      folder + "/made", "--vectors", "kept"});
  };
  const Outcome more = run_with("more");
  CHECK(more.err.find("kept lacks the vectors of 75 texts") != std::string::npos);
  check_same("more/made", "usual/made");
  const std::string whole = place.files().read("kept");
  CHECK(whole.starts_with(before));
  CHECK(run_with("all").err.find("kept lacks the vectors of 0 texts") != std::string::npos);
  check_same("all/made", "usual/made");
  CHECK(place.files().read("kept") == whole);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{20}, before.size() - 1, whole.size() / 2}) {
    const std::string folder = "killed-" + std::to_string(size);
    place.files().write("kept", whole.substr(0, size));
    CHECK(run_with(folder).status == 0);
    check_same(folder + "/made", "usual/made");
    CHECK(place.files().read("kept").size() == whole.size());
  }
  // check uses them too.
  const Arguments check = {"check", "-m", "toy", "old.csv", "new.csv", "-o"};
  place.run(with(check, {"plain.csv"}));
  CHECK(place.run(with(check, {"again.csv", "--vectors", "kept"}))
            .err.find("kept lacks the vectors of 0 texts") != std::string::npos);
  CHECK(place.files().read("again.csv") == place.files().read("plain.csv"));
}

TEST_CASE("vectors of another encoder are refused, and so are cuts of it") {
  const ToyPlace place;
  add_rows(place);
  place.add_attending();
  place.output(with(kFit, {"old.csv", "-o", "old", "--vectors", "kept"}));
  const std::string whole = place.files().read("kept");
  const Arguments other = {"fit", "old.csv", "-o", "made", "-q", "--vectors", "kept", "-m"};
  check_last_reason(place.run(with(other, {"attending"})), 1,
                    "kept: has vectors of another encoder|choose another file");
  check_last_reason(place.run(with(other, {"toy", "--long", "window"})), 1,
                    "kept: has vectors of another encoder|choose another file");
  check_last_reason(place.run(with(other, {"toy", "--train", "all", "--feed-forward-size", "2"})),
                    2, "--vectors|--feed-forward-size");
  CHECK(place.files().read("kept") == whole);
  CHECK(!place.files().has("made"));
}

TEST_CASE("labels keep their numbers, and the development rows of the earlier model are measured") {
  const ToyPlace place;
  add_rows(place);
  place.output(with(kFit, {"old.csv", "-o", "old"}));
  const auto labels = [&](const std::string& model) {
    return OrderedJson::parse(place.files().read(model + "/config.json"))["id2label"];
  };
  const Arguments both = with(kFit, {"old.csv", "new.csv"});
  place.output(with(both, {"-o", "usual"}));
  CHECK(labels("old") == OrderedJson::parse(R"({"0": "down", "1": "up"})"));
  CHECK(labels("usual") == OrderedJson::parse(R"({"0": "aside", "1": "down", "2": "up"})"));
  const auto made =
      place.json(with(both, {"-o", "new", "--numbers-of", "./old", "--format", "json"}));
  CHECK(labels("new") == OrderedJson::parse(R"({"0": "down", "1": "up", "2": "aside"})"));
  CHECK(
      made["files"] ==
      OrderedJson::parse(R"([{"file": "old.csv", "rows": 50}, {"file": "new.csv", "rows": 75}])"));
  const auto facts = OrderedJson::parse(place.files().read("old/training.json"));
  const auto& earlier = made["earlier"];
  CHECK(earlier["model"] == "old");
  CHECK(earlier["rows"] == facts["development"].size());
  CHECK(earlier["measure"] == "accuracy");
  CHECK(earlier["before"] == facts["score"]);
  CHECK(earlier["after"] > 0.5);
  const std::string card = place.files().read("new/README.md");
  CHECK(card.find("| rows of each file | 50 of old.csv, 75 of new.csv |") != std::string::npos);
  CHECK(card.find("| earlier development | ") != std::string::npos);
  // The same rows are held out again, and a share of the new ones.
  const auto again = OrderedJson::parse(place.files().read("new/training.json"))["development"];
  std::vector<std::size_t> old_rows;
  for (const std::size_t row : again) {
    if (row < 50) old_rows.push_back(row);
  }
  CHECK(OrderedJson(old_rows) == facts["development"]);
  CHECK(again.size() > old_rows.size());
  // In another order, or with a file that was changed, the rows are not known.
  for (const Arguments& files : {Arguments{"new.csv", "old.csv"}, Arguments{"new.csv"}}) {
    const auto other = place.json(with(
        with(kFit, files), {"-o", "other", "-f", "--numbers-of", "./old", "--format", "json"}));
    CHECK(!other.contains("earlier"));
    CHECK(place.files().read("other/README.md").find("development rows of old are not known") !=
          std::string::npos);
  }
}

TEST_CASE("labels without rows are named, and a model without labels has no numbers") {
  const ToyPlace place;
  add_rows(place);
  place.output(with(kFit, {"new.csv", "-o", "wide"}));
  check_last_reason(
      place.run(with(kFit, {"old.csv", "-o", "made", "--numbers-of", "./wide"})), 1,
      "old.csv: has no row of 1 label of wide: aside|add the rows that it was trained on");
  check_last_reason(place.run(with(kFit, {"old.csv", "-o", "made", "--numbers-of", "encoder"})), 1,
                    "has no labels whose numbers can be kept");
  CHECK(!place.files().has("made"));
}

}  // namespace
}  // namespace headlight::fit_again_test
