#include "classifier/zero_shot.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr std::size_t kFewLabels = 4;

bool begins_with_entail(std::string_view label) {
  constexpr std::string_view kStem = "entail";
  const auto same = [](char stem, char c) {
    return c == stem || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == stem);
  };
  return label.size() >= kStem.size() &&
         std::equal(kStem.begin(), kStem.end(), label.begin(), same);
}

/// transformers writes LABEL_0, LABEL_1 … for a model whose labels nobody named.
bool are_numbered(const std::vector<std::string>& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != "LABEL_" + std::to_string(i)) return false;
  }
  return true;
}

std::string without_white_space(std::string_view text) {
  const std::u32string characters = to_code_points(text);
  const auto first = std::find_if_not(characters.begin(), characters.end(), is_white_space);
  const auto last = std::find_if_not(characters.rbegin(), characters.rend(), is_white_space).base();
  return first < last ? to_utf8(std::u32string(first, last)) : "";
}

std::string hypothesis_for(const std::string& hypothesis, const std::string& label) {
  std::string filled = hypothesis;
  return filled.replace(filled.find(kLabelPlace), kLabelPlace.size(), label);
}

ClassifierOptions pair_options(ClassifierOptions options) {
  options.truncation = Truncation::only_first;
  options.activation = ScoreActivation::none;
  return options;
}

}  // namespace

std::optional<EntailmentLabels> find_entailment(const std::vector<std::string>& labels,
                                                std::string_view wanted) {
  const auto found = wanted.empty() ? std::find_if(labels.begin(), labels.end(), begins_with_entail)
                                    : std::find(labels.begin(), labels.end(), wanted);
  if (found == labels.end()) {
    if (!wanted.empty() || !are_numbered(labels)) return std::nullopt;
    return EntailmentLabels{labels.size() - 1, 0, /*guessed=*/true};
  }
  const auto entailment = static_cast<std::size_t>(found - labels.begin());
  return EntailmentLabels{entailment, entailment == 0 ? labels.size() - 1 : 0};
}

EntailmentLabels entailment_of(const Model& model, std::string_view wanted) {
  require_head(model);
  const Description& description = model.description;
  const bool regression = description.problem_type == ProblemType::regression;
  if (regression || description.classes() < 2) {
    throw Error(model.place.path,
                regression ? "is a regression model and has no entailment label"
                           : "has one label, expected labels for entailment and contradiction",
                "--zero-shot needs a model trained on entailment (NLI)");
  }
  const auto found = find_entailment(description.labels, wanted);
  if (found) return *found;
  const std::string labels = "; its labels are " + listed(description.labels, kFewLabels);
  if (!wanted.empty()) {
    throw Error(model.place.path, "has no label \"" + shortened(wanted) + "\"" + labels,
                "--entailment takes one of the model's labels");
  }
  throw Error(model.place.path, "has no label that begins with \"entail\"" + labels,
              "--zero-shot needs a model trained on entailment (NLI); if this is one, name its "
              "label with --entailment LABEL");
}

LabelSet labels_of(const ZeroShotTask& task) {
  return {task.candidates,
          task.multi_label ? ProblemType::multi_label : ProblemType::single_label,
          true,
          {},
          false,
          true};
}

std::vector<std::string> split_candidates(std::string_view list) {
  std::vector<std::string> candidates;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string label = without_white_space(list.substr(begin, end - begin));
    if (!label.empty()) candidates.push_back(std::move(label));
    begin = end + 1;
  }
  return candidates;
}

ZeroShotClassifier::ZeroShotClassifier(const Model& model, ClassifierOptions options,
                                       const ZeroShotTask& task)
    : pairs_(model, pair_options(std::move(options))),
      labels_(labels_of(task)),
      entailment_(entailment_of(model, task.entailment)) {
  for (const auto& label : task.candidates) {
    hypotheses_.push_back(hypothesis_for(task.hypothesis, label));
  }
}

std::vector<Prediction> ZeroShotClassifier::classify(std::span<const TextInput> inputs,
                                                     ScoringScratch& scratch,
                                                     const StopCheck& stopped) const {
  const std::size_t candidates = hypotheses_.size();
  TextInput pair;  // reused for all candidates, because a text may be long
  const auto pair_at = [&](std::size_t i) -> const TextInput& {
    if (i % candidates == 0) pair.text = inputs[i / candidates].text;
    pair.pair = hypotheses_[i % candidates];
    return pair;
  };
  const auto judged = pairs_.classify_each(inputs.size() * candidates, pair_at, scratch, stopped);
  std::vector<Prediction> predictions;
  for (std::size_t i = 0; i < judged.size() / candidates; ++i) {
    predictions.push_back(judge({judged.data() + i * candidates, candidates}));
  }
  return predictions;
}

TextReaches ZeroShotClassifier::reach_of(const TextInput& input) const {
  // The hypothesis of the fewest tokens leaves the most room.
  TextReaches most{{{{SIZE_MAX, 0}, 0}, {}}};
  for (const auto& hypothesis : hypotheses_) {
    TextReach reach = pairs_.reach_of({input.text, hypothesis, {}})[0];
    most[0].read.begin = std::min(most[0].read.begin, reach.read.begin);
    most[0].read.end = std::max(most[0].read.end, reach.read.end);
    most[0].enough = std::max(most[0].enough, reach.enough);
    if (most[0].cuts.size() < reach.cuts.size()) most[0].cuts = std::move(reach.cuts);
  }
  return most;
}

Prediction ZeroShotClassifier::judge(std::span<const Prediction> pairs) const {
  Prediction verdict;
  std::vector<float> alone;  // the independent score of each candidate
  for (const Prediction& pair : pairs) {
    if (!pair.error.empty()) {
      verdict = {};
      verdict.error = pair.error;
      return verdict;
    }
    const float entailed = pair.logits[entailment_.entailment];
    const float contradicted = pair.logits[entailment_.contradiction];
    verdict.logits.push_back(entailed);
    alone.push_back(
        activate_scores(ScoreActivation::softmax, std::vector{contradicted, entailed})[1]);
    verdict.tokens = std::max(verdict.tokens, pair.tokens);
    verdict.truncated = std::max(verdict.truncated, pair.truncated);
    verdict.windows = std::max(verdict.windows, pair.windows);
    verdict.own = std::max(verdict.own, pair.own);
    verdict.unknown = std::max(verdict.unknown, pair.unknown);
  }
  verdict.key = pairs.front().key;
  const bool each_alone = labels_.problem_type == ProblemType::multi_label || pairs.size() == 1;
  verdict.scores = each_alone ? alone : activate_scores(ScoreActivation::softmax, verdict.logits);
  verdict.best = ranked_labels(verdict, std::nullopt, 1).front();
  return verdict;
}

}  // namespace headlight
