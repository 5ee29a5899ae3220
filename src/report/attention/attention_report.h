// Attention with its tokens, as JSON whose arrays numpy.array accepts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/json_writer.h"
#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// Begins an object with the fields "model", "text" and "pair".
JsonWriter& begin_traced(JsonWriter& json, const TracedText& traced);

/// One object: model, text, tokens …, "layers", "heads", "attention": [layer][head][query][key],
/// if weighted "norm_attention" of the same shape, and with label attention "label_attention":
/// [class][head][token]. Words have no ids. If not all queries are chosen, "queries" has their
/// positions. For a rollout, "rollout": [query][key] replaces the fields of heads. A model without
/// a classification head has no label, logits and probabilities.
void write_attention(JsonWriter& json, const AttentionView& view);

/// One object: model, tokens, "heads": one object per head with its statistics, "rollout":
/// [query][key], "pooled": the tokens of the pooled vector, the strongest first; and with label
/// attention "label_attention": the tokens of each label, averaged over its heads.
void write_attention_statistics(JsonWriter& json, const AttentionView& view);

/// The approximate number of bytes that write_attention() writes for the matrices,
/// with this number of decimals.
std::size_t attention_json_size(const AttentionChoice& choice, std::optional<unsigned> decimals);

/// The object of write_attention(), or of write_attention_statistics() if `look` asks for it, as a
/// line.
std::string attention_json(const AttentionView& view, const AttentionLook& look);

}  // namespace headlight
