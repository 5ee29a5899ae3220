#include "options/ablation_options.h"

#include "options/choice.h"
#include "options/help_group.h"
#include "options/number_list.h"

namespace headlight {
void AblationOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  const auto parts_or_heads = [](const std::string& typed) -> std::string {
    if (value_of(typed, kPartsWords) || typed.find('.') != std::string::npos) return "";
    return "found \"" + shortened(typed) +
           "\", expected heads, layers, feed-forwards, or heads such as 1.10,2.3 (layer.head)";
  };
  rule(add_value(command, "--ablate PARTS|LIST", ablated_,
                 "Take out each of heads, layers or feed-forwards in turn, or the heads of a list "
                 "at once, such as 1.10,2.3 (layer.head): how the measures change, with intervals")
           ->check(CLI::Validator(parts_or_heads, "")))
      .needs(kLabelsTexts);
  rule(choice(
           command.add_option("--attribute",
                              "Estimate by one backward pass per row what each head, neuron or "
                              "layer is worth: how much the loss rises without it; parts are "
                              "taken out for 32 rows, and the correlation is shown"),
           attributed_,
           {{"heads", PartKind::head}, {"neurons", PartKind::neuron}, {"layers", PartKind::layer}})
           ->option_text("PARTS"))
      .needs(kLabelsTexts);
}

AblationPlan AblationOptions::plan(const Description& model) const {
  const auto kind = value_of(ablated_, kPartsWords);
  AblationPlan plan{kind.value_or(PartKind::head)};
  if (!kind) plan.together = parse_heads("--ablate", ablated_, model);
  return plan;
}

}  // namespace headlight
