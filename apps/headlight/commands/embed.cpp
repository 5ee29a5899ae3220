// headlight embed FILE: a sentence vector for each row of a file, in order, in constant memory.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/placing.h"
#include "classifier/embedder.h"
#include "commands/command.h"
#include "commands/row_run.h"
#include "help/next_step.h"
#include "model/sentence_modules.h"
#include "options/choice.h"
#include "options/engine_options.h"
#include "options/help_group.h"
#include "options/options.h"
#include "options/text_options.h"
#include "report/predictions/vector_writer.h"
#include "rows/row_scorer.h"
#include "rows/typed_id_rows.h"
#include "rows/vector_rows.h"

namespace headlight {
namespace {

/// How vectors are written, and how those of a stopped run are found again.
struct VectorOutput {
  std::unique_ptr<RowSerializer> writer;
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
  std::optional<TokenPooling> pooling;
  std::optional<std::string> prompt;
  bool is_half = false;

  bool is_array() const { return output.format() == OutputFormat::npy; }

  void check() const {
    rows.check();
    if (is_array() && target_at(output.path()) == Target::special) {
      throw Error(output.path(), "is not a regular file, and the header of npy is completed last",
                  "--format jsonl writes to pipes and devices");
    }
  }

  SentenceModules modules_of(Model& loaded) const {
    SentenceModules modules = read_sentence_modules(loaded, pooling);
    for (const auto& file : modules.files) guard_input(file);
    loaded.files.insert(loaded.files.end(), modules.files.begin(), modules.files.end());
    apply_reading(modules, loaded);
    if (!modules.note.empty()) console.note(modules.note);
    return modules;
  }

  EmbedderOptions embedder_options(const SentenceModules& modules, const ModelPlace& place) const {
    const ClassifierOptions all = text.classifier_options();
    const ReadingOptions& reading = all;
    EmbedderOptions chosen{reading, "", is_half};
    if (!text.has_ids()) chosen.prompt = prompt_of(modules, prompt, place);
    if (!chosen.prompt.empty()) console.detail("prompt \"" + chosen.prompt + "\"");
    return chosen;
  }

  VectorOutput vector_output(std::size_t width) const {
    if (!is_array()) {
      return {std::make_unique<VectorLines>(output.ascii()),
              std::make_unique<WholeRowFinder>(RowShape())};
    }
    auto array = std::make_unique<VectorArray>(width, is_half);
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
    check();
    Model loaded = model.load(console);
    const SentenceModules modules = modules_of(loaded);
    const EmbedderOptions reading = embedder_options(modules, loaded.place);
    const VectorOutput written = vector_output(modules.width);
    const auto input = rows.open(console);
    const ModelMarks marks(loaded);
    options.summary.check(output);
    RowResult result =
        options.resume.open(output, *written.finder, marks, {rows, *input, engine.arithmetic()});
    if (result.is_finished()) {
      console.note(output.path() + " is already complete");
      return kSuccess;
    }
    watch_signals();
    const auto begun = std::chrono::steady_clock::now();
    TypedIdRows typed(*input);
    RowsAhead ahead(text.has_ids() ? static_cast<RowSource&>(typed) : *input, kFewTexts);
    const Model ready = engine.ready(std::move(loaded), workload_of(ahead));
    const Embedder embedder(ready, modules, reading);
    const VectorScorer scorer(embedder);
    const int status =
        run_rows(options, console, result,
                 {scorer, engine.threads(), ready, marks, begun, *input, ahead, *written.writer});
    if (status == kSuccess) say_next_step();
    return status;
  }
};

void add_vector_options(CLI::App& command, EmbedCommand& embed) {
  const HelpGroup model(command, kModelGroup);
  choice(command.add_option("--pooling",
                            "Pool the vectors of the tokens in this way, instead of the pooling "
                            "and the other modules of the model"),
         embed.pooling,
         {{"cls", TokenPooling::cls},
          {"mean", TokenPooling::mean},
          {"max", TokenPooling::max},
          {"last", TokenPooling::last}})
      ->option_text("KIND");
  rule(add_value(command, "--prompt NAME", embed.prompt,
                 "Put the prompt with this name in config_sentence_transformers.json before each "
                 "text, instead of the default one"))
      .excludes("--ids", "which contain all tokens");
  const HelpGroup output(command, kOutputGroup);
  rule(command.add_flag("--half", embed.is_half, "Write float16 instead of float32"))
      .needs("--format npy");
}

}  // namespace

void add_embed(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "embed", "Write a sentence vector for each row of a file, in order, in constant memory");
  const auto embed = std::make_shared<EmbedCommand>();
  embed->rows.add_to(*command);
  embed->model.add_to(*command);
  add_vector_options(*command, *embed);
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
