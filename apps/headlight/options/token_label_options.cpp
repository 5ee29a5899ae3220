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

bool is_given(const CLI::App& command, const char* name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

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
  choice(command.add_option("--aggregate",
                            "With a model that labels tokens: how tokens become entities; first, "
                            "average and max give each word one label"),
         aggregation_, ways)
      ->option_text("HOW");
}

void TokenLabelOptions::check(const Model& model) const {
  if (model.description.pooling != Pooling::each_token) {
    if (!is_given(*command_, "--aggregate")) return;
    throw UsageError("--aggregate needs a model that labels tokens; " + model.place.name +
                     " labels texts");
  }
  for (const char* name : {"--zero-shot", "--pair", "--pair-text", "--top-k", "--probabilities",
                           "--activation", "--prepend", "--fit-temperature", "--fit-thresholds",
                           "--label-map", "--attention-stats", "--html", "--errors"}) {
    if (!is_given(*command_, name)) continue;
    throw UsageError(std::string(name) + " needs a model that labels texts; " + model.place.name +
                     " labels each token");
  }
  if (needs_words(aggregation_) && is_given(*command_, "--ids")) {
    throw UsageError(
        "--aggregate first, average and max need the words of a text, but --ids gives "
        "no words");
  }
}

}  // namespace headlight
