#include "math/instruction_set.h"

#include <cstdint>

#include <hwy/highway.h>

namespace headlight {
namespace {

std::vector<std::int64_t> supported() {
  hwy::SetSupportedTargetsForTest(0);  // ends what use_instruction_set began
  return hwy::SupportedAndGeneratedTargets();
}

std::int64_t& chosen() {
  static std::int64_t target = supported().front();
  return target;
}

}  // namespace

std::string instruction_set() { return hwy::TargetName(chosen()); }

bool has_fused_multiply_add() {
  constexpr std::int64_t kWithout = HWY_EMU128 | HWY_SCALAR | HWY_SSSE3 | HWY_SSE4;
  return (chosen() & kWithout) == 0;
}

std::vector<std::string> instruction_sets() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const std::int64_t target : supported()) names.emplace_back(hwy::TargetName(target));
    return names;
  }();
  return kNames;
}

bool use_instruction_set(const std::string& name) {
  const std::vector<std::int64_t> targets = supported();
  for (const std::int64_t target : targets) {
    if (hwy::TargetName(target) != name) continue;
    chosen() = target;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    return true;
  }
  return false;
}

}  // namespace headlight
