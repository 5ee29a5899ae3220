// Valid published models of every family, one a seed, as their files say it: the families' fields
// and tensor names are written out here a second time, from the reference's own sources.
#pragma once

#include <cstdint>

#include "reference/random_model.h"

namespace headlight::reference {

/// The same for the same seed everywhere. Its tensors have native names.
RandomModel random_published(std::uint64_t seed);

/// The tensors of such a model under the names of its family.
Tensors published_tensors(const RandomModel& model);

}  // namespace headlight::reference
