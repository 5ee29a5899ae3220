// The instruction sets that this room's kernels are compiled for, and the one they run with: the
// best that the processor has. All but the baselines give the same bits.
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// "AVX2"; the baselines are "SSE4" and "SCALAR" or "EMU128" (no vectors at all).
std::string instruction_set();

/// Whether a multiply-add is rounded once. Without it results differ in their last bits.
bool has_fused_multiply_add();

/// Those that this processor can run, best first.
std::vector<std::string> instruction_sets();

/// Makes kernels run with another one, for tests; false where instruction_sets() lacks it. Not
/// while kernels run.
bool use_instruction_set(const std::string& name);

}  // namespace headlight
