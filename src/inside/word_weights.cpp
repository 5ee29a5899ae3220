#include "inside/word_weights.h"

namespace headlight {

std::vector<double> word_queries(std::span<const double> weights,
                                 std::span<const TokenWord> words) {
  // Plain loops: a product with a 0/1 matrix [w, n] would need w times as many operations.
  std::vector<double> merged(words.size() * words.size(), 0.0);
  for (std::size_t word = 0; word < words.size(); ++word) {
    const auto count = static_cast<double>(words[word].end - words[word].begin);
    double* row = merged.data() + word * words.size();
    for (std::size_t query = words[word].begin; query < words[word].end; ++query) {
      for (std::size_t key = 0; key < words.size(); ++key) {
        row[key] += weights[query * words.size() + key] / count;
      }
    }
  }
  return merged;
}

}  // namespace headlight
