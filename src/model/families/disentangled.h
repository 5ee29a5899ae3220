// The config fields that DeBERTa and DeBERTa-v2 have in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/families/family.h"
#include "model/families/published_config.h"

namespace headlight {

/// The common fields. Throws Error.
FamilyConfig read_disentangled_config(Fields& fields, const PublishedFields& names);

/// The entries of pos_att_type, a list or a string with bars.
std::vector<std::string> read_position_terms(Fields& fields);

/// A whole number of at least 1; empty if the field is absent, null or less.
std::optional<std::size_t> read_positive(Fields& fields, const char* name);

/// Relative attention with `terms`, of which others than c2p and p2c have no effect; empty if none
/// is left. Its span is max_relative_positions.
std::optional<RelativeAttention> read_relative_attention(Fields& fields,
                                                         const std::vector<std::string>& terms,
                                                         const Description& model);

}  // namespace headlight
