#include "options/output_options.h"

#include <algorithm>
#include <array>

#include <unistd.h>

#include "base/file_guard.h"
#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/options.h"
#include "options/output_ending.h"

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
  format_option_ =
      choice(command.add_option("--format", "Output format; by default that of the ending of -o"),
             format_, table)
          ->each([this](const std::string&) { format_given_ = format_ != OutputFormat::automatic; })
          ->option_text("FORMAT");
  mark(format_option_, Effect::nothing);  // --resume compares the format in use
  add_file_to(command);
  command.parse_complete_callback([this] { settle(); });
}

void OutputOptions::add_file_to(CLI::App& command) {
  mark(add_value(command, "-o,--output FILE", path_,
                 "Write to this file instead of standard output; .gz and .zst compress it")
           ->check(not_empty()),
       Effect::nothing);
  mark(command.add_flag("-f,--force", force_, "Replace an existing file"), Effect::nothing);
  const HelpGroup rare(command, kRareGroup);
  command.add_flag("--ascii", ascii_, "Escape every character above U+007E in JSON");
}

void OutputOptions::settle() {
  format_ = format_given_ ? format_ : format_for(path_, formats_);
  declaration_of(*format_option_).value = name_of(format_);
  check_ending(path_, format_);
  if (format_ == completed_last_ && compression_of(path_) != Compression::none) {
    throw UsageError("-o: \"" + shortened(path_) + "\" would be compressed, and the header of " +
                     name_of(format_) + " is completed last; leave out the last ending");
  }
  if (is_binary(format_, path_)) refuse_terminal(path_, name_of(format_));
}

void OutputOptions::complete_last(OutputFormat format) {
  completed_last_ = format;
  const std::string name = name_of(format);
  rule(format_option_, name)
      .needs("-o FILE." + name,
             "because its header is completed last; --format jsonl writes to standard output");
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

void print(const std::string& text) {
  Output output(STDOUT_FILENO, "standard output");
  output.write(text);
  output.flush();
}

void write_result(const OutputOptions& options, const std::string& document) {
  Result result(options);
  result.output().write(document);
  result.finish();
}

}  // namespace headlight
