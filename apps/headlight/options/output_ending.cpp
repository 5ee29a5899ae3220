#include "options/output_ending.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compression.h"
#include "base/utf8.h"
#include "options/choice.h"

namespace headlight {
namespace {

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
  const auto* found = std::ranges::find(kEndings, ending, &Choice<OutputFormat>::name);
  if (found != kEndings.end()) return Ending{ending, found->value};
  if (kForeignEndings.find(' ' + ending + ' ') == std::string_view::npos) return std::nullopt;
  return Ending{ending, OutputFormat::automatic};
}

/// Why the ending of `path` does not fit `format`, which `role` describes; empty if it does.
std::string contradiction(const std::string& path, OutputFormat format, const char* role) {
  const auto ending = ending_of(path);
  if (!ending || ending->format == format) return "";
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

}  // namespace

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
  throw UsageError(option + ": \"" + shortened(path) + "\" ends with " + ending->name +
                   ", but this command writes " + listed(names, names.size()));
}

void check_ending(const std::string& path, OutputFormat format) {
  const std::string found = contradiction(path, format, "--format");
  if (!found.empty()) throw UsageError("-o: " + found);
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

bool is_binary(OutputFormat format, const std::string& path) {
  return format == OutputFormat::npy || format == OutputFormat::npz ||
         compression_of(path) != Compression::none;
}

void refuse_terminal(const std::string& path, const std::string& what) {
  if (!is_terminal(path)) return;
  const bool compressed = compression_of(path) != Compression::none;
  throw UsageError(std::string(compressed ? "compressed " : "") + what +
                   " is binary and is not written to a terminal; use -o FILE" +
                   (compressed ? "" : "." + what + " or > FILE"));
}

}  // namespace headlight
