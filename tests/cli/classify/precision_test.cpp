// --precision: rounded linear layers give nearly the same numbers, their bits do not depend on how
// a run is divided, and a run is not resumed with other sums.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::precision_test {
namespace {

const std::string kTexts =
    "an unflinching film that is better than its story\n"
    "not bad at all\n"
    "the plot is thin and the jokes are old\n"
    "good\n"
    "it takes two hours to say what the title says , and then it says it again\n";

TEST_CASE("the precision is said with -v by every command that takes it") {
  const ToyPlace place;
  const std::vector<Arguments> commands = {
      {"batch", "rows.txt"}, {"classify", "good"}, {"attention", "good"}};
  for (const Arguments& command : commands) {
    CAPTURE(command.front());
    for (const std::string precision : {"bf16", "int8"}) {
      const Outcome outcome =
          place.run(with(command, {"-m", "toy", "-v", "--precision", precision}));
      CHECK(outcome.status == 0);
      CHECK(outcome.err.find(precision + " linear layers, ") != std::string::npos);
    }
  }
}

TEST_CASE("the bundled model says nearly the same in bf16, the same verdicts among them") {
  const ToyPlace place;
  const Arguments command = {"batch", "-", "--input-format", "text", "--logits"};
  const auto exact = lines_of(place.output(command, kTexts));
  const auto rounded = lines_of(place.output(with(command, {"--precision", "bf16"}), kTexts));
  REQUIRE(exact.size() == 5);
  REQUIRE(rounded.size() == 5);
  double most = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const auto before = OrderedJson::parse(exact[i]);
    const auto after = OrderedJson::parse(rounded[i]);
    CHECK(before["label"] == after["label"]);
    for (const auto& [label, logit] : before["logits"].items()) {
      most = std::max(most, std::abs(logit.get<double>() - after["logits"][label].get<double>()));
    }
  }
  CHECK(most > 0.0);
  CHECK(most < 0.05);
}

TEST_CASE("the bytes in bf16 depend neither on threads nor on what is scored together") {
  const ToyPlace place;
  const Arguments command = {"batch",    "-",           "--input-format", "text",
                             "--logits", "--precision", "bf16",           "--threads"};
  const std::string together = place.output(with(command, {"1"}), kTexts);
  CHECK(place.output(with(command, {"4"}), kTexts) == together);
  const auto lines = lines_of(together);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string row = std::to_string(i);
    const auto alone =
        lines_of(place.output(with(command, {"1", "--skip", row, "--limit", "1"}), kTexts));
    REQUIRE(alone.size() == 1);
    CHECK(alone.front() == lines[i]);
  }
}

TEST_CASE("attention has the logits that classify has, in every precision") {
  const ToyPlace place;
  for (const std::string precision : {"fp32", "bf16", "int8"}) {
    const Arguments more = {"--format", "json", "--precision", precision, "not bad at all"};
    CHECK(place.json(with({"attention"}, more))["logits"] ==
          place.json(with({"classify", "--logits"}, more))[0]["logits"]);
  }
}

/// Leaves a file of some rows as a run does that is stopped.
void leave_rows(const ToyPlace& place, const Arguments& arguments) {
  place.files().write("rows.txt", "good\nbad\n\xFF\ngood\n");
  check_last_reason(place.run(with(arguments, {"--on-error", "stop"})), 1,
                    "row 2|use --resume to continue");
}

TEST_CASE("a run in bf16 is resumed in bf16 alone, and with the same kind of sums") {
  const ToyPlace place;
  const Arguments first = {"batch", "rows.txt", "-m", "toy", "-o", "out"};
  const Arguments rounded = with(first, {"--precision", "bf16"});
  leave_rows(place, rounded);
  const std::string mark = place.files().read("out.partial.json");
  const std::string kind = "bfloat16 sums ";
  const std::size_t begin = mark.find(kind);
  REQUIRE(begin != std::string::npos);
  std::string other = mark;
  other.insert(begin + kind.size(), "of the kind 0123abcd, not ");
  place.files().write("out.partial.json", other);
  check_refusal(place.run(with(rounded, {"--resume"})), 1,
                "was written with packed kernels, bfloat16 sums of the kind 0123abcd|"
                "this run uses packed kernels, bfloat16 sums|--force starts over");
  place.files().write("out.partial.json", mark);
  check_refusal(place.run(with(first, {"--resume"})), 1, "--precision bf16");
  check_last_reason(place.run(with(rounded, {"--resume"})), 3, "1 of 4 rows|row 2");
  CHECK(lines_of(place.files().read("out")).size() == 4);
}

}  // namespace
}  // namespace headlight::precision_test
