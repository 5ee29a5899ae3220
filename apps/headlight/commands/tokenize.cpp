// headlight tokenize TEXT…: tokens, ids and offsets of each whole text.

#include <memory>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "options/options.h"
#include "options/text_options.h"
#include "report/formats/documents.h"
#include "report/predictions/prediction_report.h"
#include "report/tokens/encoding_report.h"

namespace headlight {
namespace {

struct Tokenize {
  Console console;
  ModelOptions model;
  TextOptions text;
  OutputOptions output;

  int run() const {
    const Model loaded = model.load(console);
    note_unused_limits(loaded, text.classifier_options(), console);
    const TextReader reader(loaded, text.classifier_options());
    const std::unique_ptr<RowSource> rows = text.rows(console);
    watch_signals();  // so that an unfinished file is removed
    Result result(output);
    ErrorCount errors;
    const bool is_array = output.format() == OutputFormat::json;
    Documents documents(result.output(),
                        is_array ? DocumentLayout::json_array : DocumentLayout::lines);
    result.output().write(header());
    while (std::optional<Row> row = stop_requested() ? std::nullopt : rows->next()) {
      TextResult outcome;
      documents.add(document(reader, *row, outcome.error));
      errors.add(*row, outcome);
      if (!rows->ready()) result.output().flush();
    }
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    documents.finish();
    result.finish();
    errors.say(console, "text");
    return errors.status();
  }

  std::string header() const {
    if (!is_table(table_format(output.format()))) return "";
    std::vector<Cell> names = {"text"};
    if (text.has_pair()) names.emplace_back("pair");
    for (const auto& name : encoding_columns()) names.emplace_back(name);
    return delimited_line(table_format(output.format()), names) + "\n";
  }

  /// What is written for one text. Stores its error.
  std::string document(const TextReader& reader, const Row& row, std::string& error) const {
    const TextInput& input = row.input;
    Encoding encoding;
    error = row.error;
    try {
      if (error.empty()) encoding = reader.encode_whole(input);
    } catch (const TextError& reason) {
      error = reason.line();
    }
    if (output.format() == OutputFormat::text) {  // an empty line stands after each text
      if (!error.empty()) return "error: " + printable(error) + "\n\n";
      return (input.pair ? shown_input(input) + "\n" : "") + encoding_table(encoding) + "\n";
    }
    if (is_table(table_format(output.format()))) {
      std::vector<Cell> cells = {input.text};
      if (text.has_pair()) cells.push_back(input.pair);
      const auto found = encoding_cells(encoding, error);
      cells.insert(cells.end(), found.begin(), found.end());
      return delimited_line(table_format(output.format()), cells) + "\n";
    }
    return json_document(output.ascii(), [&](JsonWriter& json) {
      if (!error.empty()) return write_text_error(json, input, error);
      json.begin_object().field("text", input.text);
      if (input.pair) json.field("pair", *input.pair);
      write_encoding(json, encoding);
      json.end_object();
    });
  }
};

}  // namespace

void add_tokenize(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("tokenize", "Show tokens, ids and offsets of each text");
  const auto tokenize = std::make_shared<Tokenize>();
  tokenize->text.add_texts_to(*command);
  tokenize->model.add_to(*command);
  tokenize->text.add_reading_to(*command, TextOptions::kIds | TextOptions::kWhole);
  tokenize->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::jsonl,
                                     OutputFormat::csv, OutputFormat::tsv});
  tokenize->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight tokenize \"an unflinching film\"\n"
      "  headlight tokenize -m path/to/model --format jsonl < texts.txt");
  command->callback([tokenize, &runner] { runner = [tokenize] { return tokenize->run(); }; });
}

}  // namespace headlight
