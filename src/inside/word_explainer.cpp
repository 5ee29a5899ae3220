#include "inside/word_explainer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "classifier/classifier.h"
#include "inside/faithfulness.h"
#include "inside/flip.h"

namespace headlight {
namespace {

struct Method {
  ExplanationMethod method;
  bool by_gradients;
  const char* texts_named;
  std::size_t (*texts_to_score)(const WordExplaining& how, std::size_t words);
  std::optional<Explanation> (*explain)(const WordExplainer& explainer, const TextInput& input,
                                        const ExplanationWatch& watch);
};

std::size_t one_text(const WordExplaining& /*how*/, std::size_t /*words*/) { return 1; }

template <ExplanationMethod kMethod>
std::optional<Explanation> explain_by_gradients(const WordExplainer& explainer,
                                                const TextInput& input,
                                                const ExplanationWatch& watch) {
  return explainer.gradients().explain(input, kMethod, watch.stopped);
}

constexpr std::array kMethods = {
    Method{
        ExplanationMethod::occlusion, false, "each whole text, and without each of its words",
        [](const WordExplaining& how, std::size_t words) {
          return occlusion_texts(words, how.order);
        },
        [](const WordExplainer& explainer, const TextInput& input, const ExplanationWatch& watch) {
          return explain_by_occlusion(explainer.classifier(), input, explainer.how().order, watch);
        }},
    Method{
        ExplanationMethod::shapley, false, "each text with sets of its words, at most",
        [](const WordExplaining& how, std::size_t words) {
          return shapley_texts(words, how.shapley);
        },
        [](const WordExplainer& explainer, const TextInput& input, const ExplanationWatch& watch) {
          return explain_by_shapley(explainer.classifier(), input, explainer.how().shapley, watch);
        }},
    Method{ExplanationMethod::gradient, true, "each whole text", one_text,
           explain_by_gradients<ExplanationMethod::gradient>},
    Method{ExplanationMethod::integrated_gradients, true, "each whole text", one_text,
           explain_by_gradients<ExplanationMethod::integrated_gradients>},
    Method{ExplanationMethod::lrp, true, "each whole text", one_text,
           explain_by_gradients<ExplanationMethod::lrp>},
    Method{
        ExplanationMethod::exact, true, "each whole text", one_text,
        [](const WordExplainer& explainer, const TextInput& input, const ExplanationWatch& watch) {
          return explainer.classifier().adds_words()
                     ? explain_by_sums(explainer.classifier(), input, watch.stopped)
                     : explainer.gradients().explain(input, ExplanationMethod::exact,
                                                     watch.stopped);
        }},
};

const Method& row_of(ExplanationMethod method) {
  return *std::ranges::find(kMethods, method, &Method::method);
}

}  // namespace

ExplanationMethod default_method(const Description& model) {
  return (model.ngrams || model.label_ngrams || model.adds_features) && is_sum_of_words(model)
             ? ExplanationMethod::exact
             : ExplanationMethod::occlusion;
}

bool is_by_gradients(ExplanationMethod method) { return row_of(method).by_gradients; }

std::size_t texts_to_score(const WordExplaining& how, std::size_t words) {
  return row_of(how.method).texts_to_score(how, words) + (how.flip ? flip_texts(words) : 0);
}

std::string texts_named(const WordExplaining& how) {
  return row_of(how.method).texts_named +
         std::string(how.order == ExplanationOrder::pairs ? " and each pair of words" : "") +
         (how.flip ? ", and without sets of words, at most" : "");
}

WordExplainer::WordExplainer(std::unique_ptr<TextClassifier> classifier, const WordExplaining& how)
    : classifier_(std::move(classifier)), how_(how) {
  const auto* with_gradients = dynamic_cast<const Classifier*>(classifier_.get());
  if (with_gradients != nullptr && how.method == ExplanationMethod::exact &&
      !is_sum_of_words(with_gradients->model().description)) {
    throw Error(with_gradients->model().place.config,
                "has layers, a pooling other than the mean, or a dense layer in its head, so its "
                "logits are no sum over words",
                "--method occlusion works with any model");
  }
  const bool is_exact = how.method == ExplanationMethod::exact && classifier_->adds_words();
  if (with_gradients == nullptr && is_by_gradients(how.method) && !is_exact) {
    throw Error(std::string("--method ") + name_of(how.method),
                "needs gradients or a sum over words, which this model does not have",
                "--method occlusion works with any model");
  }
  if (with_gradients == nullptr || (!is_by_gradients(how.method) && !how.faithfulness)) return;
  gradients_ = std::make_unique<GradientExplainer>(*with_gradients);
}

std::optional<Explanation> WordExplainer::explain(const TextInput& input,
                                                  const ExplanationWatch& watch) const {
  auto explanation = row_of(how_.method).explain(*this, input, watch);
  if (explanation && how_.flip && !add_flip(input, watch, *explanation)) return std::nullopt;
  if (!explanation || !how_.faithfulness || explanation->read.size() < 2) return explanation;
  if (!judge(input, watch, *explanation)) return std::nullopt;
  return explanation;
}

bool WordExplainer::add_flip(const TextInput& input, const ExplanationWatch& watch,
                             Explanation& explanation) const {
  const std::size_t before = row_of(how_.method).texts_to_score(how_, explanation.read.size());
  const auto scored = [&](std::size_t texts) {
    if (watch.scored) watch.scored(before + texts);
  };
  explanation.flip =
      find_flip(*classifier_, input, explanation.prediction, {watch.stopped, scored});
  return explanation.flip.has_value();
}

bool WordExplainer::judge(const TextInput& input, const ExplanationWatch& watch,
                          Explanation& explanation) const {
  std::size_t before = texts_to_score(how_, explanation.read.size());
  const auto scored = [&](std::size_t texts) {
    if (watch.scored) watch.scored(before + texts);
  };
  const ExplanationWatch counted{watch.stopped, scored};
  std::vector<std::string> names = {name_of(how_.method)};
  std::vector<WordOrder> orders = {order_of_words(explanation)};
  for (const Method& method : kMethods) {
    if (method.method == how_.method || (method.by_gradients && !gradients_)) continue;
    try {
      const auto other = method.explain(*this, input, counted);
      if (!other) return false;
      before += method.texts_to_score(how_, explanation.read.size());
      names.emplace_back(name_of(method.method));
      orders.push_back(order_of_words(*other));
    } catch (const TextError&) {
      // this method needs parts of the text that cannot be scored
    }
  }
  const auto random = random_orders(explanation.read.size());
  orders.insert(orders.end(), random.begin(), random.end());
  WordSubsets subsets(*classifier_, input, counted);
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
