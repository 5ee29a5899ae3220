// headlight batch --sort uncertain: the rows to label next.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::batch_sort_test {
namespace {

const Arguments kBatch = {"batch", "rows.csv", "-m", "toy", "--keep", "--column-prefix", "our_"};

std::string many_rows() {
  std::string rows = "id,text\n";
  for (int i = 0; i < 40; ++i) {
    rows += "r" + std::to_string(i) + ',';
    for (int j = 0; j <= i % 7; ++j) rows += j % 3 == i % 3 ? "good " : "bad ";
    rows += "a\n";
  }
  return rows;
}

std::vector<OrderedJson> rows_of(const std::string& lines) {
  std::vector<OrderedJson> rows;
  for (const std::string& line : lines_of(lines)) rows.push_back(OrderedJson::parse(line));
  return rows;
}

TEST_CASE("the rows with the highest entropy come first, ties in the order of the input") {
  ToyPlace place;
  place.files().write("rows.csv", many_rows());
  for (const bool is_multi_label : {false, true}) {
    place.add("toy", [&](OrderedJson& config) {
      if (is_multi_label) config["problem_type"] = "multi_label_classification";
    });
    struct Scored {
      double entropy;
      std::string id;
    };
    std::vector<Scored> expected;
    for (const OrderedJson& row : rows_of(place.output(with(kBatch, {"--probabilities"})))) {
      double entropy = 0.0;
      for (const OrderedJson& value : row["our_probabilities"]) {
        const double p = value;
        entropy -= p * std::log(p);
        if (is_multi_label) entropy -= (1.0 - p) * std::log(1.0 - p);
      }
      expected.push_back({entropy, row["id"]});
    }
    std::ranges::stable_sort(expected, std::ranges::greater(), &Scored::entropy);
    std::string first;
    for (const char* threads : {"1", "3"}) {
      const std::string out =
          place.output(with(kBatch, {"--sort", "uncertain", "-k", "9", "--threads", threads}));
      if (first.empty()) first = out;
      CHECK(out == first);
    }
    const auto found = rows_of(first);
    REQUIRE(found.size() == 9);
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i]["id"] == expected[i].id);
      CHECK(found[i]["our_entropy"].get<double>() == doctest::Approx(expected[i].entropy));
      CHECK(!found[i].contains("our_labels") == !is_multi_label);
    }
  }
}

TEST_CASE("tables, few rows, no rows and shards") {
  ToyPlace place;
  place.files().write("rows.csv", "text\ngood\nbad good\n");
  const Arguments sorted = {"batch", "rows.csv", "-m", "toy", "--sort", "uncertain", "-k", "5"};
  const auto lines = lines_of(place.output(with(sorted, {"--format", "csv"})));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "id,label,probability,entropy,truncated,error");
  CHECK(lines[1].starts_with("1,"));
  CHECK(rows_of(place.output(with(sorted, {"--shard", "0/2"})))[0]["id"] == 0);
  place.files().write("rows.csv", "text\n");
  CHECK(place.output(with(sorted, {"--format", "csv"})) == lines[0] + "\n");
}

TEST_CASE("rows with errors are counted and not written") {
  ToyPlace place;
  place.files().write("rows.jsonl", "{\"text\": \"good\"}\n{\n{\"text\": \"bad good\"}\n");
  const Outcome outcome =
      place.run({"batch", "rows.jsonl", "-m", "toy", "--sort", "uncertain", "-k", "5"});
  CHECK(outcome.status == 3);
  CHECK(lines_of(outcome.out).size() == 2);
  CHECK(outcome.err.find("1 of 3 rows") != std::string::npos);
}

TEST_CASE("a finished output is not made again, and what a stopped run left is not used") {
  ToyPlace place;
  place.files().write("rows.csv", many_rows());
  const Arguments run = {"batch", "rows.csv", "-m", "toy",      "--sort",  "uncertain",
                         "-k",    "4",        "-o", "next.csv", "--resume"};
  place.output(run);
  const std::string made = place.files().read("next.csv");
  CHECK(place.run(run).err.find("next.csv is already complete") != std::string::npos);
  place.files().write("rows.csv", many_rows() + "late,good bad\n");
  check_last_reason(place.run(run), 1, "next.csv");
  CHECK(place.files().read("next.csv") == made);
}

TEST_CASE("what has no entropy is refused") {
  ToyPlace place;
  place.files().write("rows.csv", many_rows());
  place.add("value", [](OrderedJson& config) { config["problem_type"] = "regression"; });
  const Arguments sorted = {"batch", "rows.csv", "--sort", "uncertain"};
  check_refusal(place.run(with(sorted, {"-m", "toy"})), 2, "--sort uncertain needs -k N");
  check_refusal(place.run(with(sorted, {"-m", "toy", "-k", "2", "--activation", "none"})), 2,
                "--sort uncertain cannot be combined with --activation");
  check_refusal(place.run(with(sorted, {"-m", "value", "-k", "2"})), 2,
                "--sort uncertain needs probabilities");
}

}  // namespace
}  // namespace headlight::batch_sort_test
