#include "options/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include <unistd.h>

#include "base/file.h"
#include "base/file_guard.h"
#include "base/outer_blanks.h"
#include "classifier/classifier.h"
#include "help/next_step.h"
#include "model/model_tokenizer.h"
#include "options/help_group.h"
#include "options/provenance.h"

namespace headlight {
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

CLI::Validator without_blanks() {
  return {[](std::string& text) {
            text = without_outer_blanks(text);
            return std::string();
          },
          ""};
}

CLI::Validator output_name(const std::string& standard_output) {
  return {[=](const std::string& name) -> std::string {
            if (name.empty()) return "the name is empty";
            if (name != "-") return "";
            return "\"-\" is no output; " + (standard_output.empty() ? "write " : standard_output) +
                   "./- for this name";
          },
          ""};
}

void add_title(CLI::App& command, std::string& title) {
  const HelpGroup group(command, kResultGroup);
  rule(add_value(command, "--title TEXT", title, "A title above the picture")->check(not_empty()))
      .needs("--format svg");
}

void ModelOptions::add_to(CLI::App& command) {
  command_ = command.get_name();
  const HelpGroup group(command, kModelGroup);
  mark(add_value(command, "-m,--model NAME|DIR|CONFIG.json", model_,
                 "Model to use, or a file of fastText (default: the bundled " + model_ + ")")
           ->group(kOftenGroup),
       Effect::contents);
  const HelpGroup rare(command, kRareGroup);
  mark(add_value(command, "--weights FILE", weights_,
                 "Weights to use instead of the file beside the config"),
       Effect::contents);
}

Model ModelOptions::load(const Console& console, bool looks_closely) const {
  Model model = announced(load_model(locate_model(model_, weights_)), console, looks_closely);
  constexpr std::array kOfFeatures = {"classify", "batch",    "evaluate", "embed",
                                      "explain",  "tokenize", "inspect"};
  const bool reads_features = std::ranges::find(kOfFeatures, command_) != kOfFeatures.end();
  if (!reads_features ||
      (command_ == "embed" && model.features && !model.features->gives_vectors()))
    require_layers(model, command_);
  note_model(model);
  return model;
}

bool ModelOptions::is_missing_preset() const {
  const auto is_preset = [&](const ModelPlace& place) { return place.name == preset_; };
  return model_ == preset_ && !file_exists(preset_) &&
         std::ranges::none_of(list_models(), is_preset);
}

std::string ModelOptions::again() const {
  std::string words;
  if (model_ != preset_) {
    words = " -m " + typed(model_);
  }
  return weights_.empty() ? words : words + " --weights " + shell_path(weights_);
}

std::string ModelOptions::typed(const std::string& name) {
  return file_exists(name) ? shell_path(name) : shell_word(name);
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
  command_ = &command;
  const auto number_or_all = [](std::string& typed) -> std::string {
    if (typed == "-1") typed = std::to_string(UINT32_MAX);
    const std::string wrong = whole_number(1, UINT32_MAX)(typed);
    return wrong.empty() ? "" : wrong + ", or -1 for all labels";
  };
  rule(add_value(command, "-k,--top-k N", top_k_, "List the N best labels; -1: all")
           ->group(kOftenGroup)
           ->transform({number_or_all, ""}))
      .needs(kLabelsTexts);
  rule(add_value(command, "--threshold P", threshold_,
                 "List labels with at least this probability; batch leaves the label empty below "
                 "it (default of multi-label models: 0.5, or the fitted thresholds)")
           ->check(fraction()))
      .needs(kHasProbabilities);
}

void ViewOptions::add_logits_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  command.add_flag("--logits", logits_,
                   "Print the logits in text output too, as -v does; other formats have them");
}

PredictionView ViewOptions::view(const LabelSet& labels) const {
  check_fact(*command_, kHasProbabilities, labels.probabilities,
             "; there are none without an activation");
  PredictionView view;
  view.top_k = top_k_;
  view.threshold = threshold_;
  return view;
}

void say_unknown(const TextSize& read, const Console& console, const std::string& what) {
  const std::string note = note_of_unknown(read);
  if (!note.empty()) console.note(what + note);
}

void ErrorCount::add(const Row& row, const TextResult& result) {
  ++rows_;
  read_.add(result);
  if (result.truncated > 0) ++truncated_;
  if (result.error.empty()) {
    if (row.is_empty) ++empty_;
    ++answered_[result.passed_on ? 1 : 0];
    return;
  }
  ++errors_;
  if (first_error_.empty()) first_error_ = name_of(row) + ": " + result.error;
  if (cure_.empty()) cure_ = row.cure;
}

void ErrorCount::add_earlier(std::size_t rows, std::size_t errors) {
  rows_ += rows;
  errors_ += errors;
  resumed_ += rows;
}

void ErrorCount::say(const Console& console, const std::string& thing) const {
  if (truncated_ > 0) {
    console.note(
        std::to_string(truncated_) + " of " + counted(rows_ - resumed_, thing) +
        " had too many tokens; the rest was cut; --long window reads all tokens, --long error "
        "refuses such texts");
  }
  say_unknown(read_, console);
  if (empty_ > 0) console.note(counted(empty_, "empty text") + " scored");
  if (errors_ == 0) return;
  complain(std::to_string(errors_) + " of " + counted(rows_, thing) + " could not be scored" +
           (first_error_.empty() ? "" : "; first error: " + thing + " " + first_error_) +
           (cure_.empty() ? "" : "; " + cure_));
}

void say_if_terminal(int descriptor, const Console& console) {
  if (::isatty(descriptor) == 1) {
    console.note("reading texts from the terminal, one per line; Ctrl-D ends");
  }
}

}  // namespace headlight
