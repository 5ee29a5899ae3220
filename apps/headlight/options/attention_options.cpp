#include "options/attention_options.h"

#include <set>
#include <string_view>

#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/number_list.h"
#include "options/options.h"

namespace headlight {
void AttentionOptions::add_to(CLI::App& command) {
  constexpr std::uint64_t kMostDigits = 17;
  const HelpGroup group(command, kResultGroup);
  const auto list = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help)->check(not_empty())->option_text("LIST");
  };
  list("--layers", layers_, "Only these layers, counted from 0, such as 0,2-4");
  list("--heads", heads_, "Only these heads of each layer, counted from 0");
  add_value(command, "--query TOKEN", query_,
            "Only the rows of this token, or of the token at this position (7 or #7)")
      ->check(not_empty());
  command.add_flag("--words", words_,
                   "Words instead of tokens: weights are summed over the keys of a word and "
                   "averaged over its queries; also for --stats");
  choice(command.add_option("--weight",
                            "Kind of attention weights; norm: each weight times the norm of its "
                            "transformed value vector (Kobayashi et al. 2020)"),
         weight_, {{"bare", Weight::bare}, {"norm", Weight::norm}})
      ->option_text("KIND");
  command.add_flag(
      "--rollout", rollout_,
      "Attention rollout through all layers (Abnar and Zuidema 2020) instead of single heads");
  command.add_flag("--stats", statistics_,
                   "Statistics of each head (entropy, distance, …), the rollout, and the tokens' "
                   "share in the pooled vector: text or json");
  add_value(command, "--digits N", digits_, "Round numbers to N decimals: text or json")
      ->check(whole_number(0, kMostDigits));
  command.add_flag("--numbers", numbers_, "Show the numbers in the cells: text or svg");
}

std::vector<AttentionOptions::Asked> AttentionOptions::asked() const {
  return {
      {"--layers", !layers_.empty(), 0},          {"--heads", !heads_.empty(), 0},
      {"--query", has_query(), kTakesQuery},      {"--words", words_, 0},
      {"--weight norm", weighted(), kTakesNorms}, {"--rollout", rollout_, kTakesRollout},
      {"--stats", statistics_, kTakesStatistics}, {"--digits", digits_.has_value(), kTakesDigits},
      {"--numbers", numbers_, kTakesNumbers}};
}

void AttentionOptions::check(const std::string& format, unsigned features) const {
  const std::set<std::string_view> against_statistics = {"--query", "--weight norm", "--rollout",
                                                         "--numbers"};
  const std::set<std::string_view> against_rollout = {"--layers", "--heads", "--weight norm"};
  for (const auto& [name, given, feature] : asked()) {
    if (!given) continue;
    const std::string option = name;
    if ((feature & ~features) != 0) {
      throw UsageError(option + " cannot be combined with --format " + format);
    }
    if (statistics_ && against_statistics.contains(option)) {
      throw UsageError(option +
                       " cannot be combined with --stats, which measures all bare weights");
    }
    if (rollout_ && against_rollout.contains(option)) {
      throw UsageError(option +
                       " cannot be combined with --rollout, which covers all layers and heads");
    }
  }
}

void AttentionOptions::refuse_all(const std::string& beside) const {
  for (const Asked& option : asked()) {
    if (option.given)
      throw UsageError(std::string(option.name) + " cannot be combined with " + beside);
  }
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
