#include "options/ablation_options.h"

#include "base/error.h"
#include "options/choice.h"
#include "options/help_group.h"

namespace headlight {
namespace {

const char* parts_named(PartKind kind) {
  switch (kind) {
    case PartKind::head:
      return "heads";
    case PartKind::layer:
      return "layers";
    default:
      return "feed-forwards";
  }
}

}  // namespace

void AblationOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  CLI::Option* ablate =
      choice(command.add_option("--ablate",
                                "Take out each head, layer or feed-forward in turn: how the "
                                "measures change, with intervals"),
             kind_,
             {{"heads", PartKind::head},
              {"layers", PartKind::layer},
              {"feed-forwards", PartKind::feed_forward}})
          ->option_text("PARTS");
  choice(command.add_option("--ablate-with",
                            "What replaces the output of a head: zeros, or its mean over the file"),
         with_, {{"zero", With::zero}, {"mean", With::mean}})
      ->needs(ablate)
      ->option_text("VALUE");
  for (const char* other : {"--zero-shot", "--attention-stats", "--compare"}) {
    ablate->excludes(command.get_option(other));
  }
}

void AblationOptions::check(const TextOptions& text) const {
  if (!wanted()) return;
  text.refuse_windows("--ablate");
  if (by_mean() && kind_ != PartKind::head) {
    throw UsageError(std::string("--ablate-with mean replaces heads, not ") + parts_named(*kind_) +
                     "; use --ablate heads");
  }
}

void AblationOptions::refuse_tokens() const {
  if (wanted()) throw UsageError("--ablate is for models that label texts, not tokens");
}

std::optional<AblationSums> AblationOptions::sums(const Model& model,
                                                  const LabelSet& labels) const {
  if (!wanted()) return std::nullopt;
  const std::vector<Part> parts = parts_of(model.description, *kind_);
  if (parts.empty()) {
    throw Error(model.place.path, std::string("has no ") + parts_named(*kind_) + " to take out");
  }
  return AblationSums(labels, parts, by_mean());
}

std::vector<PartAway> AblationOptions::parts(const Description& model) const {
  std::vector<PartAway> parts;
  for (const Part& part : parts_of(model, *kind_)) parts.push_back({part});
  return parts;
}

}  // namespace headlight
