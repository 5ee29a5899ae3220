// Normalizers and pre-tokenizers of a tokenizer.json. A Sequence is its steps, one after another.
#include "text/json_components.h"

namespace headlight {
namespace {

BertNormalizerSettings read_bert_settings(Fields& fields) {
  BertNormalizerSettings settings;
  settings.clean_text = fields.flag_or("clean_text", true);
  settings.handle_chinese_chars = fields.flag_or("handle_chinese_chars", true);
  settings.lowercase = fields.flag_or("lowercase", true);
  settings.strip_accents = settings.lowercase;
  if (fields.find_value("strip_accents") != nullptr) {
    settings.strip_accents = fields.flag_or("strip_accents", false);
  }
  return settings;
}

Separators read_behavior(Fields& fields) {
  return fields.choice_or("behavior", Separators::isolated,
                          {{"Isolated", Separators::isolated},
                           {"Removed", Separators::removed},
                           {"MergedWithPrevious", Separators::merged_with_previous},
                           {"MergedWithNext", Separators::merged_with_next},
                           {"Contiguous", Separators::contiguous}});
}

}  // namespace

void read_normalizer(const Component& component, Normalizer& normalizer) {
  if (component.json.is_null()) return;
  Fields fields = component.fields();
  const std::string type = fields.required_string("type");
  if (type == "Sequence") {
    for (const Component& step : read_list(fields, "normalizers")) {
      read_normalizer(step, normalizer);
    }
  } else if (type == "BertNormalizer") {
    add_bert_steps(normalizer, read_bert_settings(fields));
  } else if (type == "Lowercase") {
    normalizer.add(std::make_unique<Lowercase>());
  } else if (type == "NFD") {
    normalizer.add(std::make_unique<Decompose>());
  } else if (type == "StripAccents") {
    normalizer.add(std::make_unique<DropMarks>());
  } else if (type == "Strip") {
    const bool left = fields.flag_or("strip_left", true);
    normalizer.add(std::make_unique<StripEnds>(left, fields.flag_or("strip_right", true)));
  } else {
    refuse_type(fields, type, "BertNormalizer, Lowercase, NFD, StripAccents, Strip and Sequence");
  }
}

void read_splitter(const Component& component, Splitter& splitter) {
  if (component.json.is_null()) return;
  Fields fields = component.fields();
  const std::string type = fields.required_string("type");
  if (type == "Sequence") {
    for (const Component& step : read_list(fields, "pretokenizers")) read_splitter(step, splitter);
  } else if (type == "BertPreTokenizer") {
    splitter.add(std::make_unique<BertSplit>());
  } else if (type == "Whitespace") {
    splitter.add(std::make_unique<WordSplit>());
  } else if (type == "WhitespaceSplit") {
    splitter.add(std::make_unique<WhiteSpaceSplit>());
  } else if (type == "Punctuation") {
    splitter.add(std::make_unique<PunctuationSplit>(read_behavior(fields)));
  } else {
    refuse_type(fields, type,
                "BertPreTokenizer, Whitespace, WhitespaceSplit, Punctuation and Sequence");
  }
}

}  // namespace headlight
