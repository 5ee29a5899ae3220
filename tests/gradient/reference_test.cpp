// The gradients of all weights against central differences of the naive float64 encoder of
// tests/reference/, on random models of every kind.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"
#include "gradient/backward.h"
#include "gradient/parameters.h"
#include "gradient/random_gradients.h"
#include "sanitized.h"

namespace headlight::gradient_reference_test {
namespace {

constexpr std::uint64_t kSeeds = 250;
constexpr std::size_t kTensorsEach = 3;  // that are checked alone, besides all at once
constexpr double kStep = 1e-8;           // small, so that hardly any activation crosses its corner
constexpr double kTolerance = 1e-4;
// The smallest gradient that counts, of all that there is. That of a bias of keys is zero, as a sum
// of numbers that are not.
constexpr double kRounding = 1e-2;
constexpr int kFailuresShown = 5;

/// A direction in the space of some tensors, and the derivative of the loss along it.
struct Direction {
  std::map<std::string, reference::Vector> of_tensors;
  double slope = 0.0;  // the gradient times the direction
  double size = 0.0;   // that of the slope, if signs were random
};

/// The gradient of a tensor in the order of a file.
std::vector<double> stored_gradient(const Parameters& parameters, const ParameterTensor& tensor,
                                    const std::vector<float>& gradients) {
  std::vector<double> own(
      gradients.begin() + static_cast<std::ptrdiff_t>(tensor.offset),
      gradients.begin() + static_cast<std::ptrdiff_t>(tensor.offset + tensor.size));
  if (tensor.name != "convolution.weight") return own;
  const std::size_t kernel = parameters.description().convolution->kernel;
  const std::size_t width = tensor.shape[1] / kernel;
  std::vector<double> stored(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t row = i / tensor.shape[1] * tensor.shape[1];
    stored[i] = own[row + i % kernel * width + i / kernel % width];
  }
  return stored;
}

class Checker {
 public:
  Checker(std::uint64_t seed, bool published, const std::string& directory)
      : loaded_(load_random_model(seed, published, directory)),
        parameters_(loaded_.model.description, loaded_.model.weights),
        loss_(loss_of(seed)),
        random_(seed + 1) {}

  /// Empty, or what is wrong.
  std::string difference() {
    gradients_.assign(parameters_.values().size(), 0.0F);
    Backpropagation backpropagation;
    backpropagation.add_gradients(parameters_, loaded_.batch, {}, loss_.loss(), gradients_);
    norm_ = std::max(1.0, std::sqrt(std::inner_product(gradients_.begin(), gradients_.end(),
                                                       gradients_.begin(), 0.0)));
    const auto& tensors = parameters_.tensors();
    std::string found = difference_along(tensors);
    if (!found.empty()) {
      for (const ParameterTensor& tensor : tensors) found += difference_along({tensor});
      return found;
    }
    for (std::size_t i = 0; i < kTensorsEach && found.empty(); ++i) {
      found = difference_along({tensors[random_.whole(0, tensors.size() - 1)]});
    }
    return found;
  }

  const nlohmann::json& config() const { return loaded_.random.config; }

 private:
  LinearLoss loss_of(std::uint64_t seed) const {
    const Description& model = loaded_.model.description;
    const std::size_t rows =
        model.pooling == Pooling::each_token ? loaded_.batch.tokens() : loaded_.batch.texts();
    return {rows * model.classes(), seed};
  }

  Direction random_direction(const std::vector<ParameterTensor>& tensors) {
    Direction direction;
    double squares = 0.0;
    for (const ParameterTensor& tensor : tensors) {
      const auto gradient = stored_gradient(parameters_, tensor, gradients_);
      auto& own = direction.of_tensors[tensor.name];
      for (const double slope : gradient) {
        own.push_back(random_.spread(1.0));
        direction.slope += slope * own.back();
        squares += slope * slope;
      }
    }
    direction.size = std::sqrt(squares);
    return direction;
  }

  double loss_at(const Direction& direction, double step) const {
    reference::Tensors moved = loaded_.random.tensors;
    for (const auto& [name, own] : direction.of_tensors) {
      auto& values = moved.at(name).values;
      for (std::size_t i = 0; i < own.size(); ++i) values[i] += step * own[i];
    }
    return loss_.reference(loaded_.random, moved);
  }

  std::string difference_along(const std::vector<ParameterTensor>& tensors) {
    const Direction direction = random_direction(tensors);
    const double expected =
        (loss_at(direction, kStep) - loss_at(direction, -kStep)) / (2.0 * kStep);
    const double allowed = kTolerance * std::max(kRounding * norm_, direction.size);
    if (std::abs(expected - direction.slope) <= allowed) return "";
    const std::string name = tensors.size() == 1 ? tensors[0].name : "all tensors";
    return name + ": found " + std::to_string(direction.slope) + ", expected " +
           std::to_string(expected) + ", allowed " + std::to_string(allowed) + "\n";
  }

  LoadedRandomModel loaded_;
  Parameters parameters_;
  LinearLoss loss_;
  reference::Random random_;
  std::vector<float> gradients_;
  double norm_ = 0.0;  // of all gradients, at least 1
};

void check_seeds(bool published) {
  const TemporaryFolder folder;
  int failures = 0;
  for (std::uint64_t seed = 0; seed < kSeeds && failures < kFailuresShown; seed += kCaseStep) {
    if (seed % 50 == 7 && seed > 50) continue;  // long texts, which take the reference long
    CAPTURE(seed);
    Checker checker(seed, published, folder / std::to_string(seed));
    const std::string found = checker.difference();
    nlohmann::json config = checker.config();
    config.erase("tokenizer");
    const std::string message = found + config.dump();
    CHECK_MESSAGE(found.empty(), message);
    if (!found.empty()) ++failures;
  }
}

TEST_CASE("the gradients agree with differences of the reference on random models of every kind") {
  check_seeds(false);
}

TEST_CASE("the gradients agree with differences of the reference on random published models") {
  check_seeds(true);
}

}  // namespace
}  // namespace headlight::gradient_reference_test
