#include "commands/live_page.h"

#include <utility>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "classifier/classifier.h"
#include "commands/command.h"
#include "help/next_step.h"
#include "model/copied_files.h"
#include "options/choice.h"
#include "options/help_group.h"

namespace headlight {
namespace {

/// The folder with the library as WebAssembly: beside the program, or in its install prefix.
std::string module_folder() {
  for (const std::string& folder : data_folders("live")) {
    if (file_exists(folder + "/headlight.wasm.gz")) return folder;
  }
  throw Error("--live", "this build of headlight has no module for live pages",
              "`scripts/build-page` in its source folder builds one");
}

TextInput first_text(const LiveCommand& command) {
  if (!command.text.is_typed()) {
    if (command.text.has_pair()) throw UsageError("--pair is the second text; TEXT is the first");
    return {"not bad at all", {}, {}};
  }
  TextInput input =
      TextOptions::single(command.text.all(command.console), "a live page begins with one text");
  to_code_points(input.text);  // refuses what is not UTF-8
  if (input.pair) to_code_points(*input.pair);
  return input;
}

LiveModel embedded(const Model& model, NumberFormat matrices) {
  const std::string& name = model.place.name;
  require_vocabulary(model, {});
  require_one_stack(model, "--live");
  if (model.description.layers.empty()) {
    throw Error(name, "has no layers, so there is no attention to show");
  }
  const Table& words = model.weights.embeddings.token;
  const std::size_t weights = model.tensors->parameters();
  return {name, copied_files(model, matrices), weights, weights - words.rows * words.cols,
          model.description.layers};
}

std::string megabytes(std::size_t bytes) {
  return formatted("%.1f MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

void LiveCommand::add_live_to(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  rule(command.add_flag("--live", is_live,
                        "Write a page that has the model in it and computes while one types; it "
                        "shows attention and the effects of words, without a network; it begins "
                        "with TEXT "
                        "(default: \"not bad at all\")"))
      .needs("--format html", "which -o page.html selects")
      // The page shows everything, as the model reads a text by itself.
      .excludes(
          "--zero-shot, --order, --samples, --seed, --flip, --faithfulness, --top-k, --input, "
          "--ids, "
          "--plain-text, --max-length, --long, --activation, --kernels or --precision");
  rule(choice(command.add_option("--store",
                                 "Round float32 matrices to this format; f16: pages of half the "
                                 "size"),
              stored, {{"f32", NumberFormat::f32}, {"f16", NumberFormat::f16}})
           ->option_text("FORMAT"))
      .needs("--live");
}

int LiveCommand::write_live_page(LiveStart start, const std::string& compared) const {
  if (output.path().empty() && ::isatty(STDOUT_FILENO) == 1) {
    throw UsageError("--live writes a page of megabytes; use -o FILE.html or > FILE.html");
  }
  const bool explains = !start.explained_by.empty();
  start.text = first_text(*this);
  const std::string folder = module_folder();
  engine.start(console);
  watch_signals();  // so that an unfinished file is removed
  Result result(output);
  LivePage page(std::move(start), MappedFile(folder + "/headlight.js.gz").text(),
                MappedFile(folder + "/headlight.wasm.gz").text());
  const auto add = [&](const Model& shown) {
    if (explains) {
      require_text_labels(shown, "explain");
      require_head(shown);
    }
    page.add(embedded(shown, stored));
  };
  add(model.load(console));
  if (!compared.empty()) add(ModelOptions::load_other(compared, console));
  console.note("the page has " + megabytes(page.bytes()) + "; a browser needs about " +
               megabytes(page.browser_bytes()) + " of memory for it");
  page.write([&](std::string_view piece) { result.output().write(piece); });
  if (caught_signal() != 0) return kSignalBase + caught_signal();
  result.finish();
  say_page(console, output);
  return kSuccess;
}

}  // namespace headlight
