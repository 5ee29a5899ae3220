// Fields with the same meaning in the config.json of every family.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "math/activation.h"
#include "model/description.h"

namespace headlight {

// Larger than in any model, but small enough that a config cannot exhaust the memory.
inline constexpr std::size_t kMostLayers = 4096;
inline constexpr std::size_t kMostHeads = 4096;
inline constexpr std::size_t kMostLabels = 1'000'000;

/// The activation named by a required field.
Activation read_activation(Fields& fields, std::string_view name);

/// The activation of a cross-encoder's logits, given as the path of a torch class; nullopt if the
/// field is absent or null.
std::optional<ScoreActivation> read_torch_activation(Fields& fields, const char* name);

/// A flag that is false if it is absent or null.
bool read_switch(Fields& fields, std::string_view name);

/// A finite float32; nullopt if the field is absent or null.
std::optional<float> read_float(Fields& fields, std::string_view name);

/// id2label: the labels by number, from an object {"0": …} or a list; empty if it is absent.
std::vector<std::string> read_labels(Fields& fields);

}  // namespace headlight
