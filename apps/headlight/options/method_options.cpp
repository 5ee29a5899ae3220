#include "options/method_options.h"

#include <array>

#include "base/nearest_name.h"
#include "base/utf8.h"
#include "base/words.h"
#include "inside/flip.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/options.h"

namespace headlight {
namespace {

constexpr std::array<Word<ExplainedUnit>, 2> kUnits = {
    {{"word", ExplainedUnit::word}, {"token", ExplainedUnit::token}}};

}  // namespace

void MethodOptions::add_to(CLI::App& command) {
  command_ = &command;
  const HelpGroup group(command, kResultGroup);
  choice(command.add_option(
             "--method",
             "How effects are found; occlusion: leave out each word; shapley: let words join in "
             "random orders, which also "
             "finds words that can replace each other; gradient: gradient times input, summed over "
             "the tokens of a word; integrated-gradients, or ig: gradients on the way from [PAD] "
             "to the "
             "text; lrp: layer-wise relevance, by one backward pass; exact: of a model without "
             "layers, whose logits are a sum over words (default: exact if the model has n-grams, "
             "else occlusion)"),
         method_, kExplanationMethods)
      ->option_text("METHOD")
      ->transform(
          [](const std::string& typed) { return typed == "ig" ? "integrated-gradients" : typed; });
  rule(command.get_option("--zero-shot")).needs("--method occlusion or shapley");
  choice(command.add_option(
             "--unit",
             "What has an effect; word: what blanks separate, and in scripts without blanks what "
             "the tokenizer separates; token: each token (default: word)"),
         unit_, kUnits)
      ->option_text("UNIT");
  rule(add_value(
           command, "--order N", order_,
           "Words to leave out at once; 2: also each pair of words, n(n-1)/2 more texts to score "
           "(default: 1)")
           ->check(whole_number(1, 2)),
       "2")
      .needs("--method occlusion", "because it leaves out pairs of words");
  {
    const NeedOfAll sampling(command, "--method shapley or --faithfulness");
    add_value(command, "--samples N", samples_,
              "The most orders of the words that are sampled (default: 200)")
        ->check(whole_number(ShapleyOptions::kFewestSamples, 1'000'000));
    add_value(command, "--seed N", seed_, "Seed of the orders of the words (default: 0)")
        ->check(whole_number(0, UINT64_MAX));
  }
  rule(command.add_flag("--flip", flip_,
                        "Also find the fewest words whose removal changes the label; tries all "
                        "sets of 1, 2, 3 … words while these are at most 5000 texts, then searches "
                        "with at most 5000 more"))
      .needs(kCanFlip);
  add_value(command, "--towards LABEL", towards_,
            "Explain why the label is not LABEL: the effects on the logit of the predicted label "
            "less that of LABEL");
  command.add_flag("--faithfulness", faithfulness_,
                   "Also measure all methods; how the prediction changes without the first 10 to "
                   "50 % of their words, or with only these");
}

void MethodOptions::check(const LabelSet& labels) const {
  check_fact(*command_, kCanFlip, can_flip(labels),
             labels.problem_type == ProblemType::regression ? ", but the model predicts a value"
             : labels.names.size() == 1                     ? ", but there is only one"
                                        : ", but without probabilities all are given");
}

void MethodOptions::check_towards(const GoldReader& labels, const RowOptions& rows) const {
  const bool has_true = rows.has_input() && !rows.fields().label.empty();
  if (!towards_ && !has_true) return;
  const std::string option = has_true ? "--label" : "--towards";
  if (towards_ && has_true) {
    throw UsageError(
        "--towards cannot be combined with --label, which names the label of each row");
  }
  if (labels.problem_type() != ProblemType::single_label) {
    throw UsageError(option + " needs a model that gives each text one label");
  }
  if (has_true || labels.find(*towards_)) return;
  const std::string near = did_you_mean(*towards_, labels.names());
  throw UsageError("--towards: the model has no label \"" + shortened(*towards_) + "\"; " +
                   (near.empty() ? "it has " + listed(labels.names(), 12) : near));
}

std::optional<std::size_t> MethodOptions::towards(
    const GoldReader& labels, const std::optional<std::string>& true_label) const {
  const auto& label = towards_ ? towards_ : true_label;
  return label ? labels.find(*label) : std::nullopt;
}

WordExplaining MethodOptions::explaining(const Description* model) const {
  WordExplaining how;
  how.method = method_;
  const bool is_default =
      command_->count("--method") == 0 && command_->count("--zero-shot") == 0 && order_ != 2;
  if (is_default && model != nullptr) how.method = default_method(*model);
  how.order = order_ == 2 ? ExplanationOrder::pairs : ExplanationOrder::words;
  how.shapley.samples = samples_.value_or(how.shapley.samples);
  how.shapley.seed = seed_.value_or(how.shapley.seed);
  how.flip = flip_;
  how.faithfulness = faithfulness_;
  return how;
}

}  // namespace headlight
