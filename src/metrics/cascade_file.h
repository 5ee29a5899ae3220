// cascade.json beside a small model.
#pragma once

#include <string>

#include "metrics/cascade.h"
#include "rows/origin.h"

namespace headlight {

/// What batch --agree needs of a cascade, with the models and options that it was measured with.
std::string cascade_document(const Cascade& cascade, const Origin& origin);

struct CascadeFile {
  Cascade cascade;
  Origin origin;
};

/// Throws Error{path, …} if cascade_document() did not write the file.
CascadeFile read_cascade(const std::string& path);

}  // namespace headlight
