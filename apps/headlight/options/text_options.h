// Options for the texts of a command and how they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "classifier/classifier.h"
#include "options/options.h"
#include "rows/row_sources.h"

namespace headlight {

/// TEXT…, --pair, --ids, --type-ids, --plain-text, --max-length, --long, --stride, --activation
class TextOptions {
 public:
  /// Adds TEXT… and the options for texts on the command line.
  void add_texts_to(CLI::App& command);
  /// Adds the options for tokens and scores.
  void add_reading_to(CLI::App& command);
  /// Adds those of add_reading_to() that apply to texts that grow word by word.
  void add_growing_to(CLI::App& command);
  /// Those that apply without scores.
  void add_vector_reading_to(CLI::App& command);
  /// Those that apply to a trace, which has no windows.
  void add_traced_reading_to(CLI::App& command);
  /// Those that apply to texts without one of their words: no token ids, no windows.
  void add_word_reading_to(CLI::App& command);
  /// Those that apply to tokens alone.
  void add_token_reading_to(CLI::App& command);

  /// Whether TEXT or --pair is on the command line.
  bool has_texts() const { return texts_->count() > 0 || pair_; }
  bool has_pair() const { return pair_.has_value(); }
  /// Texts are token ids.
  bool has_ids() const { return ids_; }
  bool has_windows() const { return long_ == LongTexts::window; }
  /// Throws UsageError.
  ClassifierOptions classifier_options() const;
  /// Throws UsageError for --long window, which `command` does not support.
  void refuse_windows(const std::string& command) const;
  /// All texts of the command line or of standard input. Throws UsageError if there is none.
  std::vector<Row> all(const Console& console) const;
  /// The only one of `texts`. Throws UsageError with `reason` if there are more, and TextError if
  /// it cannot be read.
  static TextInput single(const std::vector<Row>& texts, const std::string& reason);
  /// The input for a text or its token ids, with --pair and --type-ids. Throws TextError.
  TextInput input_of(const std::string& text) const;
  /// The texts of the command line, or of standard input with one text per line. The options must
  /// outlive the result. Throws UsageError.
  std::unique_ptr<RowSource> rows(const Console& console) const;

 private:
  void add_ids_to(CLI::App& command);
  /// `preset` says how many tokens are read without --max-length.
  void add_tokens_to(CLI::App& command, const std::string& preset);
  void add_activation_to(CLI::App& command);
  void add_long_to(CLI::App& command);
  void add_windows_to(CLI::App& command);
  /// Throws UsageError if options exclude each other.
  void check_texts() const;

  CLI::Option* texts_ = nullptr;
  std::string command_;
  std::vector<std::string> converted_texts_;  // unused, see add_texts_to()
  std::optional<std::string> pair_;
  std::optional<std::string> type_ids_;
  bool ids_ = false;
  bool plain_text_ = false;
  std::optional<std::size_t> max_length_;
  LongTexts long_ = LongTexts::truncate;
  std::optional<std::size_t> stride_;
  std::optional<ScoreActivation> activation_;  // empty: use the model's
};

}  // namespace headlight
