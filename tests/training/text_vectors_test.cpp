#include "training/text_vectors.h"

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "encoder/trace.h"
#include "model/init.h"
#include "model/locate.h"
#include "training/classifier_start.h"

namespace headlight::text_vectors_test {
namespace {

namespace fs = std::filesystem;

const std::string kConfig = std::string(HEADLIGHT_SOURCE) + "/configs/self-attention.json";

std::vector<TextInput> some_texts() {
  std::vector<TextInput> texts;
  for (int i = 0; i < 200; ++i) {
    TextInput text;
    for (int j = 0; j <= i % 7; ++j) text.text += (i + j) % 3 == 0 ? "good " : "the film ";
    texts.push_back(text);
  }
  return texts;
}

/// All vectors in the file after encoding what it lacks; `kept` is how many it had.
std::vector<float> vectors_of(const Model& model, const std::string& path, bool resume,
                              std::size_t& kept) {
  const std::vector<TextInput> texts = some_texts();
  std::vector<const TextInput*> inputs;
  for (const TextInput& text : texts) inputs.push_back(&text);
  VectorFile file(path, "origin", model.description.encoded_size(), resume);
  kept = file.count();
  encode_texts(model, inputs, 2, file, [](std::size_t) {});
  std::vector<float> all;
  keep_rows(file.map(), all);
  return all;
}

TEST_CASE("the vectors of a run that was killed are kept, and the rest is the same") {
  const TemporaryFolder folder;
  init_model(kConfig, folder / "toy", 0, /*force=*/true);
  ClassifierStart start(load_model(locate_model(folder / "toy", "")));
  const std::string path = folder / "vectors";
  std::size_t kept = 0;
  const std::vector<float> all = vectors_of(start.model(), path, /*resume=*/false, kept);
  CHECK(kept == 0);
  const std::size_t d = start.width();
  REQUIRE(all.size() == 200 * d);
  fs::resize_file(path, fs::file_size(path) - (49 * d + 3) * sizeof(float));
  CHECK(vectors_of(start.model(), path, /*resume=*/true, kept) == all);
  CHECK(kept == 150);
  CHECK(vectors_of(start.model(), path, /*resume=*/false, kept) == all);
  CHECK(kept == 0);
}

TEST_CASE("vectors of another origin are not continued") {
  const TemporaryFolder folder;
  { const VectorFile file(folder / "vectors", "one", 4, /*resume=*/true); }
  CHECK_THROWS_AS(VectorFile(folder / "vectors", "other", 4, /*resume=*/true), Error);
  CHECK_THROWS_AS(VectorFile(folder / "vectors", "one", 5, /*resume=*/true), Error);
  CHECK(VectorFile(folder / "vectors", "one", 4, /*resume=*/true).count() == 0);
  CHECK(VectorFile(folder / "vectors", "other", 4, /*resume=*/false).count() == 0);
}

}  // namespace
}  // namespace headlight::text_vectors_test
