// Every model can be written as a native one: random native and published models, loaded, written
// under native names, loaded again and run. The logits have the same bits.
#include "model/families/native_writer.h"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/output.h"
#include "base/temporary_folder.h"
#include "encoder/forward.h"
#include "encoder/trace.h"
#include "model/families/written_weights.h"
#include "model/model.h"
#include "reference/random_model.h"
#include "reference/random_published.h"
#include "sanitized.h"

namespace headlight::native_writer_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeeds = 300;

std::vector<float> logits_of(const Model& model, const reference::RandomModel& random) {
  const Batch batch = batch_of(random);
  Scratch scratch;
  std::vector<float> logits;
  keep_rows(forward(model.description, model.weights, {batch, scratch}), logits);
  return logits;
}

/// Writes the native form of `model` to a new directory.
void write_native_form(const Model& model, const std::string& directory) {
  fs::create_directories(directory);
  const std::string& where = model.place.config;
  nlohmann::json config(native_config_of(model.description, where));
  std::ofstream(directory + "/config.json") << config;
  const WrittenTensors tensors = native_tensors(model.description, model.weights, where);
  OutputFile file(directory + "/model.safetensors", /*force=*/false);
  write_safetensors([&](std::string_view bytes) { file.output().write(bytes); }, tensors.entries);
  file.finish();
}

/// Empty, or what is wrong with the native form of the model in `directory`.
std::string difference_of(const reference::RandomModel& random, const std::string& directory) {
  try {
    const Model model = load_model(locate_model(directory, ""));
    const std::string native = directory + "-native";
    write_native_form(model, native);
    const Model again = load_model(locate_model(native, ""));
    if (again.family != "headlight") return "is not native";
    if (again.description.labels != model.description.labels) return "has other labels";
    if (logits_of(again, random) != logits_of(model, random)) return "has other logits";
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

template <typename Make, typename Tensors>
void check_all(const Make& make, const Tensors& tensors_of) {
  const TemporaryFolder folder;
  int failures = 0;
  for (std::uint64_t seed = 0; seed < kSeeds && failures < 5; seed += kCaseStep) {
    const reference::RandomModel random = make(seed);
    const std::string directory = folder / std::to_string(seed);
    reference::write_model_directory(directory, random.config, tensors_of(random), random.storage);
    const std::string found = difference_of(random, directory);
    nlohmann::json config = random.config;
    config.erase("tokenizer");
    CHECK_MESSAGE(found.empty(), "seed " << seed << ": " << found << "\n" << config.dump());
    if (!found.empty()) ++failures;
    fs::remove_all(directory);
    fs::remove_all(directory + "-native");
  }
}

TEST_CASE("a native model is written as it was read") {
  check_all([](std::uint64_t seed) { return reference::random_model(seed); },
            [](const reference::RandomModel& random) { return random.tensors; });
}

TEST_CASE("a published model of any family is written as a native one") {
  check_all(
      [](std::uint64_t seed) { return reference::random_published(seed); },
      [](const reference::RandomModel& random) { return reference::published_tensors(random); });
}

}  // namespace
}  // namespace headlight::native_writer_test
