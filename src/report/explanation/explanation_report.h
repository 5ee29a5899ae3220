// The effect of each word on the prediction, as text, as a self-contained HTML page, and as JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "report/explanation/explanation_view.h"
#include "report/predictions/row_serializer.h"
#include "rows/scoring.h"

namespace headlight {

/// explanation_text.cpp: the prediction, the text with its strongest words marked, and the effects
/// of words and word pairs.
std::string explanation_text(const LabelSet& labels, const Explanation& explanation,
                             const ExplanationView& view);

/// explanation_page.cpp: the prediction, the text with its words marked by colour, sign and
/// strength, and a chart for each of the best labels; for light mode, dark mode and print.
std::string explanation_page(const std::string& title, const LabelSet& labels,
                             const Explanation& explanation, const ExplanationView& view);

/// explanation_picture.cpp: the prediction and the bars of the strongest words, in the order of the
/// text, for each of the best labels, as an SVG document. `title`: above it; empty: none.
std::string explanation_picture(const std::string& title, const LabelSet& labels,
                                const Explanation& explanation, const ExplanationView& view);

/// The fields of an object: text, pair, label, logits, probabilities (for a regression value or
/// values), truncated, "words": [{"word", "offset", "sequence", "effect", "standard_error"}, …], if
/// pairs were requested "pairs": [{"words", "effect", "interaction"}, …], "method", if Shapley
/// values were sampled "samples", for integrated gradients "completeness_gap" and "steps", for lrp
/// "bias_share" by label, if it was asked for "flip": {"words": [{"word", "offset", "sequence"},
/// …], "text", "pair", label, probability and logits of this text, "exhaustive"} or null, and, if
/// it was measured, "faithfulness": {"comprehensiveness", "sufficiency", the same normalized,
/// "methods":
/// [{"method", …}, …]}. With Explanation::towards, "towards" has its name, and each word and pair
/// its effect on the difference, "difference". `given` is the text as typed; offsets refer to it.
/// `shown`: the labels of logits, probabilities and effects, ascending.
void write_explanation_fields(JsonWriter& json, const LabelSet& labels, const TextInput& given,
                              const Explanation& explanation,
                              const std::vector<std::size_t>& shown);
/// All labels; with `few` and more than five, only the predicted one and Explanation::towards.
std::vector<std::size_t> labels_written(const LabelSet& labels, const Explanation& explanation,
                                        bool few);

struct ExplainedText : TextResult {
  std::optional<Explanation> explanation;  // empty with an error
};

/// The rows of a file as JSONL: {"id": 7, …the fields of write_explanation_fields()…}, or {"id": 7,
/// "error": "…"}
class ExplanationLines : public RowSerializer {
 public:
  /// The label that a row is explained towards, unless it is the predicted one.
  using Towards = std::function<std::optional<std::size_t>(const Row& row)>;

  ExplanationLines(LabelSet labels, bool ascii, Towards towards)
      : labels_(std::move(labels)), ascii_(ascii), towards_(std::move(towards)) {}

  std::string row(const ScoredRow<ExplainedText>& scored) const;

 private:
  LabelSet labels_;
  bool ascii_;
  Towards towards_;
};

}  // namespace headlight
