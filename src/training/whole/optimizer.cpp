#include "training/whole/optimizer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"

namespace headlight {
namespace {

constexpr std::size_t kChunk = 16384;  // numbers that one thread takes at a time
constexpr std::size_t kLanes = 8;

std::size_t chunks_of(std::size_t count) { return (count + kChunk - 1) / kChunk; }

double sum_of_squares(std::span<const float> values) {
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double value = values[i + lane];
      lanes[lane] += value * value;
    }
  }
  for (std::size_t lane = 0; i < values.size(); ++i, ++lane) {
    lanes[lane] += double{values[i]} * values[i];
  }
  double sum = 0.0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

}  // namespace

struct AdamW::Step {
  const float* gradients;
  float* weights;
  float scale;
  float kept;         // factor of decayed weights
  float rate;         // learning rate with the correction of the means
  float root_factor;  // correction of the roots of the squares
};

AdamW::AdamW(std::size_t weights, std::vector<DecayedRange> decayed, const AdamWSettings& settings)
    : settings_(settings), decayed_(std::move(decayed)), means_(weights), squares_(weights) {}

void AdamW::step(std::span<const float> gradients, float scale, float learning_rate,
                 std::span<float> weights) {
  ++steps_;
  const auto count = static_cast<double>(steps_);
  const double mean_factor = 1.0 - std::pow(double{settings_.first_decay}, count);
  const double square_factor = 1.0 - std::pow(double{settings_.second_decay}, count);
  const Step step{gradients.data(),
                  weights.data(),
                  scale,
                  1.0F - learning_rate * settings_.weight_decay,
                  static_cast<float>(learning_rate / mean_factor),
                  static_cast<float>(1.0 / std::sqrt(square_factor))};
  share_work(chunks_of(weights.size()), [&](std::size_t chunk) {
    step_range(step, chunk * kChunk, std::min(weights.size(), (chunk + 1) * kChunk));
  });
}

void AdamW::step_range(const Step& step, std::size_t begin, std::size_t end) {
  auto range = std::lower_bound(decayed_.begin(), decayed_.end(), begin,
                                [](const DecayedRange& r, std::size_t at) { return r.end <= at; });
  for (; range != decayed_.end() && range->begin < end; ++range) {
    const std::size_t last = std::min(end, range->end);
    for (std::size_t i = std::max(begin, range->begin); i < last; ++i) step.weights[i] *= step.kept;
  }
  // Local copies: the compiler makes vectors of the loop only if no store can change them.
  const Step own = step;
  const AdamWSettings settings = settings_;
  const float new_mean = 1.0F - settings.first_decay;
  const float new_square = 1.0F - settings.second_decay;
  float* const means = means_.data();
  float* const squares = squares_.data();
  for (std::size_t i = begin; i < end; ++i) {
    const float gradient = own.gradients[i] * own.scale;
    means[i] += new_mean * (gradient - means[i]);
    squares[i] = settings.second_decay * squares[i] + new_square * (gradient * gradient);
    const float root = std::sqrt(squares[i]) * own.root_factor + settings.epsilon;
    own.weights[i] -= own.rate * means[i] / root;
  }
}

double norm_of(std::span<const float> values) {
  std::vector<double> sums(chunks_of(values.size()));
  share_work(sums.size(), [&](std::size_t chunk) {
    const std::size_t begin = chunk * kChunk;
    sums[chunk] = sum_of_squares(values.subspan(begin, std::min(kChunk, values.size() - begin)));
  });
  double sum = 0.0;
  for (const double part : sums) sum += part;
  return std::sqrt(sum);
}

double clipping_factor(double norm, double longest) {
  constexpr double kSmall = 1e-6;  // as torch.nn.utils.clip_grad_norm_
  return longest > 0.0 ? std::min(1.0, longest / (norm + kSmall)) : 1.0;
}

}  // namespace headlight
