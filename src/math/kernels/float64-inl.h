// Vectors of float64 for WebAssembly, whose operations Highway 1.0.3 leaves out: those that the
// kernels use, under Highway's names. Included once per instruction set.
#if defined(HEADLIGHT_FLOAT64_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_FLOAT64_INL_H
#undef HEADLIGHT_FLOAT64_INL_H
#else
#define HEADLIGHT_FLOAT64_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>

#if HWY_TARGET == HWY_WASM
HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {

template <std::size_t N>
using DoubleTag = Simd<double, N, 0>;
template <std::size_t N>
using DoubleVec = Vec128<double, N>;

template <std::size_t N, HWY_IF_LE128(double, N)>
HWY_INLINE DoubleVec<N> Set(DoubleTag<N> /*tag*/, double value) {
  return {wasm_f64x2_splat(value)};
}
template <std::size_t N>
HWY_INLINE DoubleVec<N> Add(DoubleVec<N> a, DoubleVec<N> b) {
  return {wasm_f64x2_add(a.raw, b.raw)};
}
template <std::size_t N>
HWY_INLINE DoubleVec<N> Sub(DoubleVec<N> a, DoubleVec<N> b) {
  return {wasm_f64x2_sub(a.raw, b.raw)};
}
template <std::size_t N>
HWY_INLINE DoubleVec<N> Mul(DoubleVec<N> a, DoubleVec<N> b) {
  return {wasm_f64x2_mul(a.raw, b.raw)};
}
template <std::size_t N>
HWY_INLINE DoubleVec<N> MulAdd(DoubleVec<N> a, DoubleVec<N> b, DoubleVec<N> sum) {
  return Add(Mul(a, b), sum);
}
HWY_INLINE DoubleVec<2> PromoteTo(DoubleTag<2> /*tag*/, Vec128<float, 2> v) {
  return {wasm_f64x2_promote_low_f32x4(v.raw)};
}
HWY_INLINE Vec128<float, 2> DemoteTo(Simd<float, 2, 0> /*tag*/, DoubleVec<2> v) {
  return {static_cast<__f32x4>(wasm_f32x4_demote_f64x2_zero(v.raw))};
}
template <std::size_t N>
HWY_INLINE double GetLane(DoubleVec<N> v) {
  return wasm_f64x2_extract_lane(v.raw, 0);
}
/// The lanes below `count`.
HWY_INLINE Mask128<double, 2> FirstN(DoubleTag<2> /*tag*/, std::size_t count) {
  return {wasm_i64x2_make(count > 0 ? -1 : 0, count > 1 ? -1 : 0)};
}

}  // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // HEADLIGHT_FLOAT64_INL_H
