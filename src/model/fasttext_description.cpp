#include "model/fasttext_description.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace headlight {
namespace {

/// The length of what is left out of all labels. Each keeps at least one byte.
std::size_t prefix_of(const FasttextDictionary& dictionary) {
  constexpr std::string_view kUsual = "__label__";
  std::string_view shared = dictionary.label(0);
  shared.remove_suffix(std::min<std::size_t>(shared.size(), 1));
  for (std::size_t i = 1; i < dictionary.labels(); ++i) {
    const std::string_view label = dictionary.label(i);
    const std::string_view most = label.substr(0, std::max<std::size_t>(label.size(), 1) - 1);
    const auto differ = std::mismatch(shared.begin(), shared.end(), most.begin(), most.end());
    shared = shared.substr(0, static_cast<std::size_t>(differ.first - shared.begin()));
  }
  return shared.starts_with(kUsual) ? kUsual.size() : shared.rfind('_') + 1;
}

}  // namespace

Description describe_fasttext(const FasttextModel& model) {
  Description found;
  const FasttextDictionary& dictionary = model.dictionary();
  found.vocab_size = dictionary.words();
  found.hidden_size = model.input().width();
  found.max_positions = UINT32_MAX;  // no limit
  if (!model.is_supervised()) return found;
  const std::size_t prefix = prefix_of(dictionary);
  for (std::size_t i = 0; i < dictionary.labels(); ++i) {
    found.labels.emplace_back(dictionary.label(i).substr(prefix));
  }
  const FasttextLoss loss = model.settings().loss;
  found.adds_features = loss != FasttextLoss::hierarchical_softmax;
  if (loss == FasttextLoss::one_vs_all || loss == FasttextLoss::negative_sampling) {
    found.problem_type = ProblemType::multi_label;
  }
  return found;
}

}  // namespace headlight
