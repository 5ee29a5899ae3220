// Entities in a text: as JSON, and marked in the text.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "classifier/prediction.h"

namespace headlight {

/// [{"label": "PER", "text": "Ada", "start": 3, "end": 6, "probability": 0.99}, …], with "index"
/// after the label for a token.
void write_entities(JsonWriter& json, const TokenLabels& found);
/// [[…], …], one array of c numbers per token.
void write_token_logits(JsonWriter& json, const TokenLabels& found);
void write_token_ids(JsonWriter& json, const TokenLabels& found);
/// [[0,0],[0,3], …]
void write_offsets(JsonWriter& json, const TokenLabels& found);

/// "[Ada Lovelace: PER 99.1 %] lived in [London: LOC 97.6 %].", safe to print; with the entities in
/// bold and their labels in another colour if `color`. White space at the ends of an entity is
/// outside of its brackets.
std::string marked_text(const std::string& text, const TokenLabels& found, bool color);

}  // namespace headlight
