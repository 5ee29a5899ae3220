// Elementwise functions, softmax and layer normalization on rows. A result has the same bits with
// every instruction set that rounds a multiply-add once (instruction_set.h). An element's result
// does not depend on its position or its neighbours; a row's result depends only on that row.
// Defined in kernels/elementwise.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/words.h"
#include "math/activation.h"
#include "math/matrix.h"

namespace headlight {

/// values [n, f] ← act(values). Maximum error over all floats, in units in the last place of the
/// exact result: tanh 2; silu, sigmoid 3; gelu, gelu_10 4; mish 5; quick_gelu 3 + 2t and gelu_tanh
/// 4 + 20t, with t = max(-x, 0), because the rounding error of the exponent grows in the tail. If a
/// multiply-add is rounded twice, gelu 4 + 6t. Infinities give the limit of the function, NaN gives
/// NaN. gelu_coarse is within 4e-4 of gelu, at infinities too, and within 1e-3·|x|, beside the
/// rounding of the result.
void activate(Activation activation, Matrix values);

/// x ← log(x), for normal floats above 0. Maximum error as above: 2.
void take_logs(std::span<float> numbers);

/// Each row becomes exp(x - max) / Σ exp(x - max): values from 0 to 1 with sum 1. Each row must
/// have a finite maximum; elements may be -∞.
void softmax_rows(Matrix scores);

/// row [n] ← exp(row · scale + bias - max), where max is the largest row · scale + bias. Returns
/// the sum; the softmax is the row divided by the sum. The bias [n] may be empty: nothing is added.
/// The maximum must be finite.
float exp_row(std::span<float> row, float scale, std::span<const float> bias);

/// variance is (x-m)/√(var+ε) (Ba et al. 2016), deviation is (x-m)/(std+ε); both use the biased
/// variance. rms is x/√(mean(x²)+ε) (Zhang and Sennrich 2019).
enum class LayerNormForm : std::uint8_t { variance, deviation, rms };
inline constexpr std::array<Word<LayerNormForm>, 3> kLayerNormWords = {{
    {"variance", LayerNormForm::variance},
    {"deviation", LayerNormForm::deviation},
    {"rms", LayerNormForm::rms},
}};

struct LayerNorm {
  std::span<const float> gain;  // [d]
  std::span<const float> bias;  // [d], or empty
  float epsilon = 1e-5F;
  LayerNormForm form = LayerNormForm::variance;
};

/// out [n, d] = LN(x [n, d]); out may be x.
void layer_norm(const LayerNorm& norm, ConstMatrix x, Matrix out);

/// values [n, d] ← values + others
void add(ConstMatrix others, Matrix values);

/// values [n, f] ← values · others
void multiply_each(ConstMatrix others, Matrix values);

/// values [n, e]: row i is turned by the angles of row i of `turns` [n, 2p], p cosines and then p
/// sines. Pair k is the columns (2k, 2k + 1) if `interleaved`, else (k, k + p).
void rotate(ConstMatrix turns, bool interleaved, Matrix values);

/// values [n, d] ← values + bias [d] in each row
void add_bias(std::span<const float> bias, Matrix values);

}  // namespace headlight
