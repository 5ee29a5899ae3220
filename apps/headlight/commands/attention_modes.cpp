#include "commands/attention_modes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "commands/attention.h"
#include "options/help_group.h"
#include "options/options.h"

namespace headlight {
namespace {

constexpr std::array kAttentionModes = {
    AttentionMode{"", nullptr, "", "", show_attention},
    AttentionMode{
        "--difference",
        "The second text less the first, token by token; or the model of --compare less "
        "the other; blue is more, orange less",
        "svg or html",
        "--layers, --heads, --query, --numbers, --title, --head-names, --scale, --compare "
        "or --ablate",
        show_difference},
    AttentionMode{"--activations",
                  "Show the tokens' vectors after each layer instead; their norms, how far the "
                  "layer turned them, and their cosines",
                  "text, json or svg", "--title or --compare", show_activations},
    AttentionMode{"--verdicts",
                  "Show what the classification head says of the vectors after each layer instead",
                  "text or json", "", show_verdicts},
    AttentionMode{"--patch TEXT",
                  "Show instead what each vector of TEXT changes; how the logits change if one "
                  "token, at one layer, has its vector from the run of TEXT, which must have as "
                  "many tokens",
                  "text, json, svg or html", "--title", show_patching},
    AttentionMode{"--steps",
                  "Show instead how one head computes what a token attends to; q, k, scores, "
                  "weights, and the sum of the values, of --query (default: the first token); a "
                  "picture has all heads of a layer, their concatenation and its projection",
                  "text, json, svg or html", "--query, --head, --layers, --title or --head-names",
                  show_steps},
    AttentionMode{"--input", nullptr, "",
                  "--layers, --heads, --words, --weight, --rollout, "
                  "--stats or --digits",
                  show_rows},
    AttentionMode{"--live", nullptr, "", "--words or --compare", show_live}};

void add_option(CLI::App& command, const AttentionMode& mode) {
  const std::string help = mode.help;
  if (mode.option == mode.name()) {
    command.add_flag(mode.option, help);
  } else {
    command.add_option(mode.name(), help)
        ->option_text(mode.option + mode.name().size() + 1)
        ->check(not_empty());
  }
}

/// Refuses the options for weights that the mode does not take, and says which it takes.
void add_rules(CLI::Option& option, const AttentionMode& mode,
               const std::vector<CLI::Option*>& of_weights) {
  const std::string takes = mode.takes;
  option.description(option.get_description() + "; takes no option for attention weights" +
                     (takes.empty() ? "" : " but " + takes));
  for (const CLI::Option* other : of_weights) {
    const std::string name = other->get_name();
    if (!names_option(takes, name)) rule(&option).excludes(name).unlisted();
  }
  for (const AttentionMode& other : attention_modes()) {
    if (other.has_option() && &other != &mode) rule(&option).excludes(other.name()).unlisted();
  }
  if (*mode.formats != 0) rule(&option).needs(std::string("--format ") + mode.formats);
}

}  // namespace

std::string AttentionMode::name() const {
  const std::string_view words = option;
  return std::string(words.substr(0, words.find(' ')));
}

std::span<const AttentionMode> attention_modes() { return kAttentionModes; }

void add_modes_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  for (const AttentionMode& mode : kAttentionModes) {
    if (mode.help != nullptr) add_option(command, mode);
  }
}

void add_mode_rules_to(CLI::App& command, const std::vector<CLI::Option*>& of_weights) {
  for (const AttentionMode& mode : kAttentionModes) {
    if (mode.has_option()) add_rules(*command.get_option(mode.name()), mode, of_weights);
  }
}

const AttentionMode& attention_mode(const CLI::App& command) {
  const auto is_given = [&](const AttentionMode& mode) {
    return mode.has_option() && command.count(mode.name()) > 0;
  };
  const auto* const found = std::ranges::find_if(kAttentionModes, is_given);
  return found == kAttentionModes.end() ? kAttentionModes.front() : *found;
}

}  // namespace headlight
