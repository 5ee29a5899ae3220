#include "report/formats/documents.h"

#include "base/utf8.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

void Documents::add(std::string_view document) {
  if (layout_ == DocumentLayout::json_array) {
    document.remove_suffix(1);  // the newline: a comma may follow
    output_.write(is_first_ ? "[" : ",\n");
  } else if (layout_ == DocumentLayout::blocks && !is_first_) {
    output_.write("\n");
  }
  is_first_ = false;
  output_.write(document);
}

void Documents::add_error(const TextInput& input, const std::string& error) {
  if (layout_ == DocumentLayout::blocks) return add("error: " + printable(error) + '\n');
  add(json_document(ascii_, [&](JsonWriter& json) { write_text_error(json, input, error); }));
}

void Documents::finish() {
  if (layout_ == DocumentLayout::json_array) output_.write(is_first_ ? "[]\n" : "]\n");
}

}  // namespace headlight
