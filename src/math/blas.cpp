#include "math/blas.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <xtensor-blas/xblas.hpp>
#include <xtensor-blas/xlapack.hpp>
#pragma GCC diagnostic pop

// OpenBLAS's own: the number of its threads, 0 until it is known.
extern "C" {
extern int blas_num_threads;
extern int blas_cpu_number;
}

namespace headlight {
namespace {

/// OpenBLAS starts its threads, which spin for a while, in a static constructor. This constructor
/// runs before it.
[[gnu::constructor(101)]] void use_one_blas_thread() { blas_num_threads = blas_cpu_number = 1; }

}  // namespace

void blas_multiply_transposed(ConstMatrix x, ConstMatrix w, Matrix out) {
  using Index = xt::blas_index_t;
  cxxblas::gemm<Index>(cxxblas::StorageOrder::RowMajor, cxxblas::Transpose::NoTrans,
                       cxxblas::Transpose::Trans, static_cast<Index>(out.rows),
                       static_cast<Index>(out.cols), static_cast<Index>(x.cols), 1.0F, x.data,
                       static_cast<Index>(x.stride), w.data, static_cast<Index>(w.stride), 0.0F,
                       out.data, static_cast<Index>(out.stride));
}

bool invert_positive(double* a, std::size_t n) {
  const auto size = static_cast<xt::blas_index_t>(n);
  // By columns, the upper triangle is the lower one of our rows.
  if (cxxlapack::potrf('U', size, a, size) != 0) return false;  // the Cholesky factor
  if (cxxlapack::potri('U', size, a, size) != 0) return false;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
  }
  return true;
}

}  // namespace headlight
