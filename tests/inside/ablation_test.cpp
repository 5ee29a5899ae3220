// Logits without a part of the encoder against the naive float64 encoder of tests/reference/, whose
// tensors or layers are changed so that it lacks the part.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "encoder/forward.h"
#include "inside/ablated_classifier.h"
#include "model/model.h"
#include "reference/compare.h"
#include "reference/encoder.h"
#include "reference/random_model.h"

namespace headlight::ablation_test {
namespace {

constexpr std::uint64_t kSeeds = 120;
constexpr double kTolerance = 1e-4;

const std::string kAttention = ".attention.";

std::string layer_name(std::size_t layer) { return "layers." + std::to_string(layer); }

void clear_columns(reference::Tensor& weight, HeadColumns columns) {
  const std::size_t width = weight.shape.at(1);
  for (std::size_t row = 0; row < weight.shape.at(0); ++row) {
    const auto first =
        weight.values.begin() + static_cast<std::ptrdiff_t>(row * width + columns.first);
    std::fill(first, first + static_cast<std::ptrdiff_t>(columns.count), 0.0);
  }
}

void clear_rows(reference::Tensor& tensor, HeadColumns rows) {
  const std::size_t width = tensor.values.size() / tensor.shape.at(0);
  const auto first = tensor.values.begin() + static_cast<std::ptrdiff_t>(rows.first * width);
  std::fill(first, first + static_cast<std::ptrdiff_t>(rows.count * width), 0.0);
}

/// A model without a head; nothing where its tensors cannot say so.
std::optional<reference::RandomModel> without_head(reference::RandomModel model, const Part& head) {
  const reference::Architecture& a = model.architecture;
  HeadColumns columns{0, a.head_sizes[head.head]};
  for (std::size_t i = 0; i < head.head; ++i) columns.first += a.head_sizes[i];
  const std::string name = layer_name(head.layer) + kAttention;
  if (a.attention_output_projection) {
    clear_columns(model.tensors.at(name + "output.weight"), columns);
    return model;
  }
  if (a.group() > 1) return std::nullopt;
  clear_rows(model.tensors.at(name + "value.weight"), columns);
  if (a.attention_bias) clear_rows(model.tensors.at(name + "value.bias"), columns);
  return model;
}

std::optional<reference::RandomModel> without_feed_forward(reference::RandomModel model,
                                                           std::size_t layer) {
  for (const char* name : {".feed_forward.down.weight", ".feed_forward.down.bias"}) {
    const auto found = model.tensors.find(layer_name(layer) + name);
    if (found != model.tensors.end()) std::ranges::fill(found->second.values, 0.0);
  }
  return model;
}

reference::RandomModel without_neuron(reference::RandomModel model, const Part& part) {
  clear_columns(model.tensors.at(layer_name(part.layer) + ".feed_forward.down.weight"),
                {part.head, 1});
  return model;
}

template <typename Values>
void erase_from(Values& values, std::size_t layer) {
  if (!values.empty()) values.erase(values.begin() + static_cast<std::ptrdiff_t>(layer));
}

std::optional<reference::RandomModel> without_layer(reference::RandomModel model,
                                                    std::size_t layer) {
  reference::Architecture& a = model.architecture;
  if (!a.attention_output_projection) return std::nullopt;
  if (layer == 0 && !a.first_attention_norm) return std::nullopt;  // now another is the first
  erase_from(a.layer_weights, layer);
  erase_from(a.attention_window, layer);
  erase_from(a.rope_theta, layer);
  if (layer == 0) a.conv_kernel_size = 0;
  return model;
}

std::optional<reference::RandomModel> reference_without(const reference::RandomModel& model,
                                                        const std::vector<Part>& parts) {
  const Part& part = parts.front();
  if (part.kind == PartKind::layer) return without_layer(model, part.layer);
  if (part.kind == PartKind::neuron) return without_neuron(model, part);
  if (part.kind == PartKind::feed_forward) return without_feed_forward(model, part.layer);
  std::optional<reference::RandomModel> without = model;
  for (const Part& head : parts) {
    if (without) without = without_head(*without, head);
  }
  return without;
}

/// All parts of all kinds by layer, and all heads but the first at once.
std::vector<std::vector<Part>> all_parts(const Model& model, bool passes_over_layers) {
  const auto heads = parts_of(model.description, PartKind::head);
  auto parts = each_alone(heads);
  if (heads.size() > 1) parts.emplace_back(heads.begin() + 1, heads.end());
  for (const PartKind kind : {PartKind::neuron, PartKind::feed_forward, PartKind::layer}) {
    if (kind == PartKind::layer && !passes_over_layers) continue;
    for (const Part& part : parts_of(model.description, kind)) parts.push_back({part});
  }
  std::ranges::stable_sort(parts, {}, [](const auto& some) { return some.front().layer; });
  return parts;
}

/// Checks every part of a model; counts those checked, by kind.
void check_model(const reference::RandomModel& random, const Model& model,
                 std::vector<std::size_t>& counts) {
  const Batch batch = batch_of(random);
  const auto parts = all_parts(model, random.architecture.attention_output_projection);
  Scratch scratch;
  Buffer memory;
  std::size_t passes = 0;
  const ConstMatrix all = forward_without(model.description, model.weights, parts, batch, scratch,
                                          memory, [&] { ++passes; });
  CHECK(passes == 1 + parts.size());
  const std::size_t c = model.description.classes();
  REQUIRE(all.cols == (1 + parts.size()) * c);
  Scratch other;
  const ConstMatrix whole = forward(model.description, model.weights, {batch, other});
  for (std::size_t text = 0; text < random.texts.size(); ++text) {
    CHECK(std::ranges::equal(all.row(text).first(c), whole.row(text)));  // bit for bit
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    CAPTURE(i);
    CAPTURE(parts[i].front().layer);
    const auto expected = reference_without(random, parts[i]);
    if (!expected) continue;
    ++counts[static_cast<std::size_t>(parts[i].front().kind)];
    const std::size_t text = i % random.texts.size();  // the naive encoder is slow
    const auto result =
        reference::encode(expected->architecture, expected->tensors, random.texts[text]);
    const std::string found = reference::first_difference(all.row(text).subspan((1 + i) * c, c),
                                                          result.logits, kTolerance);
    CHECK_MESSAGE(found.empty(), found);
  }
}

TEST_CASE("without a head, a neuron, a feed-forward or a layer, the logits are the reference's") {
  const TemporaryFolder folder;
  std::vector<std::size_t> counts(4);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    CAPTURE(seed);
    const reference::RandomModel random = reference::random_model(seed);
    if (random.architecture.pooling == "none") continue;
    const auto directory = folder / std::to_string(seed);
    reference::write_model_directory(directory, random.config, random.tensors, random.storage);
    check_model(random, load_model(locate_model(directory, "")), counts);
    std::filesystem::remove_all(directory);
  }
  for (const std::size_t count : counts) CHECK(count > 50);
}

TEST_CASE("a check that throws ends the passes") {
  const TemporaryFolder folder;
  const reference::RandomModel random = reference::random_model(1);
  const auto directory = folder / "model";
  reference::write_model_directory(directory, random.config, random.tensors, random.storage);
  const Model model = load_model(locate_model(directory, ""));
  Scratch scratch;
  Buffer memory;
  const auto refuse = [] { throw std::string("stop"); };
  CHECK_THROWS_AS(forward_without(model.description, model.weights, {}, batch_of(random), scratch,
                                  memory, refuse),
                  std::string);
}

}  // namespace
}  // namespace headlight::ablation_test
