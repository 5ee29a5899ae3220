#include "options/output_options.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compression.h"
#include "base/file_guard.h"
#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/options.h"
#include "options/provenance.h"

namespace headlight {
namespace {

constexpr std::array<Choice<OutputFormat>, 13> kOutputFormats = {{
    {"auto", OutputFormat::automatic},
    {"text", OutputFormat::text},
    {"json", OutputFormat::json},
    {"jsonl", OutputFormat::jsonl},
    {"csv", OutputFormat::csv},
    {"tsv", OutputFormat::tsv},
    {"hf", OutputFormat::hf},
    {"fasttext", OutputFormat::fasttext},
    {"npy", OutputFormat::npy},
    {"npz", OutputFormat::npz},
    {"html", OutputFormat::html},
    {"svg", OutputFormat::svg},
    {"rerank", OutputFormat::rerank},
}};

constexpr std::array<Choice<OutputFormat>, 10> kEndings = {{
    {".json", OutputFormat::json},
    {".jsonl", OutputFormat::jsonl},
    {".ndjson", OutputFormat::jsonl},
    {".csv", OutputFormat::csv},
    {".tsv", OutputFormat::tsv},
    {".npy", OutputFormat::npy},
    {".npz", OutputFormat::npz},
    {".html", OutputFormat::html},
    {".htm", OutputFormat::html},
    {".svg", OutputFormat::svg},
}};

/// Of formats that no command writes, a blank before and behind each.
constexpr std::string_view kForeignEndings =
    " .7z .arrow .avro .bmp .br .bz2 .db .doc .docx .dta .duckdb .eps .feather .gif .h5 .hdf5 "
    ".jpeg .jpg .lz4 .lzma .mat .odp .ods .odt .onnx .orc .parquet .pdf .pickle .pkl .png .ppt "
    ".pptx .ps .pt .pth .rar .rds .rtf .safetensors .sav .sqlite .sqlite3 .tar .tgz .tif .tiff "
    ".toml .webp .xls .xlsb .xlsm .xlsx .xml .xz .yaml .yml .zip ";

struct Ending {
  std::string name;
  OutputFormat format;  // automatic: one that no command writes
};

/// Nothing if the ending says nothing of the format.
std::optional<Ending> ending_of(const std::string& path) {
  std::string ending(without_compression(path));
  ending.erase(0, std::min(ending.rfind('.'), ending.size()));
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (const auto format = value_of(ending, kEndings)) return Ending{ending, *format};
  if (kForeignEndings.find(' ' + ending + ' ') == std::string_view::npos) return std::nullopt;
  return Ending{ending, OutputFormat::automatic};
}

/// Why the ending of `path` does not fit `format`, which `role` describes; empty if it does.
std::string contradiction(const std::string& path, OutputFormat format, const char* role) {
  const auto ending = ending_of(path);
  const bool is_hf = format == OutputFormat::hf;  // which is JSONL
  if (!ending || ending->format == (is_hf ? OutputFormat::jsonl : format)) return "";
  return "\"" + shortened(path) + "\" ends with " + ending->name + ", but " + role + " is " +
         name_of(format);
}

bool is_terminal(const std::string& path) {
  if (path.empty()) return ::isatty(STDOUT_FILENO) == 1;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISCHR(status.st_mode)) return false;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool terminal = ::isatty(descriptor) == 1;
  ::close(descriptor);
  return terminal;
}

bool is_binary(OutputFormat format, const std::string& path) {
  return format == OutputFormat::npy || format == OutputFormat::npz ||
         compression_of(path) != Compression::none;
}

}  // namespace

const char* name_of(OutputFormat format) { return word_for(format, kOutputFormats); }

OutputFormat format_named(std::string_view name) { return *value_of(name, kOutputFormats); }

OutputFormat format_for(const std::string& path, const std::vector<OutputFormat>& formats,
                        const std::string& option) {
  const auto ending = ending_of(path);
  if (!ending) return formats.front();
  if (ending->format != OutputFormat::automatic &&
      std::ranges::count(formats, ending->format) > 0) {
    return ending->format;
  }
  std::vector<std::string> names;
  for (const OutputFormat format : formats) {
    if (format != OutputFormat::automatic) names.emplace_back(name_of(format));
  }
  const bool draws = std::ranges::count(formats, OutputFormat::svg) > 0;
  const bool is_picture = ending->name == ".png" || ending->name == ".pdf";
  throw UsageError(
      option + ": \"" + shortened(path) + "\" ends with " + ending->name +
      ", but this command writes " + listed(names, names.size()) +
      (draws && is_picture ? "; rsvg-convert makes " + ending->name.substr(1) + " of svg" : ""));
}

CLI::Validator ends_like(OutputFormat format) {
  const auto is_json = [](OutputFormat one) {
    return one == OutputFormat::json || one == OutputFormat::jsonl;
  };
  return {[=](const std::string& path) -> std::string {
            const auto ending = ending_of(path);
            if (ending && is_json(ending->format) && is_json(format)) return "";
            return contradiction(path, format, "this output");
          },
          ""};
}

void refuse_terminal(const std::string& path, const std::string& what) {
  if (!is_terminal(path)) return;
  const bool compressed = compression_of(path) != Compression::none;
  throw UsageError(std::string(compressed ? "compressed " : "") + what +
                   " is binary and is not written to a terminal; use -o FILE" +
                   (compressed ? "" : "." + what + " or > FILE"));
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
          ->option_text("FORMAT")
          ->group(kOftenGroup);
  mark(format_option_, Effect::nothing);  // --resume compares the format in use
  if (std::ranges::count(formats, OutputFormat::hf) > 0) {
    rule(format_option_, "hf or fasttext")
        .excludes("--id, --logits, --probabilities, --echo-text, --keep or --column-prefix");
  }
  add_file_to(command);
  command.parse_complete_callback([this] { settle(); });
}

void OutputOptions::add_file_to(CLI::App& command) {
  mark(add_value(command, "-o,--output FILE", path_,
                 "Write to this file instead of standard output; .gz and .zst compress it")
           ->check(output_name("leave out -o for standard output, or write "))
           ->group(kOftenGroup),
       Effect::nothing);
  mark(command.add_flag("-f,--force", force_, "Replace an existing file"), Effect::nothing);
  const HelpGroup rare(command, kRareGroup);
  command.add_flag("--ascii", ascii_, "Escape every character above U+007E in JSON");
}

void OutputOptions::settle() {
  format_ = format_given_ ? format_ : format_for(path_, formats_);
  declaration_of(*format_option_).value = name_of(format_);
  const std::string wrong = contradiction(path_, format_, "--format");
  if (!wrong.empty()) throw UsageError("-o: " + wrong);
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
  if (format == OutputFormat::hf) return RowFormat::hf;
  if (format == OutputFormat::fasttext) return RowFormat::fasttext;
  return format == OutputFormat::tsv ? RowFormat::tsv : RowFormat::jsonl;
}

Result::Result(const OutputOptions& options)
    : options_(options), standard_(STDOUT_FILENO, "standard output") {
  if (options.path().empty()) {
    refuse_input(STDOUT_FILENO, "standard output");
  } else {
    file_ = std::make_unique<OutputFile>(options.path(), options.force());
  }
  if (options.format() == OutputFormat::json) output().hold_end();
}

void Result::finish() {
  if (options_.format() == OutputFormat::json) {
    output().add_field(provenance_field(options_.ascii()));
  }
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
