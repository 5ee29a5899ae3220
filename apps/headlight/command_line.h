// headlight: transformer text classifiers from the shell.
#pragma once

/// Parses the command line, runs one command, and turns any error into one line. Returns the exit
/// status. Sets signal handlers of the process, and prints. With HEADLIGHT_ONE_OBJECT, libheadlight
/// exports this for its own launcher; headlight.h does not declare it.
extern "C" [[gnu::visibility("default")]] int hl_command(int argc, char** argv);
