// The instruction sets that this room's kernels are compiled for, and the one they run with: the
// best that the processor has. All but the baselines give the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

/// Best first. `base` is what every processor of the architecture has: NEON on arm64, and on x86 no
/// vectors at all.
enum class InstructionSet : std::uint8_t { avx3, avx2, sse4, base };

/// What kernels run with now.
InstructionSet active_instruction_set();

/// Its name: "AVX3" (AVX-512), "AVX2", "NEON"; the baselines are "SSE4" and "SCALAR" or "EMU128".
std::string instruction_set();

/// Whether a multiply-add is rounded once. Without it results differ in their last bits.
bool has_fused_multiply_add();

/// The names of those that this processor can run, best first.
std::vector<std::string> instruction_sets();

/// Makes kernels run with another one, for tests; false where instruction_sets() lacks it. Not
/// while kernels run.
bool use_instruction_set(const std::string& name);

}  // namespace headlight
