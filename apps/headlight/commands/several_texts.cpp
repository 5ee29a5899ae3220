#include "commands/several_texts.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/command.h"

namespace headlight {

int SeveralTexts::run(const std::vector<Row>& texts, const Console& console) const {
  ErrorCount count;
  for (const Row& row : texts) {
    TextResult result;
    try {
      if (!row.error.empty()) throw TextError(row.error);
      show(row.input);
    } catch (const TextError& error) {
      if (texts.size() == 1) throw;
      result.error = error.line();
      show_error(row.input, error.line());
    }
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    count.add(row, result);
  }
  count.say(console, "text");
  return count.status();
}

}  // namespace headlight
