// The derivatives of the activations, and the gradients of the functions of a row. Included once
// per instruction set.
#if defined(HEADLIGHT_GRADIENTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_GRADIENTS_INL_H
#undef HEADLIGHT_GRADIENTS_INL_H
#else
#define HEADLIGHT_GRADIENTS_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>

#include "math/function_gradients.h"
#include "math/kernels/elementary-inl.h"
#include "math/kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

HWY_INLINE Vector one_if(hn::Mask<Floats> mask) { return hn::IfThenElseZero(mask, all(1.0F)); }

struct ReluSlope {
  HWY_INLINE Vector operator()(Vector x) const { return one_if(hn::Gt(x, all(0.0F))); }
};
struct Relu6Slope {
  HWY_INLINE Vector operator()(Vector x) const {
    return one_if(hn::And(hn::Gt(x, all(0.0F)), hn::Lt(x, all(6.0F))));
  }
};
struct Relu2Slope {
  HWY_INLINE Vector operator()(Vector x) const { return hn::Mul(all(2.0F), relu(x)); }
};
struct LeakyReluSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    return hn::IfThenElse(hn::Gt(x, all(0.0F)), all(1.0F), all(0.01F));
  }
};

/// Φ(x) + x·φ(x); see gelu() for Φ(-t).
struct GeluSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    const Vector t = at_most(polynomials::kTailEnd, hn::Abs(x));
    const Vector e = exp_below_40(hn::Mul(all(-0.5F), hn::Mul(t, t)));
    const Vector below = hn::Add(t, all(polynomials::kTailScale));
    const Vector u = hn::Sub(hn::Div(t, below), all(polynomials::kTailMiddle));
    const Vector tail = hn::Mul(e, hn::Div(polynomial(u, polynomials::kTail), below));
    const auto negative_x = hn::Lt(x, hn::Zero(Floats()));
    const Vector share = hn::IfThenElse(negative_x, tail, hn::Sub(all(1.0F), tail));
    constexpr float kDensity = 0.398942280F;  // 1/√(2π)
    const Vector own = hn::CopySign(hn::Mul(t, hn::Mul(all(kDensity), e)), x);
    return hn::Add(share, own);
  }
};
struct Gelu10Slope {
  HWY_INLINE Vector operator()(Vector x) const {
    return hn::IfThenElseZero(hn::Lt(gelu(x), all(10.0F)), GeluSlope()(x));
  }
};

/// (x·σ(z))' = σ(z) + x·z'·σ(z)·(1 - σ(z)), |x| small enough that nothing is infinite.
HWY_INLINE Vector gate_slope(Vector x, Vector z, Vector z_slope) {
  const Vector share = sigmoid(z);
  const Vector e = exp_below_40(negative(z));
  const Vector sum = hn::Add(all(1.0F), e);
  const Vector change = hn::Div(e, hn::Mul(sum, sum));  // σ·(1 - σ)
  return hn::MulAdd(hn::Mul(x, z_slope), change, share);
}
constexpr float kFlat = 100.0F;  // beyond it, these slopes are 0 or 1
HWY_INLINE Vector limited(Vector x) { return at_least(-kFlat, at_most(kFlat, x)); }

struct GeluTanhSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    constexpr float kLinear = 1.5957691216F;  // as in gelu_tanh()
    constexpr float kCubic = 0.0713548163F;
    const Vector own = limited(x);
    const Vector square = hn::Mul(own, own);
    const Vector z = hn::Mul(own, hn::MulAdd(square, all(kCubic), all(kLinear)));
    return gate_slope(own, z, hn::MulAdd(square, all(3.0F * kCubic), all(kLinear)));
  }
};
struct QuickGeluSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    const Vector own = limited(x);
    return gate_slope(own, hn::Mul(own, all(1.702F)), all(1.702F));
  }
};
struct SiluSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    const Vector own = limited(x);
    return gate_slope(own, own, all(1.0F));
  }
};

/// t + x·σ(x)·(1 - t²), t = tanh(log(1 + e)) = w / (w + 2), w = e·(e + 2), e = exp(x)
struct MishSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    constexpr float kAlmostLinear = 20.0F;
    const Vector own = at_least(-kFlat, at_most(kAlmostLinear, x));
    const Vector e = exp_below_40(own);
    const Vector w = hn::Mul(e, hn::Add(e, all(2.0F)));
    const Vector below = hn::Add(w, all(2.0F));
    const Vector t = hn::Div(w, below);
    const Vector rest = hn::Div(hn::MulAdd(all(4.0F), w, all(4.0F)), hn::Mul(below, below));
    const Vector slope = hn::MulAdd(hn::Mul(own, sigmoid(own)), rest, t);
    return hn::IfThenElse(hn::Gt(x, all(kAlmostLinear)), all(1.0F), slope);
  }
};
struct TanhSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    const Vector y = tanh(x);
    return hn::NegMulAdd(y, y, all(1.0F));
  }
};
struct SigmoidSlope {
  HWY_INLINE Vector operator()(Vector x) const {
    const Vector e = exp_below_40(negative(x));
    const Vector sum = hn::Add(all(1.0F), e);
    return hn::Div(e, hn::Mul(sum, sum));
  }
};

/// gradient [rows, cols] ← gradient · slope(x)
template <class Slope>
HWY_NOINLINE void scale_by_slope(Slope slope, ConstMatrix x, Matrix gradient) {
  const std::size_t whole = x.cols - x.cols % kStep;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const float* const from = x.data + i * x.stride;
    float* const row = gradient.data + i * gradient.stride;
    const auto scale = [&](const float* values, float* to) {
      for (std::size_t k = 0; k < kStep; k += kLanes) {
        const Vector slopes = slope(hn::LoadU(Floats(), values + k));
        hn::StoreU(hn::Mul(slopes, hn::LoadU(Floats(), to + k)), Floats(), to + k);
      }
    };
    for (std::size_t j = 0; j < whole; j += kStep) scale(from + j, row + j);
    if (whole == x.cols) continue;
    const PartialStep values(from + whole, x.cols - whole);
    PartialStep rest(row + whole, x.cols - whole);
    scale(values.data(), rest.data());
    rest.copy_to(row + whole);
  }
}

/// Σ a · b of a row
HWY_INLINE float dot_row(const float* a, const float* b, std::size_t count) {
  LaneSums sums;
  const std::size_t whole = count - count % kStep;
  const auto add_step = [&](const float* first, const float* second) {
    for (std::size_t part = 0; part < kParts; ++part) {
      sums.add_product(part, hn::LoadU(Floats(), first + part * kLanes),
                       hn::LoadU(Floats(), second + part * kLanes));
    }
  };
  for (std::size_t j = 0; j < whole; j += kStep) add_step(a + j, b + j);
  if (whole < count) {
    const PartialStep first(a + whole, count - whole);
    const PartialStep second(b + whole, count - whole);
    add_step(first.data(), second.data());
  }
  return sums.total();
}

/// scores [count] ← p · (scores - Σ p · scores) · scale
HWY_INLINE void softmax_row_gradient(const float* p, float scale, float* scores,
                                     std::size_t count) {
  const float mean = dot_row(p, scores, count);
  const auto change = [&](auto tag, std::size_t j) {
    const auto off = hn::Sub(hn::LoadU(tag, scores + j), hn::Set(tag, mean));
    const auto own = hn::Mul(hn::LoadU(tag, p + j), off);
    hn::StoreU(hn::Mul(own, hn::Set(tag, scale)), tag, scores + j);
  };
  const std::size_t whole = count - count % kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes) change(Floats(), j);
  for (std::size_t j = whole; j < count; ++j) change(hn::CappedTag<float, 1>(), j);
}

/// dx = own · g + all + off · (x - mean), with g = dy · gain.
struct NormSlopes {
  double mean;
  double factor;
  double own;
  double all;
  double off;
};

/// Σ g and Σ g · (x - mean) of a row, steps padded with zeros.
struct NormSums {
  DoubleLaneSums g;
  DoubleLaneSums products;

  NormSums() = default;
  HWY_INLINE void add_step(const float* x, const float* dy, const float* gain, double mean) {
    for (std::size_t part = 0; part < kDoubleParts; ++part) {
      const std::size_t k = part * kDoubleLanes;
      const DoubleVector scaled = hn::Mul(load_doubles(dy + k), load_doubles(gain + k));
      g.add(part, scaled);
      products.add_product(part, scaled, hn::Sub(load_doubles(x + k), hn::Set(Doubles(), mean)));
    }
  }
};

HWY_INLINE NormSlopes find_norm_slopes(const LayerNorm& norm, const float* x, const float* dy,
                                       std::size_t d) {
  const Normal normal = find_normal(norm, x, d);
  const std::size_t whole = d - d % kStep;
  NormSums sums;
  for (std::size_t j = 0; j < whole; j += kStep) {
    sums.add_step(x + j, dy + j, norm.gain.data() + j, normal.mean);
  }
  if (whole < d) {
    const PartialStep rest(x + whole, d - whole);
    const PartialStep rest_dy(dy + whole, d - whole);
    const PartialStep rest_gain(norm.gain.data() + whole, d - whole);
    sums.add_step(rest.data(), rest_dy.data(), rest_gain.data(), normal.mean);
  }
  const auto count = static_cast<double>(d);
  const double factor = normal.factor;
  const double product = sums.products.total() / count;
  NormSlopes slopes{normal.mean, factor, factor, -factor * sums.g.total() / count, 0.0};
  if (norm.form == LayerNormForm::rms) slopes.all = 0.0;
  slopes.off = -factor * factor * factor * product;
  if (norm.form == LayerNormForm::deviation) {
    const double epsilon = norm.epsilon;
    const double deviation = 1.0 / factor - epsilon;
    // Of equal numbers, the deviation is 0 up to rounding, and its derivative is taken as 0.
    const bool equal = deviation <= 1e-9 * epsilon;
    slopes.off = equal ? 0.0 : -factor * factor * product / deviation;
  }
  return slopes;
}

/// One step of a row: dx, and the gradients of gain and bias (may be null).
HWY_INLINE void norm_gradient_step(const NormSlopes& slopes, const float* x, const float* dy,
                                   const float* gain, float* dx, float* dgain, float* dbias) {
  const hn::Rebind<float, Doubles> floats;
  const Doubles d;
  for (std::size_t k = 0; k < kStep; k += kDoubleLanes) {
    const DoubleVector off = hn::Sub(load_doubles(x + k), hn::Set(d, slopes.mean));
    const auto changes = hn::LoadU(floats, dy + k);
    const DoubleVector g = hn::Mul(hn::PromoteTo(d, changes), load_doubles(gain + k));
    const DoubleVector sum = hn::MulAdd(off, hn::Set(d, slopes.off), hn::Set(d, slopes.all));
    const auto normal = hn::DemoteTo(floats, hn::Mul(off, hn::Set(d, slopes.factor)));
    hn::StoreU(hn::MulAdd(changes, normal, hn::LoadU(floats, dgain + k)), floats, dgain + k);
    if (dbias != nullptr) {
      hn::StoreU(hn::Add(changes, hn::LoadU(floats, dbias + k)), floats, dbias + k);
    }
    const DoubleVector own = hn::MulAdd(g, hn::Set(d, slopes.own), sum);
    hn::StoreU(hn::DemoteTo(floats, own), floats, dx + k);
  }
}

/// One row of layer_norm_gradient(); dx may be dy.
HWY_INLINE void norm_row_gradient(const LayerNorm& norm, const float* x, const float* dy, float* dx,
                                  const NormGradient& parameters) {
  const std::size_t d = norm.gain.size();
  const float* const gain = norm.gain.data();
  float* const dgain = parameters.gain.data();
  float* const dbias = parameters.bias.empty() ? nullptr : parameters.bias.data();
  NormSlopes slopes = find_norm_slopes(norm, x, dy, d);
  if (parameters.constant_divisor) slopes.off = 0.0;
  const std::size_t whole = d - d % kStep;
  for (std::size_t j = 0; j < whole; j += kStep) {
    norm_gradient_step(slopes, x + j, dy + j, gain + j, dx + j, dgain + j,
                       dbias == nullptr ? nullptr : dbias + j);
  }
  if (whole == d) return;
  const std::size_t count = d - whole;
  const PartialStep rest(x + whole, count);
  PartialStep rest_dy(dy + whole, count);
  const PartialStep rest_gain(gain + whole, count);
  PartialStep rest_dgain(dgain + whole, count);
  if (dbias == nullptr) {
    norm_gradient_step(slopes, rest.data(), rest_dy.data(), rest_gain.data(), rest_dy.data(),
                       rest_dgain.data(), nullptr);
  } else {
    PartialStep rest_dbias(dbias + whole, count);
    norm_gradient_step(slopes, rest.data(), rest_dy.data(), rest_gain.data(), rest_dy.data(),
                       rest_dgain.data(), rest_dbias.data());
    rest_dbias.copy_to(dbias + whole);
  }
  rest_dy.copy_to(dx + whole);
  rest_dgain.copy_to(dgain + whole);
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
