#include "report/models/fasttext_report.h"

#include <string>
#include <utility>

#include "base/utf8.h"
#include "base/words.h"

namespace headlight {
namespace {

/// Names and values as JSON, in the order of the file.
Facts arguments_of(const FasttextModel& model) {
  const FasttextArguments& of = model.arguments();
  const auto word = [](const char* name) { return std::string(1, '"') + name + '"'; };
  return {{"model", word(word_for(of.kind, kFasttextKindWords))},
          {"loss", word(word_for(of.loss, kFasttextLossWords))},
          {"dim", std::to_string(of.dim)},
          {"ws", std::to_string(of.ws)},
          {"epoch", std::to_string(of.epoch)},
          {"minCount", std::to_string(of.min_count)},
          {"neg", std::to_string(of.neg)},
          {"wordNgrams", std::to_string(of.word_ngrams)},
          {"bucket", std::to_string(of.bucket)},
          {"minn", std::to_string(of.minn)},
          {"maxn", std::to_string(of.maxn)},
          {"lrUpdateRate", std::to_string(of.rate_updates)}};
}

Facts sizes_of(const FasttextModel& model) {
  const auto flag = [](bool is_set) { return is_set ? "true" : "false"; };
  const FasttextDictionary& dictionary = model.dictionary();
  Facts sizes = {{"words", std::to_string(dictionary.words())},
                 {"rows", std::to_string(model.input().rows())},
                 {"quantised", flag(model.input().is_quantised())},
                 {"qnorm", flag(model.input().has_norms())},
                 {"qout", flag(model.output().is_quantised())},
                 {"training_tokens", std::to_string(dictionary.tokens())},
                 {"bytes", std::to_string(model.bytes())}};
  if (!dictionary.is_pruned()) return sizes;
  sizes.emplace(sizes.begin() + 2, "kept_ngrams", std::to_string(dictionary.kept_buckets()));
  return sizes;
}

}  // namespace

void write_fasttext(JsonWriter& json, const FasttextModel& model) {
  json.key("arguments").begin_object();
  for (const auto& [name, value] : arguments_of(model)) json.key(name).raw(value);
  json.end_object();
  for (const auto& [name, value] : sizes_of(model)) json.key(name).raw(value);
}

Facts fasttext_facts(const FasttextModel& model) {
  const auto named = [](const Facts::value_type& fact) {
    return fact.first + ' ' +
           fact.second.substr(fact.second.front() == '"' ? 1 : 0, fact.second.find('"', 1) - 1);
  };
  Facts facts = {{"arguments", joined(arguments_of(model), ", ", named)}};
  for (auto& fact : sizes_of(model)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace headlight
