#include "metrics/entity_evaluation.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/blank_words.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

/// seqeval's parts of a tag: the first character, and what follows the hyphen after it.
struct ParsedTag {
  char kind;
  std::string name;
};

ParsedTag parsed_tag(const std::string& tag) {
  const std::string rest = tag.substr(1);
  const std::size_t hyphen = rest.find('-');
  const std::string name = hyphen == std::string::npos ? rest : rest.substr(hyphen + 1);
  return {tag.front(), name.empty() ? "_" : name};
}

bool is_one_of(char kind, std::string_view kinds) {
  return kinds.find(kind) != std::string_view::npos;
}

bool ends_between(const ParsedTag& before, const ParsedTag& tag) {
  if (is_one_of(before.kind, "ES")) return true;
  if (is_one_of(before.kind, "BI") && is_one_of(tag.kind, "BSO")) return true;
  return !is_one_of(before.kind, "O.") && before.name != tag.name;
}

bool begins_at(const ParsedTag& before, const ParsedTag& tag) {
  if (is_one_of(tag.kind, "BS")) return true;
  if (is_one_of(before.kind, "ESO") && is_one_of(tag.kind, "EI")) return true;
  return !is_one_of(tag.kind, "O.") && before.name != tag.name;
}

std::string tag_from(const Json& json, const GoldReader& labels, const std::string& file) {
  if (json.is_string() && !json.get<std::string>().empty()) return json.get<std::string>();
  const auto number = json.is_number_unsigned() ? labels.find(json.dump()) : std::nullopt;
  if (number) return labels.names()[*number];
  if (json.is_number_unsigned() && labels.match(json.dump()) == GoldReader::Match::number) {
    constexpr std::size_t kMostNames = 12;
    throw Error(file,
                "its tags are numbers, but the model's labels are names: " +
                    listed(labels.names(), kMostNames),
                "--label-numbers reads them as positions, from 0");
  }
  throw TextError("tag " + excerpt(json) + " is neither a name nor the number of one of the " +
                  std::to_string(labels.names().size()) + " labels");
}

/// The first field with one of these names, or the only item of a list there; null: none.
Json field_of_span(const Json& span, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = span.find(name);
    if (found == span.end()) continue;
    return found->is_array() && found->size() == 1 ? found->front() : *found;
  }
  return {};
}

/// Of an object, or of a list [start, end, label].
NamedSpan span_from(const Json& json, std::size_t length) {
  const bool is_list = json.is_array() && json.size() == 3;
  const Json begin = is_list ? json[0] : field_of_span(json, {"start", "start_offset"});
  const Json end = is_list ? json[1] : field_of_span(json, {"end", "end_offset"});
  const Json label =
      is_list ? json[2] : field_of_span(json, {"label", "labels", "entity_group", "entity", "tag"});
  if (!label.is_string() || !begin.is_number_unsigned() || !end.is_number_unsigned()) {
    throw TextError(
        "an entity is [start, end, label], or has the fields label, start and end; found " +
        excerpt(json));
  }
  NamedSpan span{label, begin.get<std::size_t>(), end.get<std::size_t>()};
  if (span.begin >= span.end || span.end > length) {
    throw TextError("an entity from " + std::to_string(span.begin) + " to " +
                    std::to_string(span.end) + " is not in the text of " + std::to_string(length) +
                    " characters");
  }
  return span;
}

std::size_t best_label(const TokenLabels& found, std::size_t token, std::size_t classes) {
  const auto row = found.logits.begin() + static_cast<std::ptrdiff_t>(token * classes);
  return static_cast<std::size_t>(
      std::max_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row);
}

/// The entities of a sequence of tags, one per word: B-, I-, E- and S-, or names without these.
NamedSpans spans_of_tags(const std::vector<std::string>& tags) {
  NamedSpans spans;
  ParsedTag before{'O', ""};
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= tags.size(); ++i) {
    const ParsedTag tag = parsed_tag(i < tags.size() ? tags[i] : "O");
    if (ends_between(before, tag)) spans.insert({before.name, begin, i});
    if (begins_at(before, tag)) begin = i;
    before = tag;
  }
  return spans;
}

/// The tag of each word between white space: the best label of its first token, "O" if it has none.
std::vector<std::string> tags_of_words(const std::vector<std::string>& labels,
                                       const std::string& text, const TokenLabels& found) {
  std::vector<std::string> tags;
  std::size_t token = 0;
  for (const Offset& word : words_between_blanks(to_code_points(text))) {
    const auto is_before = [&](const Offset& offset) {
      return offset.begin == offset.end || offset.end <= word.begin;
    };
    while (token < found.offsets.size() && is_before(found.offsets[token])) ++token;
    const bool has_token = token < found.offsets.size() && found.offsets[token].begin < word.end;
    tags.push_back(has_token ? labels[best_label(found, token, labels.size())] : "O");
  }
  return tags;
}

/// The entities as spans of code points, without white space at their ends.
NamedSpans spans_of_entities(const std::string& text, const TokenLabels& found) {
  const std::u32string characters = to_code_points(text);
  NamedSpans spans;
  for (const Entity& entity : found.entities) {
    auto [begin, end] = entity.offset;
    while (begin < end && is_white_space(characters[begin])) ++begin;
    while (begin < end && is_white_space(characters[end - 1])) --end;
    spans.insert({entity.label, begin, end});
  }
  return spans;
}

}  // namespace

GoldEntities read_gold_entities(const std::string& json, const GoldReader& labels,
                                const std::string& text, const std::string& file) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_array()) {
    throw TextError("the correct labels are a list of tags or of entities, found " +
                    shortened(json));
  }
  const std::u32string characters = to_code_points(text);
  GoldEntities gold;
  if (!parsed.empty() && parsed.front().is_structured()) {
    for (const Json& entity : parsed) gold.spans.insert(span_from(entity, characters.size()));
    return gold;
  }
  const std::size_t words = words_between_blanks(characters).size();
  if (parsed.empty() && words > 0) return gold;  // a list of no entities
  if (parsed.size() != words) {
    throw TextError("has " + std::to_string(parsed.size()) + " tags, but the text has " +
                    std::to_string(words) + " words between white space");
  }
  gold.tags.emplace();
  for (const Json& tag : parsed) gold.tags->push_back(tag_from(tag, labels, file));
  gold.spans = spans_of_tags(*gold.tags);
  return gold;
}

void EntityEvaluator::add(const GoldEntities& gold, const std::string& text,
                          const Prediction& prediction) {
  ++rows_;
  if (!gold.tags) {
    count(gold.spans, spans_of_entities(text, prediction.token_labels));
    return;
  }
  ++tagged_rows_;
  const auto tags = tags_of_words(labels_, text, prediction.token_labels);
  for (std::size_t i = 0; i < tags.size(); ++i) {
    ++words_;
    if (tags[i] == (*gold.tags)[i]) ++right_words_;
  }
  count(gold.spans, spans_of_tags(tags));
}

void EntityEvaluator::count(const NamedSpans& gold, const NamedSpans& predicted) {
  for (const NamedSpan& span : gold) {
    LabelCounts& counts = counts_[span.name];
    ++(predicted.contains(span) ? counts.found : counts.missed);
  }
  for (const NamedSpan& span : predicted) {
    if (!gold.contains(span)) ++counts_[span.name].wrong;
  }
}

EntityEvaluation EntityEvaluator::measure() const {
  EntityEvaluation evaluation;
  Evaluation& measured = evaluation.measured;
  measured.rows = rows_ + errors_;
  measured.errors = errors_;
  if (words_ > 0 && tagged_rows_ == rows_) {
    const double accuracy = static_cast<double>(right_words_) / static_cast<double>(words_);
    measured.measures.push_back({"accuracy", "accuracy of words", accuracy, {}, Unit::share});
  }
  LabelCounts all;
  std::vector<LabelCounts> each;
  for (const auto& [name, counts] : counts_) {
    evaluation.names.push_back(name);
    measured.labels.push_back(measures_of(counts));
    each.push_back(counts);
    all.found += counts.found;
    all.wrong += counts.wrong;
    all.missed += counts.missed;
  }
  const LabelMeasures of_all = measures_of(all);
  measured.measures.push_back({"precision", "precision", of_all.precision});
  measured.measures.push_back({"recall", "recall", of_all.recall});
  add_f1(average_f1(each, AveragedLabels::seen), measured.measures);
  return evaluation;
}

}  // namespace headlight
