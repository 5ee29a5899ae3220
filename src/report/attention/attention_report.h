// Attention with its tokens, as JSON that goes straight into numpy.array.
#pragma once

#include <cstddef>
#include <optional>

#include "base/json_writer.h"
#include "base/output.h"
#include "metrics/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// One object: model, text, tokens …, "layers", "heads", "attention": [layer][head][query][key],
/// where weighted "norm_attention" of the same shape, and with label attention "label_attention":
/// [class][head][token]. Words have no ids. Where not all queries are chosen, "queries" has their
/// positions. A rollout is "rollout": [query][key] in place of heads. A model without a
/// classification head has no label, logits and probabilities.
void write_attention(JsonWriter& json, const AttentionView& view);

/// About how many bytes write_attention() makes of the matrices, with so many decimals each.
std::size_t attention_json_size(const AttentionChoice& choice, std::optional<unsigned> decimals);

/// A line: the object of write_attention, or where asked for that of write_attention_statistics.
void write_attention_json(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
