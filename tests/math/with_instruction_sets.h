// Runs a test's body with each instruction set of the processor, and with the best one again after.
#pragma once

#include <string>

#include <doctest/doctest.h>

#include "math/instruction_set.h"

namespace headlight {

class BestInstructionSetAgain {
 public:
  BestInstructionSetAgain() = default;
  BestInstructionSetAgain(const BestInstructionSetAgain&) = delete;
  BestInstructionSetAgain& operator=(const BestInstructionSetAgain&) = delete;
  ~BestInstructionSetAgain() { use_instruction_set(instruction_sets().front()); }
};

template <typename Body>
void with_each_instruction_set(Body body) {
  const BestInstructionSetAgain again;
  for (const std::string& set : instruction_sets()) {
    CAPTURE(set);
    REQUIRE(use_instruction_set(set));
    body();
  }
}

}  // namespace headlight
