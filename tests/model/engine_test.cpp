// Which form an engine gives to which weights, and what it says of itself.
#include "model/engine.h"

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "math/instruction_set.h"
#include "math/with_blas.h"
#include "math/with_instruction_sets.h"
#include "model/weight_tree.h"

namespace headlight::engine_test {
namespace {

EngineSettings settings(Kernels kernels, Precision precision = Precision::fp32,
                        const std::string& set = "") {
  return {ThreadLimit{2, "a test"}, kernels, precision, set};
}

/// Checks that no linear layer is prepared.
class FormChecker : public LinearVisitor {
 public:
  void linear(const std::string& name, Linear& linear, const LinearShape&) override {
    CAPTURE(name);
    CHECK(linear.prepared.form == LinearForm::stored);
    CHECK(linear.prepared.data == nullptr);
  }
};

/// One of the encoder, and the classifier.
struct Found {
  LinearForm encoder, rest;
};
Found forms_of(const Model& model) {
  CHECK(model.weights.embeddings.projection.has_value() == false);
  return {model.weights.layers.front().attention.query.prepared.form,
          model.weights.classifier.value().prepared.form};
}

TEST_CASE("layers are packed for many texts, stored for few, rounded in the encoder if asked") {
  struct Row {
    Kernels kernels;
    Precision precision;
    Workload workload;
    LinearForm encoder, rest;
  };
  const Row rows[] = {
      {Kernels::packed, Precision::fp32, Workload::few, LinearForm::stored, LinearForm::stored},
      {Kernels::packed, Precision::fp32, Workload::many, LinearForm::packed, LinearForm::packed},
      {Kernels::packed, Precision::int8, Workload::few, LinearForm::int8, LinearForm::stored},
      {Kernels::packed, Precision::int8, Workload::many, LinearForm::int8, LinearForm::packed},
      {Kernels::packed, Precision::bf16, Workload::few, LinearForm::bf16, LinearForm::stored},
      {Kernels::packed, Precision::bf16, Workload::many, LinearForm::bf16, LinearForm::packed},
      {Kernels::automatic, Precision::bf16, Workload::few, LinearForm::bf16, LinearForm::stored},
      {Kernels::automatic, Precision::int8, Workload::few, LinearForm::int8, LinearForm::stored},
      {Kernels::openblas, Precision::fp32, Workload::few, LinearForm::blas, LinearForm::blas},
      {Kernels::openblas, Precision::fp32, Workload::many, LinearForm::blas, LinearForm::blas},
  };
  const TemporaryFolder folder;
  for (const Row& row : rows) {
    const Engine engine(settings(row.kernels, row.precision));
    const Model model = engine.ready(encoder_model(folder), row.workload);
    CHECK(forms_of(model).encoder == row.encoder);
    CHECK(forms_of(model).rest == row.rest);
    const bool has_panels = row.precision != Precision::fp32 || row.rest == LinearForm::packed;
    CHECK((model.prepared.data() != nullptr) == has_panels);
  }
}

TEST_CASE("heads that read a slice each are never integers, nor are rows that are too deep") {
  const TemporaryFolder folder;
  Model model = encoder_model(folder);
  model.description.layers[1].heads.input = HeadInput::slice;
  model.weights.layers[0].feed_forward->up.weight.cols = kMostQuantizedDepth + 1;
  const LinearForms forms{LinearForm::int8, LinearForm::stored};
  Weights& weights = model.weights;
  weights.layers[0].feed_forward->up.weight.rows = 0;  // the numbers are not there
  model.prepared = prepare_weights(model.description, forms, weights);
  CHECK(weights.layers[0].attention.query.prepared.form == LinearForm::int8);
  CHECK(weights.layers[0].feed_forward->up.prepared.form == LinearForm::stored);
  CHECK(weights.layers[0].feed_forward->down.prepared.form == LinearForm::int8);
  CHECK(weights.layers[1].attention.query.prepared.form == LinearForm::stored);
  CHECK(weights.layers[1].attention.key.prepared.form == LinearForm::stored);
  CHECK(weights.layers[1].attention.value.prepared.form == LinearForm::stored);
  CHECK(weights.layers[1].attention.output->prepared.form == LinearForm::int8);
}

TEST_CASE("a model can be prepared again in other forms") {
  const TemporaryFolder folder;
  const Engine engine(settings(Kernels::packed, Precision::int8));
  Model model = engine.ready(encoder_model(folder), Workload::many);
  model.prepared = prepare_weights(model.description, {}, model.weights);
  CHECK(model.prepared.data() == nullptr);
  FormChecker checker;
  visit_weights(model.description, checker, model.weights);
}

TEST_CASE("an engine says what it computes with, and results of what else differ") {
  const BestInstructionSetAgain again;
  for (const std::string& set : instruction_sets()) {
    CAPTURE(set);
    const Engine packed(settings(Kernels::packed, Precision::fp32, set));
    CHECK(instruction_set() == set);
    const bool fused = has_fused_multiply_add();
    const auto facts = packed.facts();
    REQUIRE(facts.size() == (fused ? 2 : 3));
    CHECK(facts[0] == "2 threads (a test)");
    CHECK(facts[1] == "packed kernels, " + set);
    CHECK(packed.arithmetic() ==
          (fused ? "packed kernels" : "packed kernels without fused multiply-add"));
    const Engine bfloats(settings(Kernels::packed, Precision::bf16, set));
    CHECK(bfloats.arithmetic().starts_with(packed.arithmetic() + ", bfloat16 sums "));
  }
  const std::string last = instruction_sets().back();
  CHECK(Engine(settings(Kernels::openblas)).arithmetic() == "openblas kernels on " + last);
  CHECK(Engine(settings(Kernels::openblas)).facts().back() == "openblas kernels, " + last);
  const auto facts = Engine(settings(Kernels::automatic, Precision::int8)).facts();
  CHECK(facts[1] == "packed kernels, " + last);
  CHECK(facts.back().starts_with("int8 linear layers, "));
  const Engine bfloats(settings(Kernels::automatic, Precision::bf16));
  CHECK(bfloats.facts().back().starts_with("bf16 linear layers, "));
}

TEST_CASE("without vectors products are OpenBLAS's, unless ours are asked for") {
  const BestInstructionSetAgain again;
  for (const std::string& set : instruction_sets()) {
    const bool vectors = set != "SCALAR" && set != "EMU128";
    const Engine automatic(settings(Kernels::automatic, Precision::fp32, set));
    CHECK(automatic.arithmetic().starts_with(vectors ? "packed" : "openblas"));
  }
}

}  // namespace
}  // namespace headlight::engine_test
