#include "report/models/fasttext_report.h"

#include "base/words.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

const char* flag(bool is_set) { return is_set ? "true" : "false"; }

/// Calls `visit(name, number)` for the arguments that are numbers, in the order of the file.
template <typename Visit>
void visit_numbers(const FasttextArguments& arguments, const Visit& visit) {
  visit("dim", arguments.dim);
  visit("ws", arguments.ws);
  visit("epoch", arguments.epoch);
  visit("minCount", arguments.min_count);
  visit("neg", arguments.neg);
  visit("wordNgrams", arguments.word_ngrams);
  visit("bucket", static_cast<std::int64_t>(arguments.bucket));
  visit("minn", arguments.minn);
  visit("maxn", arguments.maxn);
  visit("lrUpdateRate", arguments.rate_updates);
}

std::string quantised_text(const FasttextModel& model) {
  if (!model.input().is_quantised()) return "float32";
  return std::string("product quantised") +
         (model.input().has_norms() ? ", norms apart (qnorm)" : "") +
         (model.output().is_quantised() ? ", labels too (qout)" : "");
}

}  // namespace

void write_fasttext(JsonWriter& json, const FasttextModel& model) {
  const FasttextArguments& arguments = model.arguments();
  json.key("arguments").begin_object();
  json.field("model", word_for(arguments.kind, kFasttextKindWords))
      .field("loss", word_for(arguments.loss, kFasttextLossWords));
  visit_numbers(arguments, [&](const char* name, std::int64_t number) {
    json.key(name).raw(std::to_string(number));
  });
  json.field("t", arguments.sampling).end_object();
  const FasttextDictionary& dictionary = model.dictionary();
  json.field("words", dictionary.words()).field("rows", model.input().rows());
  if (dictionary.is_pruned()) json.field("kept_ngrams", dictionary.kept_buckets());
  json.key("quantised").raw(flag(model.input().is_quantised()));
  json.key("qnorm").raw(flag(model.input().has_norms()));
  json.key("qout").raw(flag(model.output().is_quantised()));
  json.key("training_tokens").raw(std::to_string(dictionary.tokens()));
  json.field("bytes", model.bytes());
}

std::vector<std::pair<std::string, std::string>> fasttext_facts(const FasttextModel& model) {
  const FasttextArguments& arguments = model.arguments();
  const FasttextDictionary& dictionary = model.dictionary();
  std::string numbers;
  visit_numbers(arguments, [&](const char* name, std::int64_t number) {
    numbers += (numbers.empty() ? "" : ", ") + std::string(name) + ' ' + std::to_string(number);
  });
  const auto maxn = static_cast<std::size_t>(arguments.maxn);
  const std::string characters =
      maxn == 0 ? "none" : std::to_string(arguments.minn) + " to " + std::to_string(maxn);
  return {{"trained", std::string(word_for(arguments.kind, kFasttextKindWords)) + ", loss " +
                          word_for(arguments.loss, kFasttextLossWords)},
          {"arguments", numbers},
          {"words", grouped(dictionary.words())},
          {"n-grams",
           "of characters: " + characters + "; of words: up to " +
               std::to_string(arguments.word_ngrams) +
               (dictionary.is_pruned() ? "; " + grouped(dictionary.kept_buckets()) + " kept buckets"
                                       : "")},
          {"table", grouped(model.input().rows()) + " rows of " + std::to_string(arguments.dim) +
                        " numbers, " + quantised_text(model)},
          {"bytes", grouped(model.bytes())}};
}

}  // namespace headlight
