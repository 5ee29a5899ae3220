#include "training/cuts/tokenizer_cut.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "classifier/text_reader.h"
#include "text/files/vocabulary_file.h"

namespace headlight {
namespace {

/// From the ids of the whole vocabulary to those of the small one.
class NewIds {
 public:
  explicit NewIds(const std::vector<TokenId>& kept) : kept_(kept) {}

  /// nullopt for a token that is left out, and for what is no id.
  std::optional<TokenId> of(const Json& id) const {
    if (!id.is_number_unsigned()) return std::nullopt;
    const auto found = std::ranges::lower_bound(kept_, id.get<std::uint64_t>());
    if (found == kept_.end() || *found != id.get<std::uint64_t>()) return std::nullopt;
    return static_cast<TokenId>(found - kept_.begin());
  }
  /// An object of ids by token.
  Json by_token(const Json& ids) const {
    Json small = Json::object();
    for (const auto& [token, id] : ids.items()) {
      if (const auto number = of(id)) small[token] = *number;
    }
    return small;
  }

 private:
  const std::vector<TokenId>& kept_;
};

/// An object of ids by token, as a template of special tokens has them. Those that are left out are
/// in no template.
void renumber_special_tokens(Json& tokens, const NewIds& numbers) {
  Json kept = Json::object();
  for (const auto& [name, old] : tokens.items()) {
    Json token = old;
    bool is_kept = true;
    for (Json& id : token["ids"]) {
      const auto number = numbers.of(id);
      is_kept = is_kept && number;
      if (number) id = *number;
    }
    if (is_kept) kept[name] = std::move(token);
  }
  tokens = std::move(kept);
}

void renumber_post_processor(Json& step, const NewIds& numbers) {
  if (!step.is_object()) return;
  if (step.contains("processors")) {
    for (Json& inner : step["processors"]) renumber_post_processor(inner, numbers);
  }
  if (step.contains("special_tokens")) renumber_special_tokens(step["special_tokens"], numbers);
  for (const char* name : {"cls", "sep"}) {
    if (!step.contains(name)) continue;
    if (const auto number = numbers.of(step[name][1])) step[name][1] = *number;
  }
}

std::string small_tokenizer_json(const std::string& path, const NewIds& numbers) {
  Json json = read_json_file(path);
  Json& model = json["model"];
  if (const std::string prefix = model.value("continuing_subword_prefix", "##"); prefix != "##") {
    throw Error(path, "model.continuing_subword_prefix is " + excerpt(prefix) + ", expected \"##\"",
                "leave out --vocabulary-size");
  }
  model["vocab"] = numbers.by_token(model["vocab"]);
  if (json.contains("added_tokens")) {
    for (Json& token : json["added_tokens"]) {
      if (const auto number = numbers.of(token["id"])) token["id"] = *number;
    }
  }
  if (json.contains("post_processor")) renumber_post_processor(json["post_processor"], numbers);
  if (json.contains("padding") && json["padding"].is_object()) {
    const auto number = numbers.of(json["padding"].value("pad_id", Json()));
    number ? json["padding"]["pad_id"] = *number : json["padding"] = nullptr;
  }
  return json.dump(2) + '\n';
}

/// `limit` is the number of tokens that the model reads.
std::string small_tokenizer_config(const std::string& path, const NewIds& numbers,
                                   std::size_t limit) {
  Json json = read_json_file(path);
  if (json.contains("model_max_length")) {
    Json& length = json["model_max_length"];
    if (length.is_number() && length.get<double>() > static_cast<double>(limit)) length = limit;
  }
  if (json.contains("added_tokens_decoder")) {
    Json small = Json::object();
    for (const auto& [id, token] : json["added_tokens_decoder"].items()) {
      if (const auto number = numbers.of(Json::parse(id, nullptr, /*allow_exceptions=*/false))) {
        small[std::to_string(*number)] = token;
      }
    }
    json["added_tokens_decoder"] = std::move(small);
  }
  return json.dump(2) + '\n';
}

std::string small_vocabulary(const std::string& path, const std::vector<TokenId>& kept) {
  const std::vector<std::string> words = read_vocabulary(path);
  std::string lines;
  for (const TokenId id : kept) {
    if (id < words.size()) lines += words[id] + '\n';
  }
  return lines;
}

}  // namespace

void write_cut_tokenizer(const Model& model, const std::vector<TokenId>& kept,
                         ModelDirectory& directory) {
  const NewIds numbers(kept);
  const std::string folder = tokenizer_folder(model);
  for (const std::string& name : tokenizer_files(folder)) {
    const std::string path = folder + "/" + name;
    if (name == "vocab.txt") directory.write(name, small_vocabulary(path, kept));
    if (name == "tokenizer.json") directory.write(name, small_tokenizer_json(path, numbers));
    if (name == "tokenizer_config.json") {
      directory.write(name, small_tokenizer_config(path, numbers, token_limit(model, {})));
    }
    if (name == "added_tokens.json") {
      directory.write(name, numbers.by_token(read_json_file(path)).dump(2) + '\n');
    }
    if (name == "special_tokens_map.json") directory.write(name, MappedFile(path).text());
  }
}

}  // namespace headlight
