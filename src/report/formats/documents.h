// Several documents in one result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/output.h"
#include "classifier/text_classifier.h"

namespace headlight {

enum class DocumentLayout : std::uint8_t {
  blocks,      // of plain text, with an empty line between them
  lines,       // one below the other
  json_array,  // one array of JSON, a document per line
};

class Documents {
 public:
  /// `output` must outlive it. `ascii`: write errors in JSON with ASCII characters only.
  Documents(Output& output, DocumentLayout layout, bool ascii = false)
      : output_(output), layout_(layout), ascii_(ascii) {}

  /// `document` ends with a newline.
  void add(std::string_view document);
  /// The error of a text in place of its document: plain text in blocks, else JSON.
  void add_error(const TextInput& input, const std::string& error);
  /// Call this after the last document.
  void finish();

 private:
  Output& output_;
  DocumentLayout layout_;
  bool ascii_;
  bool is_first_ = true;
};

}  // namespace headlight
