#include "options/vector_options.h"

#include "base/error.h"
#include "base/file_guard.h"
#include "base/placing.h"
#include "options/choice.h"
#include "options/help_group.h"

namespace headlight {

void use_modules(const SentenceModules& modules, Model& model, const Console& console) {
  for (const auto& file : modules.files) guard_input(file);
  model.files.insert(model.files.end(), modules.files.begin(), modules.files.end());
  apply_reading(modules, model);
  if (!modules.note.empty()) console.note(modules.note);
}

void add_pooling(CLI::App& command, std::optional<TokenPooling>& pooling) {
  const HelpGroup model(command, kModelGroup);
  choice(command.add_option("--pooling",
                            "Pool the vectors of the tokens in this way, instead of the pooling "
                            "and the other modules of the model"),
         pooling,
         {{"cls", TokenPooling::cls},
          {"mean", TokenPooling::mean},
          {"max", TokenPooling::max},
          {"last", TokenPooling::last}})
      ->option_text("KIND");
}

void VectorOptions::add_to(CLI::App& command) {
  add_pooling(command, pooling);
  const HelpGroup model(command, kModelGroup);
  rule(add_value(command, "--prompt NAME", prompt,
                 "Put this prompt before each text, instead of the default one; NAME is in "
                 "config_sentence_transformers.json"))
      .excludes("--ids", "which contain all tokens");
  const HelpGroup output(command, kOutputGroup);
  rule(command.add_flag("--half", is_half, "Write float16 instead of float32"))
      .needs("--format npy");
}

void VectorOptions::check(const OutputOptions& output) {
  if (output.format() == OutputFormat::npy && target_at(output.path()) == Target::special) {
    throw Error(output.path(), "is not a regular file, and the header of npy is completed last",
                "--format jsonl writes to pipes and devices");
  }
}

}  // namespace headlight
