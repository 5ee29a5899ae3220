// The instruction sets that the kernels are compiled for, and the active one: by default the best
// that the processor supports. All except the baselines give the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

/// Best first. `base` is supported by every processor of the architecture: NEON on arm64, no
/// vectors on x86.
enum class InstructionSet : std::uint8_t { avx3, avx2, sse4, base };

/// The instruction set that the kernels use now.
InstructionSet active_instruction_set();

/// Its name: "AVX3" (AVX-512), "AVX2", "NEON"; the baselines are "SSE4" and "SCALAR" or "EMU128".
std::string instruction_set();

/// Whether a multiply-add is rounded once. If not, results differ in their last bits.
bool has_fused_multiply_add();

/// The names of the instruction sets that this processor supports, best first.
std::vector<std::string> instruction_sets();

/// Selects another instruction set, for tests. Returns false if it is not in instruction_sets(). Do
/// not call it while kernels run.
bool use_instruction_set(const std::string& name);

}  // namespace headlight
