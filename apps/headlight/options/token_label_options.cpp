#include "options/token_label_options.h"

#include <array>
#include <string>

#include "options/help_group.h"
#include "options/options.h"

namespace headlight {
namespace {

constexpr std::array<Choice<Aggregation>, 4> kEntityWays = {{{"simple", Aggregation::simple},
                                                             {"first", Aggregation::first},
                                                             {"average", Aggregation::average},
                                                             {"max", Aggregation::max}}};

}  // namespace

void TokenLabelOptions::add_to(CLI::App& command) {
  std::vector<Choice<Aggregation>> ways = {{"none", Aggregation::none}};
  ways.insert(ways.end(), kEntityWays.begin(), kEntityWays.end());
  add_ways_to(command, ways);
}

void TokenLabelOptions::add_entities_to(CLI::App& command) {
  add_ways_to(command, {kEntityWays.begin(), kEntityWays.end()});
}

void TokenLabelOptions::add_ways_to(CLI::App& command,
                                    const std::vector<Choice<Aggregation>>& ways) {
  command_ = &command;
  const HelpGroup group(command, kResultGroup);
  CLI::Option* option =
      choice(command.add_option("--aggregate",
                                "How tokens become entities; first, average and max give each word "
                                "one label"),
             aggregation_, ways)
          ->option_text("HOW");
  rule(option).needs(kLabelsTokens);
  rule(option, "first, average or max").excludes("--ids", "which give no words");
}

void TokenLabelOptions::check(const Model& model) const {
  const bool labels_tokens = model.description.pooling == Pooling::each_token;
  check_fact(*command_, kLabelsTokens, labels_tokens, "; " + model.place.name + " labels texts");
  check_fact(*command_, kLabelsTexts, !labels_tokens,
             "; " + model.place.name + " labels each token");
}

}  // namespace headlight
