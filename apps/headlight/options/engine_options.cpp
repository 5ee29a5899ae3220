#include "options/engine_options.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <tbb/global_control.h>

#include "base/parallel.h"
#include "base/utf8.h"
#include "math/blas.h"
#include "math/instruction_set.h"
#include "math/linear.h"
#include "options/choice.h"
#include "options/help_group.h"

namespace headlight {
namespace {

/// For tests: an instruction set below the processor's best. Empty: use the best.
std::string forced_instruction_set() {
  const char* forced = std::getenv("HEADLIGHT_INSTRUCTION_SET");  // NOLINT(concurrency-mt-unsafe)
  if (forced == nullptr) return "";
  const std::vector<std::string> known = instruction_sets();
  if (std::find(known.begin(), known.end(), forced) == known.end()) {
    throw UsageError("HEADLIGHT_INSTRUCTION_SET: found \"" + shortened(forced) +
                     "\", expected an instruction set of this processor: " + joined(known, ", "));
  }
  return forced;
}

}  // namespace

Workload workload_of(const RowsAhead& rows) {
  return rows.holds_all() ? Workload::few : Workload::many;
}

Workload workload_of(std::size_t texts) {
  return texts > kFewTexts ? Workload::many : Workload::few;
}

void EngineOptions::add_threads_to(CLI::App& command) {
  constexpr std::uint64_t kMostThreads = 1024;
  const HelpGroup group(command, kRunGroup);
  mark(add_value(command, "--threads N", threads_,
                 "Number of threads (default: as many as the process may use)")
           ->check(whole_number(1, kMostThreads)),
       Effect::nothing);
}

void EngineOptions::add_to(CLI::App& command) {
  add_threads_to(command);
  {
    const HelpGroup group(command, kRunGroup);
    rule(choice(command.add_option(
                    "--precision",
                    "Numbers in the encoder's linear layers; bf16 and int8 are less exact"),
                precision_, kPrecisionWords)
             ->option_text("NAME"),
         "bf16 or int8")
        .excludes("--kernels openblas", "which has no such products");
  }
  const HelpGroup rare(command, kRareGroup);
  CLI::Option* kernels = choice(
      command.add_option("--kernels",
                         "Matrix products; packed gives the same bits on every processor with "
                         "fused multiply-add"),
      kernels_, kKernelsWords);
  mark(kernels->option_text("KIND"), Effect::nothing);  // --resume compares Engine::arithmetic()
}

Engine EngineOptions::start(const Console& console) const {
  EngineSettings settings;
  if (threads_ > 0) settings.threads = {threads_, "--threads"};
  settings.kernels = kernels_;
  settings.precision = precision_;
  settings.instruction_set = forced_instruction_set();
  use_blas(blas_multiply_transposed);
  Engine engine(settings);
  // One more than the computing threads, for the thread that waits for input.
  static const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                           engine.threads() + 1);
  static const ThreadPermit permit(engine.threads());
  if (console.is_verbose()) {
    for (const std::string& line : engine.facts()) console.detail(line);
  }
  return engine;
}

}  // namespace headlight
