#include "math/blas.h"

#include <cstdlib>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <xtensor-blas/xblas.hpp>
#pragma GCC diagnostic pop

namespace headlight {
namespace {

/// OpenBLAS starts its threads, which spin for a while, in a static constructor. This constructor
/// runs before it.
[[gnu::constructor(101)]] void use_one_blas_thread() {
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);  // NOLINT(concurrency-mt-unsafe): before main
}

}  // namespace

void blas_multiply_transposed(ConstMatrix x, ConstMatrix w, Matrix out) {
  using Index = xt::blas_index_t;
  cxxblas::gemm<Index>(cxxblas::StorageOrder::RowMajor, cxxblas::Transpose::NoTrans,
                       cxxblas::Transpose::Trans, static_cast<Index>(out.rows),
                       static_cast<Index>(out.cols), static_cast<Index>(x.cols), 1.0F, x.data,
                       static_cast<Index>(x.stride), w.data, static_cast<Index>(w.stride), 0.0F,
                       out.data, static_cast<Index>(out.stride));
}

}  // namespace headlight
