#include "math/matmul.h"

#include <cstdlib>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <xtensor-blas/xblas.hpp>
#pragma GCC diagnostic pop

namespace headlight {
namespace {

/// OpenBLAS starts its threads, which spin for a while, from a static constructor; this one runs
/// before it.
[[gnu::constructor(101)]] void use_one_blas_thread() {
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);  // NOLINT(concurrency-mt-unsafe): before main
}

using Index = xt::blas_index_t;

void gemm(ConstMatrix a, cxxblas::Transpose b_transposed, ConstMatrix b, Matrix out) {
  cxxblas::gemm<Index>(cxxblas::StorageOrder::RowMajor, cxxblas::Transpose::NoTrans, b_transposed,
                       static_cast<Index>(out.rows), static_cast<Index>(out.cols),
                       static_cast<Index>(a.cols), 1.0F, a.data, static_cast<Index>(a.stride),
                       b.data, static_cast<Index>(b.stride), 0.0F, out.data,
                       static_cast<Index>(out.stride));
}

}  // namespace

void multiply_transposed(ConstMatrix x, ConstMatrix w, Matrix out) {
  gemm(x, cxxblas::Transpose::Trans, w, out);
}

void multiply(ConstMatrix a, ConstMatrix b, Matrix out) {
  gemm(a, cxxblas::Transpose::NoTrans, b, out);
}

}  // namespace headlight
