// Pair truncation, row by row; scripts/check tokenizer tries all small lengths.
#include "text/pipeline/truncation.h"

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::truncation_test {

TEST_CASE("longest first, as the fast reference tokenizer does it") {
  struct Row {
    PairLengths lengths;
    std::size_t budget;
    PairLengths kept;
  };
  const Row rows[] = {
      {{5, 0}, 5, {5, 0}},           {{5, 0}, 3, {3, 0}},           {{5, 0}, 0, {0, 0}},
      {{0, 0}, 0, {0, 0}},           {{3, 4}, 7, {3, 4}},           {{3, 5}, 7, {3, 4}},
      {{5, 3}, 7, {4, 3}},           {{255, 255}, 509, {254, 255}}, {{300, 100}, 509, {300, 100}},
      {{300, 300}, 509, {254, 255}}, {{300, 301}, 509, {254, 255}}, {{301, 300}, 509, {255, 254}},
      {{400, 200}, 509, {309, 200}}, {{200, 400}, 509, {200, 309}}, {{10, 1}, 3, {2, 1}},
      {{1, 10}, 3, {1, 2}},          {{0, 9}, 4, {0, 4}},           {{9, 0}, 4, {4, 0}},
      {{4, 4}, 1, {0, 1}},           {{5, 4}, 1, {1, 0}},           {{4, 4}, 0, {0, 0}},
      {{2, 9}, 3, {1, 2}},           {{9, 2}, 3, {2, 1}},
  };
  for (const auto& [lengths, budget, kept] : rows) {
    CAPTURE(lengths.first);
    CAPTURE(lengths.second);
    CAPTURE(budget);
    const PairLengths found = truncate_longest_first(lengths, budget);
    CHECK(found.first == kept.first);
    CHECK(found.second == kept.second);
  }
}

TEST_CASE("only first, or only second, as the reference tokenizer does it") {
  struct Row {
    PairLengths lengths;
    std::size_t budget;
    PairLengths kept;
    std::string error;
  };
  const std::string no_room = "has no room next to the other text, which has ";
  const std::string limit = " tokens and is not truncated; the limit is ";
  const std::string tokens = " tokens without the special tokens";
  const Row rows[] = {
      {{5, 3}, 8, {5, 3}, ""},
      {{5, 3}, 7, {4, 3}, ""},
      {{5, 3}, 4, {1, 3}, ""},
      {{9, 0}, 4, {4, 0}, ""},
      {{0, 4}, 4, {0, 4}, ""},
      {{5, 3}, 0, {0, 0}, ""},
      {{5, 3}, 3, {}, no_room + "3" + limit + "3" + tokens},
      {{0, 5}, 4, {}, no_room + "5" + limit + "4" + tokens},
  };
  for (const auto& [lengths, budget, kept, error] : rows) {
    CAPTURE(lengths.first);
    CAPTURE(budget);
    PairLengths found{};
    CHECK(error_of([&] { found = truncate_only_first(lengths, budget); }) == error);
    CHECK(found == kept);
    const PairLengths swapped{lengths.second, lengths.first};
    CHECK(error_of([&] { found = truncate(Truncation::only_second, swapped, budget); }) == error);
    if (error.empty()) CHECK(found == PairLengths{kept.second, kept.first});
  }
}

}  // namespace headlight::truncation_test
