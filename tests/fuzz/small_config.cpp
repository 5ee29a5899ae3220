#include "fuzz/small_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/families/family.h"
#include "model/random_tensors.h"

namespace headlight::fuzz {
namespace {

/// Numbers that make nothing large.
bool is_harmless(const std::string& name) {
  constexpr std::array<const char*, 5> kParts = {"theta", "base", "_id", "index", "scalar"};
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](const char* part) { return name.find(part) != std::string::npos; });
}

constexpr double kLarge = 64;
constexpr double kManyLayers = 6;

/// Layers multiply, and each makes a dozen tensors.
bool makes_layers(const std::string& name) {
  return name.find("layer") != std::string::npos || name.find("group") != std::string::npos;
}

bool is_at_most(const Json& number, double most) { return std::abs(number.get<double>()) <= most; }

/// Thrown instead of making the tensors of a large model.
struct LargeModel {};

class SmallTensors : public RandomTensors {
 public:
  SmallTensors() : RandomTensors(0) {}
  std::span<const float> floats(const std::string& name, const Shape& shape) override {
    count(shape);
    return RandomTensors::floats(name, shape);
  }
  Table table(const std::string& name, std::size_t rows, std::size_t cols) override {
    count({rows, cols});
    return RandomTensors::table(name, rows, cols);
  }

 private:
  void count(const Shape& shape) {
    constexpr double kMost = 400'000;
    parameters_ += std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
    if (parameters_ > kMost) throw LargeModel{};
  }

  double parameters_ = 0.0;
};

}  // namespace

bool is_small(const Json& json) {
  if (json.is_number()) return is_at_most(json, kLarge);
  if (!json.is_structured()) return true;
  if (json.is_array()) return std::all_of(json.begin(), json.end(), is_small);
  return std::all_of(json.items().begin(), json.items().end(), [](const auto& item) {
    if (!item.value().is_number() || is_harmless(item.key())) {
      return item.value().is_number() || is_small(item.value());
    }
    return is_at_most(item.value(), makes_layers(item.key()) ? kManyLayers : kLarge);
  });
}

bool describes_large_model(const Json& json) {
  try {
    const Family& family = find_family(json, "config").family;
    FamilyConfig config = read_family_config(family, json, "config");
    std::vector<std::string>& labels = config.description.labels;
    if (labels.empty()) labels = {"0", "1"};  // as init_model() does
    SmallTensors tensors;
    family.read_weights(config, tensors);
  } catch (const LargeModel&) {
    return true;
  } catch (const Error&) {
  }
  return false;
}

}  // namespace headlight::fuzz
