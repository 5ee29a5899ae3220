// Functions of one row of a matrix: softmax, layer normalization, sums. Sums use the tree of
// lanes-inl.h, so the bits of a row depend only on that row. Included once per instruction set.
#if defined(HEADLIGHT_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_ROWS_INL_H
#undef HEADLIGHT_ROWS_INL_H
#else
#define HEADLIGHT_ROWS_INL_H
#endif

#include <cmath>
#include <cstddef>
#include <limits>

#include <hwy/highway.h>

#include "math/functions.h"
#include "math/kernels/elementary-inl.h"
#include "math/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

/// values [count] ← values + others
HWY_INLINE void add_row(const float* others, float* values, std::size_t count) {
  const std::size_t whole = count - count % kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes) {
    const Vector sum = hn::Add(hn::LoadU(Floats(), values + j), hn::LoadU(Floats(), others + j));
    hn::StoreU(sum, Floats(), values + j);
  }
  for (std::size_t j = whole; j < count; ++j) values[j] += others[j];
}

/// row [count] ← row · factor
HWY_INLINE void multiply_row(float* row, std::size_t count, float factor) {
  const std::size_t whole = count - count % kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes) {
    hn::StoreU(hn::Mul(hn::LoadU(Floats(), row + j), all(factor)), Floats(), row + j);
  }
  for (std::size_t j = whole; j < count; ++j) row[j] *= factor;
}

/// values [count] ← values · others
HWY_INLINE void multiply_rows(const float* others, float* values, std::size_t count) {
  const std::size_t whole = count - count % kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes) {
    const Vector product =
        hn::Mul(hn::LoadU(Floats(), values + j), hn::LoadU(Floats(), others + j));
    hn::StoreU(product, Floats(), values + j);
  }
  for (std::size_t j = whole; j < count; ++j) values[j] *= others[j];
}

/// Turns the pairs (first[k], second[k]) of one vector.
template <typename Tag>
HWY_INLINE void rotate_vector(Tag tag, const float* cosines, const float* sines, float* first,
                              float* second) {
  const auto x = hn::LoadU(tag, first);
  const auto y = hn::LoadU(tag, second);
  const auto cosine = hn::LoadU(tag, cosines);
  const auto sine = hn::LoadU(tag, sines);
  hn::StoreU(hn::MulSub(x, cosine, hn::Mul(y, sine)), tag, first);
  hn::StoreU(hn::MulAdd(y, cosine, hn::Mul(x, sine)), tag, second);
}

/// Turns the pairs (values[k], values[pairs + k]).
HWY_INLINE void rotate_halves(const float* turns, std::size_t pairs, float* values) {
  const hn::CappedTag<float, 1> one;
  const std::size_t whole = pairs - pairs % kLanes;
  const float* const sines = turns + pairs;
  float* const second = values + pairs;
  for (std::size_t k = 0; k < whole; k += kLanes) {
    rotate_vector(Floats(), turns + k, sines + k, values + k, second + k);
  }
  for (std::size_t k = whole; k < pairs; ++k) {
    rotate_vector(one, turns + k, sines + k, values + k, second + k);
  }
}

/// Turns the pairs (values[2k], values[2k + 1]).
HWY_INLINE void rotate_neighbours(const float* turns, std::size_t pairs, float* values) {
  const hn::CappedTag<float, 1> one;
  for (std::size_t k = 0; k < pairs; ++k) {
    rotate_vector(one, turns + k, turns + pairs + k, values + 2 * k, values + 2 * k + 1);
  }
}

/// The largest element of each lane of a row.
class LaneTops {
 public:
  HWY_INLINE LaneTops() {
    for (auto& part : parts_) part = all(-std::numeric_limits<float>::infinity());
  }
  HWY_INLINE void take(std::size_t part, Vector values) {
    parts_[part] = hn::Max(parts_[part], values);
  }
  HWY_INLINE void take(const float* step) {
    for (std::size_t part = 0; part < kParts; ++part) {
      take(part, hn::LoadU(Floats(), step + part * kLanes));
    }
  }
  /// The largest element of all, in every lane.
  HWY_INLINE Vector top() const {
    Vector top = parts_[0];
    for (std::size_t part = 1; part < kParts; ++part) top = hn::Max(top, parts_[part]);
    return hn::MaxOfLanes(Floats(), top);
  }

 private:
  Vector parts_[kParts];
};

/// to [kStep] ← from · scale + bias
HWY_INLINE void scale_step(const float* from, float scale, const float* bias, float* to) {
  for (std::size_t k = 0; k < kStep; k += kLanes) {
    const Vector values = hn::LoadU(Floats(), from + k);
    const Vector result = bias == nullptr
                              ? hn::Mul(values, all(scale))
                              : hn::MulAdd(values, all(scale), hn::LoadU(Floats(), bias + k));
    hn::StoreU(result, Floats(), to + k);
  }
}

/// step [kStep] ← exp(step - top)
HWY_INLINE void exp_step(float* step, Vector top, LaneSums& sums) {
  for (std::size_t part = 0; part < kParts; ++part) {
    float* const at = step + part * kLanes;
    const Vector e = exp_below_40(hn::Sub(hn::LoadU(Floats(), at), top));
    sums.add(part, e);
    hn::StoreU(e, Floats(), at);
  }
}

#if HWY_TARGET == HWY_AVX3
/// The last elements of a row, fewer than kStep, which fit one register.
class ScoresRest {
 public:
  HWY_INLINE ScoresRest(float* row, std::size_t count, float scale, const float* bias)
      : row_(row), inside_(hn::FirstN(Floats(), count)) {
    const Vector values = hn::MaskedLoad(inside_, Floats(), row);
    const Vector scaled =
        bias == nullptr ? hn::Mul(values, all(scale))
                        : hn::MulAdd(values, all(scale), hn::MaskedLoad(inside_, Floats(), bias));
    values_ = hn::IfThenElse(inside_, scaled, all(-std::numeric_limits<float>::infinity()));
  }
  HWY_INLINE void take(LaneTops& tops) const { tops.take(0, values_); }
  HWY_INLINE void exp(Vector top, LaneSums& sums) const {
    const Vector e = exp_below_40(hn::Sub(values_, top));
    sums.add(0, e);
    hn::BlendedStore(e, inside_, Floats(), row_);
  }

 private:
  float* row_;
  hn::Mask<Floats> inside_;
  Vector values_;
};
#else
/// The last elements of a row, fewer than kStep.
class ScoresRest {
 public:
  HWY_INLINE ScoresRest(float* row, std::size_t count, float scale, const float* bias)
      : row_(row), step_(row, count) {
    if (count == 0) return;
    if (bias == nullptr) {
      scale_step(step_.data(), scale, nullptr, step_.data());
    } else {
      scale_step(step_.data(), scale, PartialStep(bias, count).data(), step_.data());
    }
    step_.fill(-std::numeric_limits<float>::infinity());
  }
  HWY_INLINE void take(LaneTops& tops) const { tops.take(step_.data()); }
  HWY_INLINE void exp(Vector top, LaneSums& sums) {
    exp_step(step_.data(), top, sums);
    step_.copy_to(row_);
  }

 private:
  float* row_;
  PartialStep step_;
};
#endif

/// row [count] ← exp(row · scale + bias - max), where max is the largest row · scale + bias.
/// Returns the sum. The bias [count] may be null: nothing is added.
HWY_INLINE float exp_row(float* row, std::size_t count, float scale, const float* bias) {
  const std::size_t whole = count - count % kStep;
  LaneTops tops;
  for (std::size_t j = 0; j < whole; j += kStep) {
    scale_step(row + j, scale, bias == nullptr ? nullptr : bias + j, row + j);
    tops.take(row + j);
  }
  ScoresRest rest(row + whole, count - whole, scale, bias == nullptr ? nullptr : bias + whole);
  if (whole < count) rest.take(tops);
  const Vector top = tops.top();
  LaneSums sums;
  for (std::size_t j = 0; j < whole; j += kStep) exp_step(row + j, top, sums);
  if (whole < count) rest.exp(top, sums);
  return sums.total();
}

/// The normalization of a row: (x - mean) · factor.
struct Normal {
  double mean;
  double factor;
};

/// Adds (x - mean)² of the first `count` elements of a step.
HWY_INLINE void add_squares(const float* step, std::size_t count, double mean,
                            DoubleLaneSums& squares) {
  for (std::size_t part = 0; part < kDoubleParts; ++part) {
    const std::size_t first = part * kDoubleLanes;
    const auto inside = hn::FirstN(Doubles(), count > first ? count - first : 0);
    const DoubleVector off = hn::Sub(load_doubles(step + first), hn::Set(Doubles(), mean));
    const DoubleVector counted = hn::IfThenElseZero(inside, off);
    squares.add_product(part, counted, counted);
  }
}

/// In float64, so that rows with a large mean keep their precision.
HWY_INLINE Normal find_normal(const LayerNorm& norm, const float* x, std::size_t d) {
  const std::size_t whole = d - d % kStep;
  const PartialStep rest(x + whole, d - whole);
  double mean = 0.0;
  if (norm.form != LayerNormForm::rms) {
    DoubleLaneSums sums;
    for (std::size_t j = 0; j <= whole && j < d; j += kStep) {
      const float* const step = j < whole ? x + j : rest.data();
      for (std::size_t part = 0; part < kDoubleParts; ++part) {
        sums.add(part, load_doubles(step + part * kDoubleLanes));
      }
    }
    mean = sums.total() / static_cast<double>(d);
  }
  DoubleLaneSums squares;
  for (std::size_t j = 0; j < whole; j += kStep) add_squares(x + j, kStep, mean, squares);
  if (whole < d) add_squares(rest.data(), rest.count(), mean, squares);
  const double variance = squares.total() / static_cast<double>(d);
  const double epsilon = norm.epsilon;
  const double divisor = norm.form == LayerNormForm::deviation ? std::sqrt(variance) + epsilon
                                                               : std::sqrt(variance + epsilon);
  return {mean, 1.0 / divisor};
}

/// to [kStep] ← (from - mean) · factor · gain + bias; the bias may be null.
HWY_INLINE void normalize_step(const float* from, Normal normal, const float* gain,
                               const float* bias, float* to) {
  const hn::Rebind<float, Doubles> floats;
  for (std::size_t k = 0; k < kStep; k += kDoubleLanes) {
    const DoubleVector off = hn::Sub(load_doubles(from + k), hn::Set(Doubles(), normal.mean));
    const DoubleVector scaled = hn::Mul(off, hn::Set(Doubles(), normal.factor));
    const auto normal_values = hn::DemoteTo(floats, scaled);
    const auto gains = hn::LoadU(floats, gain + k);
    hn::StoreU(bias == nullptr ? hn::Mul(normal_values, gains)
                               : hn::MulAdd(normal_values, gains, hn::LoadU(floats, bias + k)),
               floats, to + k);
  }
}

/// out [d] = LN(x [d]); out may be x.
HWY_INLINE void normalize_row(const LayerNorm& norm, const float* x, std::size_t d, float* out) {
  const float* const gain = norm.gain.data();
  const float* const bias = norm.bias.empty() ? nullptr : norm.bias.data();
  const Normal normal = find_normal(norm, x, d);
  const std::size_t whole = d - d % kStep;
  for (std::size_t j = 0; j < whole; j += kStep) {
    normalize_step(x + j, normal, gain + j, bias == nullptr ? nullptr : bias + j, out + j);
  }
  if (whole == d) return;
  PartialStep rest(x + whole, d - whole);
  const PartialStep rest_gain(gain + whole, d - whole);
  if (bias == nullptr) {
    normalize_step(rest.data(), normal, rest_gain.data(), nullptr, rest.data());
  } else {
    const PartialStep rest_bias(bias + whole, d - whole);
    normalize_step(rest.data(), normal, rest_gain.data(), rest_bias.data(), rest.data());
  }
  rest.copy_to(out + whole);
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
