#include "math/exp_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/exp_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/elementary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

struct Exp {
  HWY_INLINE Vector operator()(Vector x) const { return exp(x); }
};

void exp_of_values(float* values, std::size_t count) {
  activate_rows(Exp(), values, 1, count, count);
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"

namespace headlight {

void exp_of(std::span<float> values) {
  HEADLIGHT_KERNEL(exp_of_values)(values.data(), values.size());
}

}  // namespace headlight
#endif
