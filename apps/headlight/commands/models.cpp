// headlight models: lists the models that --model NAME finds.

#include <memory>

#include <unistd.h>

#include "base/error.h"
#include "commands/command.h"
#include "options/help_group.h"
#include "options/options.h"
#include "report/models/model_report.h"

namespace headlight {
namespace {

struct Models {
  Console console;
  OutputOptions output;
  bool only_names = false;

  void check() const {
    if (only_names && output.path().empty() && ::isatty(STDOUT_FILENO) == 1) {
      throw UsageError("--names prints names as they are, which is not done on a terminal");
    }
  }

  int run() const {
    check();
    for (const auto& folder : model_folders()) console.detail("models of " + folder);
    std::vector<ListedModel> models;
    for (const auto& place : list_models()) {
      try {
        models.push_back({place, read_labels_only(place), bytes_of_files(place),
                          read_card_summary(place.directory)});
      } catch (const Error& error) {
        console.note(error.line());
      }
    }
    write_result(output, document(models));
    return kSuccess;
  }

  std::string document(const std::vector<ListedModel>& models) const {
    if (output.format() == OutputFormat::json) {
      return json_document(output.ascii(), [&](JsonWriter& json) { write_models(json, models); });
    }
    if (!only_names) return models_text(models, Console::columns());
    std::string names;
    for (const ListedModel& model : models) names += model.place.name + '\0';
    return names;
  }
};

}  // namespace

void add_models(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("models", "List the models that --model NAME finds");
  const auto models = std::make_shared<Models>();
  models->output.add_to(*command, {OutputFormat::text, OutputFormat::json});
  {
    const HelpGroup group(*command, kOutputGroup);
    rule(command->add_flag("--names", models->only_names,
                           "Print only the names, each with a zero byte behind it, for scripts"))
        .needs("--format text");
  }
  models->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight models\n"
      "  HEADLIGHT_MODELS=~/models headlight models --format json");
  command->callback([models, &runner] { runner = [models] { return models->run(); }; });
}

}  // namespace headlight
