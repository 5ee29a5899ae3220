#include "options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include <unistd.h>

#include "base/error.h"
#include "base/utf8.h"
#include "model/model_tokenizer.h"
#include "terminal.h"

namespace headlight {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number >= low && number <= high) return "";
    const std::string range = high == UINT64_MAX
                                  ? "of at least " + std::to_string(low)
                                  : "from " + std::to_string(low) + " to " + std::to_string(high);
    return "found \"" + shortened(text) + "\", expected a whole number " + range;
  };
  return {check, ""};
}

CLI::Validator fraction() {
  const auto check = [](const std::string& text) -> std::string {
    float number = -1.0F;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number >= 0.0F && number <= 1.0F) return "";
    return "found \"" + shortened(text) + "\", expected a number from 0 to 1";
  };
  return {check, ""};
}

CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? "is an empty name" : ""; }, ""};
}

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

void complain(const std::string& line) {
  constexpr std::size_t kLongest = 1500;  // engines keep the last 2 KB of standard error
  std::cerr << "headlight: " << shortened(printable(line), kLongest) << '\n';
}

void Console::add_to(CLI::App& command) {
  command.add_flag("-q,--quiet", quiet_, "Say nothing but errors on standard error");
  command.add_flag("-v,--verbose", verbose_, "Say what is used and why");
  command.add_option("--color", color_, "Colour text: auto (default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("WHEN");
}

void Console::note(const std::string& line) const {
  if (!quiet_) complain(line);
}

void Console::detail(const std::string& line) const {
  if (verbose_) complain(line);
}

bool Console::color() const {
  if (color_ != "auto") return color_ == "always";
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

bool Console::color(const OutputOptions& output) const {
  return output.path().empty() ? color() : color_ == "always";
}

std::size_t Console::columns() {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 10'000;
  std::size_t columns = 0;
  const char* said = std::getenv("COLUMNS");  // NOLINT(concurrency-mt-unsafe)
  if (said != nullptr) std::from_chars(said, said + std::strlen(said), columns);
  if (columns == 0) columns = terminal_columns(STDOUT_FILENO);
  return std::clamp(columns, kLeast, kMost);
}

void ModelOptions::add_to(CLI::App& command) {
  command.add_option("-m,--model", model_, "What to run (default: the sentiment that ships)")
      ->option_text("NAME|DIR|CONFIG.json");
  command.add_option("--weights", weights_, "Weights to use instead of those beside the config")
      ->option_text("FILE");
}

Model ModelOptions::load(const Console& console, bool looks_closely) const {
  return announced(load_model(locate_model(model_, weights_)), console, looks_closely);
}

Model ModelOptions::load_other(const std::string& name, const Console& console) {
  return announced(load_model(locate_model(name, "")), console, /*looks_closely=*/false);
}

Model ModelOptions::announced(Model model, const Console& console, bool looks_closely) {
  if (looks_closely || console.is_verbose()) compare_vocabulary(model);
  console.detail("model " + model.place.path);
  for (const auto& contradiction : model.contradictions) console.detail(contradiction);
  for (const auto& remark : model.remarks) console.detail(remark);
  for (const auto& warning : model.warnings) console.note(warning);
  return model;
}

void ViewOptions::add_to(CLI::App& command) {
  command.add_option("-k,--top-k", top_k_, "List so many labels, best first")
      ->check(whole_number(1, UINT32_MAX))
      ->option_text("N");
  command
      .add_option("--threshold", threshold_,
                  "List labels of at least this probability (multi-label: 0.5, or what was fitted)")
      ->check(fraction())
      ->option_text("P");
}

PredictionView ViewOptions::view(const LabelSet& labels) const {
  if (threshold_ && !labels.probabilities) {
    throw UsageError("--threshold needs probabilities, and there are none without an activation");
  }
  PredictionView view;
  view.top_k = top_k_;
  view.threshold = threshold_;
  return view;
}

void OutputOptions::add_to(CLI::App& command, const std::vector<std::string>& formats) {
  format_ = formats.front();
  command
      .add_option("--format", format_,
                  "What is written: " + joined(formats) + " (default: " + format_ + ")")
      ->check(CLI::IsMember(formats))
      ->option_text("FORMAT");
  add_file_to(command);
}

void OutputOptions::add_file_to(CLI::App& command) {
  command.add_option("-o,--output", path_, "Write to this file instead of standard output")
      ->check(not_empty())
      ->option_text("FILE");
  command.add_flag("-f,--force", force_, "Replace a file that exists");
  command.add_flag("--ascii", ascii_, "JSON with every character above U+007E escaped");
}

RowFormat table_format(const std::string& format) {
  if (format == "csv") return RowFormat::csv;
  return format == "tsv" ? RowFormat::tsv : RowFormat::jsonl;
}

Result::Result(const OutputOptions& options) : standard_(STDOUT_FILENO, "standard output") {
  if (!options.path().empty()) {
    file_ = std::make_unique<OutputFile>(options.path(), options.force());
  }
}

void Result::finish() {
  if (file_) {
    file_->finish();
  } else {
    standard_.flush();
  }
}

void ErrorCount::add(const ScoredRow& row) {
  ++rows_;
  tokens_ += row.prediction.tokens;
  if (row.prediction.truncated > 0) ++truncated_;
  if (row.prediction.error.empty()) return;
  ++errors_;
  if (first_error_.empty()) first_error_ = row.row.id.text + ": " + row.prediction.error;
}

void ErrorCount::add_earlier(std::size_t rows, std::size_t errors) {
  rows_ += rows;
  errors_ += errors;
  resumed_ += rows;
}

void ErrorCount::say(const Console& console, const std::string& thing) const {
  if (truncated_ > 0) {
    console.note(std::to_string(truncated_) + " of " + counted(rows_ - resumed_, thing) +
                 " had more tokens than the model reads and were cut; --long window reads all of "
                 "them, --long error refuses them");
  }
  if (errors_ == 0) return;
  complain(std::to_string(errors_) + " of " + counted(rows_, thing) + " could not be scored" +
           (first_error_.empty() ? "" : "; the first: " + thing + " " + first_error_));
}

void say_if_terminal(int descriptor, const Console& console) {
  if (::isatty(descriptor) == 1) {
    console.note("reading texts from the terminal, one a line; Ctrl-D ends");
  }
}

}  // namespace headlight
