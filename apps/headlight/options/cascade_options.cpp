#include "options/cascade_options.h"

#include <set>

#include "help/next_step.h"
#include "options/help_group.h"
#include "options/run_options.h"

namespace headlight {
namespace {

/// The share that "99.5%" is; empty unless it is between 0 and 1.
std::optional<double> parse_share(const std::string& text) {
  const bool is_percentage =
      text.ends_with('%') && number(0.0, 100.0)(text.substr(0, text.size() - 1)).empty();
  const double share = is_percentage ? std::stod(text) / 100.0 : 0.0;
  return share > 0.0 && share < 1.0 ? std::optional(share) : std::nullopt;
}

RulesOf add_then(CLI::App& command, std::string& then, const std::string& help) {
  const HelpGroup group(command, kModelGroup);
  CLI::Option* option = add_value(command, "--then NAME|DIR|CONFIG.json", then, help);
  return rule(mark(option->check(not_empty()), Effect::contents))
      .excludes("--zero-shot")
      .excludes("--ids", "which are those of one vocabulary")
      .needs(kLabelsTexts)
      .needs(kHasProbabilities);
}

}  // namespace

void CascadeOptions::add_to(CLI::App& batch, const ModelOptions& small) {
  command_ = &batch;
  small_ = &small;
  add_then(batch, then_, "A model for the rows that -m is not sure of; both have the same labels")
      .needs("--agree P% or --keep-above P")
      .excludes("--format hf or fasttext", "which have no place for the name of the model");
  const HelpGroup group(batch, kModelGroup);
  rule(
      mark(add_value(batch, "--agree P%", agree_,
                     "Keep as many rows as give the label of --then in P% of all rows; at the 95 % "
                     "level, if they are like those of headlight evaluate --then --write")
               ->check(readable_by(parse_share, "a percentage above 0% and below 100%")),
           Effect::nothing))
      .needs("--then NAME")
      .excludes("--keep-above");
  rule(mark(add_value(batch, "--keep-above P", keep_above_,
                      "Pass on rows whose label has a lower probability")
                ->check(fraction()),
            Effect::nothing))
      .needs("--then NAME");
}

void CascadeOptions::add_measuring_to(CLI::App& evaluate, const ModelOptions& small) {
  command_ = &evaluate;
  small_ = &small;
  add_then(
      evaluate, then_,
      "Also measure the cascade with this model; it answers the rows that the model of -m is not "
      "sure of");
  const HelpGroup group(evaluate, kOutputGroup);
  rule(evaluate.add_flag("--write", writes_,
                         "Store the thresholds in cascade.json beside the config of -m, for "
                         "headlight batch --agree"))
      .needs("--then NAME");
}

std::optional<double> CascadeOptions::agreement() const { return parse_share(agree_); }

void CascadeOptions::check_probabilities(bool are_there) const {
  check_fact(*command_, kHasProbabilities, are_there, "; there are none without an activation");
}

Origin::Facts CascadeOptions::score_options() const {
  const std::set<std::string> of_scores = {"--activation", "--among",      "--long",
                                           "--max-length", "--plain-text", "--precision",
                                           "--prepend",    "--stride"};
  Origin::Facts facts = given_options(*command_);
  std::erase_if(facts, [&](const auto& option) { return !of_scores.contains(option.first); });
  return facts;
}

std::string CascadeOptions::command(const std::string& name) const {
  std::string words =
      "headlight " + name + " FILE" + small_->again() + " --then " + ModelOptions::typed(then_);
  for (const auto& [option, value] : score_options()) {
    words += ' ' + option + (value == "given" ? "" : ' ' + shell_word(value));
  }
  return words;
}

}  // namespace headlight
