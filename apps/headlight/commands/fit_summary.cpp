#include "commands/fit_summary.h"

#include <filesystem>

#include <unistd.h>

#include "base/json_writer.h"
#include "base/output.h"
#include "base/utf8.h"
#include "help/usage.h"

namespace headlight {
namespace {

/// "6 layers, hidden size 384, 12 heads, mean pooling"
std::string encoder_line(const Description& model) {
  std::string line =
      counted(model.layers.size(), "layer") + ", hidden size " + std::to_string(model.hidden_size);
  if (!model.layers.empty()) {
    line += ", " + counted(model.layers.front().heads.sizes.size(), "head");
  }
  return line + ", vocabulary of " + std::to_string(model.vocab_size);
}

/// Empty if no text was cut.
std::string cut_note(const TrainingData& data) {
  if (data.truncated == 0) return "";
  return counted(data.truncated, "text") + " had too many tokens for the model and were cut";
}

}  // namespace

std::string shown_input(const std::string& file) { return file == "-" ? "standard input" : file; }

void FitSummary::say_data(const TrainingData& data) const {
  const LabelledTexts& found = data.rows;
  const bool regression = found.labels.problem_type == ProblemType::regression;
  console.note(counted(found.train.size(), "training row") + ", " +
               counted(found.dev.size(), "development row") +
               (regression || found.labels.names.empty()
                    ? ""
                    : ", " + counted(found.labels.names.size(), "label")));
  for (const std::string& line : data.errors_seen) complain(line);
  for (const std::string& note : data.notes) console.note(note);
  if (const std::string note = cut_note(data); !note.empty()) console.note(note);
}

FitReport FitSummary::begin_report(const TrainingData& data, const Model& start) const {
  FitReport report;
  report.directory = options.output;
  report.name = std::filesystem::path(directory_name(options.output)).filename().string();
  report.start = start.place.name;
  report.architecture = encoder_line(start.description);
  report.file = shown_input(rows.file());
  report.dev_file = options.dev;
  report.dev_share = options.data.dev_share;
  report.seed = options.data.seed;
  report.command = training_command(command, rows.file());
  report.train_rows = data.rows.train.size();
  report.dev_rows = data.rows.dev.size();
  report.errors = data.errors;
  report.labels = data.rows.labels;
  if (report.labels.problem_type != ProblemType::regression) {
    report.train_counts = label_counts(data.rows.train, report.labels.names.size());
    report.dev_counts = label_counts(data.rows.dev, report.labels.names.size());
  }
  report.notes = data.notes;
  if (const std::string note = cut_note(data); !note.empty()) report.notes.push_back(note);
  return report;
}

void FitSummary::print(const FitReport& report) const {
  std::string document;
  if (options.is_json) {
    JsonWriter json(document);
    write_fit(json, report);
    document += '\n';
  } else {
    document = fit_text(report);
  }
  Output output(STDOUT_FILENO, "standard output");
  output.write(document);
  output.flush();
  console.note("wrote " + options.output);
}

}  // namespace headlight
