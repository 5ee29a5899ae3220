#include "output_ending.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compression.h"
#include "base/utf8.h"
#include "choice.h"

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

const Choice<OutputFormat>* ending_of(const std::string& path) {
  const std::string_view name = without_compression(path);
  const auto* found = std::find_if(kEndings.begin(), kEndings.end(),
                                   [&](const auto& ending) { return name.ends_with(ending.name); });
  return found == kEndings.end() ? nullptr : found;
}

/// Why the ending of `path` does not fit `format`, which `role` describes; empty if it does.
std::string contradiction(const std::string& path, OutputFormat format, const char* role) {
  const auto* ending = ending_of(path);
  if (ending == nullptr || ending->value == format) return "";
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

OutputFormat format_for(const std::string& path, const std::vector<OutputFormat>& formats) {
  const auto* ending = ending_of(path);
  if (ending == nullptr) return formats.front();
  if (std::find(formats.begin(), formats.end(), ending->value) != formats.end()) {
    return ending->value;
  }
  std::vector<std::string> names;
  for (const OutputFormat format : formats) {
    if (format != OutputFormat::automatic) names.emplace_back(name_of(format));
  }
  throw UsageError("-o: \"" + shortened(path) + "\" ends with " + ending->name +
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
            const auto* ending = ending_of(path);
            if (ending != nullptr && is_json(ending->value) && is_json(format)) return "";
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
