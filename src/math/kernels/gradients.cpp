// The gradients of the functions of elements and of rows, for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/gradients.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/function_gradients.h"
#include "math/kernels/gradients-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

void activation_matrix_gradient(Activation activation, ConstMatrix x, Matrix gradient) {
  switch (activation) {
    case Activation::linear:
      return;
    case Activation::relu:
      return scale_by_slope(ReluSlope(), x, gradient);
    case Activation::relu6:
      return scale_by_slope(Relu6Slope(), x, gradient);
    case Activation::relu2:
      return scale_by_slope(Relu2Slope(), x, gradient);
    case Activation::leaky_relu:
      return scale_by_slope(LeakyReluSlope(), x, gradient);
    case Activation::gelu:
    case Activation::gelu_coarse:
      return scale_by_slope(GeluSlope(), x, gradient);
    case Activation::gelu_tanh:
      return scale_by_slope(GeluTanhSlope(), x, gradient);
    case Activation::gelu_10:
      return scale_by_slope(Gelu10Slope(), x, gradient);
    case Activation::quick_gelu:
      return scale_by_slope(QuickGeluSlope(), x, gradient);
    case Activation::silu:
      return scale_by_slope(SiluSlope(), x, gradient);
    case Activation::mish:
      return scale_by_slope(MishSlope(), x, gradient);
    case Activation::tanh:
      return scale_by_slope(TanhSlope(), x, gradient);
    case Activation::sigmoid:
      return scale_by_slope(SigmoidSlope(), x, gradient);
  }
}

void softmax_matrix_gradient(ConstMatrix p, float scale, Matrix scores) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    softmax_row_gradient(p.data + i * p.stride, scale, scores.data + i * scores.stride,
                         scores.cols);
  }
}

void add_all_rows(ConstMatrix x, float* sums) {
  const std::size_t whole = x.cols - x.cols % kStep;
  for (std::size_t j = 0; j < whole; j += kStep) {
    Vector parts[kParts];
    for (std::size_t part = 0; part < kParts; ++part) {
      parts[part] = hn::LoadU(Floats(), sums + j + part * kLanes);
    }
    const float* row = x.data + j;
    for (std::size_t i = 0; i < x.rows; ++i, row += x.stride) {
      for (std::size_t part = 0; part < kParts; ++part) {
        parts[part] = hn::Add(parts[part], hn::LoadU(Floats(), row + part * kLanes));
      }
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      hn::StoreU(parts[part], Floats(), sums + j + part * kLanes);
    }
  }
  for (std::size_t j = whole; j < x.cols; ++j) {
    for (std::size_t i = 0; i < x.rows; ++i) sums[j] += x.data[i * x.stride + j];
  }
}

void norm_matrix_gradient(const LayerNorm& norm, ConstMatrix x, ConstMatrix dy, Matrix dx,
                          const NormGradient& parameters) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    norm_row_gradient(norm, x.data + i * x.stride, dy.data + i * dy.stride, dx.data + i * dx.stride,
                      parameters);
  }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"

namespace headlight {

void activation_gradient(Activation activation, ConstMatrix x, Matrix gradient) {
  HEADLIGHT_KERNEL(activation_matrix_gradient)(activation, x, gradient);
}

void softmax_gradient(ConstMatrix p, float scale, Matrix scores) {
  HEADLIGHT_KERNEL(softmax_matrix_gradient)(p, scale, scores);
}

void add_row_sums(ConstMatrix x, std::span<float> sums) {
  HEADLIGHT_KERNEL(add_all_rows)(x, sums.data());
}

void layer_norm_gradient(const LayerNorm& norm, ConstMatrix x, ConstMatrix dy, Matrix dx,
                         const NormGradient& parameters) {
  HEADLIGHT_KERNEL(norm_matrix_gradient)(norm, x, dy, dx, parameters);
}

}  // namespace headlight
#endif
