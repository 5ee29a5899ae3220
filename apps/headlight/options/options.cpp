#include "options/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <utility>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/utf8.h"
#include "help/next_step.h"
#include "model/model_tokenizer.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/output_ending.h"
#include "terminal/terminal.h"
#include "terminal/terminal_background.h"

namespace headlight {
namespace {

constexpr std::array<Choice<OutputFormat>, 10> kOutputFormats = {{
    {"auto", OutputFormat::automatic},
    {"text", OutputFormat::text},
    {"json", OutputFormat::json},
    {"jsonl", OutputFormat::jsonl},
    {"csv", OutputFormat::csv},
    {"tsv", OutputFormat::tsv},
    {"npy", OutputFormat::npy},
    {"npz", OutputFormat::npz},
    {"html", OutputFormat::html},
    {"svg", OutputFormat::svg},
}};

}  // namespace

CLI::Option* when(CLI::Option* option, When& value) {
  return choice(option, value,
                {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}})
      ->option_text("WHEN");
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number >= low && number <= high) return "";
    const std::string range = high == UINT64_MAX && error != std::errc::result_out_of_range
                                  ? "of at least " + std::to_string(low)
                                  : "from " + std::to_string(low) + " to " + std::to_string(high);
    return "found \"" + shortened(text) + "\", expected a whole number " + range;
  };
  return {check, ""};
}

CLI::Validator number(double low, double high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    double found = NAN;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, found);
    if (error == std::errc() && stop == end && found >= low && found <= high) return "";
    std::ostringstream line;
    line << "found \"" << shortened(text) << "\", expected a number from " << low << " to " << high;
    return line.str();
  };
  return {check, ""};
}

CLI::Validator fraction() { return number(0.0, 1.0); }

CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? "the name is empty" : ""; }, ""};
}

void complain(const std::string& line) {
  constexpr std::size_t kLongest = 1500;  // engines keep the last 2 KB of standard error
  std::cerr << "headlight: " + shortened(printable(line), kLongest) + '\n';  // one write
}

void Console::add_to(CLI::App& command) {
  const HelpGroup group(command, kRunGroup);
  command.add_flag("-q,--quiet", quiet_, "Print only errors on standard error");
  command.add_flag("-v,--verbose", verbose_, "Print what is used and why");
}

void Console::add_color_to(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  when(command.add_option("--color", "Colors in text output; auto: on a terminal"), color_);
}

void Console::note(const std::string& line) const {
  if (!quiet_) complain(line);
}

void Console::detail(const std::string& line) const {
  if (verbose_) complain(line);
}

bool Console::color() const {
  if (color_ != When::automatic) return color_ == When::always;
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

bool Console::color(const OutputOptions& output) const {
  return output.path().empty() ? color() : color_ == When::always;
}

TerminalColours Console::terminal_colours(const OutputOptions& output) const {
  if (!color(output)) return {};
  return headlight::terminal_colours(output.path().empty());
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
  const HelpGroup group(command, kModelGroup);
  add_value(command, "-m,--model NAME|DIR|CONFIG.json", model_,
            "Model to use (default: the bundled " + model_ + ")");
  const HelpGroup rare(command, kRareGroup);
  add_value(command, "--weights FILE", weights_,
            "Weights to use instead of the file beside the config");
}

Model ModelOptions::load(const Console& console, bool looks_closely) const {
  return announced(load_model(locate_model(model_, weights_)), console, looks_closely);
}

bool ModelOptions::is_missing_preset() const {
  const auto is_preset = [&](const ModelPlace& place) { return place.name == preset_; };
  return model_ == preset_ && !file_exists(preset_) &&
         std::ranges::none_of(list_models(), is_preset);
}

std::string ModelOptions::again() const {
  std::string words;
  if (model_ != preset_) {
    words = " -m " + (file_exists(model_) ? shell_path(model_) : shell_word(model_));
  }
  return weights_.empty() ? words : words + " --weights " + shell_path(weights_);
}

Model ModelOptions::load_other(const std::string& name, const Console& console) {
  return announced(load_model(locate_model(name, "")), console, /*looks_closely=*/false);
}

Model ModelOptions::announced(Model model, const Console& console, bool looks_closely) {
  if (looks_closely || console.is_verbose()) compare_vocabulary(model);
  for (const auto& file : files_of_folder(model.place)) guard_input(file);
  console.detail("model " + model.place.path);
  for (const auto& contradiction : model.contradictions) console.detail(contradiction);
  for (const auto& remark : model.remarks) console.detail(remark);
  for (const auto& warning : model.warnings) console.note(warning);
  return model;
}

void ViewOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  add_value(command, "-k,--top-k N", top_k_, "List the N best labels")
      ->check(whole_number(1, UINT32_MAX));
  add_value(command, "--threshold P", threshold_,
            "List labels with at least this probability; batch leaves the label empty below it "
            "(default of multi-label models: 0.5, or the fitted thresholds)")
      ->check(fraction());
}

void ViewOptions::add_logits_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  command
      .add_flag("--logits", logits_,
                "Print the logits in text output too, as -v does; other formats have them")
      ->option_text(" ");
}

PredictionView ViewOptions::view(const LabelSet& labels) const {
  if (threshold_ && !labels.probabilities) {
    throw UsageError("--threshold needs probabilities; there are none without an activation");
  }
  PredictionView view;
  view.top_k = top_k_;
  view.threshold = threshold_;
  return view;
}

const char* name_of(OutputFormat format) {
  return std::ranges::find(kOutputFormats, format, &Choice<OutputFormat>::value)->name;
}

OutputFormat format_named(std::string_view name) {
  return std::ranges::find(kOutputFormats, name, &Choice<OutputFormat>::name)->value;
}

void OutputOptions::add_to(CLI::App& command, const std::vector<OutputFormat>& formats) {
  formats_ = formats;
  format_ = formats.front();
  std::vector<Choice<OutputFormat>> table;
  table.reserve(formats.size());
  for (const OutputFormat format : formats) table.push_back({name_of(format), format});
  const HelpGroup group(command, kOutputGroup);
  choice(command.add_option("--format", "Output format; by default that of the ending of -o"),
         format_, table)
      ->each([this](const std::string&) { format_given_ = format_ != OutputFormat::automatic; })
      ->option_text("FORMAT");
  add_file_to(command);
  command.parse_complete_callback([this] { settle(); });
}

void OutputOptions::add_file_to(CLI::App& command) {
  add_value(command, "-o,--output FILE", path_,
            "Write to this file instead of standard output; .gz and .zst compress it")
      ->check(not_empty());
  command.add_flag("-f,--force", force_, "Replace an existing file");
  const HelpGroup rare(command, kRareGroup);
  command.add_flag("--ascii", ascii_, "Escape every character above U+007E in JSON");
}

void OutputOptions::settle() {
  format_ = format_given_ ? format_ : format_for(path_, formats_);
  check_ending(path_, format_);
  if (format_ == completed_last_) check_completed_last();
  if (is_binary(format_, path_)) refuse_terminal(path_, name_of(format_));
}

void OutputOptions::check_completed_last() const {
  const std::string name = name_of(format_);
  if (path_.empty()) {
    throw UsageError(name + " needs -o FILE." + name +
                     ", because its header is completed last; --format jsonl writes to standard "
                     "output");
  }
  if (compression_of(path_) != Compression::none) {
    throw UsageError("-o: \"" + shortened(path_) + "\" would be compressed, and the header of " +
                     name + " is completed last; leave out the last ending");
  }
}

RowFormat table_format(OutputFormat format) {
  if (format == OutputFormat::csv) return RowFormat::csv;
  return format == OutputFormat::tsv ? RowFormat::tsv : RowFormat::jsonl;
}

Result::Result(const OutputOptions& options) : standard_(STDOUT_FILENO, "standard output") {
  if (options.path().empty()) {
    refuse_input(STDOUT_FILENO, "standard output");
  } else {
    file_ = std::make_unique<OutputFile>(options.path(), options.force());
  }
}

void Result::finish() {
  if (!file_) return standard_.flush();
  file_->finish();
}

void ErrorCount::add(const Row& row, const TextResult& result) {
  ++rows_;
  tokens_ += result.tokens;
  if (result.truncated > 0) ++truncated_;
  if (result.error.empty()) return;
  ++errors_;
  if (first_error_.empty()) first_error_ = name_of(row) + ": " + result.error;
}

void ErrorCount::add_earlier(std::size_t rows, std::size_t errors) {
  rows_ += rows;
  errors_ += errors;
  resumed_ += rows;
}

void ErrorCount::say(const Console& console, const std::string& thing) const {
  if (truncated_ > 0) {
    console.note(std::to_string(truncated_) + " of " + counted(rows_ - resumed_, thing) +
                 " had too many tokens and were cut; --long window reads all tokens, --long error "
                 "refuses such texts");
  }
  if (errors_ == 0) return;
  complain(std::to_string(errors_) + " of " + counted(rows_, thing) + " could not be scored" +
           (first_error_.empty() ? "" : "; first error: " + thing + " " + first_error_));
}

void say_if_terminal(int descriptor, const Console& console) {
  if (::isatty(descriptor) == 1) {
    console.note("reading texts from the terminal, one per line; Ctrl-D ends");
  }
}

}  // namespace headlight
