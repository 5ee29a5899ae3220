// How one query of one head attends: products with the keys, scores, and the sum of the values.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "encoder/position_tables.h"
#include "encoder/scratch.h"
#include "encoder/trace.h"
#include "math/matrix.h"
#include "model/model.h"

namespace headlight {

/// One head of a text of n tokens: the vectors as they are multiplied, after norms and rotary
/// positions, and the weights.
struct TracedHead {
  std::size_t layer = 0;
  std::size_t number = 0;
  ConstMatrix queries, keys, values;  // [n, e]
  ConstMatrix weights;                // [n, n]
};

struct AttentionSteps {
  std::vector<float> products;  // [n] q · k of each key
  /// [n] the weights are their softmax: products and relative scores, scaled, with bias; -∞ for a
  /// key that the query does not see. It always sees itself.
  std::vector<float> scores;
  std::vector<float> output;  // [e] Σ weight · value
  float scale = 1.0F;         // of the products, in the scores
};

/// Computes the scores of texts of n tokens again, as the encoder does. Needs the model only to be
/// made.
class AttentionScoring {
 public:
  AttentionScoring(const Model& model, std::size_t n);

  AttentionSteps steps(const TracedHead& traced, std::size_t query) const;

 private:
  std::vector<LayerDescription> layers_;
  std::shared_ptr<const std::vector<RelativeTables>> relative_tables_;  // nullptr: none
  Scratch memory_;
  PositionTables positions_;  // in memory_
};

/// One query of one head of a text of n tokens, with all that is needed to compute it by hand.
struct HeadSteps : AttentionSteps {
  std::size_t layer = 0;
  std::size_t head = 0;
  std::size_t query = 0;      // a token
  bool target_query = false;  // one that a decoder reads; the same for the keys
  bool target_keys = false;
  std::vector<float> vector;   // [e] q
  std::vector<float> keys;     // [n, e]
  std::vector<float> values;   // [n, e]
  std::vector<float> weights;  // [n]
};

/// Of a text of n tokens, whose trace must have attention, values, queries and keys. The head and
/// the query must exist.
HeadSteps head_steps(const Model& model, const TextTrace& trace, std::size_t n, std::size_t layer,
                     std::size_t head, std::size_t query);

/// One query of all heads of a layer.
struct LayerSteps {
  std::vector<HeadSteps> heads;
  std::vector<float> joined;     // [H] the outputs of the heads, one after another
  std::vector<float> projected;  // [d] joined · Wᵀ + b; empty: there is no output projection
};

/// The same for all heads.
LayerSteps layer_steps(const Model& model, const TextTrace& trace, std::size_t n, std::size_t layer,
                       std::size_t query);

}  // namespace headlight
