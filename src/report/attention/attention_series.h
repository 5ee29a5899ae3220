// The attention of several texts in one result.
#pragma once

#include <memory>
#include <string>

#include "base/output.h"
#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// Receives the texts in order.
class AttentionSeries {
 public:
  virtual ~AttentionSeries() = default;

  virtual void add(const AttentionView& view, const AttentionLook& look) = 0;
  /// A text that cannot be scored.
  virtual void add_error(const TextInput& input, const std::string& error,
                         const AttentionLook& look) = 0;
  /// Call this after the last text.
  virtual void finish() = 0;
};

/// The view of each text, below each other.
std::unique_ptr<AttentionSeries> attention_texts(Output& output);

/// An array of the objects of attention_json(), or of write_text_error() for an error.
std::unique_ptr<AttentionSeries> attention_json_array(Output& output);

/// The array of write_attention_npy() for each text, named by the text's number from 0. A text with
/// an error has none.
std::unique_ptr<AttentionSeries> attention_npz_arrays(Output& output);

}  // namespace headlight
