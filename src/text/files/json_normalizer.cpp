#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/files/tokenizer_json_parts.h"
#include "text/normalizers/charsmap.h"
#include "text/splitters/byte_level.h"

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

std::unique_ptr<const NormalizerStep> read_replace(Fields& fields) {
  std::u32string content = to_code_points(fields.required_string("content"));
  return std::make_unique<Replace>(read_pattern(fields), std::move(content));
}

std::unique_ptr<const NormalizerStep> read_precompiled(Fields& fields) {
  const char* name = "precompiled_charsmap";
  const auto bytes = decode_base64(fields.required_string(name));
  if (!bytes) fields.complain(name, "is not base64");
  try {
    return std::make_unique<Precompiled>(Charsmap(*bytes));
  } catch (const Error& error) {
    fields.complain(name, error.line());
  }
}

std::unique_ptr<const NormalizerStep> read_strip(Fields& fields) {
  const bool left = fields.flag_or("strip_left", true);
  return std::make_unique<StripEnds>(left, fields.flag_or("strip_right", true));
}

/// The types that correspond to one of our steps; nullptr for others.
std::unique_ptr<const NormalizerStep> read_step(const std::string& type, Fields& fields) {
  if (type == "Lowercase") return std::make_unique<Lowercase>();
  if (type == "NFD") return std::make_unique<ToNormalForm>(NormalForm::nfd);
  if (type == "NFKD") return std::make_unique<ToNormalForm>(NormalForm::nfkd);
  if (type == "NFC") return std::make_unique<ToNormalForm>(NormalForm::nfc);
  if (type == "NFKC") return std::make_unique<ToNormalForm>(NormalForm::nfkc);
  if (type == "StripAccents") return std::make_unique<DropMarks>();
  if (type == "Strip") return read_strip(fields);
  if (type == "Replace") return read_replace(fields);
  if (type == "Prepend") {
    return std::make_unique<Prepend>(to_code_points(fields.required_string("prepend")));
  }
  if (type == "Nmt") return std::make_unique<CleanNmt>();
  if (type == "Precompiled") return read_precompiled(fields);
  if (type == "ByteLevel") return std::make_unique<SpellBytes>();
  return nullptr;
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
  } else if (auto step = read_step(type, fields)) {
    normalizer.add(std::move(step));
  } else {
    refuse_type(fields, type,
                "BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, StripAccents, Strip, Replace, "
                "Prepend, Nmt, Precompiled, ByteLevel and Sequence");
  }
}

}  // namespace headlight
