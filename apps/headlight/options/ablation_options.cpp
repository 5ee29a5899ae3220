#include "options/ablation_options.h"

#include "base/error.h"
#include "options/choice.h"
#include "options/help_group.h"

namespace headlight {

void AblationOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  CLI::Option* ablate =
      choice(command.add_option("--ablate",
                                "Take out each head, layer or feed-forward in turn: how the "
                                "measures change, with intervals"),
             kind_, kPartsWords)
          ->option_text("PARTS");
  rule(ablate)
      .excludes("--zero-shot, --attention-stats or --compare")
      .excludes("--long window", "which averages only logits")
      .needs(kLabelsTexts);
  CLI::Option* with =
      choice(command.add_option("--ablate-with",
                                "What replaces the output of a head: zeros, or its mean over the "
                                "file"),
             with_, {{"zero", With::zero}, {"mean", With::mean}})
          ->option_text("VALUE");
  rule(with).needs("--ablate");
  rule(with, "mean").needs("--ablate heads");
  CLI::Option* attribute =
      choice(
          command.add_option("--attribute",
                             "Estimate by one backward pass per row what each head, neuron or "
                             "layer is worth: how much the loss rises without it; parts are "
                             "taken out for 32 rows, and the correlation is shown"),
          attributed_,
          {{"heads", PartKind::head}, {"neurons", PartKind::neuron}, {"layers", PartKind::layer}})
          ->option_text("PARTS");
  rule(attribute)
      .excludes("--zero-shot, --attention-stats, --compare or --ablate")
      .excludes("--long window", "which averages only logits")
      .needs(kLabelsTexts);
  rule(choice(command.add_option("--attribute-rules",
                                 "The gradient, or the relevance of explain --method lrp"),
              rules_,
              {{"gradient", BackwardRules::gradient}, {"relevance", BackwardRules::relevance}})
           ->option_text("RULES"))
      .needs("--attribute");
}

std::optional<AblationSums> AblationOptions::sums(const Model& model,
                                                  const LabelSet& labels) const {
  if (!wanted()) return std::nullopt;
  const std::vector<Part> parts = parts_of(model.description, *kind_);
  if (parts.empty()) {
    throw Error(model.place.path,
                std::string("has no ") + word_for(*kind_, kPartsWords) + " to take out");
  }
  return AblationSums(labels, parts, by_mean());
}

std::vector<PartAway> AblationOptions::parts(const Description& model) const {
  std::vector<PartAway> parts;
  for (const Part& part : parts_of(model, *kind_)) parts.push_back({part});
  return parts;
}

}  // namespace headlight
