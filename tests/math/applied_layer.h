// What linear layers in any form give, for their tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "math/linear.h"
#include "math/prepared_layer.h"
#include "math/random_matrix.h"

namespace headlight {

inline Table table(ConstMatrix weight) {
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(weight.data), weight.rows,
          weight.cols};
}

inline std::vector<float> applied(const Linear& linear, ConstMatrix x) {
  RandomMatrix y(x.rows, linear.out(), 4, 3);
  linear.apply(x, y.view());
  CHECK(y.gaps_are_untouched());
  return elements(y.view());
}

/// A row has the same bits among any others, one with NaN too, and on any number of threads.
inline void check_bits_of_rows(LinearForm form) {
  const RandomMatrix weight(130, 384, 1);
  const auto bias = random_floats(130, 2);
  const PreparedLayer layer(Linear{table(weight.view()), bias}, form);
  RandomMatrix x(200, 384, 3);
  const auto before = [&] {
    const ThreadPermit one(1);
    return applied(layer.layer, x.view());
  }();
  x.view().row(100)[7] = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t threads : {1, 4}) {
    const ThreadPermit permit(threads);
    const auto after = applied(layer.layer, x.view());
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (i / 130 == 100) {
        CHECK(std::isnan(after[i]));
      } else {
        CHECK(after[i] == before[i]);
      }
    }
  }
  for (std::size_t first = 0; first < 100; first += 1 + first % 31) {
    const std::size_t count = std::min<std::size_t>(1 + first % 31, 100 - first);
    const auto some = applied(layer.layer, x.view().row_range(first, count));
    CHECK(std::equal(some.begin(), some.end(),
                     before.begin() + static_cast<std::ptrdiff_t>(first * 130)));
  }
}

}  // namespace headlight
