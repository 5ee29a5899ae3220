// The steps of one query of one head as text and JSON (Vaswani et al. 2017, equation 1).
#pragma once

#include <string>

#include "base/json_writer.h"
#include "inside/attention_steps.h"
#include "inside/inside.h"
#include "report/attention/attention_look.h"
#include "report/formats/text_table.h"

namespace headlight {

/// "orange", the token of a query or key.
std::string token_of_steps(const TracedText& text, bool is_target, std::size_t token);
/// A row for each key.
TextTable table_of_steps(const TracedText& text, const HeadSteps& steps);
/// Vectors of keys and values only if a head has at most four numbers.
std::string steps_text(const TracedText& text, const HeadSteps& steps);
/// What is shown of a layer: all its heads and what becomes of them, or only some heads.
struct ShownSteps {
  LayerSteps layer;
  bool whole = true;  // all heads of the layer
};
/// steps_picture.cpp: a picture of matrices: a query, the keys, scores, weights and values of each
/// head, the heads side by side; below them their outputs joined, and the projection. As an SVG
/// document, and as a page that has the numbers in tables, too. Keys and values only of heads of at
/// most eight numbers.
std::string steps_picture(const TracedText& text, const ShownSteps& steps,
                          const AttentionLook& look, const Description& model);
std::string steps_page(const TracedText& text, const ShownSteps& steps, const AttentionLook& look,
                       const Description& model);
/// All numbers; the score of a key that is not seen is null.
void write_steps(JsonWriter& json, const TracedText& text, const HeadSteps& steps);

}  // namespace headlight
