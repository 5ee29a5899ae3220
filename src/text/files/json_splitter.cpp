#include <utility>

#include "base/fields.h"
#include "base/json.h"
#include "text/files/tokenizer_json_parts.h"
#include "text/splitters/byte_level.h"

namespace headlight {
namespace {

Separators read_behavior(Fields& fields) {
  return fields.choice_or("behavior", Separators::isolated,
                          {{"Isolated", Separators::isolated},
                           {"Removed", Separators::removed},
                           {"MergedWithPrevious", Separators::merged_with_previous},
                           {"MergedWithNext", Separators::merged_with_next},
                           {"Contiguous", Separators::contiguous}});
}

std::unique_ptr<const SplitStep> read_byte_level(Fields& fields) {
  const bool prefix_space = required_flag(fields, "add_prefix_space");
  return std::make_unique<ByteLevelSplit>(prefix_space, fields.flag_or("use_regex", true));
}

/// Old files have the flag `add_prefix_space` instead of the scheme.
std::unique_ptr<const SplitStep> read_metaspace(Fields& fields) {
  const char32_t replacement = required_character(fields, "replacement");
  const bool is_old = fields.find_value("add_prefix_space") != nullptr;
  const bool prefix = !is_old || fields.flag_or("add_prefix_space", true);
  const PrependScheme scheme =
      fields.choice_or("prepend_scheme", prefix ? PrependScheme::always : PrependScheme::never,
                       {{"always", PrependScheme::always},
                        {"first", PrependScheme::first},
                        {"never", PrependScheme::never}});
  if (!prefix && scheme != PrependScheme::never) {
    fields.complain("add_prefix_space", "false contradicts prepend_scheme");
  }
  const bool cut = fields.find_value("split") == nullptr || fields.flag_or("split", true);
  return std::make_unique<Metaspace>(replacement, scheme, cut);
}

std::unique_ptr<const SplitStep> read_split(Fields& fields) {
  Pattern pattern = read_pattern(fields);
  fields.required("behavior");
  const Separators behavior = read_behavior(fields);
  return std::make_unique<PatternSplit>(std::move(pattern), behavior,
                                        required_flag(fields, "invert"));
}

}  // namespace

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
  } else if (type == "Split") {
    splitter.add(read_split(fields));
  } else if (type == "ByteLevel") {
    splitter.add(read_byte_level(fields));
  } else if (type == "Metaspace") {
    splitter.add(read_metaspace(fields));
  } else if (type == "Digits") {
    splitter.add(std::make_unique<DigitsSplit>(required_flag(fields, "individual_digits")));
  } else if (type == "CharDelimiterSplit") {
    splitter.add(std::make_unique<DelimiterSplit>(required_character(fields, "delimiter")));
  } else {
    refuse_type(fields, type,
                "BertPreTokenizer, Whitespace, WhitespaceSplit, Punctuation, Digits, "
                "CharDelimiterSplit, Split, ByteLevel, Metaspace and Sequence");
  }
}

}  // namespace headlight
