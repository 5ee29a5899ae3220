// headlight stream: a causal model's prediction after each word as it is typed or piped.

#include <memory>
#include <string>

#include <unistd.h>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "classifier/word_stream.h"
#include "commands/command.h"
#include "options/engine_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "report/predictions/prediction_report.h"
#include "rows/word_reader.h"

namespace headlight {
namespace {

struct StreamCommand {
  Console console;
  ModelOptions model{"sentiment-stream"};
  TextOptions text;
  ViewOptions view;
  EngineOptions engine_options;
  OutputOptions output;

  int run() const {
    const Engine engine = engine_options.start(console);
    const Model ready = engine.ready(model.load(console), Workload::many);
    const Classifier classifier(ready, text.classifier_options());
    WordStream stream(classifier, [&](const std::string& words) { return text.input_of(words); });
    PredictionView shown = view.view(classifier.labels());
    const bool to_terminal = output.path().empty() && ::isatty(STDOUT_FILENO) == 1;
    const bool as_text = output.format() == OutputFormat::text ||
                         (output.format() == OutputFormat::automatic && to_terminal);
    shown.logits = !as_text || view.logits() || console.is_verbose();
    watch_signals();
    Result result(output);
    const auto line = [&](const StreamedWord& word) {
      return as_text ? word_text(classifier.labels(), word, shown, console.color(output))
                     : word_json(classifier.labels(), word, shown, output.ascii());
    };
    ErrorCount errors;
    say_if_terminal(STDIN_FILENO, console);
    ByteSource source(STDIN_FILENO, "standard input");
    WordReader reader(source);
    StreamedWord word;
    while (read(reader, result.output(), stream, word)) {
      result.output().write(line(word));
      Row row;
      row.id.text = std::to_string(errors.rows());
      row.line = word.row + 1;
      errors.add(row, word.prediction);
    }
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    result.finish();
    errors.say(console, "word");
    return errors.status();
  }

  /// Reads and scores the next word; false at the end. Flushes the output before it waits for
  /// input.
  static bool read(WordReader& reader, Output& output, WordStream& stream, StreamedWord& word) {
    WordReader::Status status{};
    do {
      if (!reader.ready()) output.flush();
      status = reader.next(word.word);
      if (status == WordReader::Status::new_text) {
        ++word.row;
        stream.clear();
      }
    } while (status == WordReader::Status::new_text);
    if (status == WordReader::Status::end) return false;
    word.prediction = {};
    if (status == WordReader::Status::too_long) {
      word.prediction.error = "word is longer than 16 MiB";
    } else if (const auto bad = find_bad_utf8(word.word)) {
      word.prediction.error = "not valid UTF-8 at byte " + std::to_string(*bad) + " of the word";
      word.word.clear();
    } else {
      word.prediction = stream.add(word.word);
    }
    return true;
  }
};

}  // namespace

void add_stream(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "stream", "Print a causal model's prediction after each word as it is typed or piped");
  const auto stream = std::make_shared<StreamCommand>();
  stream->model.add_to(*command);
  stream->text.add_reading_to(*command, TextOptions::kIds | TextOptions::kActivation);
  stream->view.add_to(*command);
  stream->view.add_logits_to(*command);
  stream->output.add_to(*command,
                        {OutputFormat::automatic, OutputFormat::text, OutputFormat::jsonl});
  stream->engine_options.add_to(*command);
  stream->console.add_color_to(*command);
  stream->console.add_to(*command);
  command->footer(
      "Reads one text per line from standard input; a terminal hands over a line after Return "
      "(rlwrap edits it). --format auto: text on a terminal, otherwise "
      "jsonl.\n"
      "Examples:\n"
      "  headlight stream\n"
      "  echo \"not bad at all\" | headlight stream -m path/to/causal-model");
  command->callback([stream, &runner] { runner = [stream] { return stream->run(); }; });
}

}  // namespace headlight
