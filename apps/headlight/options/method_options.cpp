#include "options/method_options.h"

#include "base/error.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/options.h"

namespace headlight {

void MethodOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  choice(command.add_option(
             "--method",
             "occlusion: leave out each word; shapley: let words join in random orders, which also "
             "finds words that can replace each other; gradient: gradient times input, summed over "
             "the tokens of a word; integrated-gradients: gradients on the way from [PAD] to the "
             "text"),
         method_, kExplanationMethods)
      ->option_text("METHOD");
  rule(command.get_option("--zero-shot")).needs("--method occlusion or shapley");
  rule(add_value(command, "--order N", order_,
                 "1: leave out each word; 2: also each pair of words, n(n-1)/2 more texts to score "
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
  command.add_flag("--faithfulness", faithfulness_,
                   "Also measure all methods: how the prediction changes without the first 10 to "
                   "50 % of their words, or with only these");
}

ShapleyOptions MethodOptions::shapley() const {
  ShapleyOptions options;
  options.samples = samples_.value_or(options.samples);
  options.seed = seed_.value_or(options.seed);
  return options;
}

WordExplaining MethodOptions::explaining() const {
  return {method_, order_ == 2 ? ExplanationOrder::pairs : ExplanationOrder::words, shapley(),
          faithfulness_};
}

std::size_t MethodOptions::texts_for(std::size_t words) const {
  if (is_by_gradients(method_)) return 1;
  if (method_ == ExplanationMethod::shapley) return shapley_texts(words, shapley());
  return texts_to_score(words, explaining().order);
}

std::string MethodOptions::texts_named() const {
  if (is_by_gradients(method_)) return "each whole text";
  if (method_ == ExplanationMethod::shapley) return "each text with sets of its words, at most";
  return std::string("each whole text, and without each of its words") +
         (order_ == 2 ? " and each pair of words" : "");
}

}  // namespace headlight
