#include "options/zero_shot_options.h"

#include "base/utf8.h"
#include "classifier/one_pass_zero_shot.h"
#include "options/help_group.h"
#include "options/text_options.h"

namespace headlight {
namespace {

CLI::Validator utf8() {
  const auto check = [](const std::string& text) -> std::string {
    const auto bad = find_bad_utf8(text);
    return bad ? "is not valid UTF-8 at byte " + std::to_string(*bad) : "";
  };
  return {check, ""};
}

bool is_hypothesis(const std::string& text) {
  const std::size_t first = text.find(kLabelPlace);
  return first != std::string::npos && text.find(kLabelPlace, first + 1) == std::string::npos;
}

}  // namespace

void ZeroShotOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kZeroShotGroup);
  rule(add_value(command, "--zero-shot LABEL,...", lists_,
                 "Classify with labels of yours, separated by commas; the model was trained on "
                 "entailment (NLI), or is GLiClass")
           ->check(utf8())
           ->allow_extra_args(false))
      .excludes("--pair, --pair-text, --ids, --activation or --among")
      .needs(kLabelsTexts);
  const NeedOfAll others(command, "--zero-shot");
  add_value(command, "--template TEXT", template_,
            "Hypothesis for a label (default: " + template_ + ")")
      ->check(utf8())
      ->check(readable_by(is_hypothesis, "one {} where the label goes"));
  command.add_flag("--multi-label", multi_label_, "Score each label separately");
  add_value(command, "--entailment LABEL", entailment_,
            "The model's label for entailment (default: the first that begins with entail, or "
            "the last of labels without names)")
      ->check(not_empty());
}

std::vector<std::string> ZeroShotOptions::candidates() const {
  std::vector<std::string> labels = labels_in("--zero-shot", lists_);
  if (labels.empty()) throw UsageError("--zero-shot has no label");
  return labels;
}

LabelSet ZeroShotOptions::labels(const Model& model, const ClassifierOptions& options,
                                 const Console& console) const {
  require_vocabulary(model, options);
  note_unused_limits(model, options, console);
  if (is_used()) require_layers(model, "--zero-shot");
  const std::size_t room = token_room(model, options);
  if (options.stride && *options.stride >= room) {
    throw UsageError("--stride " + std::to_string(*options.stride) + " must be less than the " +
                     std::to_string(room) + " tokens of text in a window");
  }
  if (lists_.empty()) {
    require_head(model);
    return labels_of(model, options);
  }
  const ZeroShotTask wanted = task();
  if (model.description.label_reading) {
    if (wanted.hypothesis != ZeroShotTask().hypothesis || !wanted.entailment.empty()) {
      throw UsageError("--template and --entailment are for models trained on entailment; " +
                       model.place.name + " reads the labels themselves");
    }
    return OnePassZeroShotClassifier(model, options, wanted).labels();
  }
  const EntailmentLabels found = entailment_of(model, wanted.entailment);
  if (found.guessed) {
    console.note(model.place.name + ": its labels have no names; " +
                 model.description.labels[found.entailment] +
                 " is used as entailment; --entailment LABEL names another");
  }
  return labels_of(wanted);
}

std::unique_ptr<TextClassifier> ZeroShotOptions::classifier(
    const Model& model, const ClassifierOptions& options) const {
  if (lists_.empty()) return make_classifier(model, options);
  if (model.description.label_reading) {
    return std::make_unique<OnePassZeroShotClassifier>(model, options, task());
  }
  return std::make_unique<ZeroShotClassifier>(model, options, task());
}

}  // namespace headlight
