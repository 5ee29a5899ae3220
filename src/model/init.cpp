#include "model/init.h"

#include <array>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/output.h"
#include "model/families/family.h"
#include "model/locate.h"
#include "model/random_tensors.h"

namespace headlight {
namespace {

void write_file(const std::filesystem::path& path, std::string_view content, bool force) {
  OutputFile file(path.string(), force, Unfinished::remove);
  file.output().write(content);
  file.finish();
}

}  // namespace

void init_model(const std::string& config, const std::string& directory, std::uint64_t seed,
                bool force) {
  const ModelPlace place = locate_model(config, "");
  const MappedFile text(place.config);
  const Json json = parse_json(text.text(), place.config);
  const Family& family = find_family(json, place.config);
  Description description = family.read_config(json, place.config).description;
  // Two are what the training stack takes where a config names none.
  if (description.labels.empty()) description.labels = {"LABEL_0", "LABEL_1"};
  RandomTensors random(seed);
  try {
    family.read_weights(description, random);
  } catch (const Error& error) {
    throw Error(place.config, error.what());
  }

  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure) throw Error(directory, "cannot make this folder: " + failure.message());
  const std::filesystem::path folder(directory);
  write_file(folder / "config.json", text.text(), force);
  write_file(folder / "model.safetensors", make_safetensors(random.tensors()), force);
  for (const char* name : std::array{"vocab.txt", "tokenizer.json"}) {
    const std::filesystem::path beside = std::filesystem::path(place.directory) / name;
    if (!place.directory.empty() && std::filesystem::exists(beside, failure)) {
      write_file(folder / name, MappedFile(beside.string()).text(), force);
    }
  }
}

}  // namespace headlight
