#include "gradient/parameters.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "gradient/random_gradients.h"
#include "reference/random_published.h"

namespace headlight::parameters_test {
namespace {

/// A file has the weights [d, w, k] of a convolution; the block has [d, k · w].
reference::Tensor as_in_block(const std::string& name, const reference::Tensor& stored) {
  if (name != "convolution.weight") return stored;
  const std::size_t w = stored.shape[1];
  const std::size_t k = stored.shape[2];
  reference::Tensor block = stored;
  block.shape = {stored.shape[0], k * w};
  for (std::size_t i = 0; i < stored.values.size(); ++i) {
    block.values[i / (k * w) * (k * w) + i % k * w + i / k % w] = stored.values[i];
  }
  return block;
}

TEST_CASE("the tensors of any model have the names, shapes and numbers of a native model's file") {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    CAPTURE(seed);
    const LoadedRandomModel loaded =
        load_random_model(seed / 2, seed % 2 == 1, folder / std::to_string(seed));
    const Parameters parameters(loaded.model.description, loaded.model.weights);
    const auto& expected = loaded.random.tensors;
    REQUIRE(parameters.tensors().size() == expected.size());
    for (const ParameterTensor& tensor : parameters.tensors()) {
      CAPTURE(tensor.name);
      REQUIRE(expected.contains(tensor.name));
      const reference::Tensor own = as_in_block(tensor.name, expected.at(tensor.name));
      const auto values = parameters.values().subspan(tensor.offset, tensor.size);
      CHECK(tensor.shape == own.shape);
      CHECK(std::equal(values.begin(), values.end(), own.values.begin(), own.values.end()));
    }
  }
}

TEST_CASE("tensors do not overlap, begin at cache lines, and only matrices decay") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  Parameters parameters(model.description, model.weights);
  std::size_t last = 0;
  for (const ParameterTensor& tensor : parameters.tensors()) {
    CAPTURE(tensor.name);
    CHECK(tensor.offset >= last);
    CHECK(tensor.offset % 16 == 0);
    last = tensor.offset + tensor.size;
    const bool vector = tensor.name.ends_with("bias") || tensor.name.ends_with("norm.weight");
    CHECK(tensor.decays == !vector);
  }
  CHECK(last <= parameters.values().size());
}

TEST_CASE("random parameters are those that init writes") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);  // with the seed 1
  const Parameters loaded(model.description, model.weights);
  const Parameters random = Parameters::random(model.description, 1);
  const auto found = random.values();
  const auto expected = loaded.values();
  CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
}

TEST_CASE("a changed number is seen through the weights, also after a move") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  Parameters first(model.description, model.weights);
  Parameters parameters = std::move(first);
  parameters.values()[0] = 42.0F;
  parameters.refresh();
  std::vector<float> row(model.description.hidden_size);
  parameters.weights().embeddings.token.read(0, row);
  CHECK(row[0] == 42.0F);
}

TEST_CASE("a model for other labels has a classifier of its own") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  Description description = model.description;
  description.labels = {"one", "two"};
  const std::vector<float> weight(2 * description.hidden_size, 0.25F);
  Weights views = views_of(model.description, model.weights);
  views.classifier = Linear{{NumberFormat::f32, reinterpret_cast<const std::byte*>(weight.data()),
                             2, description.hidden_size},
                            {}};
  Parameters parameters(description, views);
  const ParameterTensor& last = parameters.tensors().back();
  CHECK(last.name == "classifier.weight");
  CHECK(last.shape == Shape{2, description.hidden_size});
  CHECK(parameters.values()[last.offset + 5] == 0.25F);
}

}  // namespace
}  // namespace headlight::parameters_test
