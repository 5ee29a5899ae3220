#include "cli/refusal.h"

#include <sstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace headlight {
namespace {

// A toy needs a few megabytes, and the longest line some times its own.
constexpr long kMostKilobytes = 256L * 1024;
// What the engines that start the program keep of its standard error.
constexpr std::size_t kLongestReason = 2048;

bool is_utf8(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

bool is_control(unsigned char first, unsigned char second) {
  const bool c1 = first == 0xC2U && second >= 0x80U && second <= 0x9FU;
  return c1 || first == 0x7FU || (first < 0x20U && first != '\n');
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_harmless(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const auto second = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 'x');
    if (is_control(first, second)) return false;
  }
  return is_utf8(text);
}

void check_sane(const Outcome& outcome) {
  CHECK(outcome.complaint() == "");
  CHECK(is_harmless(outcome.err));
  if (!kSanitized) CHECK(outcome.peak_kilobytes < kMostKilobytes);
}

void check_reason(const std::string& line, const std::string& reason) {
  CHECK(line.substr(0, 11) == "headlight: ");
  CHECK(line.size() <= kLongestReason);
  std::istringstream parts(reason);
  for (std::string part; std::getline(parts, part, '|');) {
    const bool has_part = line.find(part) != std::string::npos;
    CHECK_MESSAGE(has_part, "\"" << part << "\" is not in: " << line.substr(0, kLongestReason));
  }
}

void check_refusal(const Outcome& outcome, int status, const std::string& reason) {
  check_last_reason(outcome, status, reason);
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(outcome.out == "");
}

void check_last_reason(const Outcome& outcome, int status, const std::string& reason) {
  check_sane(outcome);
  CHECK(outcome.status == status);
  const auto lines = lines_of(outcome.err);
  check_reason(lines.empty() ? "" : lines.back(), reason);
  CHECK((outcome.err.empty() || outcome.err.back() == '\n'));
}

}  // namespace headlight
