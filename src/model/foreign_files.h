// Recognizes weights and vocabularies in unsupported formats by their names and suggests how to
// convert them.
#pragma once

#include <string>

#include "base/error.h"
#include "model/locate.h"

namespace headlight {

/// The error for a place without supported weights. Names weights of another format, if there are
/// any.
Error missing_weights(const ModelPlace& place);

/// Throws Error if `path` exists and its name indicates weights in an unsupported format.
void refuse_foreign_weights(const std::string& path);

/// Throws Error if there are weights in an unsupported format in `folder`.
void refuse_foreign_folder(const std::string& folder);

/// The error for a place without a supported vocabulary. Names a SentencePiece model, if there is
/// one.
Error missing_vocabulary(const ModelPlace& place);

}  // namespace headlight
