// How models compute: number of threads, instruction set, matrix kernels and precision. An engine
// prepares a loaded model for it. No other code depends on these choices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/words.h"
#include "model/model.h"
#include "model/prepare.h"

namespace headlight {

/// The matrix multiplication. automatic: our own kernels (math/products.h) if the processor has
/// vector instructions for them, else OpenBLAS if there is a use_blas() (math/linear.h).
enum class Kernels : std::uint8_t { automatic, packed, openblas };
inline constexpr std::array<Word<Kernels>, 3> kKernelsWords = {
    {{"auto", Kernels::automatic}, {"packed", Kernels::packed}, {"openblas", Kernels::openblas}}};

/// The precision of the encoder's linear layers.
enum class Precision : std::uint8_t { fp32, bf16, int8 };
inline constexpr std::array<Word<Precision>, 3> kPrecisionWords = {
    {{"fp32", Precision::fp32}, {"bf16", Precision::bf16}, {"int8", Precision::int8}}};

/// The number of texts for which a model is prepared.
enum class Workload : std::uint8_t { few, many };

struct EngineSettings {
  std::optional<ThreadLimit> threads;  // empty: default_threads()
  Kernels kernels = Kernels::automatic;
  Precision precision = Precision::fp32;  // the others exclude Kernels::openblas
  std::string instruction_set;  // one of instruction_sets(), for the whole process; empty: as is
};

class Engine {
 public:
  explicit Engine(const EngineSettings& settings);

  std::size_t threads() const { return limit_.threads; }
  Precision precision() const { return precision_; }

  /// Prepares the linear layers for the engine and the workload. For many texts the weights are
  /// packed once; for few texts this would cost more than it saves. The workload does not change
  /// any bit of the results.
  Model ready(Model loaded, Workload workload) const;

  /// The settings in use and their reasons, one per line.
  std::vector<std::string> facts() const;
  /// Identifies the arithmetic. Results are equal bit by bit for equal arithmetic, model, precision
  /// and text.
  std::string arithmetic() const;

 private:
  LinearForms forms(Workload workload) const;

  ThreadLimit limit_;
  Precision precision_;
  bool openblas_ = false;
};

}  // namespace headlight
