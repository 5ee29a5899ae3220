#include "model/refused_model.h"

#include <sstream>

#include <doctest/doctest.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "model/model.h"
#include "sanitized.h"

namespace headlight {
namespace {

// A toy needs a few megabytes, and the longest line some times its own.
constexpr long kMostKilobytes = 256L * 1024;

long peak_kilobytes() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

std::string refusal_of(const std::string& path, const std::string& weights) {
  try {
    require_vocabulary(load_model(locate_model(path, weights)), {});
  } catch (const Error& error) {
    return printable(error.line());
  }
  return "";
}

void check_parts(const std::string& line, const std::string& reason) {
  std::istringstream parts(reason);
  for (std::string part; std::getline(parts, part, '|');) {
    const bool has_part = line.find(part) != std::string::npos;
    CHECK_MESSAGE(has_part, "\"" << part << "\" is not in: " << line.substr(0, 2048));
  }
}

void check_refused(const Folder& files, const std::string& reason, const std::string& path) {
  const TemporaryFolder folder;
  folder.write_folder("toy", files);
  const long before = peak_kilobytes();
  const std::string line = refusal_of(folder / path);
  if (!kSanitized) CHECK(peak_kilobytes() - before < kMostKilobytes);
  check_parts(line, "toy|" + reason);
}

}  // namespace headlight
