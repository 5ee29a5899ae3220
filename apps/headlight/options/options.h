// Options that most commands share. Each group is declared once and converted for the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/utf8.h"
#include "model/model.h"
#include "options/console.h"
#include "options/declaration.h"
#include "options/output_options.h"
#include "report/predictions/prediction_report.h"
#include "rows/row_reading.h"
#include "rows/row_sources.h"

namespace headlight {

/// What options need of the model. The first two are checked by TokenLabelOptions.
inline constexpr Fact kLabelsTexts{"a model that labels texts", /*is_listed=*/false};
inline constexpr Fact kLabelsTokens{"a model that labels tokens"};
inline constexpr Fact kHasProbabilities{"probabilities", /*is_listed=*/false};
inline constexpr Fact kIsMultiLabel{"a multi-label model"};
inline constexpr Fact kHasLabelNames{"labels", /*is_listed=*/false};

/// Validators for the parser. Their messages name what was found and what was expected.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
CLI::Validator number(double low, double high);
CLI::Validator fraction();
CLI::Validator not_empty();
/// Drops the blanks around a value, as in "1, 2"; for a transform.
CLI::Validator without_blanks();
/// Accepts a name for an output, which "-" is not. `standard_output` says how it is written.
CLI::Validator output_name(const std::string& standard_output = "");
/// Accepts what `parse` makes something of, which `expected` describes.
template <typename Parse>
CLI::Validator readable_by(Parse parse, const std::string& expected) {
  const auto check = [=](const std::string& text) {
    return parse(text) ? "" : "found \"" + shortened(text) + "\", expected " + expected;
  };
  return {check, ""};
}

/// --title, of what is drawn as SVG.
void add_title(CLI::App& command, std::string& title);

/// -m, --weights
class ModelOptions {
 public:
  /// `preset` is the name of a bundled model.
  explicit ModelOptions(std::string preset = "sentiment")
      : preset_(std::move(preset)), model_(preset_) {}
  void add_to(CLI::App& command);
  /// `looks_closely`, or --verbose: also reads files that serve only to find contradictions.
  Model load(const Console& console, bool looks_closely = false) const;
  /// Whether no model was given and the bundled one is not installed.
  bool is_missing_preset() const;
  /// The files of the model, which are not read. Throws Error if there is none.
  ModelPlace place() const { return locate_model(model_, weights_); }
  /// " -m MODEL --weights FILE" as given, for a shell; empty for the preset.
  std::string again() const;
  /// The name or path of a model as given, for a shell.
  static std::string typed(const std::string& name);
  /// Loads a model that another option names.
  static Model load_other(const std::string& name, const Console& console);

 private:
  /// Reports the notes and warnings of a model.
  static Model announced(Model model, const Console& console, bool looks_closely);

  std::string preset_;
  std::string model_;
  std::string weights_;
  std::string command_;  // whose options they are
};

/// -k, --threshold, --logits
class ViewOptions {
 public:
  void add_to(CLI::App& command);
  /// Adds the option for logits in text output; other formats always have them.
  void add_logits_to(CLI::App& command);
  bool logits() const { return logits_; }
  /// Throws UsageError for --threshold if there are no probabilities.
  PredictionView view(const LabelSet& labels) const;

 private:
  const CLI::App* command_ = nullptr;
  std::optional<std::size_t> top_k_;
  std::optional<float> threshold_;
  bool logits_ = false;
};

/// Notes the share of the tokens that are unknown if it is large; `what` begins the note.
void say_unknown(const TextSize& read, const Console& console, const std::string& what = "");

/// Counts truncated texts and errors and reports them at the end.
class ErrorCount {
 public:
  void add(const Row& row, const TextResult& result);
  /// Adds the rows of an earlier run.
  void add_earlier(std::size_t rows, std::size_t errors);
  std::size_t rows() const { return rows_; }
  std::size_t errors() const { return errors_; }
  std::size_t truncated() const { return truncated_; }
  /// The tokens of all texts of this run.
  const TextSize& read() const { return read_; }
  /// Empty texts that were scored.
  std::size_t empty() const { return empty_; }
  /// By the small and by the large model of a cascade, in this run.
  const std::array<std::size_t, 2>& answered() const { return answered_; }
  /// Rows of an earlier run.
  std::size_t resumed() const { return resumed_; }
  /// Reports the number of truncated and of empty texts, the share of unknown tokens, and errors
  /// with the first error. `thing` is "text", "row" or "word".
  void say(const Console& console, const std::string& thing) const;
  int status() const { return errors_ == 0 ? 0 : 3; }

 private:
  std::size_t rows_ = 0;
  std::size_t errors_ = 0;
  std::size_t truncated_ = 0;
  TextSize read_;
  std::size_t empty_ = 0;
  std::size_t resumed_ = 0;
  std::array<std::size_t, 2> answered_ = {};
  std::string first_error_;
  std::string cure_;  // of the first error that has one
};

/// Writes a note if input is read from a terminal.
void say_if_terminal(int descriptor, const Console& console);

}  // namespace headlight
