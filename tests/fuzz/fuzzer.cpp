// The entries of libFuzzer; HEADLIGHT_FUZZ_TARGET is the function of the target.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

#include "fuzz/mutate.h"
#include "fuzz/targets.h"

using headlight::fuzz::kTargets;
using headlight::fuzz::Run;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr Run kRun = headlight::fuzz::HEADLIGHT_FUZZ_TARGET;

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kRun(view(data, size));
  return 0;
}

/// Half of the changes are those of libFuzzer, which keep no structure.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const auto* target = std::find_if(kTargets.begin(), kTargets.end(),
                                    [](const auto& known) { return known.run == kRun; });
  std::mt19937 random(seed);
  if (random() % 2 == 0) {
    const auto other =
        headlight::fuzz::with_other_json(view(data, size), target->structure, random);
    if (other && other->size() <= most) {
      std::copy(other->begin(), other->end(), data);
      return other->size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
