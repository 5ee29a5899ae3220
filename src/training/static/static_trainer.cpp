#include "training/static/static_trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "math/linear_gradient.h"
#include "training/static/static_rows.h"
#include "training/whole/optimizer.h"

namespace headlight {
namespace {

// Vectors whose number has the same remainder are changed by one thread.
constexpr std::size_t kShares = 8;
// Rows that one thread pools at a time.
constexpr std::size_t kRowsAtATime = 8;

/// The vectors of tokens, then those of n-grams, as one table in the block of the parameters.
class VectorTable {
 public:
  explicit VectorTable(Parameters& parameters)
      : d_(parameters.description().hidden_size),
        vocabulary_(parameters.description().vocab_size),
        size_(vocabulary_ + parameters.description().ngrams->buckets),
        tokens_(parameters.values("embeddings.token.weight").data()),
        ngrams_(parameters.values("embeddings.ngrams.weight").data()) {}

  std::size_t size() const { return size_; }
  bool is_token(std::size_t i) const { return i < vocabulary_; }
  std::span<float> row(std::size_t i) const {
    float* const begin = is_token(i) ? tokens_ + i * d_ : ngrams_ + (i - vocabulary_) * d_;
    return {begin, d_};
  }

 private:
  std::size_t d_;
  std::size_t vocabulary_;
  std::size_t size_;
  float* tokens_;
  float* ngrams_;
};

/// The parts of the rows of a batch that dropout leaves.
struct KeptParts {
  std::vector<std::uint32_t> parts;
  std::vector<std::size_t> starts;  // of each row, and the end

  std::span<const std::uint32_t> row(std::size_t i) const {
    return std::span(parts).subspan(starts[i], starts[i + 1] - starts[i]);
  }
  float share(std::size_t i) const {  // of a part in the mean of its row
    return 1.0F / static_cast<float>(std::max<std::size_t>(starts[i + 1] - starts[i], 1));
  }
};

class StaticStep : public CourseStep {
 public:
  StaticStep(Parameters& parameters, const std::vector<LabelledRow>& rows,
             const StaticOptions& options)
      : parameters_(parameters),
        rows_(rows),
        options_(options),
        all_parts_(parameters.description(), rows),
        table_(parameters),
        d_(parameters.description().hidden_size),
        squares_(table_.size() * d_),
        places_(table_.size()),
        order_(rows.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    const ParameterTensor& classifier =
        *std::ranges::find(parameters.tensors(), "classifier.weight", &ParameterTensor::name);
    head_ = parameters.values().subspan(classifier.offset);
    head_gradients_.resize(head_.size());
    head_optimizer_.emplace(head_.size(), std::vector<DecayedRange>{}, AdamWSettings{});
  }

  /// Each epoch shuffles the order of the last one.
  EpochBatches batches(std::uint64_t epoch) override {
    for (; shuffled_ <= epoch; ++shuffled_) shuffle(shuffled_);
    return {order_, options_.batch_rows};
  }

  CheckpointBlocks state() override {
    return {squares_, head_optimizer_->means(), head_optimizer_->squares()};
  }
  void resume(std::uint64_t steps) override { head_optimizer_->set_steps(steps); }

  double take(std::span<const std::uint32_t> chosen, const TrainingState& at, float rate) override {
    keep_parts(chosen, at.epoch);
    const Linear& classifier = *parameters_.weights().classifier;
    const std::size_t c = classifier.out();
    const Matrix z = pooled_.shape(chosen.size(), d_);
    const Matrix logits = logits_.shape(chosen.size(), c);
    const Matrix dlogits = logit_gradients_.shape(chosen.size(), c);
    const Matrix dz = vector_gradients_.shape(chosen.size(), d_);
    pool_parts(z);
    classifier.apply(z, logits);
    fill_zeros(dlogits);
    RowPointers rows;
    for (const std::uint32_t row : chosen) rows.push_back(&rows_[row]);
    const double loss =
        loss_of_rows(parameters_.description(), rows, options_.loss)({logits, z}, {dlogits, {}});
    if (!std::isfinite(loss)) throw TrainingError("the loss is no longer a finite number");
    const std::array<LinearGradient, 1> layers = {{{&classifier, dlogits}}};
    input_gradient(layers, dz);
    std::ranges::fill(head_gradients_, 0.0F);
    const std::span<float> gradients = head_gradients_;
    const auto bias = classifier.bias.empty() ? 0 : classifier.bias.data() - head_.data();
    weight_gradient(dlogits, z, {gradients.data(), c, d_},
                    gradients.subspan(static_cast<std::size_t>(bias), classifier.bias.size()));
    for (std::size_t i = 0; i < dz.rows; ++i) {
      for (float& value : dz.row(i)) value *= kept_.share(i);
    }
    share_work(kShares, [&](std::size_t share) { change_vectors(share, dz, rate); });
    head_optimizer_->step(head_gradients_, /*scale=*/1.0F, rate, head_);
    return loss;
  }

 private:
  /// Fisher and Yates' shuffle.
  void shuffle(std::uint64_t epoch) {
    const std::uint64_t key = mixed_bits(options_.seed + mixed_bits(epoch));
    for (std::size_t i = order_.size(); i > 1; --i) {
      std::swap(order_[i - 1], order_[mixed_bits(key + i) % i]);
    }
  }

  /// A row whose parts would all be left out keeps them.
  void keep_parts(std::span<const std::uint32_t> chosen, std::uint64_t epoch) {
    kept_.parts.clear();
    kept_.starts.assign(1, 0);
    const auto dropped = static_cast<std::uint64_t>(double{options_.dropout} * 0x1p64);
    for (const std::uint32_t row : chosen) {
      const auto parts = all_parts_.of_row(row);
      const std::uint64_t key = mixed_bits(options_.seed ^ mixed_bits(epoch << 32U ^ row));
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (mixed_bits(key + i) >= dropped) kept_.parts.push_back(parts[i]);
      }
      if (kept_.parts.size() == kept_.starts.back()) {
        kept_.parts.insert(kept_.parts.end(), parts.begin(), parts.end());
      }
      kept_.starts.push_back(kept_.parts.size());
    }
  }

  /// z [t, d] ← the mean of the vectors of each row.
  void pool_parts(Matrix z) const {
    share_work((z.rows + kRowsAtATime - 1) / kRowsAtATime, [&](std::size_t block) {
      const std::size_t last = std::min(z.rows, (block + 1) * kRowsAtATime);
      for (std::size_t i = block * kRowsAtATime; i < last; ++i) {
        const std::span<float> mean = z.row(i);
        std::ranges::fill(mean, 0.0F);
        for (const std::uint32_t part : kept_.row(i)) {
          const std::span<const float> vector = table_.row(part);
          for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += vector[j];
        }
        for (float& value : mean) value *= kept_.share(i);
      }
    });
  }

  /// Changes the vectors of a share: dz [t, d] is the gradient of each part of a row.
  void change_vectors(std::size_t share, ConstMatrix dz, float rate) {
    auto& [changed, sums] = work_[share];
    changed.clear();
    sums.clear();
    for (std::size_t i = 0; i < dz.rows; ++i) {
      const auto gradient = dz.row(i);
      for (const std::uint32_t part : kept_.row(i)) {
        if (part % kShares != share) continue;
        if (places_[part] == 0) {
          changed.push_back(part);
          places_[part] = static_cast<std::uint32_t>(changed.size());
          sums.insert(sums.end(), gradient.begin(), gradient.end());
          continue;
        }
        float* const sum = &sums[(places_[part] - 1) * d_];
        for (std::size_t j = 0; j < d_; ++j) sum[j] += gradient[j];
      }
    }
    for (std::size_t i = 0; i < changed.size(); ++i) {
      places_[changed[i]] = 0;
      const std::span<float> vector = table_.row(changed[i]);
      const float* const gradient = &sums[i * d_];
      float* const squares = &squares_[changed[i] * d_];
      const float pace = table_.is_token(changed[i]) ? 1.0F : options_.ngram_rate;
      for (std::size_t j = 0; j < d_; ++j) {
        squares[j] += gradient[j] * gradient[j];
        const float slope = gradient[j] / (std::sqrt(squares[j]) + options_.epsilon);
        vector[j] -= rate * (pace * slope + options_.weight_decay * vector[j]);
      }
    }
  }

  /// The vectors that a share changes, by number, and their gradients [changed, d].
  struct Work {
    std::vector<std::uint32_t> changed;
    std::vector<float> sums;
  };

  Parameters& parameters_;
  const std::vector<LabelledRow>& rows_;
  const StaticOptions& options_;
  StaticRows all_parts_;
  VectorTable table_;
  std::size_t d_;
  std::vector<float> squares_;         // sums of squared gradients, as the table
  std::vector<std::uint32_t> places_;  // of a vector in Work::changed, from 1; 0 between steps
  std::vector<std::uint32_t> order_;   // of the rows in the last epoch
  std::uint64_t shuffled_ = 0;         // epochs for which it was shuffled
  std::span<float> head_;              // the classifier
  std::vector<float> head_gradients_;
  std::optional<AdamW> head_optimizer_;
  KeptParts kept_;
  Buffer pooled_;
  Buffer logits_;
  Buffer logit_gradients_;
  Buffer vector_gradients_;
  std::array<Work, kShares> work_;
};

}  // namespace

StaticOptions static_options(std::size_t rows) {
  constexpr std::size_t kRowsInAll = 400'000;
  StaticOptions options;
  options.epochs = std::clamp<std::size_t>(kRowsInAll / std::max<std::size_t>(rows, 1), 5, 30);
  options.batch_rows = std::clamp<std::size_t>(rows / 500, 16, 128);
  return options;
}

StaticOptions static_options_of_characters(std::size_t rows, std::size_t labels) {
  constexpr std::size_t kManyLabels = 17;  // are learned in larger steps
  StaticOptions options = static_options(rows);
  options.dropout = 0.6F;  // most parts of a text say the same
  options.learning_rate = labels < kManyLabels ? 0.02F : 0.04F;
  return options;
}

TrainingOutcome train_static(Parameters& parameters, const LabelledRows& rows,
                             const StaticOptions& options, const TrainWatch& watch) {
  check_row_losses(parameters.description(), rows, options.loss);
  StaticStep step(parameters, rows.train, options);
  return run_course(parameters, rows.dev, step, options, watch);
}

}  // namespace headlight
