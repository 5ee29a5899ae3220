#include "math/blas.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <xtensor-blas/xblas.hpp>
#pragma GCC diagnostic pop

// OpenBLAS's own: the number of its threads, 0 until it is known.
extern "C" {
extern int blas_num_threads;
extern int blas_cpu_number;
// LAPACK's: the Cholesky factor, and the inverse from it, of which one triangle is written.
void dpotrf_(const char* triangle, const int* n, double* a, const int* stride, int* info);
void dpotri_(const char* triangle, const int* n, double* a, const int* stride, int* info);
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
  const int size = static_cast<int>(n);
  int failed = 0;
  dpotrf_("U", &size, a, &size, &failed);  // by columns: the lower triangle of our rows
  if (failed != 0) return false;
  dpotri_("U", &size, a, &size, &failed);
  if (failed != 0) return false;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
  }
  return true;
}

}  // namespace headlight
