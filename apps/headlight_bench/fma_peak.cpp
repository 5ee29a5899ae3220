#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fma_peak.cpp"

#include "fma_peak.h"

#include <algorithm>
#include <cstddef>

#include <benchmark/benchmark.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/lanes-inl.h"
#include "measure.h"

// Without this g++ 12 keeps the chains in memory.
#undef HEADLIGHT_UNROLL
#ifdef __clang__
#define HEADLIGHT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HEADLIGHT_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace headlight::bench::HWY_NAMESPACE {

using headlight::HWY_NAMESPACE::Floats;
using headlight::HWY_NAMESPACE::kLanes;
using headlight::HWY_NAMESPACE::Vector;
namespace hn = hwy::HWY_NAMESPACE;

// Independent chains: at least two units times the five steps that a multiply-add takes on x86,
// four times four on arm64; with the two factors they fit in the registers.
#if HWY_ARCH_X86
constexpr std::size_t kChains = 12;
#else
constexpr std::size_t kChains = 16;
#endif

/// Runs all chains for `steps` steps x ← x · factor + term and gives the FLOP that these were.
/// `sum` keeps them from being left out.
double run_chains(std::size_t steps, float factor, float term, float* sum) {
  const Floats d;
  const Vector factors = hn::Set(d, factor);
  const Vector terms = hn::Set(d, term);
  Vector chains[kChains];  // NOLINT(modernize-avoid-c-arrays): std::array's code would be shared
  HEADLIGHT_UNROLL
  for (std::size_t i = 0; i < kChains; ++i) chains[i] = hn::Set(d, static_cast<float>(i));
  for (std::size_t step = 0; step < steps; ++step) {
    HEADLIGHT_UNROLL
    for (Vector& chain : chains) chain = hn::MulAdd(chain, factors, terms);
  }
  Vector total = hn::Zero(d);
  HEADLIGHT_UNROLL
  for (const Vector& chain : chains) total = hn::Add(total, chain);
  *sum = hn::GetLane(total);
  return 2.0 * static_cast<double>(steps * kChains * kLanes);
}

}  // namespace headlight::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"

namespace headlight::bench {

double fma_peak() {
  constexpr int kTries = 4;
  constexpr std::size_t kSteps = std::size_t{1} << 18U;  // half a millisecond or more
  double best = 0.0;
  for (int i = 0; i < kTries; ++i) {
    float sum = 0.0F;
    const double start = cpu_seconds();
    const double flop = HEADLIGHT_KERNEL(run_chains)(kSteps, 0.5F, 1.0F, &sum);
    best = std::max(best, flop / (cpu_seconds() - start));
    benchmark::DoNotOptimize(sum);
  }
  return best;
}

}  // namespace headlight::bench
#endif
