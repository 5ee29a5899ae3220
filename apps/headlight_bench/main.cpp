// Times the kernels on one core and holds them against the multiply-add peak of that core.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/parallel.h"
#include "fma_peak.h"
#include "groups.h"
#include "math/blas.h"
#include "math/instruction_set.h"
#include "math/linear.h"

namespace headlight::bench {
namespace {

/// The command line, with our defaults before what was typed, which wins.
std::vector<std::string> with_defaults(int argc, char** argv) {
  std::vector<std::string> arguments = {argv[0], "--benchmark_min_time=0.1",
                                        "--benchmark_counters_tabular=true"};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  return arguments;
}

void add_context() {
  benchmark::AddCustomContext("instruction set", instruction_set());
  benchmark::AddCustomContext("multiply-add peak at the start",
                              std::to_string(fma_peak() * 1e-9) + " GFLOP/s");
  benchmark::AddCustomContext("threads", "1");
}

int run(int argc, char** argv) {
  const char* forced = std::getenv("HEADLIGHT_INSTRUCTION_SET");  // NOLINT(concurrency-mt-unsafe)
  if (forced != nullptr && !use_instruction_set(forced)) {
    std::cerr << "headlight_bench: HEADLIGHT_INSTRUCTION_SET: this processor has no \"" << forced
              << "\"\n";
    return 2;
  }
  use_blas(blas_multiply_transposed);
  const ThreadPermit one(1);
  std::vector<std::string> arguments = with_defaults(argc, argv);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);  // as after main's own
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;
  add_context();
  add_linear();
  add_pack();
  add_attention();
  add_elementwise();
  add_forward();
  add_stream();
  add_gradients();
  add_tokenizing();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace headlight::bench

int main(int argc, char** argv) { return headlight::bench::run(argc, argv); }
