#include "options/provenance.h"

#include <algorithm>
#include <vector>

#include "base/file_guard.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "options/declaration.h"
#include "rows/origin.h"

namespace headlight {
namespace {

struct Run {
  const CLI::App* command = nullptr;
  std::string model;
  std::vector<std::string> model_files;
  std::string model_hash;          // of these; empty: not computed yet
  std::vector<std::string> files;  // of the rows
};

Run& this_run() {
  static Run run;
  return run;
}

std::string valid(const std::string& text) { return find_bad_utf8(text) ? printable(text) : text; }

/// Writes the options that change a result and that the other fields do not name.
void write_options(JsonWriter& json) {
  json.key("options").begin_object();
  for (const CLI::Option* option : this_run().command->get_options()) {
    const Effect effect = declaration_of(*option).effect;
    const std::string& name = option->get_name();
    if (option->count() == 0 || option->get_positional() || effect == Effect::nothing) continue;
    if (name == "--ascii") continue;  // a way to spell it
    const std::string value = joined(option->results());
    if (effect == Effect::contents &&
        (name == "--model" || std::ranges::find(this_run().files, value) != this_run().files.end()))
      continue;
    json.key(name.substr(name.find_first_not_of('-')));
    option->get_items_expected_max() == 0 ? json.raw("true") : json.string(valid(value));
  }
  json.end_object();
}

/// Of several files, arrays. A file that was not read to its end has no hash.
void write_files(JsonWriter& json) {
  const std::vector<std::string>& files = this_run().files;
  std::vector<std::string> hashes;
  hashes.reserve(files.size());
  for (const std::string& file : files) {
    hashes.push_back(input_hash(file == "-" ? "standard input" : file));
  }
  const bool is_known = std::ranges::find(hashes, "") == hashes.end();
  if (files.size() == 1) {
    json.field("file", valid(files.front()));
    if (is_known) json.field("file_hash", hashes.front());
  } else if (!files.empty()) {
    json.key("file").array(files, [&](const std::string& file) { json.string(valid(file)); });
    if (is_known) json.key("file_hash").strings(hashes);
  }
}

}  // namespace

void note_command(const CLI::App& command) { this_run() = {&command, {}, {}, {}, {}}; }

void note_model(const Model& model) {
  this_run().model = model.place.name;
  this_run().model_files = model.files;
}

void note_model_hash(const std::string& hash) { this_run().model_hash = hash; }

void note_files(const std::vector<std::string>& paths) {
  if (this_run().files.empty()) this_run().files = paths;
}

std::string provenance_field(bool ascii) {
  const Run& run = this_run();
  std::string field;
  JsonWriter json(field, ascii);
  json.key("provenance").begin_object().field("headlight", HEADLIGHT_VERSION);
  if (!run.model_files.empty()) {
    json.field("model", valid(run.model));
    json.field("model_hash", run.model_hash.empty() ? model_hash(marks_of_files(run.model_files))
                                                    : run.model_hash);
  }
  write_files(json);
  write_options(json);
  json.end_object();
  return field;
}

std::string with_provenance(std::string document, bool ascii) {
  if (document.starts_with('{')) add_last_field(document, provenance_field(ascii));
  return document;
}

}  // namespace headlight
