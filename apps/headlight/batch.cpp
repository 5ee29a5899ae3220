// headlight batch FILE: a file of rows in, the same rows scored, in order, in constant memory.

#include <cerrno>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "command.h"
#include "options.h"
#include "report/json_writer.h"
#include "rows/row_reader.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

/// The descriptor of an input file, or standard input for "-".
class Input {
 public:
  explicit Input(const std::string& path)
      : name_(path == "-" ? "standard input" : path),
        descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(path, system_message(errno));
  }
  ~Input() {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }

 private:
  std::string name_;
  int descriptor_;
};

struct BatchCommand {
  std::string file = "-";
  std::string input_format = "auto";
  RowFields fields;
  bool logits = false;
  bool probabilities = false;
  bool echo_text = false;
  bool row_errors_ok = false;
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  ViewOptions view;
  EngineOptions engine;
  OutputOptions output;

  RowFormat format() const {
    if (input_format == "auto") return row_format_of(file);
    return input_format == "jsonl" ? RowFormat::jsonl : RowFormat::text;
  }

  int run() const {
    const std::size_t threads = engine.start(console);
    const bool named = !fields.text.empty() || fields.pair || fields.id;
    if (format() == RowFormat::text && named) {
      throw UsageError("--text, --pair-text and --id name fields of JSONL, and " + file +
                       " is read as text lines; --input-format jsonl changes that");
    }
    Model loaded = model.load(console);
    engine.set_precision(loaded, console);
    const auto classifier = zero_shot.classifier(loaded, text.classifier_options(), console);
    PredictionView shown = view.view(classifier->labels());
    shown.logits = logits;
    shown.probabilities = probabilities;
    const Input input(file);
    say_if_terminal(input.descriptor(), console);
    LineReader lines(input.descriptor(), input.name());
    RowReader rows(lines, format(), fields);
    Result result(output, Unfinished::keep);
    watch_signals();
    ErrorCount errors;
    const auto write = [&](const ScoredRow& scored) {
      errors.add(scored);
      result.output().write(line(classifier->labels(), scored, shown));
    };
    try {
      const RowSupply supply = {[&] { return rows.next(); }, [&] { return rows.ready(); }};
      score_rows(*classifier, threads, EngineOptions::prepare(loaded, supply),
                 {write, [&] { result.output().flush(); }});
    } catch (const ClosedPipe&) {
      if (caught_signal() == 0) throw;  // else its reader takes nothing, and the signal counts
    }
    if (caught_signal() != 0) {
      complain("stopped after " + counted(errors.rows(), "row"));
      return kSignalBase + caught_signal();
    }
    result.finish();
    console.note(counted(errors.rows(), "row") + " scored");
    errors.say(console, "row");
    return row_errors_ok ? kSuccess : errors.status();
  }

  std::string line(const LabelSet& labels, const ScoredRow& scored,
                   const PredictionView& shown) const {
    std::string document;
    JsonWriter json(document, output.ascii());
    const RowId& id = scored.row.id;
    json.begin_object().key("id");
    if (id.is_string) {
      json.string(id.text);
    } else {
      json.raw(id.text);
    }
    if (echo_text) {
      json.field("text", scored.row.input.text);
      if (scored.row.input.pair) json.field("pair", *scored.row.input.pair);
    }
    write_prediction(json, labels, scored.prediction, shown);
    json.end_object();
    return document + '\n';
  }
};

void add_row_options(CLI::App& command, BatchCommand& batch) {
  command
      .add_option("FILE", batch.file,
                  "Rows to score: .jsonl, or a text a line; - is standard input")
      ->option_text(" ");
  command
      .add_option("--input-format", batch.input_format,
                  "auto (default: by the file's ending), text or jsonl")
      ->check(CLI::IsMember({"auto", "text", "jsonl"}))
      ->option_text("FORMAT");
  command
      .add_option("--text", batch.fields.text, "Field of the text; several are joined by a blank")
      ->allow_extra_args(false)
      ->option_text("NAME");
  command.add_option("--pair-text", batch.fields.pair, "Field of a pair's second text")
      ->option_text("NAME");
  command
      .add_option("--id", batch.fields.id, "Field of the id (default: id, else the row's number)")
      ->option_text("NAME");
  command.add_flag("--logits", batch.logits, "Write the logits");
  command.add_flag("--probabilities", batch.probabilities, "Write the probability of each label");
  command.add_flag("--echo-text", batch.echo_text, "Write the text");
  command.add_flag("--row-errors-ok", batch.row_errors_ok,
                   "Rows with errors do not change the exit status");
}

}  // namespace

void add_batch(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "batch", "Score a file: a row in, a row out, in order, in constant memory");
  const auto batch = std::make_shared<BatchCommand>();
  add_row_options(*command, *batch);
  batch->model.add_to(*command);
  batch->text.add_reading_to(*command);
  batch->zero_shot.add_to(*command);
  batch->view.add_to(*command);
  batch->output.add_to(*command, {"jsonl"});
  batch->engine.add_to(*command);
  batch->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight batch reviews.txt -o verdicts.jsonl\n"
      "  cat tickets.jsonl | headlight batch - --input-format jsonl --text body --id key --logits");
  command->callback([batch, &runner] { runner = [batch] { return batch->run(); }; });
}

}  // namespace headlight
