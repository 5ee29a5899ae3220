#include "model/model_tokenizer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "text/files/native_tokenizer.h"
#include "text/files/published_tokenizer.h"
#include "text/files/tokenizer_json.h"
#include "text/files/vocabulary_file.h"

namespace headlight {
namespace {

/// In order of precedence: tokenizer.json, vocab.txt, the vocabulary in the config.
void open_native(Model& model, const FamilyConfig& config) {
  const std::string& folder = model.place.directory;
  const std::string json = folder + "/tokenizer.json";
  const std::string words = folder + "/vocab.txt";
  if (!folder.empty() && file_exists(json)) {
    model.tokenizer = read_tokenizer_json(json);
    model.tokenizer_file = json;
    if (config.has_tokenizer) {
      model.contradictions.emplace_back(
          "tokenizer.json is used; the tokenizer field of config.json is ignored");
    }
  } else if (!folder.empty() && file_exists(words)) {
    auto vocabulary = read_vocabulary(words);
    if (!config.vocabulary.empty() && config.vocabulary != vocabulary) {
      model.contradictions.emplace_back(
          "vocab.txt is used; the different tokenizer.vocabulary of config.json is ignored");
    }
    model.tokenizer = make_native_tokenizer(config.tokenizer, std::move(vocabulary), words);
    model.tokenizer_file = words;
  } else if (!config.vocabulary.empty()) {
    model.tokenizer =
        make_native_tokenizer(config.tokenizer, config.vocabulary, model.place.config);
    model.tokenizer_file = model.place.config;
  }
}

void open_published(Model& model, const std::string& tokenizer_class) {
  if (model.place.directory.empty()) return;
  auto published = read_published_tokenizer(model.place.directory, tokenizer_class);
  if (!published) return;
  model.tokenizer = std::move(published->tokenizer);
  model.tokenizer_file = published->file;
  for (auto& line : published->contradictions) model.contradictions.push_back(std::move(line));
  std::size_t& longest = model.description.max_positions;
  const std::size_t taken = published->max_length.value_or(longest);
  if (taken > longest) {
    model.contradictions.push_back("model_max_length of tokenizer_config.json is " +
                                   std::to_string(taken) + ", but the model has positions for " +
                                   std::to_string(longest) + " tokens");
  }
  longest = std::min(longest, taken);
}

/// A native vocabulary must fit. Published vocabularies may be larger than the embedding table,
/// because of added tokens; then an error occurs only if a text contains such a token.
void check_vocabulary(Model& model, bool is_native) {
  const std::size_t words = model.tokenizer->vocabulary_size();
  const std::size_t rows = model.description.vocab_size;
  const std::string counts =
      std::to_string(words) + " words, but vocab_size is " + std::to_string(rows);
  if (is_native && words > rows) throw Error(model.tokenizer_file, "has " + counts);
  if (words != rows) model.contradictions.push_back("the vocabulary has " + counts);
}

}  // namespace

void open_tokenizer(Model& model, const ModelType& type, const FamilyConfig& config) {
  const bool is_named = !config.tokenizer_class.empty();
  const bool is_native = type.tokenizer_class.empty() && !is_named;
  if (is_native) {
    open_native(model, config);
  } else {
    open_published(model, is_named ? config.tokenizer_class : std::string(type.tokenizer_class));
    if (model.tokenizer && config.tokenizer.lowercase) model.tokenizer->lowercase_first();
  }
  if (model.tokenizer) check_vocabulary(model, is_native);
  note_special_tokens(model);
}

std::vector<TokenId> inserted_tokens(const Tokenizer& tokenizer) {
  std::vector<TokenId> inserted;
  for (TokenId id = 0; id < tokenizer.vocabulary_size(); ++id) {
    if (tokenizer.inserts(id)) inserted.push_back(id);
  }
  return inserted;
}

void note_special_tokens(Model& model) {
  for (auto* ngrams : {&model.description.ngrams, &model.description.label_ngrams}) {
    if (!model.tokenizer || !*ngrams) continue;
    const Tokenizer& tokenizer = *model.tokenizer;
    (*ngrams)->special = inserted_tokens(tokenizer);
    if (const std::size_t characters = tokenizer.character_ngrams(); characters > 0) {
      (*ngrams)->first_characters = static_cast<TokenId>(tokenizer.vocabulary_size() - characters);
    }
  }
}

void compare_vocabulary(Model& model) {
  const std::string path = model.place.directory + "/vocab.txt";
  if (!model.tokenizer_file.ends_with("/tokenizer.json") || !file_exists(path)) return;
  std::vector<std::string> words;
  try {
    words = read_vocabulary(path);
  } catch (const Error& error) {
    model.contradictions.push_back(error.line() + "; tokenizer.json is used");
    return;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto token = model.tokenizer->token(static_cast<TokenId>(i));
    if (token == words[i]) continue;
    model.contradictions.push_back("vocab.txt has " + excerpt(Json(words[i])) + " for id " +
                                   std::to_string(i) + ", tokenizer.json " +
                                   (token ? excerpt(Json(*token)) : "no token") +
                                   "; tokenizer.json is used");
    return;
  }
}

}  // namespace headlight
