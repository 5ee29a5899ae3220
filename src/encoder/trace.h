// The intermediate values of a forward pass that a caller can request. Others are not kept.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encoder/observer.h"
#include "math/matrix.h"

namespace headlight {

/// The values for one text with n tokens.
struct TextTrace {
  std::vector<std::vector<float>> attention;  // per layer: [h, n, n], rows sum to 1
  std::vector<std::vector<float>> values;     // per layer: [n, H], with bias
  std::vector<std::vector<float>> queries;    // per layer: [n, H], after norms and positions
  std::vector<std::vector<float>> keys;       // per layer: [n, H], the same
  std::vector<std::vector<float>> context;    // per layer: the heads' outputs, [n, H]
  std::vector<std::vector<float>> hidden;     // after the embedding and each layer: [n, d]
  std::vector<float> label_attention;         // [h, c, n], rows sum to 1
};

struct Trace final : Observer {
  bool wants_attention = false;
  bool wants_values = false;
  bool wants_queries_and_keys = false;
  bool wants_context = false;
  bool wants_hidden = false;
  bool wants_label_attention = false;
  std::vector<TextTrace> texts;  // filled by the pass

  bool reads_all_rows() const override;
  void note(const Pass& pass, Moment moment, ConstMatrix value) override;
  void attend(const Pass& pass, Moment moment, std::span<TextAttention> attentions) override;
};

/// Appends the rows to the kept values.
inline void keep_rows(ConstMatrix rows, std::vector<float>& kept) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    kept.insert(kept.end(), rows.row(i).begin(), rows.row(i).end());
  }
}

}  // namespace headlight
