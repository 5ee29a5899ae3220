#include "text_options.h"

#include <memory>
#include <utility>

#include <unistd.h>

#include "base/error.h"
#include "rows/row_reader.h"

namespace headlight {
namespace {

// More texts than any command line holds.
constexpr int kManyTexts = 1 << 28;

/// Rows from a list that is all there.
RowSupply list_supply(std::vector<TextInput> inputs) {
  struct State {
    std::vector<TextInput> inputs;
    std::size_t next = 0;
  };
  auto state = std::make_shared<State>(State{std::move(inputs)});
  return {[state]() -> std::optional<Row> {
            if (state->next == state->inputs.size()) return std::nullopt;
            Row row;
            row.id.text = std::to_string(state->next);
            row.input = std::move(state->inputs[state->next++]);
            return row;
          },
          [] { return true; }};
}

}  // namespace

void TextOptions::add_texts_to(CLI::App& command) {
  // The parser takes "[a, b]" for a list where extra arguments are allowed, so many are expected
  // instead; and "{}" for an empty list where it converts, so results() is read.
  texts_ = command
               .add_option("TEXT", converted_texts_,
                           "Texts; standard input, one a line, where none is given")
               ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
               ->allow_extra_args(false)
               ->expected(kManyTexts, kManyTexts)
               ->option_text("...");
  command.add_option("--pair", pair_, "The second text of a pair")->option_text("TEXT");
  command.add_option("--type-ids", type_ids_, "With --ids: the segment of each token")
      ->option_text("IDS");
}

void TextOptions::add_growing_to(CLI::App& command) {
  command.add_flag("--ids", ids_, "The texts are token ids, special ones included: 101 2023 102")
      ->option_text(" ");
  command.add_flag("--plain-text", plain_text_,
                   "[SEP] typed in a text is text, not a special token");
  command
      .add_option("--max-length", max_length_,
                  "Read so many tokens of a text, special ones included")
      ->check(whole_number(0, UINT32_MAX))
      ->option_text("N");
  command
      .add_option("--activation", activation_,
                  "softmax, sigmoid or none instead of the model's own")
      ->check(CLI::IsMember({"softmax", "sigmoid", "none"}))
      ->option_text("NAME");
}

void TextOptions::add_reading_to(CLI::App& command) {
  add_growing_to(command);
  command
      .add_option(
          "--long", long_,
          "Texts longer than the model takes: truncate (default), error, or window: average "
          "the logits of overlapping windows, of a pair over its longer text (the other "
          "must fit in half)")
      ->check(CLI::IsMember({"truncate", "error", "window"}))
      ->option_text("HOW");
  command
      .add_option("--stride", stride_,
                  "With --long window: tokens that two windows share (default: a quarter of what "
                  "fits)")
      ->check(whole_number(0, UINT32_MAX))
      ->option_text("N");
}

ClassifierOptions TextOptions::classifier_options() const {
  ClassifierOptions options;
  options.ids = ids_;
  options.plain_text = plain_text_;
  options.max_length = max_length_;
  if (long_ == "error") options.long_texts = LongTexts::error;
  if (long_ == "window") options.long_texts = LongTexts::window;
  if (stride_ && long_ != "window") throw UsageError("--stride needs --long window");
  options.stride = stride_;
  if (activation_ == "softmax") options.activation = ScoreActivation::softmax;
  if (activation_ == "sigmoid") options.activation = ScoreActivation::sigmoid;
  if (activation_ == "none") options.activation = ScoreActivation::none;
  return options;
}

void TextOptions::refuse_windows(const std::string& command) const {
  if (has_windows()) {
    throw UsageError(command + " does not go with --long window, which averages logits alone");
  }
}

TextInput TextOptions::from_line(std::string line) const {
  if (type_ids_ && !ids_) throw UsageError("--type-ids needs --ids");
  if (pair_ && ids_) throw UsageError("--pair does not go with --ids, which hold both texts");
  return {std::move(line), pair_, type_ids_};
}

std::vector<TextInput> TextOptions::typed() const {
  std::vector<TextInput> inputs;
  for (const auto& text : texts_->results()) inputs.push_back(from_line(text));
  return inputs;
}

RowSupply TextOptions::rows(const Console& console) const {
  if (std::vector<TextInput> inputs = typed(); !inputs.empty()) {
    return list_supply(std::move(inputs));
  }
  say_if_terminal(STDIN_FILENO, console);
  from_line("");  // what does not go together is said before anything is read
  const auto lines = std::make_shared<RowReader>(STDIN_FILENO, "standard input", RowReading());
  return {[lines, this]() -> std::optional<Row> {
            std::optional<Row> row = lines->next();
            if (row && row->error.empty()) row->input = from_line(std::move(row->input.text));
            return row;
          },
          [lines] { return lines->ready(); }};
}

TextInput TextOptions::single(const Console& console) const {
  const RowSupply supply = rows(console);
  const std::optional<Row> row = supply.next();
  if (!row) throw UsageError("no text was given");
  if (supply.next()) throw UsageError("takes one text, found a second one");
  if (!row->error.empty()) throw TextError(row->error);
  return row->input;
}

}  // namespace headlight
