#include "options/text_options.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "base/error.h"
#include "base/utf8.h"
#include "classifier/zero_shot.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/options.h"
#include "rows/row_reader.h"
#include "text/typed_ids.h"

namespace headlight {
namespace {

// More texts than a command line can contain.
constexpr int kManyTexts = 1 << 28;

/// Converts the row's text to its input. A text that cannot be read sets the row's error.
void read_input(Row& row, const TextOptions& options) {
  try {
    row.input = options.input_of(row.input.text);
  } catch (const TextError& error) {
    row.error = error.line();
  }
}

/// Texts given as arguments.
class TypedRows : public RowSource {
 public:
  /// `options` must outlive it.
  TypedRows(std::vector<std::string> texts, const TextOptions& options)
      : texts_(std::move(texts)), options_(options) {}

  std::optional<Row> next() override {
    if (given_ == texts_.size()) return std::nullopt;
    Row row;
    row.id.text = std::to_string(given_);
    row.input.text = std::move(texts_[given_++]);
    read_input(row, options_);
    return row;
  }
  bool ready() override { return true; }

 private:
  std::vector<std::string> texts_;
  const TextOptions& options_;
  std::size_t given_ = 0;
};

/// Standard input, one text per line.
class LineRows : public RowSource {
 public:
  /// Both must outlive it.
  LineRows(const TextOptions& options, const Console& console)
      : lines_(STDIN_FILENO, "standard input", reading(console)), options_(options) {}

  std::optional<Row> next() override {
    std::optional<Row> row = lines_.next();
    if (row && row->error.empty()) read_input(*row, options_);
    return row;
  }
  bool ready() override { return lines_.ready(); }

 private:
  static RowReading reading(const Console& console) {
    return {.is_guessed = true, .note = [&](const std::string& line) { console.note(line); }};
  }

  RowReader lines_;
  const TextOptions& options_;
};

}  // namespace

void note_unused_limits(const Model& model, const ReadingOptions& options, const Console& console) {
  const bool cuts = options.long_texts.value_or(LongTexts::truncate) == LongTexts::truncate;
  if (!model.features || (!options.max_length && cuts)) return;
  console.note("--max-length and --long do not apply: " + model.place.name + " is a model of " +
               model.features->kind() + ", which reads all words of a text");
}

void TextOptions::add_texts_to(CLI::App& command) {
  command_ = command.get_name();
  const HelpGroup group(command, kInputGroup);
  // The parser would split the text "[a, b]" if extra arguments were allowed, and convert "{}" to
  // an empty list. Expecting many values avoids the first, reading results() the second.
  texts_ = add_value(command, "TEXT ...", converted_texts_,
                     "Texts (default: standard input, one per line)")
               ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
               ->allow_extra_args(false)
               ->expected(kManyTexts, kManyTexts);
  rule(add_value(command, "--pair TEXT", pair_,
                 "The second text of a pair, such as a hypothesis after its premise: headlight " +
                     command_ + R"( "A" --pair "B")"))
      .excludes("--ids", "which contain both texts")
      .needs(kLabelsTexts);
}

void TextOptions::add_ids_to(CLI::App& command) {
  const HelpGroup group(command, kRareGroup);
  command.add_flag("--ids", ids_, "Texts are token ids with special tokens, such as 101 2023 102");
  if (texts_ == nullptr) return;
  rule(add_value(command, "--type-ids IDS", type_ids_, "Segment numbers, one per token"))
      .needs("--ids");
}

void TextOptions::add_tokens_to(CLI::App& command, bool whole) {
  const HelpGroup group(command, kInputGroup);
  command.add_flag("--plain-text", plain_text_,
                   "Treat [SEP] and the like in a text as text, not as special tokens");
  add_value(command, "--max-length N", max_length_,
            std::string("Read at most N tokens per text, special tokens included (default: ") +
                (whole ? "all)" : "as many as the model takes)"))
      ->check(whole_number(0, UINT32_MAX));
}

void TextOptions::add_activation_to(CLI::App& command) {
  const HelpGroup group(command, kModelGroup);
  rule(choice(command.add_option("--activation", "Activation to use instead of the model's"),
              activation_, kScoreActivationWords)
           ->option_text("NAME"))
      .needs(kLabelsTexts);
}

void TextOptions::add_among_to(CLI::App& command) {
  const HelpGroup group(command, kModelGroup);
  rule(add_value(command, "--among LABEL,...", among_,
                 "Decide between these labels alone; the softmax is over them")
           ->allow_extra_args(false))
      .excludes("--activation")
      .needs(kLabelsTexts);
}

void TextOptions::add_long_to(CLI::App& command, bool windows) {
  const HelpGroup group(command, kInputGroup);
  std::vector<Choice<std::optional<LongTexts>>> ways;
  ways.reserve(kLongTextsWords.size());
  for (const auto& [word, way] : kLongTextsWords) ways.push_back({word, way});
  if (!windows) ways.pop_back();
  const std::string help =
      windows
          ? "How to read texts longer than the model takes; window: average the logits, or the "
            "vectors after pooling, of overlapping windows (rank: take the highest score of a "
            "pair); of a pair, the longer text is split and the other must fit in half (default: "
            "as the model says, which is truncate unless fit --long made it)"
          : "What to do with texts longer than the model takes (default: as the model says, "
            "which is truncate unless fit --long made it)";
  choice(command.add_option("--long", help), long_, ways)->option_text("HOW");
  if (!windows) return;
  rule(add_value(command, "--stride N", stride_,
                 "Tokens shared by two windows (default: a quarter of a window)")
           ->check(whole_number(0, UINT32_MAX)))
      .needs("--long window");
}

void TextOptions::add_reading_to(CLI::App& command, unsigned reading) {
  finds_equal_ = (reading & kEqual) != 0;
  add_tokens_to(command, (reading & kWhole) != 0);
  if ((reading & kIds) != 0) add_ids_to(command);
  if ((reading & kActivation) != 0) add_activation_to(command);
  if ((reading & kAmong) != 0) add_among_to(command);
  if ((reading & (kLong | kWindows)) != 0) add_long_to(command, (reading & kWindows) != 0);
}

std::vector<std::string> labels_in(const std::string& option,
                                   const std::vector<std::string>& lists) {
  std::vector<std::string> labels;
  for (const std::string& list : lists) {
    for (std::string& label : split_candidates(list)) {
      if (std::ranges::find(labels, label) != labels.end()) {
        throw UsageError(option + " has the label \"" + shortened(label) + "\" twice");
      }
      labels.push_back(std::move(label));
    }
  }
  return labels;
}

std::vector<std::string> TextOptions::labels_among() const {
  std::vector<std::string> labels = labels_in("--among", among_);
  if (!among_.empty() && labels.size() < 2) {
    throw UsageError("--among takes two or more labels, found " + std::to_string(labels.size()));
  }
  return labels;
}

ClassifierOptions TextOptions::classifier_options() const {
  ClassifierOptions options;
  options.ids = ids_;
  options.plain_text = plain_text_;
  options.max_length = max_length_;
  options.long_texts = long_;
  options.stride = stride_;
  options.activation = activation_;
  options.among = labels_among();
  options.finds_equal = finds_equal_;
  return options;
}

TextInput TextOptions::input_of(const std::string& text) const {
  TextInput input{text, pair_, {}};
  if (ids_) input.ids = parse_typed_ids(text, type_ids_);
  return input;
}

std::unique_ptr<RowSource> TextOptions::rows(const Console& console) const {
  const std::vector<std::string>& typed = texts_->results();
  if (typed.empty()) say_if_terminal(STDIN_FILENO, console);
  if (pair_ && typed.size() > 1) {
    throw UsageError("--pair is the second text of one pair, found " +
                     std::to_string(typed.size()) + " first texts: headlight " + command_ +
                     R"( "A" --pair "B")");
  }
  if (typed.empty()) return std::make_unique<LineRows>(*this, console);
  return std::make_unique<TypedRows>(typed, *this);
}

std::vector<Row> TextOptions::all(const Console& console) const {
  const std::unique_ptr<RowSource> source = rows(console);
  std::vector<Row> texts;
  while (std::optional<Row> row = source->next()) texts.push_back(std::move(*row));
  if (texts.empty()) throw UsageError("no text was given");
  return texts;
}

TextInput TextOptions::single(const std::vector<Row>& texts, const std::string& reason) {
  if (texts.size() > 1) {
    throw UsageError("found " + std::to_string(texts.size()) + " texts, expected one: " + reason);
  }
  if (!texts.front().error.empty()) throw TextError(texts.front().error);
  return texts.front().input;
}

}  // namespace headlight
