#include "metrics/mistakes.h"

#include <algorithm>

namespace headlight {

std::vector<Mistake> worst_mistakes(const ConfusionMatrix& confusion, std::size_t most) {
  std::vector<Mistake> mistakes;
  for (std::size_t gold = 0; gold < confusion.gold_labels(); ++gold) {
    for (std::size_t predicted = 0; predicted < confusion.labels(); ++predicted) {
      const std::size_t rows = confusion.at(gold, predicted);
      if (gold != predicted && rows > 0) mistakes.push_back({gold, predicted, rows});
    }
  }
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const Mistake& a, const Mistake& b) { return a.rows > b.rows; });
  if (mistakes.size() > most) mistakes.resize(most);
  return mistakes;
}

}  // namespace headlight
