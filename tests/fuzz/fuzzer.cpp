// The entries of libFuzzer. The name of the program is that of the target.
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

const Target* chosen = nullptr;

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(const int* /*argc*/, char*** argv) {
  const std::string_view path = (*argv)[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto* const found = std::find_if(kTargets.begin(), kTargets.end(),
                                         [&](const Target& target) { return name == target.name; });
  if (found == kTargets.end()) {
    std::fputs("this program has not the name of a target of tests/fuzz\n", stderr);
    std::exit(2);
  }
  chosen = found;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run(view(data, size));
  return 0;
}

/// Half of the changes are those of libFuzzer, which keep no structure.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  headlight::fuzz::Random random(seed);
  if (random() % 2 == 0) {
    const auto other =
        headlight::fuzz::with_other_json(view(data, size), chosen->structure, random);
    if (other && other->size() <= most) {
      std::copy(other->begin(), other->end(), data);
      return other->size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
