#include "report/predictions/prediction_report.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

constexpr std::size_t kLogitsOnALine = 5;

/// "negative -1.90  positive 2.01": all labels by number, or only the largest logits if there
/// are many.
std::string shown_logits(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view) {
  const std::size_t most = std::max(kLogitsOnALine, view.top_k.value_or(0));
  auto shown = ranked_labels(prediction, std::nullopt, most);
  if (labels.names.size() <= kLogitsOnALine) std::sort(shown.begin(), shown.end());
  std::string text;
  for (const std::size_t label : shown) {
    text += (text.empty() ? "" : "  ") + printable(labels.names[label]) +
            formatted(" %.2f", prediction.logits[label]);
  }
  return labels.names.size() > shown.size() ? text + "  …" : text;
}

constexpr const char* kLabelColour = "\x1b[36m";
constexpr const char* kPlain = "\x1b[0m";

bool is_blank(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r'; }

std::string shown_part(const std::u32string& text, std::size_t begin, std::size_t end) {
  return printable(to_utf8(std::u32string_view(text).substr(begin, end - begin)));
}

std::string shown_label(const Entity& entity, bool color) {
  const std::string label = printable(entity.label) + " " + percent(entity.probability);
  return color ? kLabelColour + label + kPlain : label;
}

/// "[Ada Lovelace: PER 99.1 %] lived in [London: LOC 97.6 %].", safe to print; with the entities in
/// bold and their labels in another colour if `color`. White space at the ends of an entity is
/// outside of its brackets.
std::string marked_text(const std::string& text, const TokenLabels& found, bool color) {
  const std::u32string characters = to_code_points(text);
  std::string marked;
  std::size_t shown = 0;
  for (const Entity& entity : found.entities) {
    std::size_t first = std::max(entity.offset.begin, shown);
    std::size_t last = std::max(entity.offset.end, first);
    while (first < last && is_blank(characters[first])) ++first;
    while (first < last && is_blank(characters[last - 1])) --last;
    marked += shown_part(characters, shown, first) + "[" +
              bold(shown_part(characters, first, last), color) + ": " + shown_label(entity, color) +
              "]";
    shown = last;
  }
  return marked + shown_part(characters, shown, characters.size());
}

/// "positive 98.2 %", with the label in bold if `color`; for a regression its values.
std::string verdict(const LabelSet& labels, const Prediction& prediction,
                    const PredictionView& view, bool color) {
  if (labels.problem_type == ProblemType::regression) return shown_logits(labels, prediction, view);
  if (prediction.no_label) return "(no label)";
  const auto one = [&](std::size_t label) {
    std::string name = bold(printable(labels.names[label]), color);
    if (prediction.scores.empty()) return name;
    return name + " " + percent(prediction.scores[label]);
  };
  if (!lists_labels(labels, view)) return one(prediction.best);
  std::string text;
  for (const std::size_t label : labels_to_list(labels, prediction, view))
    text += (text.empty() ? "" : ", ") + one(label);
  return text.empty() ? "(no label)" : text;
}

}  // namespace

void write_id(JsonWriter& json, const RowId& id) {
  if (id.is_string) {
    json.string(id.text);
  } else {
    json.raw(id.text);
  }
}

void write_text_error(JsonWriter& json, const TextInput& input, const std::string& error) {
  json.begin_object().field("text", input.text);
  if (input.pair) json.field("pair", *input.pair);
  json.field("error", error).end_object();
}

std::string verdict_line(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view, bool color) {
  std::string line = verdict(labels, prediction, view, color);
  const bool has_logits = !prediction.no_label && (view.logits || prediction.scores.empty());
  if (!has_logits || labels.problem_type == ProblemType::regression) return line;
  return line + "   " + shown_logits(labels, prediction, view);
}

std::string shown_input(const TextInput& input) {
  const std::string text = printable(input.text);
  return input.pair ? text + kPairArrow + printable(*input.pair) : text;
}

std::string prediction_line(const LabelSet& labels, const TextInput& input,
                            const Prediction& prediction, const PredictionView& view, bool color) {
  std::string line = labels.each_token ? marked_text(input.text, prediction.token_labels, color)
                                       : verdict_line(labels, prediction, view, color) + "   " +
                                             shown_input(input);
  if (view.logits && prediction.unknown > 0) {
    line += "   (" + counted(prediction.unknown, "token") + " unknown)";
  }
  if (prediction.truncated > 0) {
    line += "   (" + counted(prediction.truncated, "token") + " cut)";
  }
  if (prediction.windows > 1) line += "   (" + std::to_string(prediction.windows) + " windows)";
  return line;
}

std::string word_json(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool ascii) {
  std::string line;
  JsonWriter json(line, ascii);
  json.begin_object().field("row", streamed.row);
  if (!streamed.word.empty()) json.field("word", streamed.word);
  if (streamed.prediction.error.empty()) write_tokens(json, streamed.prediction);
  write_prediction(json, labels, streamed.prediction, view);
  json.end_object();
  return line + '\n';
}

std::string word_text(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool color) {
  const Prediction& prediction = streamed.prediction;
  if (!prediction.error.empty()) {
    return "error: " + printable(prediction.error) + "   " + printable(streamed.word) + '\n';
  }
  return prediction_line(labels, {streamed.word, {}, {}}, prediction, view, color) + '\n';
}

}  // namespace headlight
