// Lists of numbers on the command line, such as 0,2-4.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/ablation.h"
#include "model/description.h"

namespace headlight {

/// The numbers of `list`, sorted and without duplicates. All must be below `count`; otherwise
/// throws UsageError with the name of the option and of the `thing` that is numbered.
std::vector<std::size_t> parse_numbers(const std::string& option, const std::string& thing,
                                       std::string_view list, std::size_t count);

/// The heads of a list such as 1.10,2.3 (layer.head), sorted and without duplicates. Throws
/// UsageError with the name of the option if the model has no such head.
std::vector<Part> parse_heads(const std::string& option, const std::string& list,
                              const Description& model);

}  // namespace headlight
