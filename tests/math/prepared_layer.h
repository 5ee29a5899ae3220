// A linear layer in any form, with memory of its own.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "math/linear.h"
#include "math/products.h"
#include "math/with_blas.h"

namespace headlight {

constexpr LinearForm kForms[] = {LinearForm::stored, LinearForm::packed, LinearForm::int8,
                                 LinearForm::bf16, LinearForm::blas};

struct PreparedLayer {
  PreparedLayer(const Linear& linear, LinearForm form)
      : memory(prepared_bytes(form, linear.out(), linear.in())), layer(linear) {
    layer.prepared = unprepared(form);
    if (memory.empty()) return;
    prepare_panels(layer.weight, layer.prepared, 0, Panels::count(layer.out()), memory.data());
    layer.prepared.data = memory.data();
  }
  PreparedLayer(PreparedLayer&&) = default;
  PreparedLayer& operator=(PreparedLayer&&) = delete;
  PreparedLayer(const PreparedLayer&) = delete;
  PreparedLayer& operator=(const PreparedLayer&) = delete;
  ~PreparedLayer() = default;

  std::vector<std::byte> memory;
  Linear layer;
};

}  // namespace headlight
