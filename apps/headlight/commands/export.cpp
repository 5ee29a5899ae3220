// headlight export -m MODEL -o DIR --layout NAME: writes a model as other programs read it.

#include <memory>

#include "commands/command.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/options.h"
#include "training/directory/exported_model.h"

namespace headlight {
namespace {

struct ExportCommand {
  ModelOptions model;
  Console console;
  ExportLayout layout = ExportLayout::bert;
  std::string directory;
  bool force = false;
};

}  // namespace

void add_export(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "export", "Write a model in the layout of transformers, sentence-transformers or model2vec");
  const auto exporting = std::make_shared<ExportCommand>();
  exporting->model.add_to(*command);
  const HelpGroup group(*command, kOutputGroup);
  choice(command->add_option(
             "--layout",
             "How it is written; sentence-transformers has poolings, too; static is a table of "
             "vectors; headlight takes any encoder"),
         exporting->layout, kExportLayoutWords)
      ->option_text("LAYOUT")
      ->required();
  add_value(*command, "-o,--output DIR", exporting->directory, "The directory to create")
      ->group(kOftenGroup)
      ->check(output_name())
      ->required();
  command->add_flag("-f,--force", exporting->force, "Replace a model that exists");
  exporting->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight export --layout sentence-transformers -m sentiment -o for-others\n"
      "  headlight export --layout bert -m encoder -o bert");
  command->callback([exporting, &runner] {
    runner = [exporting] {
      export_model(exporting->model.load(exporting->console), exporting->layout,
                   exporting->directory, exporting->force);
      return kSuccess;
    };
  });
}

}  // namespace headlight
