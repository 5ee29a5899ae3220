#include "text/files/published_tokenizer.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/files/deberta_pipeline.h"
#include "text/files/json_added_tokens.h"
#include "text/files/json_bpe.h"
#include "text/files/published_added_tokens.h"
#include "text/files/tokenizer_json.h"
#include "text/files/vocabulary_file.h"

namespace headlight {
namespace {

using Kind = TokenizerClass::Kind;

/// The state while a tokenizer is read from a folder.
struct Folder {
  explicit Folder(const std::string& where) : path(where), files(where) {}
  std::string file(const std::string& name) const { return path + "/" + name; }

  std::string path;
  SideFiles files;
  std::string class_name;
  TokenizerClass kind;
  std::vector<std::string> contradictions;
};

/// true, false or null.
using Switch = std::optional<bool>;

Json to_json(Switch value) { return value ? Json(*value) : Json(); }

/// A field of tokenizer_config.json that takes precedence over a field of a component of
/// tokenizer.json.
struct Winner {
  const char* field;
  const char* replaced;
  Switch fallback;  // if tokenizer_config.json does not have the field
};

constexpr std::array<Winner, 3> kBertWinners = {{
    {"do_lower_case", "lowercase", true},
    {"strip_accents", "strip_accents", std::nullopt},
    {"tokenize_chinese_chars", "handle_chinese_chars", true},
}};
constexpr Winner kPrefixSpace = {"add_prefix_space", "add_prefix_space", false};
constexpr Winner kTrimOffsets = {"trim_offsets", "trim_offsets", true};

Switch winning_value(const Folder& folder, const Winner& winner) {
  const Json& config = folder.files.config.json;
  if (!config.contains(winner.field)) return winner.fallback;
  const Json& value = config[winner.field];
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_null() && !winner.fallback) return std::nullopt;
  folder.files.config.fields().fail(winner.field, "true or false");
}

void replace_field(Folder& folder, const Winner& winner, Json& component) {
  const Json value = to_json(winning_value(folder, winner));
  const Json old = component.value(winner.replaced, to_json(winner.fallback));
  if (old == value) return;
  const std::string said = folder.files.config.json.contains(winner.field)
                               ? " of tokenizer_config.json"
                               : " (the default, not set in tokenizer_config.json)";
  folder.contradictions.push_back(std::string(winner.field) + " " + excerpt(value) + said +
                                  " replaces " + winner.replaced + " " + excerpt(old) +
                                  " of tokenizer.json");
  component[winner.replaced] = value;
}

/// The component `name` if it has the type `type`, else nullptr.
Json* find_component(Json& json, const char* name, const char* type) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_object()) return nullptr;
  return found->value("type", Json()) == type ? &*found : nullptr;
}

void replace_fields(Folder& folder, Json& json) {
  if (folder.kind.kind == Kind::bert || folder.kind.kind == Kind::mpnet) {
    if (Json* normalizer = find_component(json, "normalizer", "BertNormalizer")) {
      for (const Winner& winner : kBertWinners) replace_field(folder, winner, *normalizer);
    }
  } else if (folder.kind.kind == Kind::roberta || folder.kind.kind == Kind::gpt2 ||
             folder.kind.kind == Kind::deberta) {
    if (Json* splitter = find_component(json, "pre_tokenizer", "ByteLevel")) {
      replace_field(folder, kPrefixSpace, *splitter);
    }
    if (Json* processor = find_component(json, "post_processor", "RobertaProcessing")) {
      replace_field(folder, kPrefixSpace, *processor);
      if (folder.kind.kind == Kind::roberta) replace_field(folder, kTrimOffsets, *processor);
    }
  }
}

TokenizerPlan plan_of_json(Folder& folder) {
  TokenizerPlan plan = plan_of_file(folder.file("tokenizer.json"));
  replace_fields(folder, plan.json);
  plan.added_tokens = gather_added_tokens(folder.files, folder.kind, std::move(plan.added_tokens),
                                          folder.contradictions);
  number_added_tokens(plan.added_tokens, *plan.model);
  return plan;
}

/// `["[SEP]", 102]`
Json token_and_id(const Folder& folder, SpecialName name, const TokenizerPlan& plan) {
  const auto token = named_token(folder.files, folder.kind, name);
  const char* field = kSpecialNames[static_cast<std::size_t>(name)];
  if (!token) throw Error(folder.files.config.path, std::string(field) + " is null, but required");
  for (const AddedToken& added : plan.added_tokens) {
    if (added.content == token->content) return Json::array({added.content, added.id});
  }
  throw Error(folder.files.config.path, std::string(field) + " is empty, but required");
}

/// Whether a text begins with bos_token or ends with eos_token.
bool is_added(const Folder& folder, const char* field, SpecialName name) {
  return folder.files.config.fields().flag_or(field, false) &&
         named_token(folder.files, folder.kind, name).has_value();
}

/// Each text between bos_token and eos_token, if tokenizer_config.json asks for them.
Json begin_and_end(const Folder& folder, const TokenizerPlan& plan) {
  Json special_tokens = Json::object();
  const auto special = [&](const char* field, SpecialName name, unsigned segment, Json& pieces) {
    if (!is_added(folder, field, name)) return;
    const Json token = token_and_id(folder, name, plan);
    const Json& content = token[0];
    special_tokens[content.get<std::string>()] = {
        {"id", content}, {"ids", Json::array({token[1]})}, {"tokens", Json::array({content})}};
    pieces.push_back({{"SpecialToken", {{"id", content}, {"type_id", segment}}}});
  };
  Json pieces = Json::array();
  Json single;
  for (const auto& [text, segment] : {std::pair("A", 0U), std::pair("B", 1U)}) {
    special("add_bos_token", SpecialName::bos, segment, pieces);
    pieces.push_back({{"Sequence", {{"id", text}, {"type_id", segment}}}});
    special("add_eos_token", SpecialName::eos, segment, pieces);
    if (segment == 0) single = pieces;
  }
  return {{"type", "TemplateProcessing"},
          {"single", single},
          {"pair", pieces},
          {"special_tokens", special_tokens}};
}

Json byte_level(bool is_prefixed, bool is_splitting) {
  return {{"type", "ByteLevel"}, {"add_prefix_space", is_prefixed}, {"use_regex", is_splitting}};
}

Json qwen2_splitter(bool is_prefixed) {
  constexpr const char* kPattern =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
      R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
  const Json split = {{"type", "Split"},
                      {"pattern", {{"Regex", kPattern}}},
                      {"behavior", "Isolated"},
                      {"invert", false}};
  return {{"type", "Sequence"},
          {"pretokenizers", Json::array({split, byte_level(is_prefixed, false)})}};
}

Json byte_level_pipeline(const Folder& folder, const TokenizerPlan& plan) {
  const bool is_prefixed = winning_value(folder, kPrefixSpace) == true;
  if (folder.kind.kind == Kind::qwen2) {
    return {{"normalizer", {{"type", "NFC"}}},
            {"pre_tokenizer", qwen2_splitter(is_prefixed)},
            {"post_processor", begin_and_end(folder, plan)}};
  }
  return {{"pre_tokenizer", byte_level(is_prefixed, true)},
          {"post_processor", begin_and_end(folder, plan)}};
}

/// The pipeline of the class, for its vocabulary.
Json class_pipeline(const Folder& folder, const TokenizerPlan& plan) {
  if (folder.kind.kind == Kind::gpt2 || folder.kind.kind == Kind::qwen2) {
    return byte_level_pipeline(folder, plan);
  }
  const Json sep = token_and_id(folder, SpecialName::sep, plan);
  const Json cls = token_and_id(folder, SpecialName::cls, plan);
  if (folder.kind.kind == Kind::deberta) {
    return deberta_pipeline(cls, sep, winning_value(folder, kPrefixSpace) == true);
  }
  const bool is_prefixed =
      folder.kind.kind == Kind::roberta && winning_value(folder, kPrefixSpace) == true;
  const bool is_untrimmed =
      folder.kind.kind == Kind::roberta && winning_value(folder, kTrimOffsets) == false;
  const Json roberta_processing = {{"type", "RobertaProcessing"},
                                   {"sep", sep},
                                   {"cls", cls},
                                   {"trim_offsets", !is_untrimmed},
                                   {"add_prefix_space", is_prefixed}};
  if (folder.kind.kind == Kind::roberta) {
    return {{"pre_tokenizer", byte_level(is_prefixed, true)},
            {"post_processor", roberta_processing}};
  }
  Json normalizer = {{"type", "BertNormalizer"}};
  for (const Winner& winner : kBertWinners)
    normalizer[winner.replaced] = to_json(winning_value(folder, winner));
  const Json bert_processing = {{"type", "BertProcessing"}, {"sep", sep}, {"cls", cls}};
  return {
      {"normalizer", normalizer},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"post_processor", folder.kind.kind == Kind::bert ? bert_processing : roberta_processing}};
}

/// From vocab.txt, or vocab.json and merges.txt.
TokenizerPlan plan_of_vocabulary(Folder& folder) {
  TokenizerPlan plan;
  if (folder.kind.has_merges()) {
    plan.file = folder.file("vocab.json");
    plan.model = read_bpe_files(plan.file, folder.file("merges.txt"), {});
  } else {
    plan.file = folder.file("vocab.txt");
    const auto unk = named_token(folder.files, folder.kind, SpecialName::unk);
    plan.model = std::make_unique<WordPiece>(Vocabulary(read_vocabulary(plan.file)),
                                             unk ? std::optional(unk->content) : std::nullopt);
  }
  plan.added_tokens = gather_added_tokens(folder.files, folder.kind, {}, folder.contradictions);
  number_added_tokens(plan.added_tokens, *plan.model);
  plan.json = class_pipeline(folder, plan);
  return plan;
}

/// RoFormerTokenizer splits Chinese words with jieba, whatever its tokenizer.json says.
void refuse_jieba(const Folder& folder) {
  const std::string_view name = folder.class_name;
  if (name != "RoFormerTokenizer" && name != "RoFormerTokenizerFast") return;
  throw Error(folder.path, "tokenizer_class " + folder.class_name +
                               " is not supported: it splits words with jieba, not as its "
                               "tokenizer.json says");
}

std::optional<TokenizerPlan> make_plan(Folder& folder) {
  if (file_exists(folder.file("tokenizer.json"))) {
    refuse_jieba(folder);
    return plan_of_json(folder);
  }
  const bool has_words = file_exists(folder.file("vocab.txt"));
  const bool has_merges =
      file_exists(folder.file("vocab.json")) && file_exists(folder.file("merges.txt"));
  const bool is_bert = folder.kind.kind == Kind::bert || folder.kind.kind == Kind::mpnet;
  if ((has_merges && folder.kind.has_merges()) || (has_words && is_bert))
    return plan_of_vocabulary(folder);
  if (has_words || has_merges) {
    const std::string found = has_words ? "vocab.txt" : "vocab.json";
    throw Error(folder.path, "has " + found + " but no tokenizer.json, and tokenizer_class " +
                                 folder.class_name + " cannot be built from " + found);
  }
  return std::nullopt;
}

/// model_max_length. Values that no file can reach (1e30) mean no limit.
std::optional<std::size_t> read_max_length(const SideFile& config) {
  Fields fields = config.fields();
  const Json* value = fields.find_value("model_max_length");
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || value->get<double>() < 1.0) {
    fields.fail("model_max_length", "a number of tokens");
  }
  if (value->get<double>() > static_cast<double>(Fields::kLargestSize)) return std::nullopt;
  return value->get<std::size_t>();
}

/// Reads how texts are processed outside the pipeline.
void read_habits(const SideFile& config, TokenizerPlan& plan) {
  Fields fields = config.fields();
  plan.split_special_tokens = fields.flag_or("split_special_tokens", false);
  plan.cuts_left = fields.choice_or("truncation_side", false, {{"right", false}, {"left", true}});
  if (fields.find_value("model_input_names") != nullptr) {
    const auto inputs = fields.strings("model_input_names");
    plan.segments = std::find(inputs.begin(), inputs.end(), "token_type_ids") != inputs.end();
  }
}

/// The median number of code points of all tokens, rounded down: the mean of the two in the middle
/// of an even number.
std::size_t median_length(const TokenizerPlan& plan) {
  std::map<TokenId, std::string_view> tokens;
  const Vocabulary& vocabulary = plan.model->vocabulary();
  for (TokenId id = 0; id < vocabulary.id_limit(); ++id) {
    if (const std::string* token = vocabulary.token(id)) tokens[id] = *token;
  }
  for (const AddedToken& added : plan.added_tokens) tokens[added.id] = added.content;
  std::vector<std::size_t> lengths;
  lengths.reserve(tokens.size());
  for (const auto& [id, token] : tokens) lengths.push_back(count_characters(token));
  std::sort(lengths.begin(), lengths.end());
  if (lengths.empty()) return 1;
  const std::size_t middle = lengths.size() / 2;
  return (lengths[middle] + lengths[(lengths.size() - 1) / 2]) / 2;
}

/// The tokenizer of a table of vectors, which is all of tokenizer.json but the special tokens
/// around a text. StaticEmbedding (sentence-transformers 6) cuts as the file says. StaticModel
/// (model2vec 0.10) leaves out the unknown token, and reads for each token that a text may have at
/// most as many code points as the median token of the vocabulary has.
PublishedTokenizer read_table_tokenizer(const std::string& file, bool is_static_model) {
  TokenizerPlan plan = plan_of_file(file);
  plan.unk_token = plan.model->unk_token();
  plan.inserts = false;
  std::optional<std::size_t> max_length;
  if (is_static_model) {
    plan.leaves_out_unknown = true;
    plan.characters_a_token = median_length(plan);
  } else if (const Json* cut = Fields(plan.json, file).find_value("truncation")) {
    max_length = Fields(*cut, file, "truncation").required_size("max_length", 1);
  }
  return {make_tokenizer(std::move(plan)), file, max_length, {}};
}

}  // namespace

std::optional<PublishedTokenizer> read_published_tokenizer(const std::string& path,
                                                           const std::string& tokenizer_class) {
  const bool is_static_model = tokenizer_class == kStaticModel;
  if (is_static_model || tokenizer_class == kStaticEmbedding) {
    const std::string file = path + "/tokenizer.json";
    if (!file_exists(file)) return std::nullopt;
    return read_table_tokenizer(file, is_static_model);
  }
  Folder folder(path);
  const SideFile& config = folder.files.config;
  Fields fields = config.fields();
  if (fields.find_value("auto_map") != nullptr) {
    throw Error(config.path,
                "auto_map: found a tokenizer with custom code, which is not supported");
  }
  folder.class_name =
      fields.nullable_string_or("tokenizer_class", std::nullopt).value_or(tokenizer_class);
  folder.kind = find_tokenizer_class(folder.class_name, config.path);
  auto plan = make_plan(folder);
  if (!plan) return std::nullopt;
  read_habits(config, *plan);
  if (const auto unk = named_token(folder.files, folder.kind, SpecialName::unk)) {
    plan->unk_token = unk->content;
  }
  const std::string file = plan->file;
  return PublishedTokenizer{make_tokenizer(std::move(*plan)), file, read_max_length(config),
                            std::move(folder.contradictions)};
}

}  // namespace headlight
