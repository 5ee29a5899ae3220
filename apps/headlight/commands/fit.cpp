// headlight fit FILE -o DIR: trains a classifier on labelled rows.

#include <memory>
#include <utility>

#include "base/build.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/placing.h"
#include "commands/command.h"
#include "commands/fit_check.h"
#include "help/next_step.h"
#include "options/engine_options.h"
#include "options/number_list.h"
#include "options/output_options.h"
#include "options/provenance.h"
#include "options/run_options.h"
#include "options/training_options.h"
#include "report/training/fit_report.h"
#include "terminal/training_progress.h"
#include "training/directory/training_facts.h"

namespace headlight {
namespace {

struct FitCommand {
  RowOptions rows;
  ModelOptions model{"encoder"};
  TrainingOptions plan;
  ProgressOptions progress;
  EngineOptions engine_options;
  Console console;
  const CLI::App* command = nullptr;

  int run() {
    if (plan.output.empty() && plan.check_file.empty()) {
      throw UsageError("--output DIR is needed, the directory to create, or --check FILE");
    }
    const Engine engine = engine_options.start(console);
    const FitCheck check{*command, rows, plan, progress, console, engine};
    if (!plan.check_file.empty()) return check.run([this] { return load_start(); });
    rows.check();
    plan.data.has_labels = plan.has_labels(rows);
    plan.reads_pairs = rows.fields().pair.has_value();
    check_fact(*command, kHasLabels, plan.data.has_labels);
    if (plan.data.has_labels) rows.require_labels();
    check_output(plan);
    watch_signals();
    if (!plan.numbers_of.empty()) {
      plan.data.earlier = earlier_model(locate_model(plan.numbers_of, ""));
    }
    FitStart start = load_start();
    plan.origin = {build_name(), given_options(*command), {},
                   {},           engine.arithmetic(),     plan.accepts_build};
    plan.command_line = training_command(*command, rows.files(), plan);
    const RowOptions chosen = plan.data.has_labels ? rows : rows.without_labels();
    const auto train = chosen.open(console, /*keep=*/!plan.teacher_logits.empty());
    FitRows files{*train};
    std::unique_ptr<RowReader> dev;
    if (!plan.dev_file.empty()) {
      dev = rows.of_file(plan.dev_file).open(console);
      files.dev = &*dev;
    }
    FitProgress watch(console, progress.style(console));
    if (!plan.problems_file.empty()) {
      watch.write_problems = [this](const std::string& lines) { write_problems(lines); };
    }
    return finish(fit(std::move(start), files, plan, engine, watch));
  }

  /// A resumed run has the same problems as the one that was stopped.
  void write_problems(const std::string& lines) const {
    const std::string& path = plan.problems_file;
    const bool repeats = plan.resume && target_at(path) == Target::file;
    if (repeats && MappedFile(path).text() == lines) return;
    if (repeats) {
      throw Error(path, "exists already and does not have the problems of these rows", "rename it");
    }
    OutputFile file(path, plan.force);
    file.output().write(lines);
    file.finish();
  }

  FitStart load_start() {
    FitStart start;
    const bool is_static = plan.part == TrainedPart::no_layers;
    const bool needs_none = is_static && command->count("--model") == 0;
    const bool is_missing = !needs_none && model.is_missing_preset();
    if (!is_missing && !needs_none) start.bare = model.place();
    const bool is_bare = !is_missing && start.bare.weights.empty();
    const bool trains_all = is_bare || is_static || plan.trains_all();
    const bool tries_several = !is_bare && !is_static && plan.tries_several();
    plan.start_is_default = command->count("--model") == 0;
    check_fact(*command, kTriesSeveral, tries_several);
    check_fact(*command, kTrainsOne, !tries_several);
    check_fact(*command, kHasWeights, !is_bare && !is_static);
    check_fact(*command, kTrainsAll, trains_all && !is_static);
    check_fact(*command, kTrainsEncoder,
               (trains_all && !is_static) || plan.part == TrainedPart::contrastive);
    check_fact(*command, kTrainsVectors, trains_all);
    if (is_missing) {
      throw UsageError(
          "no model is named, and no model named encoder is installed; -m names the "
          "model to start from");
    }
    if (is_bare) return start;
    start.model = model.load(console);
    if (!plan.kept_layers_as_given.empty()) {
      plan.kept_layers = parse_numbers("--keep-layers", "layer", plan.kept_layers_as_given,
                                       start.model->description.layers.size());
    }
    return start;
  }

  int finish(const Fit& made) const {
    if (made.end == FitEnd::already_complete) return kSuccess;
    if (made.end != FitEnd::stopped_at_once) {
      print(plan.is_json ? with_provenance(fit_json(made)) : fit_text(made));
      console.note("wrote " + plan.output);
    }
    if (made.end != FitEnd::finished) return kSignalBase + caught_signal();
    const std::string model_name = shell_path(plan.output);
    say_next(console, plan.data.has_labels
                          ? "headlight classify -m " + model_name + R"( "…")"
                          : "headlight fit ROWS -m " + model_name + " -o my-model");
    return made.errors == 0 || plan.errors_ok ? kSuccess : kTextErrors;
  }
};

}  // namespace

void add_fit(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("fit", "Train a classifier on labelled rows and write its directory");
  const auto fit = std::make_shared<FitCommand>();
  fit->command = command;
  fit->rows.add_label_to(*command);
  fit->rows.add_to(*command);
  fit->model.add_to(*command);
  fit->plan.add_to(*command);
  rule(command->get_option("--id")).needs("--check");
  fit->progress.add_to(*command);
  fit->engine_options.add_threads_to(*command);
  fit->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight fit tickets.csv --label topic -o my-model\n"
      "  headlight fit tickets.csv --label topic --check doubtful.csv\n"
      "  headlight fit reviews.tsv --dev dev.tsv -m sentiment -o reviews");
  command->callback([fit, &runner] { runner = [fit] { return fit->run(); }; });
}

}  // namespace headlight
