// What is counted of a benchmark, on the clock of the CPU time: others may hold the core meanwhile.
#pragma once

#include <cstddef>
#include <ctime>

#include <benchmark/benchmark.h>

#include "fma_peak.h"

namespace headlight::bench {

/// CPU time of this process so far.
inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// Repeats `work` as often as `state` asks for and gives the seconds that one took.
template <typename Work>
double seconds_each(benchmark::State& state, const Work& work) {
  const double start = cpu_seconds();
  for ([[maybe_unused]] auto _ : state) work();
  return (cpu_seconds() - start) / static_cast<double>(state.iterations());
}

/// Counts GFLOP a second, and the share, in percent, of the peak that was measured just before.
template <typename Work>
void count_flop(benchmark::State& state, double flop, const Work& work) {
  const double peak = fma_peak();
  const double rate = flop / seconds_each(state, work);
  state.counters["GFLOP/s"] = rate * 1e-9;
  state.counters["%peak"] = rate / peak * 100.0;
}

/// Counts GB a second.
template <typename Work>
void count_bytes(benchmark::State& state, double bytes, const Work& work) {
  state.counters["GB/s"] = bytes / seconds_each(state, work) * 1e-9;
}

/// Counts ns an element.
template <typename Work>
void count_elements(benchmark::State& state, std::size_t elements, const Work& work) {
  state.counters["ns/elem"] = seconds_each(state, work) * 1e9 / static_cast<double>(elements);
}

}  // namespace headlight::bench
