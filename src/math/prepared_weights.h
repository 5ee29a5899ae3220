// The weights of a linear layer in the form used for products. Code that depends on the form is
// only here and in one function per form in linear.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "math/bfloat.h"
#include "math/quantized.h"
#include "math/table.h"

namespace headlight {

/// stored: as in the file; a few panels at a time are packed at each use. Same bits as packed, less
///   memory, more work per product.
/// packed: float32 in panels (products.h).
/// int8: 8-bit integers in panels (quantized.h); rounded.
/// bf16: bfloat16 numbers in panels (bfloat.h); rounded, unless they are stored in this format.
/// blas: as in the file, multiplied by OpenBLAS. The last bits depend on the number of rows that
/// are
///   multiplied together.
enum class LinearForm : std::uint8_t { stored, packed, int8, bf16, blas };

struct PreparedWeights {
  LinearForm form = LinearForm::stored;
  const std::byte* data = nullptr;  // panels, 64-byte aligned; nullptr: the stored weights are used
  QuantizedLayout layout = QuantizedLayout::pairs;  // int8 only
  BfloatMethod method = BfloatMethod::emulated;     // bf16 only
};

/// The form without its data; int8 in the best layout and bf16 with the best method for the
/// instruction set in use.
PreparedWeights unprepared(LinearForm form);

/// Bytes of the panels of weights [out, in], a multiple of 64; 0 for the forms that use the stored
/// weights.
std::size_t prepared_bytes(LinearForm form, std::size_t out, std::size_t in);

/// Whether weights with rows of `in` numbers can take this form: int8 has a limit.
bool can_prepare(LinearForm form, std::size_t in);

/// Writes the panels [first, last) of `weight` to their places in `memory`, which must have
/// prepared_bytes(). Only for forms with panels.
void prepare_panels(const Table& weight, const PreparedWeights& like, std::size_t first,
                    std::size_t last, std::byte* memory);

}  // namespace headlight
