// headlight init CONFIG -o DIR: creates a model directory with seeded random weights.

#include "model/init.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "commands/command.h"
#include "help/next_step.h"
#include "options/help_group.h"
#include "options/options.h"

namespace headlight {
namespace {

struct Init {
  std::string config;
  std::string directory;
  std::uint64_t seed = 0;
  bool force = false;
  bool lists = false;
  bool as_json = false;
  Console console;

  int run() const {
    console.detail("config " + locate_model(config, "").config);
    if (lists) return list();
    if (directory.empty()) throw UsageError("--output is required");
    init_model(config, directory, seed, force, as_json);
    console.note("wrote " + directory + " with random weights (seed " + std::to_string(seed) + ")");
    const std::string command = reads_text() ? "classify" : "inspect";
    say_next(console, "headlight " + command + " -m " + shell_path(directory) +
                          (reads_text() ? R"( "…")" : ""));
    return kSuccess;
  }

  /// A line a tensor: name and shape.
  int list() const {
    const auto tensors = tensors_of_config(config);
    std::size_t width = 0;
    for (const auto& [name, shape] : tensors) width = std::max(width, name.size());
    std::string text;
    for (const auto& [name, shape] : tensors) {
      text += name + std::string(width - name.size() + 2, ' ') + to_string(shape) + '\n';
    }
    write_result(OutputOptions(), text);
    console.note("the weights of linear layers are [out, in]");
    return kSuccess;
  }

  /// Whether the new model has a vocabulary.
  bool reads_text() const {
    return file_exists(directory + "/vocab.txt") || file_exists(directory + "/tokenizer.json") ||
           read_json_file(directory + "/config.json").contains("tokenizer");
  }
};

}  // namespace

void add_init(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("init", "Create a model directory with random weights for a config");
  const auto init = std::make_shared<Init>();
  command->add_option("CONFIG", init->config, "A native config, or a model whose config to use")
      ->required();
  const HelpGroup group(*command, kOutputGroup);
  add_value(*command, "-o,--output DIR", init->directory, "The directory to create")
      ->group(kOftenGroup)
      ->check(output_name());
  add_value(*command, "--seed N", init->seed, "Seed of the random weights (default: 0)")
      ->check(whole_number(0, UINT64_MAX));
  command->add_flag("-f,--force", init->force, "Replace files that exist");
  rule(command->add_flag("--list", init->lists,
                         "Print the tensors that the config asks for; write nothing"))
      .excludes("--output")
      .excludes("--json");
  command->add_flag("--json", init->as_json,
                    "Write the weights as weights.json, to be changed by hand");
  init->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight init configs/encoder-block.json -o block\n"
      "  headlight init configs/causal.json -o causal --seed 7\n"
      "  headlight init configs/one-head.json --list");
  command->callback([init, &runner] { runner = [init] { return init->run(); }; });
}

}  // namespace headlight
