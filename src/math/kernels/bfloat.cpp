#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/bfloat.cpp"

#include "math/bfloat.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/panel_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

using Bits = hn::RebindToUnsigned<Floats>;
using BitVector = hn::Vec<Bits>;

constexpr std::uint32_t kUpperHalf = 0xFFFF0000U;

/// The bfloat16 numbers in the upper and in the lower halves, as floats.
HWY_INLINE Vector upper(Vector pairs) {
  return hn::BitCast(Floats(), hn::And(hn::BitCast(Bits(), pairs), hn::Set(Bits(), kUpperHalf)));
}
HWY_INLINE Vector lower(Vector pairs) {
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::BitCast(Bits(), pairs)));
}

/// A pair of bfloat16 numbers per column; x has floats, those of the odd k first.
struct EmulatedStep {
  static constexpr std::size_t kElements = 2;

  static HWY_INLINE Vector columns(Vector row, std::size_t element) {
    return element == 0 ? upper(row) : lower(row);
  }
  static HWY_INLINE Vector add(Vector element, Vector columns, Vector sums) {
    return hn::MulAdd(element, columns, sums);
  }
};

/// A pair per column and a pair in x. Only AVX3 has the instruction; the others have what it does,
/// for tests. In assembly, because it is in none of the instruction sets that the kernels are
/// compiled for.
struct PairStep {
  static constexpr std::size_t kElements = 1;

  static HWY_INLINE Vector columns(Vector row, std::size_t /*element*/) { return row; }
  static HWY_INLINE Vector add(Vector element, Vector columns, Vector sums) {
#if HWY_TARGET == HWY_AVX3
    asm("vdpbf16ps %2, %1, %0" : "+v"(sums.raw) : "v"(columns.raw), "v"(element.raw));
    return sums;
#else
    sums = hn::MulAdd(upper(element), upper(columns), sums);
    return hn::MulAdd(lower(element), lower(columns), sums);
#endif
  }
};

template <typename Step>
void multiply_rounded(const BfloatRows& x, const BfloatPanels& w, const float* bias,
                      const Matrix& out) {
  const std::size_t panel = BfloatPanels::panel_bytes(w.depth) / sizeof(float);
  multiply_by_panels<Step>(
      {x.numbers, reinterpret_cast<const float*>(w.data), kColumns, panel, bias, out});
}

void multiply_emulated(const BfloatRows& x, const BfloatPanels& w, const float* bias,
                       const Matrix& out) {
  multiply_rounded<EmulatedStep>(x, w, bias, out);
}

void multiply_in_pairs(const BfloatRows& x, const BfloatPanels& w, const float* bias,
                       const Matrix& out) {
  multiply_rounded<PairStep>(x, w, bias, out);
}

/// The bits of the nearest bfloat16 in the upper half, ties to even. A NaN stays one.
HWY_INLINE BitVector rounded(const float* x) {
  const Bits d;
  const Vector numbers = hn::LoadU(Floats(), x);
  const BitVector bits = hn::BitCast(d, numbers);
  const BitVector odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1U));
  const BitVector nearest = hn::Add(hn::Add(bits, hn::Set(d, 0x7FFFU)), odd);
  const BitVector quiet = hn::Or(bits, hn::Set(d, 0x00400000U));
  const auto is_number = hn::RebindMask(d, hn::Eq(numbers, numbers));
  return hn::And(hn::IfThenElse(is_number, nearest, quiet), hn::Set(d, kUpperHalf));
}

/// out [kLanes] as the emulation needs it.
HWY_INLINE void store_exchanged(BitVector bits, float* out) {
#if HWY_TARGET == HWY_SCALAR
  hn::StoreU(hn::BitCast(Floats(), bits), Floats(), out);
#else
  hn::StoreU(hn::BitCast(Floats(), hn::Shuffle2301(bits)), Floats(), out);
#endif
}

/// out [kLanes / 2], pairs
HWY_INLINE void store_pairs(BitVector bits, std::uint16_t* out) {
  const hn::Rebind<std::uint16_t, Floats> narrow;
  const hn::RebindToSigned<Bits> d;
  hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(d, hn::ShiftRight<16>(bits))), narrow, out);
}

/// Calls store(k, the rounded numbers from k on) for all vectors of a row, padded with zeros.
template <typename Store>
HWY_INLINE void round_vectors(const float* x, std::size_t count, const Store& store) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) store(k, rounded(x + k));
  if (k == count) return;
  HWY_ALIGN float rest[kLanes] = {};
  for (std::size_t j = 0; k + j < count; ++j) rest[j] = x[k + j];
  store(k, rounded(rest));
}

void round_one(const float* x, std::size_t count, BfloatMethod method, float* out) {
  if (method == BfloatMethod::emulated) {
    round_vectors(x, count,
                  [=](std::size_t k, BitVector bits) HWY_ATTR { store_exchanged(bits, out + k); });
#if HWY_TARGET == HWY_SCALAR
    if (count % 2 == 1) out[count] = 0.0F;
    for (std::size_t k = 0; k < count; k += 2) std::swap(out[k], out[k + 1]);
#endif
    return;
  }
  auto* const pairs = reinterpret_cast<std::uint16_t*>(out);
  const std::size_t whole = (count + kLanes - 1) / kLanes * kLanes;
  std::fill(pairs + whole, pairs + BfloatPanels::padded(count), std::uint16_t{0});
  round_vectors(x, count,
                [=](std::size_t k, BitVector bits) HWY_ATTR { store_pairs(bits, pairs + k); });
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"
#include "math/kernels/tiles.h"

#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

namespace headlight {
namespace {

/// During its lifetime, this thread takes subnormal numbers as zero.
class WithoutSubnormals {
 public:
  WithoutSubnormals() : before_(control()) { set_control(before_ | kFlush); }
  WithoutSubnormals(const WithoutSubnormals&) = delete;
  WithoutSubnormals& operator=(const WithoutSubnormals&) = delete;
  ~WithoutSubnormals() { set_control(before_); }

 private:
#if HWY_ARCH_X86
  using Control = unsigned;
  static constexpr Control kFlush = 0x8040U;  // results and operands
  static Control control() { return _mm_getcsr(); }
  static void set_control(Control value) { _mm_setcsr(value); }
#elif HWY_ARCH_ARM_A64
  using Control = std::uint64_t;
  static constexpr Control kFlush = std::uint64_t{1} << 24U;  // FZ
  static Control control() {
    Control value = 0;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void set_control(Control value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#else
  using Control = unsigned;
  static constexpr Control kFlush = 0;
  static Control control() { return 0; }
  static void set_control(Control /*value*/) {}
#endif

  Control before_;
};

}  // namespace

void round_row(std::span<const float> x, BfloatMethod method, float* out) {
  HEADLIGHT_KERNEL(round_one)(x.data(), x.size(), method, out);
}

void multiply(const BfloatRows& x, const BfloatPanels& w, const float* bias, Matrix out) {
  if (x.method == BfloatMethod::tiles) return multiply_in_tiles(x, w, bias, out);
  const WithoutSubnormals during;
  if (x.method == BfloatMethod::pairs) {
    HEADLIGHT_KERNEL(multiply_in_pairs)(x, w, bias, out);
  } else {
    HEADLIGHT_KERNEL(multiply_emulated)(x, w, bias, out);
  }
}

}  // namespace headlight
#endif
