// Where a verdict is decided: the head on the vectors of each layer, and vectors of one text in the
// run of another. As JSON, text and a picture.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "inside/patching.h"

namespace headlight {

/// {"model", "text", "pair", "verdicts": [{"state": "embedding", "label", "logits",
/// "probabilities"}, …]}; only the last state is what the head was trained for.
void write_layer_verdicts(JsonWriter& json, const LabelSet& labels, const LayerVerdicts& verdicts);
std::string layer_verdicts_text(const LabelSet& labels, const LayerVerdicts& verdicts);

/// {"model", "text", "pair", "other", "other_pair", "tokens", "other_tokens", "label", "logits",
/// "other_logits", "change": {label: [state][token]}}; a change is the logit with the vector less
/// the text's own.
void write_patching(JsonWriter& json, const LabelSet& labels, const PatchedText& report);
/// A line per token, a column per state: the change of the logit that differs most between
/// the texts, in favour of the other text.
std::string patching_text(const LabelSet& labels, const PatchedText& report);
/// The same as a heat map: an SVG document, and a page.
std::string patching_picture(const LabelSet& labels, const PatchedText& report,
                             const std::string& title = "");
std::string patching_page(const LabelSet& labels, const PatchedText& report);

}  // namespace headlight
