#include "training/whole/fresh_model.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/utf8.h"
#include "model/families/family.h"
#include "model/families/native_config.h"
#include "model/model_tokenizer.h"
#include "text/files/vocabulary_file.h"

namespace headlight {

FreshModel::FreshModel(const ModelPlace& place, std::optional<std::size_t> vocabulary_size,
                       std::string text)
    : text_(std::move(text)), vocabulary_size_(vocabulary_size) {
  if (text_.empty()) text_ = MappedFile(place.config).text();
  const Json json = parse_json(text_, place.config);
  const auto& [family, type] = find_family(json, place.config);
  if (!type.tokenizer_class.empty()) {
    throw Error(place.config, "has no weights, and only a native model can be trained from none",
                "use a config with model_type headlight, or a model with weights");
  }
  const FamilyConfig config = read_family_config(family, json, place.config);
  if (config.description.pooling == Pooling::each_token) {
    throw Error(place.config, "pooling is none, but rows have labels of whole texts",
                R"(use another one, such as "pooling": "mean")");
  }
  model_.place = place;
  model_.family = type.name;
  model_.description = config.description;
  model_.encoder_limit = config.description.max_positions;
  tokenizer_ = config.tokenizer;
  open_tokenizer(model_, type, config);
  if (model_.tokenizer && vocabulary_size_) {
    throw Error(model_.tokenizer_file, "has the words of the model, so none are learned",
                "leave out --vocabulary-size, or remove the words");
  }
  if (!model_.tokenizer && !config.tokenizer_class.empty()) {
    throw Error(place.config,
                "tokenizer.class is " + excerpt(Json(config.tokenizer_class)) +
                    ", whose words cannot be learned; expected tokenizer.type, or the files of "
                    "this tokenizer beside the config",
                R"(use "tokenizer": {"type": "wordpiece"} to learn word pieces)");
  }
}

FreshModel::FreshModel(Model reader, const std::string& config) : model_(std::move(reader)) {
  const Description read = std::exchange(
      model_.description, read_native_config(Json::parse(config), model_.place.config).description);
  model_.description.vocab_size = read.vocab_size;
  model_.description.max_positions = read.max_positions;
  model_.weights = {};
  note_special_tokens(model_);
}

FreshModel FreshModel::with(const std::string& fields) const {
  auto config = nlohmann::ordered_json::parse(text_);
  config.merge_patch(nlohmann::ordered_json::parse(fields));
  return {model_.place, vocabulary_size_, config.dump(2) + '\n'};
}

std::uint64_t FreshModel::key_of(const TextInput& input) const {
  std::uint64_t key = 0;
  std::size_t words = 0;
  const auto add = [&](const std::string& text) {
    for (const auto& word : native_words(tokenizer_, text)) {
      ++words;
      key = short_hash_of(to_utf8(word), key);
    }
    key = short_hash_of("", key);
  };
  add(input.text);
  add(input.pair.value_or(""));
  if (words == 0) throw TextError(kNoText);
  return key;
}

void FreshModel::learn_words(const std::vector<const TextInput*>& inputs) {
  Description& model = model_.description;
  VocabularyRequest request;
  request.tokenizer = tokenizer_;
  const std::size_t behind =  // the words, of n-grams of their characters
      tokenizer_.character_ngrams ? tokenizer_.character_ngrams->buckets : 0;
  request.size = vocabulary_size_.value_or(model.vocab_size - behind);
  if (model.pad_to_length || model.last_skips || model.embedding.skipped_pad)
    request.pad = model.pad_token_id;
  VocabularyLearning learning(std::move(request));
  for (const TextInput* input : inputs) {
    learning.read(input->text);
    if (input->pair) learning.read(*input->pair);
  }
  learned_ = learning.learn();
  counts_ = learning.counts();
  model.vocab_size = learned_.size() + behind;
  // The number in the config may be that of a word now.
  const auto pad = std::ranges::find(learned_, "[PAD]");
  if (pad != learned_.end() || model.pad_token_id >= learned_.size()) {
    model.pad_token_id = pad == learned_.end() ? 0 : static_cast<TokenId>(pad - learned_.begin());
  }
  if (model.last_skips) model.last_skips = model.pad_token_id;
  if (model.embedding.skipped_pad) model.embedding.skipped_pad = model.pad_token_id;
  model_.tokenizer = make_native_tokenizer(tokenizer_, learned_, model_.place.config);
  note_special_tokens(model_);
  check_files();
}

void FreshModel::check_files() const {
  const std::string& where = model_.place.config;
  const auto read = split_vocabulary(vocabulary_file());
  if (const auto [own, other] = std::ranges::mismatch(learned_, read); own != learned_.end()) {
    throw Error(where,
                "the token " + excerpt(Json(*own)) +
                    " of the tokenizer has a line break, or white space at its end; a line of "
                    "vocab.txt cannot have them",
                "choose another special token");
  }
  read_native_config(Json::parse(config()), where);
}

void FreshModel::set_labels(const LabelSet& labels) {
  model_.description.labels = labels.names;
  model_.description.problem_type = labels.problem_type;
  model_.description.score_activation.reset();
  if (!labels.names.empty()) return;
  model_.description.head_dense.reset();
  model_.description.head_norm = false;
}

std::string FreshModel::config() const {
  if (text_.empty()) return native_config_text(model_);
  auto config = nlohmann::ordered_json::parse(text_);
  const Description& model = model_.description;
  config["vocab_size"] = model.vocab_size;
  if (config.contains("pad_token_id")) config["pad_token_id"] = model.pad_token_id;
  if (model.ngrams) config["ngram_buckets"] = model.ngrams->buckets;
  write_reading(model, config);
  if (!model.labels.empty()) write_labels(model, config);
  for (const char* name : {"id2label", "problem_type", "classifier_bias", "head_dense_act",
                           "head_dense_bias", "head_dense_first", "head_norm"}) {
    if (model.labels.empty()) config.erase(name);
  }
  return config.dump(2) + '\n';
}

std::string FreshModel::vocabulary_file() const {
  std::string lines;
  for (const std::string& word : learned_) lines += word + '\n';
  return lines;
}

void FreshModel::write(ModelDirectory& directory) const {
  directory.write("config.json", config());
  if (learned_.empty()) {
    copy_tokenizer(model_, directory);
  } else {
    directory.write("vocab.txt", vocabulary_file());
  }
}

}  // namespace headlight
