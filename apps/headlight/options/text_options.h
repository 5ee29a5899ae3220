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

/// Notes limits on tokens that a model without a tokenizer does not apply.
void note_unused_limits(const Model& model, const ReadingOptions& options, const Console& console);

/// The labels of an option's comma-separated lists. Throws UsageError if one stands twice.
std::vector<std::string> labels_in(const std::string& option,
                                   const std::vector<std::string>& lists);

/// TEXT…, --pair, --ids, --type-ids, --plain-text, --max-length, --long, --stride, --activation,
/// --among
class TextOptions {
 public:
  /// Adds TEXT… and the options for texts on the command line.
  void add_texts_to(CLI::App& command);
  /// What a command reads besides the first tokens of texts.
  enum Reading : unsigned {
    kIds = 1,         // token ids instead of texts
    kActivation = 2,  // scores
    kLong = 4,        // texts longer than the model takes: cut or refused
    kWindows = 8,     // the same, or in windows
    kWhole = 16,      // texts of any length
    kEqual = 32,      // which texts are equal
    kAmong = 64,      // some of the labels
  };
  /// Adds the options for tokens and scores. `reading`: some of Reading.
  void add_reading_to(CLI::App& command, unsigned reading);

  /// Texts are on the command line, not on standard input.
  bool is_typed() const { return !texts_->results().empty(); }
  bool has_pair() const { return pair_.has_value(); }
  /// Texts are token ids.
  bool has_ids() const { return ids_; }
  bool has_windows(const Model& model) const { return reads_windows(model, classifier_options()); }
  /// Throws UsageError if the labels of --among are too few, or not all different.
  ClassifierOptions classifier_options() const;
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
  std::vector<std::string> labels_among() const;
  void add_ids_to(CLI::App& command);
  void add_tokens_to(CLI::App& command, bool whole);
  void add_activation_to(CLI::App& command);
  void add_among_to(CLI::App& command);
  void add_long_to(CLI::App& command, bool windows);

  CLI::Option* texts_ = nullptr;
  std::string command_;
  std::vector<std::string> converted_texts_;  // unused, see add_texts_to()
  std::optional<std::string> pair_;
  std::optional<std::string> type_ids_;
  bool ids_ = false;
  bool plain_text_ = false;
  bool finds_equal_ = false;
  std::optional<std::size_t> max_length_;
  std::optional<LongTexts> long_;  // empty: as the model says
  std::optional<std::size_t> stride_;
  std::optional<ScoreActivation> activation_;  // empty: use the model's
  std::vector<std::string> among_;
};

}  // namespace headlight
