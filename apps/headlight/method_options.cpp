#include "method_options.h"

#include <vector>

#include "base/error.h"
#include "choice.h"
#include "classifier/faithfulness.h"
#include "options.h"

namespace headlight {

void MethodOptions::add_to(CLI::App& command) {
  std::vector<Choice<ExplanationMethod>> methods;
  for (const auto& [name, method] : kExplanationMethods) methods.push_back({name, method});
  choice(command.add_option(
             "--method",
             "occlusion: leave out each word; shapley: let words join in random orders, which also "
             "finds words that can replace each other"),
         method_, methods)
      ->option_text("METHOD");
  command
      .add_option("--order", order_,
                  "1: leave out each word; 2: also each pair of words, n(n-1)/2 more texts to "
                  "score (default: 1)")
      ->check(whole_number(1, 2))
      ->option_text("N");
  command
      .add_option("--samples", samples_,
                  "The most orders of the words that --method shapley samples (default: 200)")
      ->check(whole_number(ShapleyOptions::kFewestSamples, 1'000'000))
      ->option_text("N");
  command.add_option("--seed", seed_, "Seed of the orders of --method shapley (default: 0)")
      ->check(whole_number(0, UINT64_MAX))
      ->option_text("N");
  command
      .add_flag("--faithfulness", faithfulness_,
                "Also measure all methods: how the prediction changes without the first 10 to 50 % "
                "of their words, or with only these")
      ->option_text(" ");
}

void MethodOptions::check() const {
  if (method_ != ExplanationMethod::occlusion && order_ == 2) {
    throw UsageError("--order 2 leaves out pairs of words and needs --method occlusion");
  }
  if (method_ == ExplanationMethod::shapley || faithfulness_) return;
  if (samples_) throw UsageError("--samples needs --method shapley");
  if (seed_) throw UsageError("--seed needs --method shapley");
}

ShapleyOptions MethodOptions::shapley() const {
  ShapleyOptions options;
  options.samples = samples_.value_or(options.samples);
  options.seed = seed_.value_or(options.seed);
  return options;
}

std::size_t MethodOptions::texts_for(std::size_t words) const {
  if (method_ == ExplanationMethod::shapley) return shapley_texts(words, shapley());
  return texts_to_score(words, order());
}

std::string MethodOptions::texts_named() const {
  if (method_ == ExplanationMethod::shapley) return "each text with sets of its words, at most";
  return std::string("each whole text, and without each of its words") +
         (order_ == 2 ? " and each pair of words" : "");
}

std::optional<Explanation> MethodOptions::explain_by(ExplanationMethod method,
                                                     const TextClassifier& classifier,
                                                     const TextInput& input,
                                                     const ExplanationWatch& watch) const {
  if (method == ExplanationMethod::shapley) {
    return explain_by_shapley(classifier, input, shapley(), watch);
  }
  return headlight::explain(classifier, input, order(), watch);
}

std::optional<Explanation> MethodOptions::explain(const TextClassifier& classifier,
                                                  const TextInput& input,
                                                  const ExplanationWatch& watch) const {
  auto explanation = explain_by(method_, classifier, input, watch);
  if (!explanation || !faithfulness_ || explanation->words.size() < 2) return explanation;
  if (!judge(classifier, input, watch, *explanation)) return std::nullopt;
  return explanation;
}

bool MethodOptions::judge(const TextClassifier& classifier, const TextInput& input,
                          const ExplanationWatch& watch, Explanation& explanation) const {
  const ExplanationWatch quiet{watch.stopped, {}};
  std::vector<std::string> names = {name_of(method_)};
  std::vector<WordOrder> orders = {order_of_words(explanation)};
  for (const auto& [name, method] : kExplanationMethods) {
    if (method == method_) continue;
    try {
      const auto other = explain_by(method, classifier, input, quiet);
      if (!other) return false;
      names.emplace_back(name);
      orders.push_back(order_of_words(*other));
    } catch (const TextError&) {
      // this method needs parts of the text that cannot be scored
    }
  }
  const auto random = random_orders(explanation.words.size());
  orders.insert(orders.end(), random.begin(), random.end());
  WordSubsets subsets(classifier, input, quiet);
  const auto found = faithfulness_of(subsets, orders);
  if (!found) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    explanation.faithfulness.push_back({names[i], (*found)[i]});
  }
  explanation.faithfulness.push_back(
      {"random", mean_faithfulness(std::span(*found).subspan(names.size()))});
  return true;
}

}  // namespace headlight
