// HEADLIGHT_KERNEL(Name)(…) calls the version of Name that was compiled for the active instruction
// set. Include it after all versions are compiled (#if HWY_ONCE) and use it in namespace headlight.
// We do not use Highway's own tables, because its library measures the clock for some milliseconds
// at every program start.
#pragma once

#include <hwy/highway.h>

#include "math/instruction_set.h"

// NOLINTBEGIN(bugprone-macro-parentheses): the macro joins names, not values
#define HEADLIGHT_IF_ACTIVE(set, kernel) \
  headlight::active_instruction_set() == headlight::InstructionSet::set ? kernel:
// NOLINTEND(bugprone-macro-parentheses)

#if (HWY_TARGETS & HWY_AVX3) && HWY_STATIC_TARGET != HWY_AVX3
#define HEADLIGHT_AVX3(name) HEADLIGHT_IF_ACTIVE(avx3, N_AVX3::name)
#else
#define HEADLIGHT_AVX3(name)
#endif
#if (HWY_TARGETS & HWY_AVX2) && HWY_STATIC_TARGET != HWY_AVX2
#define HEADLIGHT_AVX2(name) HEADLIGHT_IF_ACTIVE(avx2, N_AVX2::name)
#else
#define HEADLIGHT_AVX2(name)
#endif
#if (HWY_TARGETS & HWY_SSE4) && HWY_STATIC_TARGET != HWY_SSE4
#define HEADLIGHT_SSE4(name) HEADLIGHT_IF_ACTIVE(sse4, N_SSE4::name)
#else
#define HEADLIGHT_SSE4(name)
#endif

#define HEADLIGHT_KERNEL(name) \
  (HEADLIGHT_AVX3(name) HEADLIGHT_AVX2(name) HEADLIGHT_SSE4(name) HWY_STATIC_DISPATCH(name))
