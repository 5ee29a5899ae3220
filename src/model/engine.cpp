#include "model/engine.h"

#include <utility>

#include "math/instruction_set.h"
#include "math/linear.h"

namespace headlight {
namespace {

/// Our kernels are slow without vector instructions. OpenBLAS has only those of float32.
bool wants_openblas(const EngineSettings& settings) {
  if (settings.precision != Precision::fp32) return false;
  if (settings.kernels != Kernels::automatic) return settings.kernels == Kernels::openblas;
  return has_blas() && (instruction_set() == "SCALAR" || instruction_set() == "EMU128");
}

}  // namespace

Engine::Engine(const EngineSettings& settings)
    : limit_(settings.threads ? *settings.threads : default_threads()),
      precision_(settings.precision) {
  if (!settings.instruction_set.empty()) use_instruction_set(settings.instruction_set);
  openblas_ = wants_openblas(settings);
}

LinearForms Engine::forms(Workload workload) const {
  if (openblas_) return {LinearForm::blas, LinearForm::blas};
  const LinearForm exact = workload == Workload::many ? LinearForm::packed : LinearForm::stored;
  switch (precision_) {
    case Precision::fp32:
      break;
    case Precision::bf16:
      return {LinearForm::bf16, exact};
    case Precision::int8:
      return {LinearForm::int8, exact};
  }
  return {exact, exact};
}

Model Engine::ready(Model loaded, Workload workload) const {
  if (loaded.features) return loaded;
  loaded.prepared = prepare_weights(loaded.description, forms(workload), loaded.weights);
  // The pages that were read for this are not needed again.
  if (loaded.prepared.data() != nullptr) loaded.tensors->let_go();
  return loaded;
}

std::vector<std::string> Engine::facts() const {
  std::vector<std::string> lines;
  lines.push_back(std::to_string(limit_.threads) + " threads (" + limit_.reason + ")");
  lines.push_back((openblas_ ? "openblas kernels, " : "packed kernels, ") + instruction_set());
  if (!openblas_ && !has_fused_multiply_add()) {
    lines.emplace_back(
        "without fused multiply-add, the last bits differ from those of other processors");
  }
  if (precision_ == Precision::int8) {
    lines.push_back("int8 linear layers, " + layout_name(best_quantized_layout()) + " at once");
  }
  if (precision_ == Precision::bf16) {
    lines.push_back("bf16 linear layers, " + method_name(best_bfloat_method()));
  }
  return lines;
}

std::string Engine::arithmetic() const {
  if (openblas_) return "openblas kernels on " + instruction_set();
  std::string name = "packed kernels";
  if (!has_fused_multiply_add()) name += " without fused multiply-add";
  if (precision_ == Precision::bf16) name += ", " + bfloat_sums(best_bfloat_method());
  return name;
}

}  // namespace headlight
