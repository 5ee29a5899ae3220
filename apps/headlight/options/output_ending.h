// The ending of an output's name selects its format and compression.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "options/options.h"

namespace headlight {

/// The format that the ending of `path` selects, or the first of `formats` if it selects none.
/// Throws UsageError if it selects a format that is not one of `formats`, such as that of .parquet.
/// Other endings, such as .log, select none.
OutputFormat format_for(const std::string& path, const std::vector<OutputFormat>& formats,
                        const std::string& option = "-o");

/// Throws UsageError if the ending of `path` selects another format than --format.
void check_ending(const std::string& path, OutputFormat format);
/// A validator for an option that always writes `format`. It does not tell JSON from JSONL.
CLI::Validator ends_like(OutputFormat format);

/// Whether a file of this format and name has bytes that a terminal cannot show.
bool is_binary(OutputFormat format, const std::string& path);
/// Throws UsageError if `path`, or standard output if it is empty, is a terminal. `what` is the
/// output's format.
void refuse_terminal(const std::string& path, const std::string& what);

}  // namespace headlight
