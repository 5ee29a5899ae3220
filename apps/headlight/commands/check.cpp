// headlight check FILE -o OUT: lists the rows whose label is probably wrong.

#include <memory>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "options/choice.h"
#include "options/engine_options.h"
#include "options/help_group.h"
#include "options/label_map.h"
#include "options/output_options.h"
#include "options/provenance.h"
#include "options/row_options.h"
#include "options/run_options.h"
#include "options/training_options.h"
#include "report/training/label_check_report.h"
#include "terminal/training_progress.h"
#include "training/directory/model_directory.h"
#include "training/directory/training_facts.h"
#include "training/labels/label_check.h"

namespace headlight {
namespace {

struct CheckCommand {
  RowOptions rows;
  ModelOptions model{"encoder"};
  LabelCheckRequest request;
  std::vector<std::string> label_maps;
  std::optional<bool> reads_windows;
  std::string prefix;  // of the fields that are added
  bool is_json = false;
  bool errors_ok = false;
  ProgressOptions progress;
  EngineOptions engine_options;
  Console console;

  int run() {
    using enum OutputFormat;
    const std::string& path = request.place.output;
    const OutputFormat format = format_for(path, {automatic, jsonl, csv, tsv});
    if (format == automatic) {
      throw UsageError("-o: \"" + shortened(path) + "\" must end with .jsonl, .csv or .tsv");
    }
    const Engine engine = engine_options.start(console);
    rows.check(format != jsonl);
    rows.require_labels();
    watch_signals();
    Model start = load_start();
    request.data.mapped = mapped_labels(label_maps);
    request.data.merged = merged_labels(start.place);
    refuse_foreign_files(request.place.directory(), request.place.force);
    const auto input = rows.open(console, /*keep=*/true);
    OutputFile file(path, request.place.force);
    const std::vector<std::string>& label = rows.fields().label;
    const DoubtfulLayout layout{table_format(format), rows.null(), rows.fields().id.value_or("id"),
                                prefix,
                                label.empty() || label == std::vector<std::string>{"label"}};
    const auto rows_of = [&](const LabelCheck& check) {
      try {
        return doubtful_rows(check, input->columns(), layout);
      } catch (const TextError& clash) {
        throw UsageError("field \"" + clash.line() +
                         "\" clashes with a field that is added; --column-prefix renames these");
      }
    };
    FitProgress watch(console, progress.style(console));
    const auto found = check_labels(std::move(start), *input, request, engine, watch, rows_of);
    if (!found) return kSignalBase + caught_signal();
    file.output().write(rows_of(*found));
    file.finish();
    remove_leftovers(request.place.directory());
    print(is_json ? with_provenance(label_check_json(*found)) : label_check_text(*found));
    console.note("wrote " + path);
    return found->errors == 0 || errors_ok ? kSuccess : kTextErrors;
  }

  Model load_start() const {
    const ModelPlace place = model.place();
    if (place.weights.empty()) {
      throw Error(place.config, "has no weights, so there are no vectors to check labels by",
                  "choose a model with weights");
    }
    Model start = model.load(console);
    Description& description = start.description;
    description.reads_windows = reads_windows.value_or(description.reads_windows);
    return start;
  }

  void add_to(CLI::App& command) {
    rows.add_training_label_to(command);
    rows.add_to(command);
    model.add_to(command);
    add_result(command);
    add_method(command);
    add_run(command);
    progress.add_to(command);
    engine_options.add_threads_to(command);
    console.add_to(command);
  }

 private:
  void add_result(CLI::App& command) {
    const HelpGroup group(command, kOutputGroup);
    OutputPlace& place = request.place;
    mark(add_value(command, "-o,--output FILE", place.output,
                   "The file to write, .jsonl, .csv or .tsv: the doubtful rows, worst first, each "
                   "with a suggestion")
             ->group(kOftenGroup)
             ->check(output_name())
             ->required(),
         Effect::nothing);
    mark(add_value(command, "--column-prefix TEXT", prefix,
                   "Put TEXT before the names of the fields that are added"),
         Effect::nothing);
    mark(choice(command.add_option("--format", "Output format of the summary"), is_json,
                {{"text", false}, {"json", true}})
             ->option_text("FORMAT"),
         Effect::nothing);
    mark(command.add_flag("-f,--force", place.force, "Replace a file that exists"),
         Effect::nothing);
  }

  void add_method(CLI::App& command) {
    const HelpGroup group(command, kInputGroup);
    add_merge_labels(command, request.data.merges_labels);
    rule(add_label_map(command, label_maps)).excludes("--merge-labels");
    add_class_weights(command, request.class_weights);
    choice(command.add_option(
               "--long", "How to read texts longer than the model takes (default: as it does)"),
           reads_windows, kReadsWindowsWords)
        ->option_text("HOW");
    add_kept_vectors(command, request.kept_vectors);
    add_seed(command, request.data.seed);
  }

  void add_run(CLI::App& command) {
    const HelpGroup group(command, kRunGroup);
    rule(mark(command.add_flag("--resume", request.place.resume,
                               "Continue a stopped run with the vectors that it left beside -o"),
              Effect::nothing))
        .excludes("--force");
    mark(command.add_flag("--row-errors-ok", errors_ok,
                          "Rows that cannot be used do not change the exit status"),
         Effect::nothing);
  }
};

}  // namespace

void add_check(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("check", "List the labelled rows whose label is probably wrong");
  const auto check = std::make_shared<CheckCommand>();
  check->add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight check tickets.csv --label topic -o doubtful.csv\n"
      "  headlight check tickets.csv --label topic -m my-model -o doubtful.jsonl");
  command->callback([check, &runner] { runner = [check] { return check->run(); }; });
}

}  // namespace headlight
