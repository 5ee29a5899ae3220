// The program as an installed tree has it, with a module for live pages or without one.
#pragma once

#include <string>

namespace headlight {

/// What stands in for the module: these bytes, as files of gzip.
inline constexpr const char* kScript = "script\n";
inline constexpr const char* kWasm = "wasm\n";

/// The path of a copy of the program in a tree of its own, made once.
const std::string& live_program();
const std::string& program_without_module();

}  // namespace headlight
