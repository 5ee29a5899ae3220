// Which texts are read, and how.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "classifier/classifier.h"
#include "options.h"
#include "rows/row_source.h"

namespace headlight {

/// TEXT…, --pair, --ids, --type-ids, --plain-text, --max-length, --long, --stride, --activation
class TextOptions {
 public:
  /// With TEXT… on the command line, and what goes with a text typed there.
  void add_texts_to(CLI::App& command);
  /// How texts become tokens and logits become scores.
  void add_reading_to(CLI::App& command);
  /// The same for texts that are still being written, of which none is longer than the model takes.
  void add_growing_to(CLI::App& command);

  bool has_pair() const { return pair_.has_value(); }
  /// Texts are token ids.
  bool has_ids() const { return ids_; }
  bool has_windows() const { return long_ == LongTexts::window; }
  /// Throws UsageError.
  ClassifierOptions classifier_options() const;
  /// Throws UsageError where long texts are to be read through windows, which `command` does not
  /// do.
  void refuse_windows(const std::string& command) const;
  /// The one text that was typed or stands alone on standard input. Throws UsageError.
  TextInput single(const Console& console) const;
  /// A text, or its token ids, with what was typed beside it. Throws TextError.
  TextInput input_of(const std::string& text) const;
  /// The typed texts, or standard input a text a line; these options must outlive it. Throws
  /// UsageError.
  std::unique_ptr<RowSource> rows(const Console& console) const;

 private:
  /// Throws UsageError for what does not go together.
  void check_texts() const;

  CLI::Option* texts_ = nullptr;
  std::vector<std::string> converted_texts_;  // by the parser; not read, see add_texts_to()
  std::optional<std::string> pair_;
  std::optional<std::string> type_ids_;
  bool ids_ = false;
  bool plain_text_ = false;
  std::optional<std::size_t> max_length_;
  LongTexts long_ = LongTexts::truncate;
  std::optional<std::size_t> stride_;
  std::optional<ScoreActivation> activation_;  // empty: the model's
};

}  // namespace headlight
