#include "commands/word_explainer.h"

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "inside/faithfulness.h"

namespace headlight {

WordExplainer::WordExplainer(const Model& model, const ZeroShotOptions& zero_shot,
                             const ClassifierOptions& options, WordExplaining how)
    : how_(how), classifier_(zero_shot.classifier(model, options)) {
  const bool is_needed = is_by_gradients(how.method);
  if (!is_needed && (!how.faithfulness || zero_shot.is_used())) return;
  plain_ = std::make_unique<Classifier>(model, options);
  try {
    gradients_ = std::make_unique<GradientExplainer>(*plain_);
  } catch (const Error&) {
    if (is_needed) throw;
  }
}

std::optional<Explanation> WordExplainer::explain(const TextInput& input,
                                                  const ExplanationWatch& watch) const {
  auto explanation = explain_by(how_.method, input, watch);
  if (!explanation || !how_.faithfulness || explanation->read.size() < 2) return explanation;
  if (!judge(input, watch, *explanation)) return std::nullopt;
  return explanation;
}

std::optional<Explanation> WordExplainer::explain_by(ExplanationMethod method,
                                                     const TextInput& input,
                                                     const ExplanationWatch& watch) const {
  if (method == ExplanationMethod::shapley) {
    return explain_by_shapley(*classifier_, input, how_.shapley, watch);
  }
  if (is_by_gradients(method)) return gradients_->explain(input, method, watch.stopped);
  return headlight::explain(*classifier_, input, how_.order, watch);
}

bool WordExplainer::judge(const TextInput& input, const ExplanationWatch& watch,
                          Explanation& explanation) const {
  const ExplanationWatch quiet{watch.stopped, {}};
  std::vector<std::string> names = {name_of(how_.method)};
  std::vector<WordOrder> orders = {order_of_words(explanation)};
  for (const auto& [name, method] : kExplanationMethods) {
    if (method == how_.method || !has(method)) continue;
    try {
      const auto other = explain_by(method, input, quiet);
      if (!other) return false;
      names.emplace_back(name);
      orders.push_back(order_of_words(*other));
    } catch (const TextError&) {
      // this method needs parts of the text that cannot be scored
    }
  }
  const auto random = random_orders(explanation.read.size());
  orders.insert(orders.end(), random.begin(), random.end());
  WordSubsets subsets(*classifier_, input, quiet);
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
