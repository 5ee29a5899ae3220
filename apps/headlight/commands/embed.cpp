// headlight embed FILE: a sentence vector for each row of a file, in order, in constant memory.

#include <memory>
#include <utility>

#include "classifier/embedder.h"
#include "commands/command.h"
#include "commands/row_run.h"
#include "help/next_step.h"
#include "options/engine_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "options/vector_options.h"
#include "report/predictions/vector_writer.h"
#include "rows/row_sources.h"
#include "rows/whole_rows.h"

namespace headlight {
namespace {

/// How vectors are written, and how those of a stopped run are found again.
struct VectorOutput {
  std::unique_ptr<VectorWriter> writer;
  std::unique_ptr<RowFinder> finder;
};

struct EmbedCommand {
  RowOptions rows;
  Console console;
  ModelOptions model{"encoder"};
  TextOptions text;
  EngineOptions engine_options;
  OutputOptions output;
  RunOptions options;
  VectorOptions vectors;

  bool is_array() const { return output.format() == OutputFormat::npy; }

  EmbedderOptions embedder_options(const SentenceModules& modules, const ModelPlace& place) const {
    const ClassifierOptions all = text.classifier_options();
    const ReadingOptions& reading = all;
    EmbedderOptions chosen{reading, "", vectors.is_half};
    if (!text.has_ids()) chosen.prompt = prompt_of(modules, vectors.prompt, place);
    if (!chosen.prompt.empty()) console.detail("prompt \"" + chosen.prompt + "\"");
    return chosen;
  }

  VectorOutput vector_output(std::size_t width) const {
    if (!is_array()) {
      return {std::make_unique<VectorLines>(output.ascii()),
              std::make_unique<WholeRowFinder>(RowShape())};
    }
    auto array = std::make_unique<VectorArray>(width, vectors.is_half);
    auto finder =
        std::make_unique<VectorRowFinder>(VectorArray::kHeaderSize, width, array->number_size());
    return {std::move(array), std::move(finder)};
  }

  void say_next_step() const {
    if (!is_array()) return;
    say_next(console, "python3 -c 'import numpy, sys; print(numpy.load(sys.argv[1]).shape)' " +
                          shell_path(output.path()));
  }

  int run() const {
    const Engine engine = engine_options.start(console);
    rows.check();
    VectorOptions::check(output);
    Model loaded = model.load(console);
    note_unused_limits(loaded, text.classifier_options(), console);
    const SentenceModules modules = read_sentence_modules(loaded, vectors.pooling);
    use_modules(modules, loaded, console);
    const EmbedderOptions reading = embedder_options(modules, loaded.place);
    const VectorOutput written = vector_output(modules.width);
    const auto input = rows.open(console);
    RowRun run(options, rows, output, console, engine);
    if (!run.open(*input, loaded, *written.finder)) return run.status();
    TypedIdRows typed(*input, text.has_ids());
    const Model ready = engine.ready(std::move(loaded), workload_of(run.read_ahead(typed)));
    const Embedder embedder(ready, modules, reading);
    const ScoreTexts<EmbeddedText> embed = [&](auto texts, ScoringScratch& scratch) {
      return embedder.embed(texts, scratch, is_interrupted);
    };
    const int status = run.score(embed, *written.writer);
    if (status == kSuccess) say_next_step();
    return status;
  }
};

}  // namespace

void add_embed(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "embed", "Write a sentence vector for each row of a file, in order, in constant memory");
  const auto embed = std::make_shared<EmbedCommand>();
  embed->rows.add_to(*command);
  embed->model.add_to(*command);
  embed->vectors.add_to(*command);
  embed->text.add_reading_to(*command, TextOptions::kIds | TextOptions::kWindows);
  embed->output.add_to(*command, {OutputFormat::npy, OutputFormat::jsonl});
  embed->output.complete_last(OutputFormat::npy);
  embed->options.add_to(*command);
  embed->engine_options.add_to(*command);
  embed->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight embed -m all-MiniLM-L6-v2 reviews.csv --text review -o vectors.npy\n"
      "  echo \"a fine film\" | headlight embed - --format jsonl");
  command->callback([embed, &runner] { runner = [embed] { return embed->run(); }; });
}

}  // namespace headlight
