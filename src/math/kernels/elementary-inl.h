// exp, tanh and the activations on vectors, with our own polynomials. The bits are the same for any
// register width if a multiply-add is rounded once. Error bounds assume such a multiply-add; they
// are in units in the last place of the exact result, over all floats. functions.h has the bounds
// of the activations. NaN gives NaN. Included once per instruction set.
#if defined(HEADLIGHT_ELEMENTARY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_ELEMENTARY_INL_H
#undef HEADLIGHT_ELEMENTARY_INL_H
#else
#define HEADLIGHT_ELEMENTARY_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "math/functions.h"
#include "math/kernels/lanes-inl.h"
#include "math/kernels/polynomials.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

HWY_INLINE Vector all(float value) { return hn::Set(Floats(), value); }

/// max(limit, x), but keeps NaN; the limit is not zero.
HWY_INLINE Vector at_least(float limit, Vector x) {
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return hn::Max(all(limit), x);  // if one is NaN, returns the second
#else
  return hn::IfThenElse(hn::Lt(x, all(limit)), all(limit), x);
#endif
}

/// min(limit, x), but keeps NaN; the limit is not zero.
HWY_INLINE Vector at_most(float limit, Vector x) {
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return hn::Min(all(limit), x);
#else
  return hn::IfThenElse(hn::Gt(x, all(limit)), all(limit), x);
#endif
}

/// Σ coefficients[i] · xⁱ
template <std::size_t kCount>
HWY_INLINE Vector polynomial(Vector x, const float (&coefficients)[kCount]) {
  Vector sum = all(coefficients[kCount - 1]);
  for (std::size_t i = kCount - 1; i > 0; --i) sum = hn::MulAdd(sum, x, all(coefficients[i - 1]));
  return sum;
}

/// exp(r), |r| ≤ ln(2)/2
HWY_INLINE Vector exp_of_rest(Vector r) {
  const Vector p = hn::MulAdd(polynomial(r, polynomials::kExp), r, all(1.0F));
  return hn::MulAdd(p, r, all(1.0F));
}

/// x = n·ln(2) + rest with the nearest integer n. The last bits of `counter` are n plus the offset.
struct Exponent {
  Vector counter;
  Vector rest;
};

HWY_INLINE Exponent split_exponent(Vector x, float offset) {
  const Vector magic = all(0x1.8p23F + offset);  // adding it rounds to integers
  const Vector counter = hn::MulAdd(x, all(polynomials::kLog2OfE), magic);
  const Vector n = hn::Sub(counter, magic);
  const Vector rest = hn::NegMulAdd(n, all(polynomials::kLn2High), x);
  return {counter, hn::NegMulAdd(n, all(polynomials::kLn2Low), rest)};
}

/// Numbers that may be denormal are scaled by 2⁶⁴ until a last multiplication rounds them.
constexpr float kLift = 0x1p64F;
constexpr float kExponentBias = 127.0F;
constexpr float kLiftOffset = 64.0F + kExponentBias;
/// exp(kLeastExponent) is zero, also times kLeastExponent. Its scaled form is not denormal.
constexpr float kLeastExponent = -130.0F;

/// 2⁶⁴ · 2ⁿ · exp(rest)
HWY_INLINE Vector lifted_exp(Exponent split) {
  const hn::RebindToUnsigned<Floats> bits;
  const auto power = hn::ShiftLeft<23>(hn::BitCast(bits, split.counter));
  return hn::Mul(exp_of_rest(split.rest), hn::BitCast(Floats(), power));
}

/// 2⁶⁴ · exp(x), -130 ≤ x ≤ 40
HWY_INLINE Vector lifted_exp(Vector x) { return lifted_exp(split_exponent(x, kLiftOffset)); }

/// exp(x), x ≤ 40; 2 ulp; -∞ gives 0
HWY_INLINE Vector exp_below_40(Vector x) {
  return hn::Mul(lifted_exp(at_least(kLeastExponent, x)), all(1.0F / kLift));
}

/// exp(x) for any x; 2 ulp; +∞ or 0 if the exact result rounds to it
HWY_INLINE Vector exp(Vector x) {
  const hn::RebindToSigned<Floats> whole;
  const Exponent split = split_exponent(at_least(-105.0F, at_most(89.5F, x)), kExponentBias);
  // 2ⁿ as two factors, because 2ⁿ may not be a float: n = half + (n - half)
  const auto n = hn::Sub(hn::BitCast(whole, split.counter),
                         hn::BitCast(whole, all(0x1.8p23F + kExponentBias)));
  const auto bias = hn::Set(whole, static_cast<std::int32_t>(kExponentBias));
  const auto half = hn::ShiftRight<1>(n);
  const auto first = hn::ShiftLeft<23>(hn::Add(half, bias));
  const auto second = hn::ShiftLeft<23>(hn::Add(hn::Sub(n, half), bias));
  const Vector p = hn::Mul(exp_of_rest(split.rest), hn::BitCast(Floats(), first));
  return hn::Mul(p, hn::BitCast(Floats(), second));
}

/// tanh(x)
HWY_INLINE Vector tanh(Vector x) {
  const Vector t = hn::Abs(x);
  const Vector square = hn::Mul(t, t);
  const Vector small = hn::MulAdd(hn::Mul(square, t), polynomial(square, polynomials::kTanh), t);
  const Vector e = exp_below_40(hn::Mul(all(-2.0F), t));
  const Vector large = hn::Div(hn::Sub(all(1.0F), e), hn::Add(all(1.0F), e));
  return hn::CopySign(hn::IfThenElse(hn::Gt(t, all(0.625F)), large, small), x);
}

/// -|x|
HWY_INLINE Vector negative(Vector x) { return hn::Or(x, hn::SignBit(Floats())); }

/// σ(x) = 1 / (1 + exp(-x))
HWY_INLINE Vector sigmoid(Vector x) {
  const Vector e = exp_below_40(negative(x));
  const Vector numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(Floats())), e, all(1.0F));
  return hn::Div(numerator, hn::Add(all(1.0F), e));
}

/// x·σ(z), x ≥ -130
HWY_INLINE Vector gate(Vector x, Vector z) {
  const auto below = hn::Lt(z, hn::Zero(Floats()));
  const Vector e = lifted_exp(at_least(kLeastExponent, negative(z)));
  const Vector numerator = hn::IfThenElse(below, hn::Mul(x, e), x);
  const Vector quotient = hn::Div(numerator, hn::MulAdd(e, all(1.0F / kLift), all(1.0F)));
  return hn::Mul(quotient, hn::IfThenElse(below, all(1.0F / kLift), all(1.0F)));
}

HWY_INLINE Vector relu(Vector x) { return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(Floats())), x); }

/// x·Φ(x) = relu(x) - t·Φ(-t), t = |x|, with Φ(-t) = exp(-t²/2) · P(s - middle) / (t + scale) and s
/// = t / (t + scale). The rounding error of the square is added to the exponent; without this, the
/// far tail would be off by 60 ulp.
HWY_INLINE Vector gelu(Vector x) {
  const Vector t = at_most(polynomials::kTailEnd, hn::Abs(x));
  const Vector square = hn::Mul(t, t);
  const Vector error = hn::MulSub(t, t, square);
  Exponent split = split_exponent(hn::Mul(all(-0.5F), square), kLiftOffset);
  split.rest = hn::MulAdd(all(-0.5F), error, split.rest);
  const Vector e = hn::Mul(lifted_exp(split), all(1.0F / kLift));
  const Vector s = hn::Div(t, hn::Add(t, all(polynomials::kTailScale)));
  const Vector u = hn::Sub(s, all(polynomials::kTailMiddle));
  return hn::NegMulAdd(e, hn::Mul(s, polynomial(u, polynomials::kTail)), relu(x));
}

/// relu(x) - t·Φ(-t), t = |x|, with a polynomial for Φ(-t) up to kCoarseEnd.
HWY_INLINE Vector gelu_coarse(Vector x) {
  const Vector t = at_most(polynomials::kCoarseEnd, hn::Abs(x));
  return hn::NegMulAdd(t, polynomial(t, polynomials::kCoarseTail), relu(x));
}

/// 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))) = x·σ(2·√(2/π)·(x + 0.044715·x³))
HWY_INLINE Vector gelu_tanh(Vector x) {
  constexpr float kLinear = 1.5957691216F;  // 2·√(2/π)
  constexpr float kCubic = 0.0713548163F;   // that · 0.044715
  const Vector limited = at_least(kLeastExponent, x);
  const Vector slope = hn::MulAdd(hn::Mul(limited, limited), all(kCubic), all(kLinear));
  return gate(limited, hn::Mul(limited, slope));
}

HWY_INLINE Vector quick_gelu(Vector x) {
  const Vector limited = at_least(kLeastExponent, x);
  return gate(limited, hn::Mul(limited, all(1.702F)));
}

HWY_INLINE Vector silu(Vector x) {
  const Vector limited = at_least(kLeastExponent, x);
  return gate(limited, limited);
}

/// x·tanh(log(1 + e)) = x·e·(e + 2) / (e·(e + 2) + 2), e = exp(x)
HWY_INLINE Vector mish(Vector x) {
  constexpr float kAlmostLinear = 20.0F;  // above it, the result is x
  const Vector limited = at_least(kLeastExponent, at_most(kAlmostLinear, x));
  const Vector lifted = lifted_exp(limited);
  const Vector e = hn::Mul(lifted, all(1.0F / kLift));
  const Vector sum = hn::Add(e, all(2.0F));
  const Vector share = hn::Div(hn::Mul(limited, sum), hn::MulAdd(e, sum, all(2.0F)));
  const Vector result = hn::Mul(hn::Mul(share, lifted), all(1.0F / kLift));
  return hn::IfThenElse(hn::Gt(x, all(kAlmostLinear)), x, result);
}

struct Relu {
  HWY_INLINE Vector operator()(Vector x) const { return relu(x); }
};
struct Relu6 {
  HWY_INLINE Vector operator()(Vector x) const { return at_most(6.0F, relu(x)); }
};
struct Relu2 {
  HWY_INLINE Vector operator()(Vector x) const { return hn::Mul(relu(x), relu(x)); }
};
struct LeakyRelu {
  HWY_INLINE Vector operator()(Vector x) const {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(Floats())), hn::Mul(all(0.01F), x), x);
  }
};
struct Gelu {
  HWY_INLINE Vector operator()(Vector x) const { return gelu(x); }
};
struct GeluCoarse {
  HWY_INLINE Vector operator()(Vector x) const { return gelu_coarse(x); }
};
struct GeluTanh {
  HWY_INLINE Vector operator()(Vector x) const { return gelu_tanh(x); }
};
struct Gelu10 {
  HWY_INLINE Vector operator()(Vector x) const { return at_most(10.0F, gelu(x)); }
};
struct QuickGelu {
  HWY_INLINE Vector operator()(Vector x) const { return quick_gelu(x); }
};
struct Silu {
  HWY_INLINE Vector operator()(Vector x) const { return silu(x); }
};
struct Mish {
  HWY_INLINE Vector operator()(Vector x) const { return mish(x); }
};
struct Tanh {
  HWY_INLINE Vector operator()(Vector x) const { return tanh(x); }
};
struct Sigmoid {
  HWY_INLINE Vector operator()(Vector x) const { return sigmoid(x); }
};

/// log(x) of normal floats above 0 (the polynomial of Cephes).
struct Log {
  HWY_INLINE Vector operator()(Vector x) const {
    constexpr float kRest[] = {3.3333331174e-1F,  -2.4999993993e-1F, 2.0000714765e-1F,
                               -1.6668057665e-1F, 1.4249322787e-1F,  -1.2420140846e-1F,
                               1.1676998740e-1F,  -1.1514610310e-1F, 7.0376836292e-2F};
    const hn::RebindToSigned<Floats> ints;
    const auto bits = hn::BitCast(ints, x);
    const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(ints, 0x3F3504F3)));  // of √½
    const auto rest = hn::BitCast(Floats(), hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
    const Vector m = hn::Sub(rest, all(1.0F));
    const Vector e = hn::ConvertTo(Floats(), exponent);
    const Vector square = hn::Mul(m, m);
    Vector y = hn::Mul(hn::Mul(polynomial(m, kRest), square), m);
    y = hn::MulAdd(e, all(-2.12194440e-4F), y);
    y = hn::MulAdd(square, all(-0.5F), y);
    return hn::MulAdd(e, all(0.693359375F), hn::Add(m, y));
  }
};

/// data [kStep] ← f(data)
template <class F>
HWY_INLINE void apply_step(F f, float* data) {
  for (std::size_t k = 0; k < kStep; k += kLanes) {
    hn::StoreU(f(hn::LoadU(Floats(), data + k)), Floats(), data + k);
  }
}

/// data [rows, cols] ← f(data). Each row starts `stride` floats after the previous one. Only the
/// elements are read or written.
template <class F>
HWY_NOINLINE void activate_rows(F f, float* data, std::size_t rows, std::size_t cols,
                                std::size_t stride) {
  const std::size_t whole = cols - cols % kStep;
  for (std::size_t i = 0; i < rows; ++i) {
    float* const row = data + i * stride;
    for (std::size_t j = 0; j < whole; j += kStep) apply_step(f, row + j);
    if (whole == cols) continue;
    PartialStep rest(row + whole, cols - whole);
    apply_step(f, rest.data());
    rest.copy_to(row + whole);
  }
}

/// data [rows, cols] ← act(data), for kernels that hold a tile; otherwise like activate_rows.
HWY_INLINE void activate_block(Activation activation, float* data, std::size_t rows,
                               std::size_t cols, std::size_t stride) {
  switch (activation) {
    case Activation::linear:
      return;
    case Activation::relu:
      return activate_rows(Relu(), data, rows, cols, stride);
    case Activation::relu6:
      return activate_rows(Relu6(), data, rows, cols, stride);
    case Activation::relu2:
      return activate_rows(Relu2(), data, rows, cols, stride);
    case Activation::leaky_relu:
      return activate_rows(LeakyRelu(), data, rows, cols, stride);
    case Activation::gelu:
      return activate_rows(Gelu(), data, rows, cols, stride);
    case Activation::gelu_coarse:
      return activate_rows(GeluCoarse(), data, rows, cols, stride);
    case Activation::gelu_tanh:
      return activate_rows(GeluTanh(), data, rows, cols, stride);
    case Activation::gelu_10:
      return activate_rows(Gelu10(), data, rows, cols, stride);
    case Activation::quick_gelu:
      return activate_rows(QuickGelu(), data, rows, cols, stride);
    case Activation::silu:
      return activate_rows(Silu(), data, rows, cols, stride);
    case Activation::mish:
      return activate_rows(Mish(), data, rows, cols, stride);
    case Activation::tanh:
      return activate_rows(Tanh(), data, rows, cols, stride);
    case Activation::sigmoid:
      return activate_rows(Sigmoid(), data, rows, cols, stride);
  }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
