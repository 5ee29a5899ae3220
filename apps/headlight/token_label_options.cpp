#include "token_label_options.h"

#include <string>

#include "choice.h"
#include "options.h"

namespace headlight {
namespace {

bool is_given(const CLI::App& command, const char* name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

}  // namespace

void TokenLabelOptions::add_to(CLI::App& command) {
  command_ = &command;
  choice(command.add_option("--aggregate",
                            "With a model that labels tokens: how tokens become entities; first, "
                            "average and max give each word one label"),
         aggregation_,
         {{"none", Aggregation::none},
          {"simple", Aggregation::simple},
          {"first", Aggregation::first},
          {"average", Aggregation::average},
          {"max", Aggregation::max}})
      ->option_text("HOW");
}

void TokenLabelOptions::check(const Model& model) const {
  if (model.description.pooling != Pooling::each_token) {
    if (!is_given(*command_, "--aggregate")) return;
    throw UsageError("--aggregate needs a model that labels tokens; " + model.place.name +
                     " labels texts");
  }
  for (const char* name :
       {"--zero-shot", "--pair", "--pair-text", "--top-k", "--probabilities", "--activation",
        "--prepend", "--fit-temperature", "--fit-thresholds", "--label-map"}) {
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
