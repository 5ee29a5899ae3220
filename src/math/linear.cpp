#include "math/linear.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "math/bfloat.h"
#include "math/products.h"
#include "math/quantized.h"
#include "math/shared_product.h"

namespace headlight {
namespace {

// These many floats of x fit the level-2 cache.
constexpr std::size_t kRowBlockFloats = std::size_t{128} * 1024;
constexpr std::size_t kFewestRows = 48;
constexpr std::size_t kMostRows = 96;
// Panels that are packed and used together, then discarded.
constexpr std::size_t kPanelsAtATime = 4;
// Parts of a product per thread; several, so that a thread that starts late still gets work.
constexpr std::size_t kPartsAThread = 4;
// With fewer multiply-adds, several threads cost more time than they save.
constexpr std::size_t kWorthSharing = 100'000;
// From this number of rows on, stored weights are packed whole and threads share the rows.
constexpr std::size_t kManyRows = 512;
// Outputs whose weights are converted to float32 together for OpenBLAS.
constexpr std::size_t kOutputsAtATime = 256;

BlasProduct blas_product = nullptr;

/// Memory of one thread for converted or packed weights; reused.
struct Workspace {
  Buffer widened;
  Buffer packed;
  Buffer integers;  // x, quantized
  Buffer rounded;   // x in bfloat16
};
Workspace& workspace() {
  thread_local Workspace own;
  return own;
}

/// The input of layers: the numbers and, for the layers that need them, their integers or the
/// nearest bfloat16.
struct Input {
  ConstMatrix x;
  QuantizedRows integers;
  BfloatRows rounded;
};

/// Panels [first, first + count) of one layer, computed for all rows.
struct Part {
  const LinearOutput* output;
  std::size_t first;
  std::size_t count;
};

const float* bias_of(const Linear& linear, std::size_t first_column) {
  return linear.bias.empty() ? nullptr : linear.bias.data() + first_column;
}

/// Rows of x, each of so many floats, that are multiplied with all panels before the next rows.
std::size_t rows_at_once(std::size_t floats) {
  return std::clamp(kRowBlockFloats / floats, kFewestRows, kMostRows);
}

ConstMatrix some_rows(const ConstMatrix& x, std::size_t first, std::size_t count) {
  return x.row_range(first, count);
}
template <typename Rows>
Rows some_rows(const Rows& x, std::size_t first, std::size_t count) {
  return x.range(first, count);
}

/// Computes the part from rows of x and its panels of weights, both in the same form, `most` rows
/// at a time.
template <typename Rows, typename Weights>
void multiply_part(const Part& part, const Rows& x, const Weights& panels, std::size_t most) {
  const std::size_t first_column = part.first * kPanelColumns;
  const float* bias = bias_of(*part.output->linear, first_column);
  const Matrix y = part.output->y.column_range(first_column, panels.columns);
  for (std::size_t row = 0; row < y.rows; row += most) {
    const std::size_t count = std::min(most, y.rows - row);
    multiply(some_rows(x, row, count), panels, bias, y.row_range(row, count));
    activate(part.output->activation, y.row_range(row, count));
  }
}

void run_packed(const Part& part, const Input& input) {
  const Linear& linear = *part.output->linear;
  const Panels all{reinterpret_cast<const float*>(linear.prepared.data), linear.in(), linear.out()};
  multiply_part(part, input.x, all.range(part.first, part.count), rows_at_once(input.x.cols));
}

void run_stored(const Part& part, const Input& input) {
  const Linear& linear = *part.output->linear;
  Workspace& own = workspace();
  const std::size_t end = part.first + part.count;
  for (std::size_t first = part.first; first < end; first += kPanelsAtATime) {
    const std::size_t count = std::min(kPanelsAtATime, end - first);
    const std::size_t row = first * kPanelColumns;
    const std::size_t columns = std::min(count * kPanelColumns, linear.out() - row);
    const Matrix packed = own.packed.shape(1, Panels::floats(linear.in(), columns));
    pack(linear.weight.floats(row, columns, own.widened), packed.data);
    const Panels panels{packed.data, linear.in(), columns};
    multiply_part({part.output, first, count}, input.x, panels, rows_at_once(input.x.cols));
  }
}

bool has_many_rows(const LinearOutput& output, const ConstMatrix& x) {
  return output.linear->prepared.form == LinearForm::stored && x.rows >= kManyRows;
}

/// Computes the whole layer.
void run_many_rows(const LinearOutput& output, const ConstMatrix& x) {
  const Linear& linear = *output.linear;
  const std::size_t count = Panels::count(linear.out());
  float* const packed = workspace().packed.shape(1, Panels::floats(linear.in(), linear.out())).data;
  share_panels(count, [&](std::size_t panel, std::size_t panels) {
    const std::size_t row = panel * kPanelColumns;
    const std::size_t rows = std::min(panels * kPanelColumns, linear.out() - row);
    pack(linear.weight.floats(row, rows, workspace().widened), packed + row * linear.in());
  });
  const Panels all{packed, linear.in(), linear.out()};
  share_product({x.rows, linear.in(), count}, [&](const ProductBlock& block) {
    const Matrix y = block.of(output.y);
    multiply(x.row_range(block.first_row, block.rows), all.range(block.first_panel, block.panels),
             bias_of(linear, block.first_panel * kPanelColumns), y);
    activate(output.activation, y);
  });
}

void run_int8(const Part& part, const Input& input) {
  const Linear& linear = *part.output->linear;
  const QuantizedPanels all{linear.prepared.data, linear.in(), linear.out(),
                            linear.prepared.layout};
  multiply_part(part, input.integers, all.range(part.first, part.count), kMostRows);
}

void run_bf16(const Part& part, const Input& input) {
  const Linear& linear = *part.output->linear;
  const BfloatPanels all{linear.prepared.data, linear.in(), linear.out()};
  multiply_part(part, input.rounded, all.range(part.first, part.count),
                rows_at_once(input.rounded.numbers.cols));
}

/// Computes the whole layer, because OpenBLAS rounds parts of a product differently.
void run_blas(const LinearOutput& output, const Input& input) {
  const Linear& linear = *output.linear;
  for (std::size_t first = 0; first < linear.out(); first += kOutputsAtATime) {
    const std::size_t count = std::min(kOutputsAtATime, linear.out() - first);
    blas_product(input.x, linear.weight.floats(first, count, workspace().widened),
                 output.y.column_range(first, count));
  }
  if (!linear.bias.empty()) add_bias(linear.bias, output.y);
  activate(output.activation, output.y);
}

void run_part(const Part& part, const Input& input) {
  switch (part.output->linear->prepared.form) {
    case LinearForm::stored:
      return run_stored(part, input);
    case LinearForm::packed:
      return run_packed(part, input);
    case LinearForm::int8:
      return run_int8(part, input);
    case LinearForm::bf16:
      return run_bf16(part, input);
    case LinearForm::blas:
      break;  // cannot be split into parts
  }
}

/// The first panel of a part. Parts begin where a group of panels begins that a kernel multiplies
/// at once, or their first and last panels would be multiplied alone, which is slower.
std::size_t start_of_part(std::size_t panels, std::size_t part, std::size_t parts) {
  constexpr std::size_t kGroup = 4;
  return part == parts ? panels : panels * part / parts / kGroup * kGroup;
}

bool has_form(const LinearOutput& output, LinearForm form) {
  return output.linear->prepared.form == form;
}

/// The number of panels to distribute over threads.
std::size_t shared_panels(const LinearOutput& output, const ConstMatrix& x) {
  const bool is_whole = has_form(output, LinearForm::blas) || has_many_rows(output, x);
  return is_whole ? 0 : Panels::count(output.linear->out());
}

/// The weights of the first layer in this form, or nullptr.
const PreparedWeights* first_in(std::span<const LinearOutput> outputs, LinearForm form) {
  const auto first = std::find_if(outputs.begin(), outputs.end(), [=](const LinearOutput& output) {
    return has_form(output, form);
  });
  return first == outputs.end() ? nullptr : &first->linear->prepared;
}

/// Converts x for the layers that need it, each row once for all of them.
Input prepare_input(std::span<const LinearOutput> outputs, ConstMatrix x) {
  Input input{x, {}, {}};
  Workspace& own = workspace();
  if (const auto* weights = first_in(outputs, LinearForm::int8)) {
    input.integers = QuantizedRows::shape(weights->layout, x.rows, x.cols, own.integers);
    quantize_rows(x, input.integers);
  }
  if (const auto* weights = first_in(outputs, LinearForm::bf16)) {
    input.rounded = BfloatRows::shape(weights->method, x.rows, x.cols, own.rounded);
    round_rows(x, input.rounded);
  }
  return input;
}

}  // namespace

void use_blas(BlasProduct product) { blas_product = product; }

bool has_blas() { return blas_product != nullptr; }

Linear Linear::outputs(std::size_t first, std::size_t count) const {
  const bool by_blas = prepared.form == LinearForm::blas;
  return {weight.row_range(first, count),
          bias.empty() ? std::span<const float>() : bias.subspan(first, count),
          {by_blas ? LinearForm::blas : LinearForm::stored}};
}

Activation activation_for(const Linear& reader, Activation activation) {
  const bool coarse = activation == Activation::gelu && reader.prepared.form == LinearForm::int8;
  return coarse ? Activation::gelu_coarse : activation;
}

void Linear::apply(ConstMatrix x, Matrix y, Activation activation) const {
  const std::array<LinearOutput, 1> alone = {{{this, y, activation}}};
  apply_all(alone, x);
}

void apply_all(std::span<const LinearOutput> outputs, ConstMatrix x) {
  const Input input = prepare_input(outputs, x);
  std::size_t panels = 0;
  for (const LinearOutput& output : outputs) {
    panels += shared_panels(output, x);
    if (has_form(output, LinearForm::blas)) run_blas(output, input);
    if (has_many_rows(output, x)) run_many_rows(output, x);
  }
  const std::size_t work = x.rows * x.cols * panels * kPanelColumns;
  const std::size_t parts =
      work < kWorthSharing ? 1 : std::min(panels, kPartsAThread * sharing_threads());
  share_work(parts, [&](std::size_t part) {
    // The panels of this part, counted over the panels of all layers.
    std::size_t first = start_of_part(panels, part, parts);
    std::size_t last = start_of_part(panels, part + 1, parts);
    for (const LinearOutput& output : outputs) {
      const std::size_t own = shared_panels(output, x);
      const std::size_t end = std::min(last, own);
      if (first < end) run_part({&output, first, end - first}, input);
      first -= std::min(first, own);
      last -= std::min(last, own);
    }
  });
}

}  // namespace headlight
