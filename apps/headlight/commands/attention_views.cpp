#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "commands/attention.h"
#include "commands/command.h"
#include "commands/several_texts.h"
#include "help/next_step.h"
#include "report/attention/attention_format.h"
#include "report/formats/npy.h"

namespace headlight {
namespace {

struct ShownAttention {
  const AttentionCommand& command;
  const AttentionFormat& format;

  void show_one(const Classifier& classifier, const TextInput& input) const;
  /// Each text as each classifier reads it. Returns the exit status.
  int show_several(const std::vector<const Classifier*>& classifiers,
                   const std::vector<Row>& texts) const;
};

void ShownAttention::show_one(const Classifier& classifier, const TextInput& input) const {
  constexpr std::size_t kLargeOutput = 50'000'000;
  ViewedText viewed(command, classifier, input);
  const std::string& hidden = command.options.hidden();
  std::optional<OutputFile> hidden_file;
  if (!hidden.empty()) hidden_file.emplace(hidden, command.output.force());
  Result result(command.output);
  if (hidden_file) {
    write_npy(hidden_file->output(), viewed.text.trace.hidden, viewed.text.encoding.size());
    hidden_file->finish();
  }
  const bool is_compact = format.size == nullptr || viewed.look.statistics;
  const std::size_t bytes = is_compact ? 0 : format.size(viewed.view.choice(), viewed.look.digits);
  if (bytes > kLargeOutput) {
    command.console.note(
        "about " + std::to_string(bytes / 1'000'000) +
        " MB of JSON; use --format npy, --layers, --heads or --digits to reduce it");
  }
  Progress progress(command.row_run.progress.style(command.console), "layer");
  viewed.look.progress = [&](std::size_t done, std::size_t layers) {
    progress.update({done, static_cast<double>(done) / static_cast<double>(layers), 0});
  };
  const auto writer = format.writer(result.output(), /*several=*/false, command.output.ascii());
  writer->add(viewed.view, viewed.look);
  writer->finish();
  result.finish();
}

int ShownAttention::show_several(const std::vector<const Classifier*>& classifiers,
                                 const std::vector<Row>& texts) const {
  watch_signals();  // so that an unfinished file is removed
  Result result(command.output);
  const auto writer = format.writer(result.output(), /*several=*/true, command.output.ascii());
  Progress progress(command.row_run.progress.style(command.console, command.output.path().empty()),
                    "text");
  Progress::Done done;
  const bool has_norms = command.options.wanted().wants_values;
  std::map<const Classifier*, ValueNorms> norms;
  const auto show = [&](const TextInput& input) {
    for (const Classifier* classifier : classifiers) {
      const ValueNorms* const own =
          has_norms ? &norms.try_emplace(classifier, classifier->model()).first->second : nullptr;
      ViewedText viewed(command, *classifier, input, own);
      writer->add(viewed.view, viewed.look);
    }
    ++done.count;
    done.share = static_cast<double>(done.count) / static_cast<double>(texts.size());
    if (texts.size() > 1) progress.update(done);
  };
  const auto show_error = [&](const TextInput& input, const std::string& error) {
    writer->add_error(input, error);
  };
  const int status = SeveralTexts{show, show_error}.run(texts, command.console);
  if (caught_signal() != 0) return status;
  writer->finish();
  result.finish();
  return status;
}

}  // namespace

int show_attention(const AttentionCommand& command) {
  const StartedModel started = command.start_with_attention(Workload::few);
  const AttentionOptions& options = command.options;
  ShownAttention shown{command, attention_format(name_of(command.output.format()))};
  const std::vector<Row> texts = command.text.all(command.console);
  const AttentionReaders readers(command, started);
  readers.check(texts);
  const bool is_pair = readers.all().size() > 1;
  const std::string reason = is_pair ? "" : options.reason_for_one_text(shown.format, texts.size());
  int status = kSuccess;
  if (is_pair || (texts.size() > 1 && reason.empty())) {
    status = shown.show_several(readers.all(), texts);
  } else {
    shown.show_one(*readers.all().front(), TextOptions::single(texts, reason));
  }
  if (caught_signal() == 0) say_page(command.console, command.output);
  return status;
}

}  // namespace headlight
