// The scores of many rows, kept because ROC curves and fits need all of them at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headlight {

/// [n, c] float32.
struct ScoreTable {
  std::size_t labels = 0;  // c
  std::vector<float> values;

  std::size_t rows() const { return labels == 0 ? 0 : values.size() / labels; }
  std::span<const float> row(std::size_t number) const {
    return {values.data() + number * labels, labels};
  }
  std::vector<float> column(std::size_t label) const {
    std::vector<float> scores;
    scores.reserve(rows());
    for (std::size_t i = label; i < values.size(); i += labels) scores.push_back(values[i]);
    return scores;
  }
  void add(std::span<const float> scores) {
    values.insert(values.end(), scores.begin(), scores.end());
  }
};

}  // namespace headlight
