// The output formats of attention. A new format needs a file in this folder and a line in the table
// of attention_format.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/output.h"
#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// The features that a format supports, as a sum of these.
enum AttentionFeature : unsigned {
  kTakesQuery = 1,
  kTakesNorms = 2,
  kTakesRollout = 4,
  kTakesStatistics = 8,
  kTakesDigits = 16,
  kTakesNumbers = 32,
};

/// Receives the texts in order.
class AttentionWriter {
 public:
  virtual ~AttentionWriter() = default;

  virtual void add(const AttentionView& view, const AttentionLook& look) = 0;
  /// One of several texts that cannot be scored. Throws TextError if the format has no place for
  /// it.
  virtual void add_error(const TextInput& /*input*/, const std::string& error) {
    throw TextError(error);
  }
  /// Call this after the last text.
  virtual void finish() {}
};

struct AttentionFormat {
  const char* name;
  unsigned features;
  /// `several`: more than one text may come. `output` must outlive the writer.
  std::unique_ptr<AttentionWriter> (*writer)(Output& output, bool several, bool ascii);
  std::size_t most_texts = 1;  // SIZE_MAX: any number
  /// The approximate size of a choice's weights in bytes; nullptr for compact formats.
  std::size_t (*size)(const AttentionChoice& choice, std::optional<unsigned> digits) = nullptr;
};

/// The first is the default.
std::span<const AttentionFormat> attention_formats();
const AttentionFormat& attention_format(std::string_view name);

}  // namespace headlight
