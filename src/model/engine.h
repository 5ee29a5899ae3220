// What a program computes with: threads, instruction set, products, precision. It turns a model
// that was loaded into one that is ready, and nothing needs to know of these choices after that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "model/model.h"
#include "model/prepare.h"

namespace headlight {

/// Who multiplies matrices. automatic: our own kernels (math/products.h) where the processor has
/// vectors that they use, else OpenBLAS.
enum class Kernels : std::uint8_t { automatic, packed, openblas };

/// Of the encoder's linear layers.
enum class Precision : std::uint8_t { fp32, int8 };

/// How many texts a model is made ready for.
enum class Workload : std::uint8_t { few, many };

struct EngineSettings {
  std::optional<ThreadLimit> threads;  // empty: default_threads()
  Kernels kernels = Kernels::automatic;
  Precision precision = Precision::fp32;  // int8 does not go with Kernels::openblas
  std::string instruction_set;  // one of instruction_sets(), for tests; empty: the one in use
};

/// One at a time: its threads and its instruction set are those of the process.
class Engine {
 public:
  explicit Engine(const EngineSettings& settings);

  std::size_t threads() const { return limit_.threads; }

  /// The model with its linear layers in the forms that suit the engine and the workload: for many
  /// texts the weights are packed once, for few that costs more than it saves. The workload changes
  /// no bit of any result.
  Model ready(Model loaded, Workload workload) const;

  /// What is used and why, a line each.
  std::vector<std::string> facts() const;
  /// What the bits of results depend on beside the model, its precision and the text.
  std::string arithmetic() const;

 private:
  LinearForms forms(Workload workload) const;

  ThreadLimit limit_;
  ThreadPermit permit_;
  Precision precision_;
  bool openblas_ = false;
};

}  // namespace headlight
