// The canonical encoder, written from the specification ("What a model is") alone: one text, its
// formulas in xtensor, float64. The tests compare the program with it; it shares no code with the
// program's encoder.
#pragma once

#include <cstddef>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/architecture.h"
#include "reference/tensors.h"

namespace headlight::reference {

struct Text {
  std::vector<std::size_t> ids;
  std::vector<std::size_t> type_ids;  // one for each id; not looked at where type_vocab_size is 0
};

/// Arrays are row-major.
struct Result {
  Vector logits;                    // [c], or [n, c] with pooling `none`
  Vector probabilities;             // [c], as problem_type says; with pooling `none` [n, c]
  std::vector<Vector> attention;    // [layer] of [h, n, n]
  std::vector<Vector> products;     // [layer] of [h, n, n]: q · k
  std::vector<Vector> scores;       // [layer] of [h, n, n]: `attention` before the softmax
  std::vector<Vector> context;      // [layer] of [n, H]: the outputs of the heads
  std::vector<Vector> value_norms;  // [layer] of [h, n]: ‖f(x_j)‖ of Kobayashi et al. 2020
  Vector label_attention;           // [h, c, n]; only with that pooling
  std::vector<Vector> hidden;       // after the embedding and after each layer: [n, d]
  Vector encoded;                   // what pooling sees: [n, d], after the final norm
};

/// `text` cut, or filled on the right, to exactly pad_to_length tokens; fillers have type 0.
Text pad(const Architecture& architecture, Text text);

/// A token's vector [d] that takes the place of the text's own at a state: 0 after the embedding, l
/// after layer l - 1.
struct Patch {
  std::size_t state;
  std::size_t token;
  Vector vector;
};

/// Pads, then runs. Throws std::logic_error where a tensor is missing or has another shape than the
/// specification's table says: the config and the tensors must be valid, and a text not empty.
Result encode(const Architecture& architecture, const Tensors& tensors, const Text& text,
              const Patch* patch = nullptr);
/// Of a native model.
Result encode(const nlohmann::json& config, const Tensors& tensors, const Text& text);

}  // namespace headlight::reference
