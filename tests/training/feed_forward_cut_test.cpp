// Narrower feed-forwards, in float64: the neurons that stay are those that matter most, their new
// weights solve the least squares, and the means of what is given stay.
#include "training/cuts/feed_forward_cut.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/text_reader.h"
#include "encoder/feed_forward.h"
#include "encoder/forward.h"
#include "encoder/tape.h"
#include "math/tensor.h"
#include "model/locate.h"
#include "training/cuts/start_cut.h"
#include "training/directory/model_directory.h"

namespace headlight::feed_forward_cut_test {
namespace {

namespace fs = std::filesystem;

constexpr double kRidge = 1e-2;

Model published(const std::string& name) {
  return load_model(
      locate_model((fs::path(HEADLIGHT_TEST_DATA) / "golden" / "published" / name).string(), ""));
}

/// So few tokens that the sample is all of them.
std::vector<TextInput> texts() {
  std::vector<TextInput> inputs;
  for (const char* text : {"filler7 sep", "filler3 a ab filler20", "a b , filler9 filler11",
                           "filler21 filler22 filler1", "b a", "filler2 filler4 filler6"}) {
    inputs.push_back({text, {}, {}});
  }
  return inputs;
}

std::vector<const TextInput*> pointers(const std::vector<TextInput>& inputs) {
  std::vector<const TextInput*> all;
  for (const TextInput& input : inputs) all.push_back(&input);
  return all;
}

std::vector<float> logits_of(const Model& model) {
  ScoringScratch scratch;
  return Classifier(model, {}).classify(texts(), scratch).front().logits;
}

Tensor<2> tensor_of(const Table& table) {
  Tensor<2> values(TensorShape<2>{table.rows, table.cols});
  std::vector<float> row(table.cols);
  for (std::size_t i = 0; i < table.rows; ++i) {
    table.read(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) values(i, j) = row[j];
  }
  return values;
}

/// The outputs [n, f] of the neurons with these weights, of all texts and layers.
Tensor<2> neurons_of(const Model& model, std::size_t weights) {
  const Description& description = model.description;
  const TextReader reader(model, {});
  std::vector<double> values;
  for (const TextInput& input : texts()) {
    const TokenIds ids = reader.read(input).windows.front();
    Batch batch;
    batch.add(ids.ids, ids.type_ids);
    Scratch scratch;
    Tape tape;
    tape.rewind(description.layers.size());
    Pass pass{batch, scratch, &tape};
    encode(description, model.weights, pass, {});
    for (std::size_t i = 0; i < description.layers.size(); ++i) {
      if (description.layers[i].weights != weights) continue;
      Buffer gate;
      Buffer memory;
      const RawFeedForward raw{tape.layers[i][Moment::gate], tape.layers[i][Moment::up]};
      const Matrix h = memory.shape(raw.up.rows, raw.up.cols);
      activate_raw(description.layers[i].activation, raw, gate, h);
      for (std::size_t row = 0; row < h.rows; ++row) {
        values.insert(values.end(), h.row(row).begin(), h.row(row).end());
      }
    }
  }
  const std::size_t f = model.weights.layers[weights].feed_forward->up.out();
  return view_of<2>(values, {values.size() / f, f});
}

double largest(const Tensor<2>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Checks the narrower feed-forward against the whole one.
void check_layer(const Model& whole, const Model& narrow, std::size_t layer) {
  const FeedForwardWeights& before = *whole.weights.layers[layer].feed_forward;
  const FeedForwardWeights& after = *narrow.weights.layers[layer].feed_forward;
  const Tensor<2> h = neurons_of(whole, layer);
  const Tensor<2> down = tensor_of(before.down.weight);
  const bool has_bias = !before.down.bias.empty();
  Tensor<1> mean = xt::mean(h, {0});
  if (!has_bias) mean.fill(0.0);
  const Tensor<2> centred = h - mean;

  // The neurons with the largest variance times squared length of what they add.
  const Tensor<1> weight = xt::sum(xt::square(centred), {0}) * xt::sum(xt::square(down), {0});
  std::vector<std::size_t> kept(weight.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  std::ranges::sort(kept, [&](auto a, auto b) { return weight(a) > weight(b); });
  kept.resize(after.up.out());
  std::ranges::sort(kept);
  const Tensor<2> up = tensor_of(before.up.weight);
  const Tensor<2> up_kept = xt::view(up, xt::keep(kept), xt::all());
  CHECK(tensor_of(after.up.weight) == up_kept);

  // Kᵀ(Y - K Nᵀ) = λ (N - D)ᵀ, where the squared error and the ridge have their minimum.
  const Tensor<2> k = xt::view(centred, xt::all(), xt::keep(kept));
  const Tensor<2> k_turned = xt::transpose(k);
  const Tensor<2> own = xt::view(down, xt::all(), xt::keep(kept));
  const Tensor<2> found = tensor_of(after.down.weight);
  const Tensor<2> missing = product_transposed(centred, down) - product_transposed(k, found);
  const double ridge = kRidge * inner_product(k, k) / static_cast<double>(kept.size());
  const Tensor<2> slope = product(k_turned, missing) - ridge * xt::transpose(found - own);
  CHECK(largest(slope) < 1e-6 * inner_product(k, k));

  if (!has_bias) {
    CHECK(after.down.bias.empty());
    return;
  }
  const Tensor<1> mean_kept = xt::view(mean, xt::keep(kept));
  for (std::size_t i = 0; i < down.shape(0); ++i) {
    double given = after.down.bias[i] - before.down.bias[i];
    for (std::size_t j = 0; j < kept.size(); ++j) given += found(i, j) * mean_kept(j);
    for (std::size_t j = 0; j < mean.size(); ++j) given -= down(i, j) * mean(j);
    CHECK(std::abs(given) < 1e-5);
  }
}

TEST_CASE("neurons that stay make up for the others as far as least squares can") {
  for (const std::string name : {"bert-three-labels", "albert-one-group", "modernbert-three-labels",
                                 "deberta-v2-three-labels"}) {
    CAPTURE(name);
    const std::vector<TextInput> inputs = texts();
    const Model whole = published(name);
    Model narrow = published(name);
    const std::size_t before = whole.description.layers[0].intermediate_size;
    const std::size_t size = before / 2;
    FeedForwardCut cut;
    const CutResult kept = cut.cut(size, pointers(inputs), narrow);
    CHECK(kept.count == size);
    CHECK(kept.before == before);
    CHECK(kept.share > 0.3);
    CHECK(kept.share < 1.0);
    for (const LayerDescription& layer : narrow.description.layers) {
      CHECK(layer.intermediate_size == size);
    }
    for (std::size_t i = 0; i < whole.weights.layers.size(); ++i) check_layer(whole, narrow, i);

    const TemporaryFolder files;
    ModelDirectory directory(files / "made", /*force=*/true);
    write_native(narrow, directory);
    directory.place();
    const Model made = load_model(locate_model(files / "made", ""));
    CHECK(logits_of(made) == logits_of(narrow));
  }
}

TEST_CASE("what is narrow enough stays as it is") {
  const std::vector<TextInput> inputs = texts();
  Model model = published("bert-three-labels");
  FeedForwardCut cut;
  const CutResult kept = cut.cut(1000, pointers(inputs), model);
  CHECK(kept.count == 22);
  CHECK(kept.share == 1.0);
  CHECK(logits_of(model) == logits_of(published("bert-three-labels")));
}

TEST_CASE("neurons that always give the same are left out without a trace") {
  const std::vector<TextInput> inputs = texts();
  Model model = published("bert-three-labels");
  keep_layers({0}, model);
  Linear& up = model.weights.layers[0].feed_forward->up;
  std::vector<float> weight(up.out() * up.in());
  for (std::size_t i = 0; i < up.out(); i += 2) {
    up.weight.read(i, std::span(weight).subspan(i * up.in(), up.in()));
  }
  up.weight = {NumberFormat::f32, std::as_bytes(std::span(weight)).data(), up.out(), up.in()};
  const std::vector<float> before = logits_of(model);
  FeedForwardCut cut;
  CHECK(cut.cut(11, pointers(inputs), model).share == doctest::Approx(1.0));
  const std::vector<float> after = logits_of(model);
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(after[i] == doctest::Approx(before[i]).epsilon(1e-5));
  }
}

TEST_CASE("a model without feed-forwards is refused") {
  const std::vector<TextInput> inputs = texts();
  Model model = published("bert-three-labels");
  for (LayerWeights& layer : model.weights.layers) layer.feed_forward.reset();
  FeedForwardCut cut;
  CHECK(error_of([&] {
          cut.cut(4, pointers(inputs), model);
        }).find("config.json: has no feed-forward to make narrower") != std::string::npos);
}

}  // namespace
}  // namespace headlight::feed_forward_cut_test
