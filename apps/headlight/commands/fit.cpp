// headlight fit FILE -o DIR: trains a classifier on labelled rows.

#include <chrono>
#include <memory>
#include <utility>

#include "base/build.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/placing.h"
#include "commands/command.h"
#include "help/next_step.h"
#include "options/engine_options.h"
#include "options/label_map.h"
#include "options/number_list.h"
#include "options/output_options.h"
#include "options/provenance.h"
#include "options/run_options.h"
#include "options/training_options.h"
#include "report/training/film_page.h"
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
    FitRequest& request = plan.request;
    if (plan.film.size() > 1 && command->get_option("FILE")->empty()) {  // --film PAGE ROWS
      rows = rows.in_file(plan.film.back());
      plan.film.pop_back();
    }
    if (!plan.film.empty()) {
      std::string page = plan.film.front();
      const std::string wrong = output_name()(page);
      if (!wrong.empty()) throw UsageError("--film: " + wrong);
      format_for(page, {OutputFormat::html}, "--film");
    }
    const Engine engine = engine_options.start(console);
    rows.check();
    const bool has_labels = plan.has_labels(rows);
    request.data.has_labels = has_labels;
    request.data.mapped = mapped_labels(plan.label_maps);
    request.reads_pairs = rows.fields().pair.has_value();
    check_fact(*command, kHasLabels, has_labels);
    if (has_labels) rows.require_labels();
    request.way = plan.way();
    check_output(request);
    watch_signals();
    if (!plan.numbers_of.empty()) {
      request.data.earlier = earlier_model(locate_model(plan.numbers_of, ""));
    }
    FitStart start = load_start();
    request.origin = {build_name(), given_options(*command), {},
                      {},           engine.arithmetic(),     plan.accepts_build};
    request.command_line = training_command(*command, rows.files(), request.place);
    request.card = fit_card;
    const RowOptions chosen = has_labels ? rows : rows.without_labels();
    const auto train = chosen.open(console, /*keep=*/!plan.settings.teacher.logits.empty());
    FitRows files{*train};
    std::unique_ptr<RowReader> dev;
    if (!plan.dev_file.empty()) {
      dev = rows.of_file(plan.dev_file).open(console);
      files.dev = &*dev;
    }
    std::unique_ptr<RowReader> checked;
    if (!plan.checked_file.empty()) {
      checked = rows.of_checked(plan.checked_file).open(console);
      files.checked = &*checked;
    }
    FitProgress watch(console, progress.long_style(console));
    std::optional<OutputFile> film_file;
    Film film(plan.film.size() > 1 ? plan.film.back() : "");
    if (!plan.film.empty()) {
      film_file.emplace(plan.film.front(), request.place.force);
      watch.film = &film;
    }
    if (!plan.problems_file.empty()) {
      refuse_folder_of(plan.problems_file);
      watch.write_problems = [this](const std::string& lines) { write_problems(lines); };
    }
    const auto begun = std::chrono::steady_clock::now();
    const Fit made = fit(std::move(start), files, request, engine, watch);
    if (film_file && !film.tokens().empty()) {
      film_file->output().write(film_page(film));
      film_file->finish();
      console.note("wrote " + plan.film.front());
    }
    return finish(made, std::chrono::steady_clock::now() - begun);
  }

  /// A resumed run has the same problems as the one that was stopped.
  void write_problems(const std::string& lines) const {
    const std::string& path = plan.problems_file;
    const bool repeats = plan.request.place.resume && target_at(path) == Target::file;
    if (repeats && MappedFile(path).text() == lines) return;
    if (repeats) {
      throw Error(path, "exists already and does not have the problems of these rows", "rename it");
    }
    OutputFile file(path, plan.request.place.force);
    file.output().write(lines);
    file.finish();
  }

  FitStart load_start() {
    FitStart start;
    start.is_default = command->count("--model") == 0;
    start.reads_windows = plan.reads_windows;
    const auto way = plan.way();
    const bool needs_none = way->learns_words && start.is_default;
    const bool is_missing = !needs_none && model.is_missing_preset();
    if (!is_missing && !needs_none) start.bare = model.place();
    const bool is_bare = !is_missing && start.bare.weights.empty();
    const WayTakes takes = way_for(*way, !is_bare, plan.request.data.has_labels).takes;
    check_fact(*command, kTriesSeveral, takes.minutes);
    check_fact(*command, kTrainsOne, !takes.minutes);
    check_fact(*command, kHasWeights, takes.penalty && !is_bare);
    check_fact(*command, kTrainsAll, takes.all);
    check_fact(*command, kTrainsEncoder, takes.course);
    check_fact(*command, kTrainsVectors, takes.teacher);
    if (is_missing) {
      throw UsageError(
          "no model is named, and no model named encoder is installed; -m names the "
          "model to start from");
    }
    if (is_bare) return start;
    start.model = model.load(console);
    CutSettings& cut = plan.settings.cut;
    if (!cut.kept_layers_as_given.empty()) {
      cut.kept_layers = parse_numbers("--keep-layers", "layer", cut.kept_layers_as_given,
                                      start.model->description.layers.size());
      plan.request.way = plan.way();
    }
    return start;
  }

  int finish(const Fit& made, std::chrono::duration<double> taken) const {
    if (made.end == FitEnd::already_complete) return kSuccess;
    if (made.end != FitEnd::stopped_at_once) {
      print(plan.is_json ? with_provenance(fit_json(made)) : fit_text(made));
      constexpr double kLong = 5.0;
      const double seconds = taken.count();
      console.note("wrote " + plan.request.place.output +
                   (seconds < kLong ? "" : " in " + duration_text(seconds)));
    }
    if (made.end != FitEnd::finished) return kSignalBase + caught_signal();
    const std::string model_name = shell_path(plan.request.place.output);
    say_next(console, plan.request.data.has_labels
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
  fit->rows.add_training_label_to(*command);
  fit->rows.add_to(*command);
  fit->model.add_to(*command);
  fit->plan.add_to(*command);
  command->remove_option(command->get_option("--id"));
  fit->progress.add_to(*command);
  fit->engine_options.add_threads_to(*command);
  fit->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight fit tickets.csv --label topic -o my-model\n"
      "  headlight fit reviews.tsv --dev dev.tsv -m sentiment -o reviews");
  command->callback([fit, &runner] { runner = [fit] { return fit->run(); }; });
}

}  // namespace headlight
