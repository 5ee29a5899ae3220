// Normalizers of a tokenizer.json. A Sequence is its steps, one after another.
#include "text/byte_level.h"
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
  } else if (type == "ByteLevel") {
    normalizer.add(std::make_unique<SpellBytes>());
  } else {
    refuse_type(fields, type,
                "BertNormalizer, Lowercase, NFD, StripAccents, Strip, ByteLevel and Sequence");
  }
}

}  // namespace headlight
