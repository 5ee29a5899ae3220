#include "text/files/deberta_pipeline.h"

#include <initializer_list>
#include <string>

#include "base/json.h"

namespace headlight {
namespace {

/// `{"SpecialToken": {"id": "[SEP]", "type_id": 0}}`
Json template_token(const Json& token) {
  return {{"SpecialToken", {{"id", token[0]}, {"type_id", 0U}}}};
}

/// `{"[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]}}`
Json template_tokens(std::initializer_list<Json> tokens) {
  Json named = Json::object();
  for (const Json& token : tokens) {
    named[token[0].get<std::string>()] = {
        {"id", token[0]}, {"ids", {token[1]}}, {"tokens", {token[0]}}};
  }
  return named;
}

}  // namespace

Json deberta_pipeline(const Json& cls, const Json& sep, bool is_prefixed) {
  const auto text = [](const char* name) {
    return Json{{"Sequence", {{"id", name}, {"type_id", 0U}}}};
  };
  const Json start = template_token(cls);
  const Json end = template_token(sep);
  const Json processor = {{"type", "TemplateProcessing"},
                          {"single", Json::array({start, text("A"), end})},
                          {"pair", Json::array({start, text("A"), end, end, text("B"), end})},
                          {"special_tokens", template_tokens({cls, sep})}};
  return {{"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", is_prefixed}}},
          {"post_processor", processor}};
}

}  // namespace headlight
