// The head on the vectors of each layer, and vectors of one text in the run of another, against the
// naive float64 encoder of tests/reference/.
#include "inside/patching.h"

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "model/model.h"
#include "reference/compare.h"
#include "reference/encoder.h"
#include "reference/random_model.h"

namespace headlight::patching_test {
namespace {

constexpr std::uint64_t kSeeds = 100;
constexpr double kTolerance = 1e-4;

TracedText traced(const Classifier& classifier, const reference::Text& text) {
  TracedText result;
  result.encoding.ids.assign(text.ids.begin(), text.ids.end());
  result.encoding.type_ids.assign(text.type_ids.begin(), text.type_ids.end());
  Trace wanted;
  wanted.wants_hidden = true;
  fill_trace(classifier, wanted, result);
  return result;
}

/// The model reads token ids.
ClassifierOptions with_ids() {
  ClassifierOptions options;
  options.ids = true;
  return options;
}

/// Another text of the same length.
reference::Text turned(const reference::Architecture& a, reference::Text text) {
  for (std::size_t i = 0; i < text.ids.size(); ++i) {
    text.ids[i] = (text.ids[i] + 1 + i) % a.vocab_size;
  }
  return text;
}

void check_model(const reference::RandomModel& random, const Model& model, std::size_t& checked) {
  const reference::Architecture& a = random.architecture;
  const reference::Text text = reference::pad(a, random.texts.front());
  const reference::Text other = turned(a, text);
  const Classifier classifier(model, with_ids());
  const TracedText own = traced(classifier, text);
  const auto expected = reference::encode(a, random.tensors, other);
  const LayerVerdicts verdicts = layer_verdicts(classifier, own);
  CHECK(verdicts.states.back().logits == own.prediction.logits);  // bit for bit
  const auto patched = patch(classifier, own, traced(classifier, other)).logits;
  REQUIRE(patched.size() == expected.hidden.size());
  const std::size_t n = text.ids.size();
  for (std::size_t state = 0; state < patched.size(); ++state) {
    REQUIRE(patched[state].size() == n);
    const std::size_t width = expected.hidden[state].size() / n;
    for (std::size_t token = 0; token < n; ++token) {
      CAPTURE(state);
      CAPTURE(token);
      const auto first =
          expected.hidden[state].begin() + static_cast<std::ptrdiff_t>(token * width);
      const reference::Patch patch{
          state, token, reference::Vector(first, first + static_cast<std::ptrdiff_t>(width))};
      const auto result = reference::encode(a, random.tensors, text, &patch);
      const std::string found =
          reference::first_difference(std::span(patched[state][token]), result.logits, kTolerance);
      CHECK_MESSAGE(found.empty(), found);
      ++checked;
    }
  }
}

TEST_CASE("logits with one vector of another text are the reference's") {
  const TemporaryFolder folder;
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    CAPTURE(seed);
    const reference::RandomModel random = reference::random_model(seed);
    if (random.architecture.pooling == "none" || random.architecture.last_skips_pad) continue;
    const auto directory = folder / std::to_string(seed);
    reference::write_model_directory(directory, random.config, random.tensors, random.storage);
    check_model(random, load_model(locate_model(directory, "")), checked);
    std::filesystem::remove_all(directory);
  }
  CHECK(checked > 200);
}

TEST_CASE("before the last layer, the head sees what a model without the later layers gives it") {
  const TemporaryFolder folder;
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    CAPTURE(seed);
    reference::RandomModel random = reference::random_model(seed);
    const reference::Architecture& a = random.architecture;
    if (a.pooling == "none" || !a.attention_output_projection) continue;
    const auto directory = folder / std::to_string(seed);
    reference::write_model_directory(directory, random.config, random.tensors, random.storage);
    const Model model = load_model(locate_model(directory, ""));
    std::filesystem::remove_all(directory);
    const reference::Text text = reference::pad(a, random.texts.front());
    const Classifier classifier(model, with_ids());
    const LayerVerdicts verdicts = layer_verdicts(classifier, traced(classifier, text));
    while (!random.architecture.layer_weights.empty()) {
      random.architecture.layer_weights.pop_back();
      const std::size_t state = random.architecture.layer_weights.size();
      const auto result = reference::encode(random.architecture, random.tensors, text);
      const std::string found = reference::first_difference(
          std::span<const float>(verdicts.states[state].logits), result.logits, kTolerance);
      CHECK_MESSAGE(found.empty(), found);
      ++checked;
    }
  }
  CHECK(checked > 20);
}

}  // namespace
}  // namespace headlight::patching_test
