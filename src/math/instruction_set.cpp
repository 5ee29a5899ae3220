#include "math/instruction_set.h"

#include <algorithm>

#include <hwy/highway.h>

namespace headlight {
namespace {

#if HWY_ARCH_X86
bool is_compiled(std::int64_t target) { return (HWY_TARGETS & target) != 0; }
#endif

/// The processor must support everything that Highway uses for a target (set_macros-inl.h).
std::vector<InstructionSet> find_instruction_sets() {
  std::vector<InstructionSet> found;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  const bool sse4 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("aes");
  const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw");
  if (avx3 && is_compiled(HWY_AVX3)) found.push_back(InstructionSet::avx3);
  if (avx2 && is_compiled(HWY_AVX2)) found.push_back(InstructionSet::avx2);
  if (sse4 && is_compiled(HWY_SSE4)) found.push_back(InstructionSet::sse4);
#endif
  found.push_back(InstructionSet::base);
  return found;
}

const std::vector<InstructionSet>& found_sets() {
  static const std::vector<InstructionSet> kFound = find_instruction_sets();
  return kFound;
}

std::string name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx3:
      return "AVX3";
    case InstructionSet::avx2:
      return "AVX2";
    case InstructionSet::sse4:
      return "SSE4";
    case InstructionSet::base:
      break;
  }
  return hwy::TargetName(HWY_STATIC_TARGET);
}

InstructionSet& active() {
  static InstructionSet set = found_sets().front();
  return set;
}

}  // namespace

InstructionSet active_instruction_set() { return active(); }

std::string instruction_set() { return name_of(active()); }

bool has_fused_multiply_add() {
  constexpr bool kBaseHas = HWY_NATIVE_FMA != 0;
  return active() == InstructionSet::base ? kBaseHas : active() != InstructionSet::sse4;
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const InstructionSet set : found_sets()) names.push_back(name_of(set));
  return names;
}

bool use_instruction_set(const std::string& name) {
  const auto& found = found_sets();
  const auto set = std::find_if(found.begin(), found.end(),
                                [&](InstructionSet other) { return name_of(other) == name; });
  if (set == found.end()) return false;
  active() = *set;
  return true;
}

}  // namespace headlight
