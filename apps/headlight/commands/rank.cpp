// headlight rank QUERY FILE: the rows of a file that answer a query best.

#include <memory>
#include <utility>

#include "commands/command.h"
#include "commands/ranked_rows.h"
#include "commands/row_run.h"
#include "metrics/known_label_rows.h"
#include "options/help_group.h"
#include "options/text_options.h"
#include "options/vector_options.h"
#include "rows/predict.h"

namespace headlight {
namespace {

struct RankCommand {
  RowOptions rows;
  Console console;
  ModelOptions model{"encoder"};
  TextOptions text;
  EngineOptions engine_options;
  OutputOptions output;
  RunOptions options;
  std::optional<TokenPooling> pooling;
  std::string query;
  std::string queries_file;
  std::string relevance = "label";
  std::string label;
  std::size_t most = 10;
  bool all = false;

  void ask_pairs(ClassifierOptions& reading, const Model& loaded,
                 const SentenceModules& settings) const {
    reading.sought_label = label_of(loaded, label);
    if (text.has_windows(loaded)) reading.truncation = Truncation::only_second;
    if (!reading.activation) reading.activation = settings.score_activation;
    if (reading.activation || loaded.description.classes() > 1) return;
    reading.activation = loaded.description.score_activation.value_or(ScoreActivation::sigmoid);
  }

  int run() const {
    const bool measures = !queries_file.empty();
    if (!measures && query.find_first_not_of(" \t\r\n") == std::string::npos) {
      throw UsageError("QUERY is empty");
    }
    const RowOptions read = measures ? rows.of_queries(queries_file, relevance) : rows;
    read.check();
    if (measures) read.require_labels();
    const Engine engine = engine_options.start(console);
    Model loaded = model.load(console);
    require_text_labels(loaded, "rank");
    ClassifierOptions reading = text.classifier_options();
    const bool in_pairs =
        !pooling && (loaded.weights.classifier || !label.empty() || reading.activation);
    if (in_pairs) require_head(loaded);
    const SentenceModules modules =
        in_pairs ? read_cross_encoder(loaded) : read_sentence_modules(loaded, pooling);
    use_modules(modules, loaded, console);
    if (in_pairs) ask_pairs(reading, loaded, modules);
    const auto input = read.open(console);
    const GoldReader relevances({{}, ProblemType::regression});
    KnownLabelRows known(*input, relevances, input->name());
    RowSource& source = measures ? static_cast<RowSource&>(known) : *input;
    NoRows none;
    RowRun run(options, read, output, console, engine);
    if (!run.open(*input, loaded, none)) return run.status();
    const Model ready = engine.ready(std::move(loaded), workload_of(run.read_ahead(source)));
    const TextSize asked =
        measures ? TextSize() : TextReader(ready, reading).read({query, {}, {}}).size;
    const auto answer = answer_with(ready, modules, reading, query);
    MeasuredRows measured(output, relevances, reading.sought_label.value_or(0), most);
    if (measures) return run.score(answer, measured);
    RankedRows ranked(output, reading.sought_label.value_or(0), all ? 0 : most);
    const int status = run.score(answer, ranked);
    say_unknown(asked, console, "the query: ");
    say_unknown(ranked.read, console, "the texts: ");
    return status;
  }
};

}  // namespace

void add_rank(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "rank", "Find the rows that answer a query best, or measure how well a model finds them");
  const auto rank = std::make_shared<RankCommand>();
  const HelpGroup input(*command, kInputGroup);
  add_value(*command, "QUERY  ", rank->query, "What to search for");
  rank->rows.ask_queries();
  rank->rows.add_to(*command);
  rule(mark(add_value(*command, "--queries FILE", rank->queries_file,
                      "Measure rankings instead: rows with a query, a text and its relevance")
                ->check(not_empty()),
            Effect::contents))
      .excludes("QUERY")
      .excludes("--format jsonl or rerank");
  rule(add_value(*command, "--relevance NAME", rank->relevance,
                 "Field of the relevance, above 0 where a text answers its query (default: label)"))
      .needs("--queries");
  rule(command->get_option("--query")).needs("--queries");
  rank->model.add_to(*command);
  add_pooling(*command, rank->pooling);
  rank->text.add_reading_to(*command, TextOptions::kActivation | TextOptions::kWindows);
  const HelpGroup result(*command, kResultGroup);
  add_value(*command, "--label NAME", rank->label, "Rank by this label of a model with several");
  rule(command->get_option("--pooling")).excludes("--label or --activation");
  add_value(*command, "-k,--top-k N", rank->most, "The N best rows (default: 10)")
      ->group(kOftenGroup)
      ->check(whole_number(1, UINT32_MAX));
  rule(command->add_flag("--all", rank->all, "Write each row, in the order of the input"))
      .excludes("--top-k or --queries")
      .excludes("--format json or rerank");
  rank->output.add_to(*command, {OutputFormat::text, OutputFormat::jsonl, OutputFormat::json,
                                 OutputFormat::rerank});
  rank->options.add_to(*command);
  rank->engine_options.add_to(*command);
  rank->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight rank \"how do I reset my card\" faq.csv --text question -k 3\n"
      "  headlight rank --queries pairs.jsonl -m all-MiniLM-L6-v2 --format json");
  command->callback([rank, &runner] { runner = [rank] { return rank->run(); }; });
}

}  // namespace headlight
