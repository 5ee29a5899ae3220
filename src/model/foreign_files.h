// Weights and vocabularies in formats that are not read, told by their names, and what makes one
// that is read of them.
#pragma once

#include <string>

#include "base/error.h"
#include "model/locate.h"

namespace headlight {

/// For a place without weights that are read: names those of another format, where there are some.
Error missing_weights(const ModelPlace& place);

/// Throws Error where `path` exists and its name says that it holds weights of another format.
void refuse_foreign_weights(const std::string& path);

/// For a place without a vocabulary that is read: names a SentencePiece model, where there is one.
Error missing_vocabulary(const ModelPlace& place);

}  // namespace headlight
