// The products of parts against central differences of the naive float64 encoder, in which the
// weights that read a part are scaled, on random models of every kind.
#include "gradient/part_products.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "encoder/forward.h"
#include "encoder/tape.h"
#include "gradient/random_gradients.h"
#include "sanitized.h"

namespace headlight::part_products_test {
namespace {

constexpr std::uint64_t kSeeds = 200;
constexpr double kStep = 1e-7;
constexpr double kTolerance = 1e-4;

LinearLoss loss_for(const LoadedRandomModel& loaded, std::uint64_t seed) {
  const Description& model = loaded.model.description;
  const std::size_t rows =
      model.pooling == Pooling::each_token ? loaded.batch.tokens() : loaded.batch.texts();
  return {rows * model.classes(), seed};
}

PartProducts products_of(const Parameters& parameters, const Batch& batch, PartKind kind,
                         const Loss& loss) {
  PartProducts products(parameters.description(), kind);
  Backpropagation backpropagation(BackwardRules::gradient, &products);
  backpropagation.embedded_gradient(parameters.description(), parameters.weights(), batch, {},
                                    loss);
  return products;
}

/// The weights that read parts of a layer, and the columns of one part.
struct Reading {
  std::string tensor;
  HeadColumns columns;
};
Reading reading_of(const Description& model, const Part& part) {
  const LayerDescription& layer = model.layers[part.layer];
  const std::string name = "layers." + std::to_string(layer.weights);
  if (part.kind == PartKind::neuron) return {name + ".feed_forward.down.weight", {part.head, 1}};
  return {name + ".attention.output.weight", columns_of(layer.heads, part.head)};
}

/// The loss of the reference with the part's columns scaled.
double loss_at(const LoadedRandomModel& loaded, const LinearLoss& loss, const Reading& reading,
               double scale) {
  reference::Tensors tensors = loaded.random.tensors;
  reference::Tensor& tensor = tensors.at(reading.tensor);
  const std::size_t width = tensor.shape.at(1);
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    const std::size_t column = i % width;
    const bool is_read =
        column >= reading.columns.first && column < reading.columns.first + reading.columns.count;
    if (is_read) tensor.values[i] *= scale;
  }
  return loss.reference(loaded.random, tensors);
}

/// Layers can share weights: then all of them are scaled.
double sum_of_products(const LoadedRandomModel& loaded, const PartProducts& products,
                       const std::vector<Part>& parts, const Reading& reading) {
  double sum = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Reading own = reading_of(loaded.model.description, parts[i]);
    if (own.tensor != reading.tensor || own.columns.first != reading.columns.first) continue;
    for (std::size_t text = 0; text < loaded.batch.texts(); ++text) {
      sum += products.of_text(text)[i];
    }
  }
  return sum;
}

void check_seeds(bool published) {
  const TemporaryFolder folder;
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; seed += kCaseStep) {
    if (seed % 50 == 7) continue;  // long texts, which take the reference long
    CAPTURE(seed);
    const LoadedRandomModel loaded =
        load_random_model(seed, published, folder / std::to_string(seed));
    const Parameters parameters(loaded.model.description, loaded.model.weights);
    const LinearLoss loss = loss_for(loaded, seed);
    reference::Random random(seed);
    for (const PartKind kind : {PartKind::head, PartKind::neuron}) {
      const std::vector<Part> parts = parts_of(loaded.model.description, kind);
      if (parts.empty()) continue;
      const Reading reading =
          reading_of(loaded.model.description, parts[random.whole(0, parts.size() - 1)]);
      if (!loaded.random.tensors.contains(reading.tensor)) continue;  // heads without projection
      CAPTURE(reading.tensor);
      CAPTURE(reading.columns.first);
      const auto products = products_of(parameters, loaded.batch, kind, loss.loss());
      const double found = sum_of_products(loaded, products, parts, reading);
      const double expected = (loss_at(loaded, loss, reading, 1.0 + kStep) -
                               loss_at(loaded, loss, reading, 1.0 - kStep)) /
                              (2.0 * kStep);
      CHECK(std::abs(found - expected) <= kTolerance * std::max(1.0, std::abs(expected)));
      ++checked;
    }
  }
  CHECK(checked > kSeeds / kCaseStep / 2);
}

TEST_CASE("the products of heads and neurons agree with differences of the reference") {
  check_seeds(false);
  check_seeds(true);
}

/// Sums of logits, so that a text has the same gradient in any batch.
double sum_logits(const Outputs& outputs, const OutputGradients& gradients) {
  for (std::size_t i = 0; i < outputs.logits.rows; ++i) {
    std::ranges::fill(gradients.logits.row(i), 1.0F);
  }
  return 0.0;
}

/// The loss if the layers above `layer` begin with its output less `share` of what it adds.
double loss_without(const Model& model, const Batch& batch, std::size_t layer, double share) {
  Tape tape;
  tape.rewind(model.description.layers.size());
  Scratch scratch;
  forward(model.description, model.weights, {batch, scratch, &tape});
  const ConstMatrix in = tape.layers[layer][Moment::attention_input];
  const ConstMatrix out = tape.layers[layer][Moment::layer_output];
  std::vector<float> start;
  for (std::size_t i = 0; i < out.rows; ++i) {
    for (std::size_t j = 0; j < out.cols; ++j) {
      const double added = double{out.row(i)[j]} - double{in.row(i)[j]};
      start.push_back(static_cast<float>(double{out.row(i)[j]} - share * added));
    }
  }
  AblatedParts above;
  above.parts = {{PartKind::none, layer + 1, 0}};
  above.hidden = ConstMatrix(start.data(), out.rows, out.cols);
  Scratch other;
  const ConstMatrix logits = forward(model.description, model.weights, {batch, other, &above});
  double sum = 0.0;
  for (std::size_t i = 0; i < logits.rows; ++i) {
    for (const float logit : logits.row(i)) sum += double{logit};
  }
  return sum;
}

TEST_CASE("the product of a layer is the slope of the loss along what it adds") {
  const TemporaryFolder folder;
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const LoadedRandomModel loaded = load_random_model(seed, false, folder / std::to_string(seed));
    const Description& model = loaded.model.description;
    if (seed % 50 == 7 || model.layers.size() < 2) continue;
    CAPTURE(seed);
    const Parameters parameters(model, loaded.model.weights);
    const auto products = products_of(parameters, loaded.batch, PartKind::layer, sum_logits);
    double found = 0.0;
    for (std::size_t text = 0; text < loaded.batch.texts(); ++text) {
      found += products.of_text(text)[0];
    }
    constexpr double kShare = 1e-3;
    const double expected = (loss_without(loaded.model, loaded.batch, 0, -kShare) -
                             loss_without(loaded.model, loaded.batch, 0, kShare)) /
                            (2.0 * kShare);
    CHECK(std::abs(found - expected) <= 0.05 + 0.05 * std::abs(expected));
    ++checked;
  }
  CHECK(checked > 20);
}

TEST_CASE("products have the same bits on any number of threads, and in any batch") {
  const TemporaryFolder folder;
  for (const std::uint64_t seed : {1, 2, 3, 12, 20}) {
    CAPTURE(seed);
    const LoadedRandomModel loaded = load_random_model(seed, true, folder / std::to_string(seed));
    const Parameters parameters(loaded.model.description, loaded.model.weights);
    for (const PartKind kind : {PartKind::head, PartKind::neuron, PartKind::layer}) {
      const ThreadPermit permit(3);
      const auto together = products_of(parameters, loaded.batch, kind, sum_logits);
      for (std::size_t text = 0; text < loaded.batch.texts(); ++text) {
        const ThreadPermit one(1);
        Batch batch;
        const std::size_t first = loaded.batch.starts()[text];
        batch.add(loaded.batch.ids_of(text),
                  loaded.batch.type_ids().subspan(first, loaded.batch.length(text)));
        const auto alone = products_of(parameters, batch, kind, sum_logits);
        CHECK(std::ranges::equal(alone.of_text(0), together.of_text(text)));
      }
    }
  }
}

}  // namespace
}  // namespace headlight::part_products_test
