// AdamW (Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2), with
// the gradient clipped by its norm. One step gives the numbers of torch.optim.AdamW, apart from
// rounding, and the same bits with every number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

struct AdamWSettings {
  float first_decay = 0.9F;     // β₁
  float second_decay = 0.999F;  // β₂
  float epsilon = 1e-6F;
  float weight_decay = 0.01F;
};

/// Weights to which the weight decay applies: from `begin` to before `end`.
struct DecayedRange {
  std::size_t begin;
  std::size_t end;
};

class AdamW {
 public:
  /// For `weights` numbers. The ranges are in rising order and do not overlap.
  AdamW(std::size_t weights, std::vector<DecayedRange> decayed, const AdamWSettings& settings);

  /// weights ← one step with the gradients, each multiplied by `scale` first.
  void step(std::span<const float> gradients, float scale, float learning_rate,
            std::span<float> weights);

  /// The state to save and restore: the steps so far, and the running means of the gradients and of
  /// their squares.
  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }
  std::span<float> means() { return means_; }
  std::span<float> squares() { return squares_; }

 private:
  struct Step;
  void step_range(const Step& step, std::size_t begin, std::size_t end);

  AdamWSettings settings_;
  std::vector<DecayedRange> decayed_;
  std::vector<float> means_;
  std::vector<float> squares_;
  std::uint64_t steps_ = 0;
};

/// √Σ x², as a fixed tree of sums.
double norm_of(std::span<const float> values);

/// The factor that limits a gradient of this norm to `longest`; 1 if it is shorter, or if `longest`
/// is 0.
double clipping_factor(double norm, double longest);

}  // namespace headlight
