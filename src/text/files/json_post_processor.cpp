#include <map>
#include <utility>

#include "base/fields.h"
#include "base/json.h"
#include "text/files/tokenizer_json_parts.h"

namespace headlight {
namespace {

/// `"cls": ["[CLS]", 101]`
SpecialToken read_token_and_id(Fields& fields, const std::string& name) {
  const Json& pair = fields.required(name);
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() ||
      !pair[1].is_number_unsigned() || pair[1].get<std::uint64_t>() > Fields::kLargestSize) {
    fields.fail(name, "a token and its id");
  }
  return {pair[0].get<std::string>(), pair[1].get<TokenId>()};
}

using SpecialTokens = std::map<std::string, TemplatePart>;

/// `"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [101], "tokens": ["[CLS]"]}}`
SpecialTokens read_special_tokens(Fields& fields) {
  SpecialTokens tokens;
  const Json& object = fields.required("special_tokens");
  if (!object.is_object()) fields.fail("special_tokens", "an object");
  for (const auto& [name, value] : object.items()) {
    Fields token(value, fields.where(), fields.path_of("special_tokens") + "." + name);
    TemplatePart part;
    part.tokens = token.strings("tokens");
    for (const std::size_t id : token.sizes("ids", 0)) {
      part.ids.push_back(static_cast<TokenId>(id));
    }
    if (part.ids.size() != part.tokens.size()) token.fail("ids", "one id for each token");
    tokens.emplace(name, std::move(part));
  }
  return tokens;
}

/// `{"SpecialToken": {"id": "[CLS]", "type_id": 0}}` or `{"Sequence": {"id": "A", "type_id": 0}}`
TemplatePart read_part(const Component& component, const SpecialTokens& tokens) {
  Fields outer = component.fields();
  const Json* sequence = outer.find("Sequence");
  const std::string kind = sequence != nullptr ? "Sequence" : "SpecialToken";
  Fields fields(outer.required(kind), outer.where(), outer.path_of(kind));
  const std::string id = fields.required_string("id");
  TemplatePart part;
  if (sequence != nullptr) {
    if (id != "A" && id != "B") fields.fail("id", "A or B");
    part.sequence = id == "A" ? Sequence::first : Sequence::second;
  } else {
    const auto found = tokens.find(id);
    if (found == tokens.end()) fields.fail("id", "one of special_tokens");
    part = found->second;
  }
  part.type_id = static_cast<TokenId>(fields.required_size("type_id", 0));
  return part;
}

/// A short template can stand for many tokens, because a special token may be a list.
Template read_parts(Fields& fields, const std::string& name, const SpecialTokens& tokens) {
  constexpr std::size_t kMostTokens = 1000;
  constexpr std::size_t kMostTexts = 16;
  Template parts;
  std::size_t inserted = 0;
  std::size_t texts = 0;
  for (const Component& component : read_list(fields, name)) {
    TemplatePart part = read_part(component, tokens);
    inserted += part.ids.size();
    texts += part.sequence == Sequence::none ? 0 : 1;
    if (inserted > kMostTokens) {
      fields.complain(name, "inserts more than " + std::to_string(kMostTokens) + " tokens");
    }
    if (texts > kMostTexts) {
      fields.complain(name, "repeats texts more than " + std::to_string(kMostTexts) + " times");
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

PostProcessor read_template(Fields& fields) {
  const SpecialTokens tokens = read_special_tokens(fields);
  PostProcessor processor;
  processor.single = read_parts(fields, "single", tokens);
  processor.pair = read_parts(fields, "pair", tokens);
  for (const TemplatePart& part : processor.single) {
    if (part.sequence == Sequence::second) {
      fields.complain("single", "contains the second text, expected only the first");
    }
  }
  return processor;
}

/// The result so far: all steps of a Sequence make one processor.
struct Found {
  PostProcessor processor = plain_post_processor();
  std::string type;  // of the step that inserts special tokens, if any
};

void set_templates(Found& found, Fields& fields, const std::string& type, PostProcessor processor) {
  if (!found.type.empty()) {
    fields.complain("type", type + " comes after " + found.type +
                                ", but only one step may insert special tokens");
  }
  found.type = type;
  found.processor.single = std::move(processor.single);
  found.processor.pair = std::move(processor.pair);
}

/// For ByteLevel and RobertaProcessing.
void add_trim(Found& found, Fields& fields) {
  const OffsetTrim trim{required_flag(fields, "add_prefix_space")};
  if (required_flag(fields, "trim_offsets")) found.processor.trims.push_back(trim);
}

void read_step(const Component& component, Found& found) {
  Fields fields = component.fields();
  const std::string type = fields.required_string("type");
  if (type == "Sequence") {
    for (const Component& step : read_list(fields, "processors")) read_step(step, found);
  } else if (type == "ByteLevel") {
    if (found.type == "BertProcessing" || found.type == "RobertaProcessing") {
      fields.complain("type", "ByteLevel comes after " + found.type + ", which is not supported");
    }
    add_trim(found, fields);
  } else if (type == "TemplateProcessing") {
    set_templates(found, fields, type, read_template(fields));
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    const SpecialToken cls = read_token_and_id(fields, "cls");
    const SpecialToken sep = read_token_and_id(fields, "sep");
    const bool is_bert = type == "BertProcessing";
    set_templates(found, fields, type,
                  is_bert ? bert_post_processor(cls, sep) : roberta_post_processor(cls, sep));
    if (!is_bert) add_trim(found, fields);
  } else {
    refuse_type(fields, type,
                "TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel and Sequence");
  }
}

}  // namespace

PostProcessor read_post_processor(const Component& component) {
  Found found;
  if (!component.json.is_null()) read_step(component, found);
  return std::move(found.processor);
}

}  // namespace headlight
