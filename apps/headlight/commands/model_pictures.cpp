#include "commands/model_pictures.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "encoder/position_vectors.h"
#include "options/number_list.h"
#include "report/models/position_picture.h"

namespace headlight {
namespace {

std::vector<std::size_t> curves(const std::string& dimensions, std::size_t e) {
  if (!dimensions.empty()) return parse_numbers("--dimensions", "dimension", dimensions, e);
  const std::set<std::size_t> few = {0, e / 8, e / 4, e / 2};
  return {few.begin(), few.end()};
}

}  // namespace

ModelPicture position_picture(const Model& model, std::size_t n, const std::string& dimensions) {
  const EmbeddingDescription& embedding = model.description.embedding;
  if (embedding.positions == PositionKind::none) {
    throw Error(model.place.path, "has no positions: position_embedding_type is none");
  }
  if (embedding.positions == PositionKind::rotary) {
    throw Error(model.place.path,
                "has no position vectors: rotary positions turn queries and keys");
  }
  const std::size_t e = embedding.size;
  const bool learned = embedding.positions == PositionKind::absolute;
  auto vectors = position_vectors(model.description, model.weights.embeddings, n);
  Drawing drawing = draw_positions(vectors, e, curves(dimensions, e));
  return {learned ? "Learned positions" : "Sinusoidal positions",
          {n, e},
          std::move(vectors),
          std::move(drawing)};
}

ModelPicture mask_picture(const Model& model, std::size_t n) {
  const auto& layers = model.description.layers;
  if (layers.empty()) throw Error(model.place.path, "has no layers and therefore no mask");
  // Layers differ only in their windows: the first layer with a window shows more than others.
  const auto local = std::ranges::find_if(
      layers, [](const LayerDescription& layer) { return layer.heads.window.has_value(); });
  const HeadsDescription& heads = (local == layers.end() ? layers.front() : *local).heads;
  std::string name = heads.mask == AttentionMask::causal ? "Causal" : "Bidirectional";
  if (heads.window) name += " local (layer " + std::to_string(local - layers.begin()) + ")";
  auto matrix = mask_matrix(heads, n);
  Drawing drawing = draw_mask(matrix, n, name);
  return {name + " mask", {n, n}, std::move(matrix), std::move(drawing)};
}

}  // namespace headlight
