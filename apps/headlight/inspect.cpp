// headlight inspect: what the model is.

#include <memory>

#include "command.h"
#include "options.h"
#include "report/model_report.h"

namespace headlight {
namespace {

struct Inspect {
  Console console;
  ModelOptions model;
  OutputOptions output;

  int run() const {
    const Model loaded = model.load(console, true);
    std::string document;
    if (output.format() == "json") {
      JsonWriter json(document, output.ascii());
      write_model(json, loaded);
      document += '\n';
    } else {
      document = model_text(loaded);
    }
    Result result(output);
    result.output().write(document);
    result.finish();
    return kSuccess;
  }
};

}  // namespace

void add_inspect(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("inspect", "Say what a model is, and what in its folder contradicts what");
  const auto inspect = std::make_shared<Inspect>();
  inspect->model.add_to(*command);
  inspect->output.add_to(*command, {"text", "json"});
  inspect->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight inspect\n"
      "  headlight inspect -m path/to/model --format json");
  command->callback([inspect, &runner] { runner = [inspect] { return inspect->run(); }; });
}

}  // namespace headlight
