// headlight attention --difference: the attention of a second text or model less that of the first.

#include "inside/attention_difference.h"

#include <string>
#include <vector>

#include "commands/attention.h"
#include "commands/command.h"
#include "help/next_step.h"
#include "report/attention/attention_format.h"

namespace headlight {
namespace {

/// Throws UsageError unless the attention of both can be subtracted.
void check_alike(const ViewedText& before, const ViewedText& after, bool same_text) {
  const std::vector<std::string>& one = before.text.encoding.tokens;
  const std::vector<std::string>& other = after.text.encoding.tokens;
  constexpr std::size_t kMostListed = 50;
  if (one.size() != other.size() || (same_text && one != other)) {
    throw UsageError(
        "--difference needs " +
        std::string(same_text ? "the same tokens from both models" : "texts of as many tokens") +
        "; found " + std::to_string(one.size()) + " (" + listed(one, kMostListed) + ") and " +
        std::to_string(other.size()) + " (" + listed(other, kMostListed) + ")");
  }
  const auto is_alike = [](const std::vector<float>& some, const std::vector<float>& others) {
    return some.size() == others.size();
  };
  if (!std::ranges::equal(before.text.trace.attention, after.text.trace.attention, is_alike)) {
    throw UsageError("--difference needs models with as many layers and heads");
  }
}

}  // namespace

int show_difference(const AttentionCommand& command) {
  const StartedModel started = command.start_with_attention(Workload::few);
  const std::vector<Row> texts = command.text.all(command.console);
  const AttentionReaders readers(command, started);
  readers.check(texts);
  if (readers.all().size() == 1 && texts.size() != 2) {
    throw UsageError("--difference needs two texts, --compare or --ablate");
  }
  ViewedText before(command, *readers.all().front(), texts.front().input);
  ViewedText after(command, *readers.all().back(), texts.back().input);
  before.look.difference = after.look.difference = true;
  check_alike(before, after, texts.size() == 1);
  Result result(command.output);
  const AttentionFormat& format = attention_format(name_of(command.output.format()));
  const auto writer = format.writer(result.output(), /*several=*/true, command.output.ascii());
  if (command.output.format() == OutputFormat::html) {  // the page subtracts
    writer->add(before.view, before.look);
    writer->add(after.view, after.look);
  } else {
    AttentionChoice choice = after.view.choice();
    for (std::size_t i = 0; i < choice.units.size(); ++i) {
      const std::string& was = before.view.choice().units[i].text;
      std::string& name = choice.units[i].text;
      if (was != name) name = was + " → " + name;
    }
    subtract_attention(before.text.trace, after.text.trace);
    writer->add(AttentionView(after.view.model(), after.text, choice), after.look);
  }
  writer->finish();
  result.finish();
  say_page(command.console, command.output);
  return kSuccess;
}

}  // namespace headlight
