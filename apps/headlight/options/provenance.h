// What a JSON document says of its origin: version, model, file, and options that change a result.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "model/model.h"

namespace headlight {

/// These note what the document says. Global, because no command may forget it.
void note_command(const CLI::App& command);  // begins a run
void note_model(const Model& model);
void note_model_hash(const std::string& hash);           // if it is known: the files are large
void note_files(const std::vector<std::string>& paths);  // the first ones are the input

/// `"provenance":{…}`. The file has a hash if it was read to its end; several files make arrays.
std::string provenance_field(bool ascii = false);
/// A document that is an object, with this as its last field.
std::string with_provenance(std::string document, bool ascii = false);

}  // namespace headlight
