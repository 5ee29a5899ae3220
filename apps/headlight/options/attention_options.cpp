#include "options/attention_options.h"

#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/number_list.h"
#include "options/options.h"

namespace headlight {

std::string formats_with(unsigned feature) {
  std::vector<std::string> names;
  for (const AttentionFormat& format : attention_formats()) {
    if ((format.features & feature) != 0) names.emplace_back(format.name);
  }
  return "--format " + alternatives(names);
}

void AttentionOptions::add_to(CLI::App& command) {
  constexpr std::uint64_t kMostDigits = 17;
  const std::string others = "--activations, --verdicts or --patch";
  const std::string bare = "which measures all bare weights";
  const std::string whole = "which covers all layers and heads";
  const HelpGroup group(command, kResultGroup);
  const auto list = [&](const char* name, std::string& value, const char* help) {
    rule(command.add_option(name, value, help)->check(not_empty())->option_text("LIST"))
        .excludes("--rollout", whole)
        .excludes(others);
  };
  list("--layers", layers_, "Only these layers, counted from 0, such as 0,2-4");
  list("--heads", heads_, "Only these heads of each layer, counted from 0");
  rule(add_value(command, "--query TOKEN", query_,
                 "Only the rows of this token, or of the token at this position (7 or #7)")
           ->check(not_empty()))
      .needs(formats_with(kTakesQuery))
      .excludes("--stats", bare)
      .excludes(others);
  rule(command.add_flag("--words", words_,
                        "Words instead of tokens: weights are summed over the keys of a word and "
                        "averaged over its queries; also for --stats"))
      .excludes(others);
  rule(choice(command.add_option("--weight",
                                 "Kind of attention weights; norm: each weight times the norm of "
                                 "its transformed value vector (Kobayashi et al. 2020)"),
              weight_, {{"bare", Weight::bare}, {"norm", Weight::norm}})
           ->option_text("KIND"),
       "norm")
      .needs(formats_with(kTakesNorms))
      .excludes("--stats", bare)
      .excludes("--rollout", whole)
      .excludes(others);
  rule(command.add_flag("--rollout", rollout_,
                        "Attention rollout through all layers (Abnar and Zuidema 2020) instead of "
                        "single heads"))
      .needs(formats_with(kTakesRollout))
      .excludes("--stats", bare)
      .excludes(others);
  rule(command.add_flag("--stats", statistics_,
                        "Statistics of each head (entropy, distance, …), the rollout, and the "
                        "tokens' share in the pooled vector"))
      .needs(formats_with(kTakesStatistics))
      .excludes(others);
  rule(add_value(command, "--digits N", digits_, "Round numbers to N decimals")
           ->check(whole_number(0, kMostDigits)))
      .needs(formats_with(kTakesDigits))
      .excludes(others);
  rule(command.add_flag("--numbers", numbers_, "Show the numbers in the cells"))
      .needs(formats_with(kTakesNumbers))
      .excludes("--stats", bare)
      .excludes(others);
}

AttentionChoice AttentionOptions::choose(const Description& model, const Encoding& encoding,
                                         const TextInput& input) const {
  AttentionChoice choice = whole_attention(model, encoding);
  if (!layers_.empty()) {
    choice.layers = parse_numbers("--layers", "layer", layers_, choice.layers.size());
  }
  if (!heads_.empty()) {
    choice.heads = parse_numbers("--heads", "head", heads_, choice.heads.size());
  }
  if (words_) choose_words(choice, encoding, input);
  choice.weighted = weighted();
  choice.rollout = rollout_;
  if (!has_query()) return choice;
  choice.queries = units_named(choice, encoding, input, query_);
  if (choice.queries.empty()) {
    constexpr std::size_t kMostListed = 50;
    std::vector<std::string> names;
    for (const TokenWord& unit : choice.units) names.push_back(unit.text);
    throw UsageError("--query: found \"" + shortened(query_) + "\", expected a position below " +
                     std::to_string(names.size()) + " or one of " + listed(names, kMostListed));
  }
  return choice;
}

}  // namespace headlight
