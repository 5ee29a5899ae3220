// The mean of a text's rows → scores of the labels (fastText 0.9.2, loss.cc).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fasttext/arguments.h"
#include "fasttext/table.h"

namespace headlight {

inline bool all_finite(std::span<const float> numbers) {
  bool is_finite = true;  // without an early end, so that compilers make vectors of it
  for (const float x : numbers) is_finite &= std::abs(x) <= std::numeric_limits<float>::max();
  return is_finite;
}

/// Of one text. The vectors are used again for the next.
struct FasttextScores {
  /// [c] what each label has of the mean; of a hierarchical softmax the logs of the probabilities
  std::vector<float> logits;
  /// [c] as its command predict-prob prints them: p + 0.00001, so 1.00001 occurs
  std::vector<float> printed;
  std::vector<std::size_t> ranked;  // at most k labels, best first, equal ones in its order
  std::vector<float> chances, products, sums;  // of the tree
};

/// Const and shared by threads.
class FasttextScorer {
 public:
  /// `output` must outlive it. `counts` [c]: how often each label was in the training file. Throws
  /// Error{path, …} for numbers that are not finite.
  FasttextScorer(const std::string& path, const FasttextTable& output, FasttextLoss loss,
                 const std::vector<std::int64_t>& counts);

  /// `mean` [d]; `most` is k. Without `all`, a tree has only the logits of ranked labels, the
  /// others are 0. Nothing is printed or ranked if a sum is not finite.
  void score(std::span<const float> mean, std::size_t most, bool all, FasttextScores& scores) const;
  /// out [c] = output · x [d]
  void multiply(std::span<const float> x, std::vector<float>& out) const;

 private:
  /// A node of the Huffman tree; the first c are the labels.
  struct Node {
    std::int64_t count = 0;
    std::size_t left = SIZE_MAX;  // SIZE_MAX: a label
    std::size_t right = SIZE_MAX;
  };
  class BestLabels;

  void build_tree(const std::vector<std::int64_t>& counts);
  static void rank(const std::vector<float>& probabilities, std::size_t most,
                   std::vector<std::size_t>& ranked);
  void search(std::size_t most, FasttextScores& scores) const;
  static std::optional<std::size_t> clear_winner(std::span<const float> probabilities);
  void sum_logs(FasttextScores& scores) const;
  void score_tree(std::size_t most, bool all, FasttextScores& scores) const;

  const FasttextTable& output_;
  FasttextLoss loss_;
  std::size_t labels_;
  std::vector<float> columns_;   // [d, c], if it is not quantised
  std::vector<float> sigmoids_;  // of 513 steps from -8 to 8
  std::vector<Node> tree_;       // children before their parents
};

}  // namespace headlight
