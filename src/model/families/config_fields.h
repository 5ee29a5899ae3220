// Fields that mean the same in every family's config.json.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "math/activation.h"

namespace headlight {

// More than any model has, and few enough that a config cannot ask for all memory.
inline constexpr std::size_t kMostLayers = 4096;
inline constexpr std::size_t kMostHeads = 4096;
inline constexpr std::size_t kMostLabels = 1'000'000;

/// The activation that a required field names.
Activation read_activation(Fields& fields, std::string_view name);

/// A float32 that is finite; nothing where the field is absent or null.
std::optional<float> read_float(Fields& fields, std::string_view name);

/// id2label: the labels by number from an object {"0": …} or a list; empty where it is absent.
std::vector<std::string> read_labels(Fields& fields);

}  // namespace headlight
