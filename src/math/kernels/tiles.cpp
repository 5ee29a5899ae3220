#include "math/kernels/tiles.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <hwy/highway.h>

#if HWY_ARCH_X86_64
// Processors with AMX have AVX-512. Headers of others must not be compiled for it.
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR_AVX3)
#endif
#include "math/kernels/tiles-inl.h"

namespace headlight {

#if HWY_ARCH_X86_64
namespace {

/// The registers. In assembly, because g++ 12 has these instructions only as macros.
class Registers {
 public:
  void configure(const tiles::TileShapes& shapes) {
    asm volatile("ldtilecfg %0" : : "m"(shapes) : "memory");
  }
  void release() { asm volatile("tilerelease" : : : "memory"); }
  template <int kTile>
  void load(const void* from, std::size_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "n"(kTile) : "memory");
  }
  template <int kTile>
  void store(void* to, std::size_t stride) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "n"(kTile) : "memory");
  }
};

class BfloatRegisters : public Registers {
 public:
  template <int kSums, int kX, int kPanel>
  void dot() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "n"(kSums), "n"(kX), "n"(kPanel));
  }
};

/// x without a sign, panels with one.
class IntegerRegisters : public Registers {
 public:
  template <int kSums, int kX, int kPanel>
  void dot() {
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "n"(kSums), "n"(kX), "n"(kPanel));
  }
};

}  // namespace

void multiply_in_tiles(const BfloatRows& x, const BfloatPanels& w, const float* bias, Matrix out) {
  BfloatRegisters registers;
  tiles::multiply_bfloats(registers, x, w, bias, out);
}

void multiply_in_tiles(const QuantizedRows& x, const QuantizedPanels& w, const float* bias,
                       Matrix out) {
  IntegerRegisters registers;
  tiles::multiply_integers(registers, x, w, bias, out);
}
#else
// Never called, because processor.h has no tiles there.
void multiply_in_tiles(const BfloatRows& /*x*/, const BfloatPanels& /*w*/, const float* /*bias*/,
                       Matrix /*out*/) {}
void multiply_in_tiles(const QuantizedRows& /*x*/, const QuantizedPanels& /*w*/,
                       const float* /*bias*/, Matrix /*out*/) {}
#endif

}  // namespace headlight

#if HWY_ARCH_X86_64
HWY_POP_ATTRIBUTES
#endif
