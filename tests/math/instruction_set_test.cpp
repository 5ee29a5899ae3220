#include "math/instruction_set.h"

#include <doctest/doctest.h>

namespace headlight::instruction_set_test {
namespace {

TEST_CASE("the best instruction set is used, and any other of the processor's can be") {
  const auto sets = instruction_sets();
  REQUIRE(!sets.empty());
  CHECK(instruction_set() == sets.front());
  for (const auto& set : sets) {
    CAPTURE(set);
    CHECK(use_instruction_set(set));
    CHECK(instruction_set() == set);
    const bool baseline = set == "SSE4" || set == "EMU128" || set == "SCALAR";
    CHECK(has_fused_multiply_add() != baseline);
  }
  CHECK_FALSE(use_instruction_set("AVX1024"));
  CHECK(instruction_set() == sets.back());
  CHECK(use_instruction_set(sets.front()));
}

}  // namespace
}  // namespace headlight::instruction_set_test
