// The name of this build. HEADLIGHT_VERSION alone is the same for all builds of a version.
#pragma once

namespace headlight {

/// "0.3.0+3f2a9c1b04de": the version and a hash of the sources.
const char* build_name();

/// For people: the program, its build, and the commit of the sources if it is known.
const char* build_line();

/// For each library that the program is built with, behind a line break: its name, and its version
/// if dpkg knows it.
const char* build_libraries();

}  // namespace headlight
