// What the tests against the reference do not see: threads, dropout, vectors, embedded tokens.
#include "gradient/backward.h"

#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "close_to.h"
#include "encoder/forward.h"
#include "encoder/tape.h"
#include "gradient/losses.h"
#include "gradient/random_gradients.h"
#include "math/random_matrix.h"
#include "model/init.h"

namespace headlight::backward_test {
namespace {

const char* const kBert = R"({"model_type": "headlight", "vocab_size": 40, "hidden_size": 48,
    "num_hidden_layers": 2, "num_attention_heads": 3, "hidden_act": "gelu",
    "position_embedding_type": "absolute", "max_position_embeddings": 60, "type_vocab_size": 2,
    "embedding_layer_norm": true, "pooling": "cls", "head_dense_act": "tanh",
    "id2label": ["a", "b", "c"]})";

Description bert(const std::string& pooling = "cls") {
  const TemporaryFolder folder;
  std::string config = kBert;
  config.replace(config.find("cls"), 3, pooling);
  init_model(folder.write("bert.json", config), folder / "bert", 1, true);
  return load_model(locate_model(folder / "bert", "")).description;
}

/// Texts of different lengths.
Batch some_texts() {
  Batch batch;
  std::vector<TokenId> ids(40);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<TokenId>((7 * i + 3) % 40);
  const std::vector<TokenId> types(40, 1);
  for (const std::size_t length : {40, 1, 17, 33, 5}) {
    batch.add(std::span(ids).first(length), std::span(types).first(length));
  }
  return batch;
}

double classify(const Outputs& outputs, const OutputGradients& gradients) {
  static const std::vector<std::uint32_t> labels = {0, 1, 2, 1, 0};
  return cross_entropy(outputs.logits, labels, 0.1F, {}, gradients.logits);
}

TEST_CASE("gradients have the same bits on one, two and three threads") {
  const Batch batch = some_texts();
  for (const char* pooling : {"cls", "mean", "max"}) {
    const Parameters parameters = Parameters::random(bert(pooling), 5);
    const Dropout dropout{.hidden = 0.1F, .attention = 0.1F, .seed = 1, .step = 2};
    std::vector<float> expected;
    for (const std::size_t threads : {1, 2, 3, 1}) {
      const ThreadPermit permit(threads);
      std::vector<float> gradients(parameters.values().size(), 0.0F);
      Backpropagation backpropagation;
      backpropagation.add_gradients(parameters, batch, dropout, classify, gradients);
      if (expected.empty()) expected = gradients;
      CHECK(gradients == expected);
    }
  }
}

TEST_CASE("a pass with a tape gives the logits of a pass without one, bit for bit") {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const LoadedRandomModel loaded = load_random_model(seed, false, folder / std::to_string(seed));
    const Model& model = loaded.model;
    Scratch scratch;
    const ConstMatrix plain = forward(model.description, model.weights, {loaded.batch, scratch});
    Scratch other;
    Tape tape;
    tape.rewind(model.description.layers.size());
    const ConstMatrix taped =
        forward(model.description, model.weights, {loaded.batch, other, &tape});
    CHECK(elements(taped) == elements(plain));
  }
}

/// The loss at parameters moved along `direction`.
double loss_at(const Parameters& parameters, const std::vector<float>& direction, float step,
               const Dropout& dropout, const Loss& loss) {
  Parameters moved(parameters.description(), parameters.weights());
  for (std::size_t i = 0; i < direction.size(); ++i) moved.values()[i] += step * direction[i];
  moved.refresh();
  std::vector<float> unused(direction.size(), 0.0F);
  return Backpropagation().add_gradients(moved, some_texts(), dropout, loss, unused);
}

void check_along_a_direction(const Parameters& parameters, const Dropout& dropout,
                             const Loss& loss) {
  constexpr float kStep = 1e-3F;
  std::vector<float> gradients(parameters.values().size(), 0.0F);
  Backpropagation().add_gradients(parameters, some_texts(), dropout, loss, gradients);
  for (const std::uint64_t seed : {1, 2, 3}) {
    // Along the gradient itself, with some noise, so that the slope is large.
    std::vector<float> direction = random_floats(gradients.size(), seed);
    double size = 0.0;
    for (const float slope : gradients) size += double{slope} * double{slope};
    const auto factor = static_cast<float>(10.0 / std::sqrt(size));
    double slope = 0.0;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      direction[i] = 0.01F * direction[i] + factor * gradients[i];
      slope += double{direction[i]} * double{gradients[i]};
    }
    const double expected = (loss_at(parameters, direction, kStep, dropout, loss) -
                             loss_at(parameters, direction, -kStep, dropout, loss)) /
                            (2.0 * double{kStep});
    CHECK(slope == doctest::Approx(expected).epsilon(0.01));
  }
}

TEST_CASE("gradients follow the numbers that dropout leaves") {
  const Parameters parameters = Parameters::random(bert(), 5);
  check_along_a_direction(parameters, {.hidden = 0.3F, .seed = 4}, classify);
  check_along_a_direction(parameters, {.attention = 0.3F, .seed = 4}, classify);
  check_along_a_direction(parameters, {.hidden = 0.1F, .attention = 0.2F, .seed = 4, .step = 9},
                          classify);
}

TEST_CASE("gradients follow the mean of tokens and n-grams") {
  Description model = bert("mean");
  model.layers.clear();
  model.ngrams = {{2, 3}, 7, 5, {3, 10}};
  const Parameters parameters = Parameters::random(model, 5);
  check_along_a_direction(parameters, {}, classify);
  std::vector<float> gradients(parameters.values().size(), 0.0F);
  Backpropagation().add_gradients(parameters, some_texts(), {}, classify, gradients);
  for (const ParameterTensor& tensor : parameters.tensors()) {
    if (tensor.name != "embeddings.ngrams.weight") continue;
    CHECK(tensor.shape == Shape{7, 48});
    CHECK(std::abs(gradients[tensor.offset]) > 0.0F);
  }
}

TEST_CASE("gradients follow n-grams to the logits") {
  Description model = bert("cls");
  model.label_ngrams = {{1, 2}, 7, 5, {3, 10}};
  const Parameters parameters = Parameters::random(model, 5);
  check_along_a_direction(parameters, {}, classify);
}

TEST_CASE("gradients follow the norm of a text's vector and a hidden layer of another width") {
  for (const char* pooling : {"cls", "mean", "max"}) {
    Description model = bert(pooling);
    model.normalize = true;
    check_along_a_direction(Parameters::random(model, 5), {}, classify);
    model.head_dense_size = 7;
    const Parameters parameters = Parameters::random(model, 5);
    CHECK(parameters.weights().classifier->in() == 7);
    check_along_a_direction(parameters, {}, classify);
  }
}

TEST_CASE("dropout depends on seed, step and the texts' numbers, and not on the batch") {
  const Parameters parameters = Parameters::random(bert("mean"), 5);
  const auto logits_with = [&](const Dropout& dropout, const Batch& batch) {
    std::vector<float> logits;
    std::vector<float> unused(parameters.values().size(), 0.0F);
    const Loss loss = [&](const Outputs& outputs, const OutputGradients&) {
      logits = elements(outputs.logits);
      return 0.0;
    };
    Backpropagation().add_gradients(parameters, batch, dropout, loss, unused);
    return logits;
  };
  const Batch batch = some_texts();
  const std::vector<std::uint64_t> numbers = {10, 11, 12, 13, 14};
  const Dropout dropout{.hidden = 0.1F, .attention = 0.1F, .seed = 1, .texts = numbers};
  const auto expected = logits_with(dropout, batch);
  CHECK(logits_with(dropout, batch) == expected);
  Dropout other = dropout;
  other.seed = 2;
  CHECK(logits_with(other, batch) != expected);
  other = dropout;
  other.step = 1;
  CHECK(logits_with(other, batch) != expected);
  Batch alone;
  alone.add(batch.ids_of(3), batch.type_ids().subspan(batch.starts()[3], batch.length(3)));
  other = dropout;
  other.texts = std::span(numbers).subspan(3, 1);
  const auto third = logits_with(other, alone);
  CHECK(third == std::vector<float>(expected.begin() + 9, expected.begin() + 12));
}

TEST_CASE("dropout drops the given share and keeps the mean") {
  Batch batch;
  const std::vector<TokenId> ids(500, 0);
  batch.add(ids, ids);
  std::vector<float> values(500 * 203, 1.0F);
  drop_rows({.hidden = 0.25F, .seed = 3}, DropoutPlace::kEmbedding, {batch, {}},
            Matrix(values.data(), 500, 203));
  double sum = 0.0;
  std::size_t dropped = 0;
  for (const float value : values) {
    sum += double{value};
    if (value == 0.0F) ++dropped;
  }
  CHECK(sum / static_cast<double>(values.size()) == doctest::Approx(1.0).epsilon(0.01));
  CHECK(static_cast<double>(dropped) / static_cast<double>(values.size()) ==
        doctest::Approx(0.25).epsilon(0.02));
}

TEST_CASE("a loss of the pooled vectors reaches the encoder, with and without a classifier") {
  const RandomMatrix teacher(5, 48, 3);
  const Loss taught = [&](const Outputs& outputs, const OutputGradients& gradients) {
    return cosine_distance(outputs.vectors, teacher.view(), 1.0F, gradients.vectors);
  };
  for (const char* pooling : {"cls", "mean"}) {
    Description description = bert(pooling);
    check_along_a_direction(Parameters::random(description, 5), {}, taught);
    description.labels.clear();
    description.head_dense.reset();
    check_along_a_direction(Parameters::random(description, 5), {}, taught);
  }
}

TEST_CASE("two batches add their gradients") {
  const Parameters parameters = Parameters::random(bert(), 5);
  std::vector<float> once(parameters.values().size(), 0.0F);
  std::vector<float> twice(parameters.values().size(), 0.0F);
  Backpropagation backpropagation;
  backpropagation.add_gradients(parameters, some_texts(), {}, classify, once);
  backpropagation.add_gradients(parameters, some_texts(), {}, classify, twice);
  CHECK(twice == once);
  backpropagation.add_gradients(parameters, some_texts(), {}, classify, twice);
  std::vector<double> expected;
  for (const float slope : once) expected.push_back(2.0 * double{slope});
  CHECK(close_to(twice, expected, {.absolute = 1e-6, .relative = 1e-4}));
}

TEST_CASE("embedded tokens give the logits of their ids, and their gradients those of the table") {
  const TemporaryFolder folder;
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const LoadedRandomModel loaded = load_random_model(seed, false, folder / std::to_string(seed));
    const Description& model = loaded.model.description;
    const EmbeddingDescription& embedding = model.embedding;
    if (embedding.layer_norm || embedding.projection || seed % 50 == 7) continue;
    ++checked;
    const std::size_t rows =
        model.pooling == Pooling::each_token ? loaded.batch.tokens() : loaded.batch.texts();
    const LinearLoss loss(rows * model.classes(), seed);
    const Parameters parameters(model, loaded.model.weights);
    std::vector<float> gradients(parameters.values().size(), 0.0F);
    Backpropagation backpropagation;
    const double value =
        backpropagation.add_gradients(parameters, loaded.batch, {}, loss.loss(), gradients);
    const auto found = backpropagation.embedded_gradient(model, loaded.model.weights, loaded.batch,
                                                         {}, loss.loss());
    CHECK(found.loss == value);
    std::vector<double> table(model.vocab_size * embedding.size, 0.0);
    for (std::size_t i = 0; i < loaded.batch.tokens(); ++i) {
      for (std::size_t j = 0; j < embedding.size; ++j) {
        table[loaded.batch.ids()[i] * embedding.size + j] +=
            double{embedding.scale} * double{found.gradient.row(i)[j]};
      }
    }
    CHECK(close_to(std::span(gradients).first(table.size()), table,
                   {.absolute = 1e-5, .relative = 1e-5}));
    const std::vector<float> kept = elements(found.gradient);
    const std::vector<float> start = elements(found.vectors);
    const ConstMatrix given(start.data(), loaded.batch.tokens(), model.hidden_size);
    const auto again = backpropagation.embedded_gradient(model, loaded.model.weights, loaded.batch,
                                                         given, loss.loss());
    CHECK(again.loss == value);
    CHECK(elements(again.gradient) == kept);
  }
  CHECK(checked >= 20);
}

}  // namespace
}  // namespace headlight::backward_test
