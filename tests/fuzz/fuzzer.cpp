// The entries of libFuzzer. HEADLIGHT_FUZZ_TARGET in the environment names the target.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/mutate.h"
#include "fuzz/targets.h"

using headlight::fuzz::kTargets;
using headlight::fuzz::Target;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const Target& chosen_target() {
  const char* name = std::getenv("HEADLIGHT_FUZZ_TARGET");
  const auto* found = std::find_if(kTargets.begin(), kTargets.end(), [&](const Target& target) {
    return name != nullptr && std::string_view(name) == target.name;
  });
  if (found == kTargets.end()) {
    std::fputs("HEADLIGHT_FUZZ_TARGET: not a target of tests/fuzz\n", stderr);
    std::exit(2);
  }
  return *found;
}

const Target& target() {
  static const Target& chosen = chosen_target();
  return chosen;
}

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target().run(view(data, size));
  return 0;
}

/// Half of the changes are those of libFuzzer, which keep no structure.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  headlight::fuzz::Random random(seed);
  if (random() % 2 == 0) {
    const auto other =
        headlight::fuzz::with_other_json(view(data, size), target().structure, random);
    if (other && other->size() <= most) {
      std::copy(other->begin(), other->end(), data);
      return other->size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
