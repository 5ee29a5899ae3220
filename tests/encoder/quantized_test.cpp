// Models with linear layers in 8-bit integers or in bfloat16, on random ones of every kind: close
// to themselves in float32, and their bits as independent of everything else.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "encoder/forward.h"
#include "encoder/trace.h"
#include "math/bfloat.h"
#include "math/with_instruction_sets.h"
#include "model/model.h"
#include "model/prepare.h"
#include "reference/encoder.h"
#include "reference/random_model.h"
#include "reference/random_published.h"
#include "sanitized.h"

namespace headlight::quantized_test {
namespace {

constexpr std::uint64_t kSeeds = 150;

/// Seeds from 0 on are native models, then come published ones.
Model random_model(std::uint64_t seed, const TemporaryFolder& folder,
                   reference::RandomModel& random) {
  const bool native = seed < kSeeds;
  random = native ? reference::random_model(seed) : reference::random_published(seed - kSeeds);
  const std::string directory = folder / std::to_string(seed);
  reference::write_model_directory(directory, random.config,
                                   native ? random.tensors : reference::published_tensors(random),
                                   random.storage);
  return load_model(locate_model(directory, ""));
}

/// The logits of the texts [first, first + count), or of their tokens, in one batch.
std::vector<float> logits(const Model& model, const reference::RandomModel& random,
                          std::size_t first, std::size_t count) {
  Batch batch;
  for (std::size_t i = first; i < first + count; ++i) {
    const reference::Text text = reference::pad(random.architecture, random.texts[i]);
    batch.add(std::vector<TokenId>(text.ids.begin(), text.ids.end()),
              std::vector<TokenId>(text.type_ids.begin(), text.type_ids.end()));
  }
  Scratch scratch;
  const ConstMatrix found = forward(model.description, model.weights, {batch, scratch});
  std::vector<float> all;
  keep_rows(found, all);
  return all;
}

std::vector<float> logits(const Model& model, const reference::RandomModel& random) {
  return logits(model, random, 0, random.texts.size());
}

/// The largest difference, as a part of the largest number where that is more than 1.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0.0;
  double size = 1.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    size = std::max(size, std::abs(static_cast<double>(a[i])));
  }
  return most / size;
}

/// The encoder in this form.
void prepare(Model& model, LinearForm form, LinearForm rest = LinearForm::stored) {
  model.prepared = prepare_weights(model.description, {form, rest}, model.weights);
}

/// Checks the differences of logits, relative to the largest, of models of every kind. Layers
/// without norms, and norms of few columns without residuals, make any difference larger.
void check_differences(std::vector<double> differences, double middle, double most_of_them) {
  std::sort(differences.begin(), differences.end());
  CHECK(differences[differences.size() / 2] < middle);
  CHECK(differences[differences.size() * 9 / 10] < most_of_them);
  CHECK(differences.back() < 0.5);
}

TEST_CASE("rounded models of every kind have nearly their logits") {
  const TemporaryFolder folder;
  std::vector<double> in_integers;
  std::vector<double> in_bfloats;
  for (std::uint64_t seed = 0; seed < 2 * kSeeds; seed += kCaseStep) {
    CAPTURE(seed);
    reference::RandomModel random;
    Model model = random_model(seed, folder, random);
    const auto exact = logits(model, random);
    for (const LinearForm form : {LinearForm::int8, LinearForm::bf16}) {
      prepare(model, form);
      const auto rounded = logits(model, random);
      REQUIRE(
          std::all_of(rounded.begin(), rounded.end(), [](float x) { return std::isfinite(x); }));
      auto& differences = form == LinearForm::int8 ? in_integers : in_bfloats;
      differences.push_back(difference(exact, rounded));
    }
  }
  check_differences(in_integers, 0.01, 0.1);
  check_differences(in_bfloats, 0.01, 0.1);
}

TEST_CASE("a rounded model's bits are the same whatever it is computed with") {
  const TemporaryFolder folder;
  const std::string sums = bfloat_sums(best_bfloat_method());
  for (std::uint64_t seed = 0; seed < 2 * kSeeds; seed += 3 * kCaseStep) {
    const LinearForm form = seed % 2 == 0 ? LinearForm::int8 : LinearForm::bf16;
    CAPTURE(seed);
    reference::RandomModel random;
    Model model = random_model(seed, folder, random);
    prepare(model, form);
    const auto together = logits(model, random);
    std::vector<float> alone;
    for (std::size_t i = 0; i < random.texts.size(); ++i) {
      const auto one = logits(model, random, i, 1);
      alone.insert(alone.end(), one.begin(), one.end());
    }
    CHECK(alone == together);
    for (const std::size_t threads : {4, 1}) {
      const ThreadPermit permit(threads);
      CHECK(logits(model, random) == together);
    }
    with_each_instruction_set([&] {
      if (!has_fused_multiply_add()) return;
      prepare(model, form);  // as this set wants it
      if (form == LinearForm::bf16 && bfloat_sums(best_bfloat_method()) != sums) return;
      CHECK(logits(model, random) == together);
    });
    prepare(model, form, LinearForm::packed);
    CHECK(logits(model, random) == together);
  }
}

}  // namespace
}  // namespace headlight::quantized_test
