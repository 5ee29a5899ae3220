#include "library/memory_rows.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "library/options.h"

namespace headlight {
namespace {

constexpr double kMeanCopies = 8.0;
constexpr std::size_t kPiece = std::size_t{1} << 20U;

/// How often each row is written.
std::vector<std::size_t> copies_of(const LabelledTexts& rows) {
  std::vector<std::size_t> copies(rows.n, 1);
  if (rows.weights == nullptr) return copies;
  double least = std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    const double weight = rows.weights[i];
    if (!std::isfinite(weight) || weight < 0.0) {
      throw ArgumentError("weights[" + std::to_string(i) + "] is not a number from 0");
    }
    if (weight > 0.0) least = std::min(least, weight);
    sum += weight;
  }
  const double unit = std::max(least, sum / (kMeanCopies * static_cast<double>(rows.n)));
  for (std::size_t i = 0; i < rows.n; ++i) {
    const double weight = rows.weights[i];
    copies[i] =
        weight > 0.0 ? static_cast<std::size_t>(std::max(1L, std::lround(weight / unit))) : 0;
  }
  return copies;
}

std::vector<std::string> parts_of(std::string_view label) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = label.find('\n');
    parts.emplace_back(label.substr(0, end));
    if (end != std::string_view::npos) label.remove_prefix(end + 1);
  }
  return parts;
}

/// A text that is not UTF-8 stays a row that says so.
void write_text(JsonWriter& json, const std::optional<std::string>& text) {
  if (!text) {
    json.null();
  } else if (find_bad_utf8(*text)) {
    json.raw("\"\xff\"");
  } else {
    json.string(*text);
  }
}

void write_row(JsonWriter& json, const hl_text& text, const char* label, bool has_pairs) {
  std::optional<TextInput> input;
  if (text.text != nullptr) input = input_of(text);
  json.begin_object().key("text");
  write_text(json, input ? std::optional(input->text) : std::nullopt);
  if (has_pairs) write_text(json.key("pair"), input ? input->pair : std::nullopt);
  json.key("label");
  if (label == nullptr) {
    json.null();
  } else if (const auto parts = parts_of(label); parts.size() > 1 && !find_bad_utf8(label)) {
    json.strings(parts);
  } else {
    write_text(json, label);
  }
  json.end_object();
}

void write_all(int descriptor, std::string& bytes) {
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor, left.data(), left.size());
    if (written < 0) throw Error("", "cannot keep the rows in memory: " + system_message(errno));
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  bytes.clear();
}

}  // namespace

MemoryRows::MemoryRows(const LabelledTexts& rows, std::string name) : name_(std::move(name)) {
  if (rows.n > 0) required(rows.texts, "texts");
  if (rows.n > 0) required(rows.labels, "labels");
  const auto has_pair = [](const hl_text& text) { return text.pair != nullptr; };
  has_pairs_ = std::any_of(rows.texts, rows.texts + rows.n, has_pair);
  const auto copies = copies_of(rows);
  descriptor_ = ::memfd_create("headlight", MFD_CLOEXEC);
  if (descriptor_ < 0) throw Error("", "cannot keep the rows in memory: " + system_message(errno));
  try {
    std::string bytes;
    for (std::size_t i = 0; i < rows.n; ++i) {
      for (std::size_t copy = 0; copy < copies[i]; ++copy) {
        JsonWriter json(bytes);
        write_row(json, rows.texts[i], rows.labels[i], has_pairs_);
        bytes += '\n';
      }
      if (bytes.size() >= kPiece) write_all(descriptor_, bytes);
    }
    write_all(descriptor_, bytes);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

MemoryRows::~MemoryRows() { ::close(descriptor_); }

std::unique_ptr<RowReader> MemoryRows::reader(bool has_pairs) const {
  ::lseek(descriptor_, 0, SEEK_SET);
  RowReading reading;
  reading.format = RowFormat::jsonl;
  if (has_pairs) reading.fields.pair = "pair";
  reading.needs_label = true;
  reading.missing_is_error = true;
  return std::make_unique<RowReader>(descriptor_, name_, reading);
}

}  // namespace headlight
