#include "gradient/random_gradients.h"

#include <filesystem>

#include "reference/random_published.h"

namespace headlight {

LoadedRandomModel load_random_model(std::uint64_t seed, bool published,
                                    const std::string& directory) {
  LoadedRandomModel loaded;
  loaded.random = published ? reference::random_published(seed) : reference::random_model(seed);
  const reference::RandomModel& random = loaded.random;
  const reference::Tensors stored =
      published ? reference::published_tensors(random) : random.tensors;
  reference::write_model_directory(directory, random.config, stored, random.storage);
  loaded.model = load_model(locate_model(directory, ""));
  std::filesystem::remove_all(directory);
  loaded.batch = reference::batch_of(random);
  return loaded;
}

LinearLoss::LinearLoss(std::size_t logits, std::uint64_t seed) {
  reference::Random random(seed);
  for (std::size_t i = 0; i < logits; ++i) factors_.push_back(random.spread(1.0));
}

Loss LinearLoss::loss() const {
  return [this](const Outputs& outputs, const OutputGradients& gradients) {
    double sum = 0.0;
    for (std::size_t i = 0; i < outputs.logits.rows; ++i) {
      for (std::size_t c = 0; c < outputs.logits.cols; ++c) {
        const double factor = factors_[i * outputs.logits.cols + c];
        sum += factor * static_cast<double>(outputs.logits.row(i)[c]);
        gradients.logits.row(i)[c] += static_cast<float>(factor);
      }
    }
    return sum;
  };
}

double LinearLoss::reference(const reference::RandomModel& random,
                             const reference::Tensors& tensors) const {
  double sum = 0.0;
  std::size_t next = 0;
  for (const reference::Text& text : random.texts) {
    const reference::Result result = reference::encode(random.architecture, tensors, text);
    for (const double logit : result.logits) sum += factors_[next++] * logit;
  }
  return sum;
}

}  // namespace headlight
