// Statistics of heads, and the tokens that contribute most to the pooled vector.
#pragma once

#include <cstddef>
#include <string>

#include "base/json_writer.h"
#include "inside/attention_view.h"

namespace headlight {

/// One object: model, tokens, "heads": one object per head with its statistics, "rollout":
/// [query][key], "pooled": the tokens of the pooled vector, the strongest first; and with label
/// attention "label_attention": the tokens of each label, averaged over its heads.
void write_attention_statistics(JsonWriter& json, const AttentionView& view);

/// A table of the heads, and lines of the strongest tokens, at most `columns` wide.
std::string attention_statistics_text(const AttentionView& view, std::size_t columns,
                                      unsigned decimals);

/// Only these lines: for the pooled vector, and for each label if the model has label attention.
std::string strongest_lines(const AttentionView& view, std::size_t columns, unsigned decimals);

}  // namespace headlight
