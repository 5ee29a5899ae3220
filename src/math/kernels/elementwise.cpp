// The functions of elements and of rows, for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/elementwise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/functions.h"
#include "math/kernels/elementary-inl.h"
#include "math/kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

void activate_matrix(Activation activation, Matrix values) {
  activate_block(activation, values.data, values.rows, values.cols, values.stride);
}

void log_numbers(float* numbers, std::size_t count) {
  activate_rows(Log(), numbers, 1, count, count);
}

void add_matrix(ConstMatrix others, Matrix values) {
  for (std::size_t i = 0; i < values.rows; ++i) {
    add_row(others.data + i * others.stride, values.data + i * values.stride, values.cols);
  }
}

void add_to_rows(const float* bias, Matrix values) {
  for (std::size_t i = 0; i < values.rows; ++i) {
    add_row(bias, values.data + i * values.stride, values.cols);
  }
}

void multiply_matrix(ConstMatrix others, Matrix values) {
  for (std::size_t i = 0; i < values.rows; ++i) {
    multiply_rows(others.data + i * others.stride, values.data + i * values.stride, values.cols);
  }
}

void rotate_matrix(ConstMatrix turns, bool interleaved, Matrix values) {
  const std::size_t pairs = turns.cols / 2;
  for (std::size_t i = 0; i < values.rows; ++i) {
    const float* const turn = turns.data + i * turns.stride;
    float* const row = values.data + i * values.stride;
    if (interleaved) {
      rotate_neighbours(turn, pairs, row);
    } else {
      rotate_halves(turn, pairs, row);
    }
  }
}

float exp_of_row(float* row, std::size_t count, float scale, const float* bias) {
  return exp_row(row, count, scale, bias);
}

void softmax_matrix(Matrix scores) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    float* const row = scores.data + i * scores.stride;
    const float sum = exp_row(row, scores.cols, 1.0F, nullptr);
    multiply_row(row, scores.cols, 1.0F / sum);
  }
}

void normalize_matrix(const LayerNorm& norm, ConstMatrix x, Matrix out) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    normalize_row(norm, x.data + i * x.stride, x.cols, out.data + i * out.stride);
  }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"

namespace headlight {

void activate(Activation activation, Matrix values) {
  HEADLIGHT_KERNEL(activate_matrix)(activation, values);
}

void take_logs(std::span<float> numbers) {
  HEADLIGHT_KERNEL(log_numbers)(numbers.data(), numbers.size());
}

void add(ConstMatrix others, Matrix values) { HEADLIGHT_KERNEL(add_matrix)(others, values); }

void multiply_each(ConstMatrix others, Matrix values) {
  HEADLIGHT_KERNEL(multiply_matrix)(others, values);
}

void rotate(ConstMatrix turns, bool interleaved, Matrix values) {
  HEADLIGHT_KERNEL(rotate_matrix)(turns, interleaved, values);
}

void add_bias(std::span<const float> bias, Matrix values) {
  HEADLIGHT_KERNEL(add_to_rows)(bias.data(), values);
}

float exp_row(std::span<float> row, float scale, std::span<const float> bias) {
  const float* const each = bias.empty() ? nullptr : bias.data();
  return HEADLIGHT_KERNEL(exp_of_row)(row.data(), row.size(), scale, each);
}

void softmax_rows(Matrix scores) { HEADLIGHT_KERNEL(softmax_matrix)(scores); }

void layer_norm(const LayerNorm& norm, ConstMatrix x, Matrix out) {
  HEADLIGHT_KERNEL(normalize_matrix)(norm, x, out);
}

}  // namespace headlight
#endif
