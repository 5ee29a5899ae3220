#include "math/linear.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/parallel.h"
#include "math/instruction_set.h"
#include "math/blas.h"

namespace headlight {
namespace {

// Rows of x that go through all panels before the next: as many as the second cache holds.
constexpr std::size_t kRowBlockFloats = std::size_t{128} * 1024;
constexpr std::size_t kFewestRows = 48;
constexpr std::size_t kMostRows = 96;
// Panels that are packed, used and forgotten together.
constexpr std::size_t kPanelsAtATime = 4;
// Parts of a product a thread, so that one that comes late still finds something to do.
constexpr std::size_t kPartsAThread = 4;
// Multiply-adds below which sharing costs more than it saves.
constexpr std::size_t kWorthSharing = 100'000;
// Outputs that are widened together for OpenBLAS.
constexpr std::size_t kOutputsAtATime = 256;

std::optional<LinearKernels>& chosen_kernels() {
  static std::optional<LinearKernels> chosen;
  return chosen;
}

/// Memory of a thread for what is widened or packed on the way, used again and again.
struct Workspace {
  Buffer widened;
  Buffer packed;
  Buffer integers;  // of x
};
Workspace& workspace() {
  thread_local Workspace own;
  return own;
}

/// What layers read: the numbers, and where a layer is quantized, their integers.
struct Input {
  ConstMatrix x;
  QuantizedRows integers;
};

/// Panels [first, first + count) of one layer, for all rows.
struct Part {
  const LinearOutput* output;
  std::size_t first;
  std::size_t count;
};

const float* bias_of(const Linear& linear, std::size_t first_column) {
  return linear.bias.empty() ? nullptr : linear.bias.data() + first_column;
}

void multiply_part(const Part& part, const Panels& panels, ConstMatrix x, Activation activation) {
  const Linear& linear = *part.output->linear;
  const std::size_t first_column = part.first * kPanelColumns;
  const float* bias = bias_of(linear, first_column);
  const Matrix y = part.output->y.column_range(first_column, panels.columns);
  const std::size_t block = std::clamp(kRowBlockFloats / x.cols, kFewestRows, kMostRows);
  for (std::size_t row = 0; row < x.rows; row += block) {
    const std::size_t count = std::min(block, x.rows - row);
    multiply(x.row_range(row, count), panels, bias, y.row_range(row, count));
    activate(activation, y.row_range(row, count));
  }
}

void multiply_integers(const Part& part, const QuantizedRows& x, Activation activation) {
  const Linear& linear = *part.output->linear;
  const std::size_t first_column = part.first * kPanelColumns;
  const QuantizedPanels panels = linear.quantized.range(part.first, part.count);
  const Matrix y = part.output->y.column_range(first_column, panels.columns);
  for (std::size_t row = 0; row < x.rows; row += kMostRows) {
    const std::size_t count = std::min(kMostRows, x.rows - row);
    multiply(x.range(row, count), panels, bias_of(linear, first_column), y.row_range(row, count));
    activate(activation, y.row_range(row, count));
  }
}

void run_part(const Part& part, const Input& input, Activation activation) {
  const Linear& linear = *part.output->linear;
  const ConstMatrix& x = input.x;
  if (linear.is_quantized()) return multiply_integers(part, input.integers, activation);
  if (linear.panels != nullptr) {
    const Panels all{linear.panels, linear.in(), linear.out()};
    return multiply_part(part, all.range(part.first, part.count), x, activation);
  }
  Workspace& own = workspace();
  const std::size_t end = part.first + part.count;
  for (std::size_t first = part.first; first < end; first += kPanelsAtATime) {
    const std::size_t count = std::min(kPanelsAtATime, end - first);
    const std::size_t row = first * kPanelColumns;
    const std::size_t columns = std::min(count * kPanelColumns, linear.out() - row);
    const Matrix packed = own.packed.shape(1, Panels::floats(linear.in(), columns));
    pack(linear.weight.floats(row, columns, own.widened), packed.data);
    multiply_part({part.output, first, count}, {packed.data, linear.in(), columns}, x, activation);
  }
}

/// The integers of x where a layer wants them, each row quantized once for all layers.
Input quantized_input(std::span<const LinearOutput> outputs, ConstMatrix x) {
  const auto wants = [](const LinearOutput& output) { return output.linear->is_quantized(); };
  const auto first = std::find_if(outputs.begin(), outputs.end(), wants);
  if (first == outputs.end()) return {x, {}};
  const Input input{x, QuantizedRows::shape(first->linear->quantized.layout, x.rows, x.cols,
                                            workspace().integers)};
  quantize_rows(x, input.integers);
  return input;
}

void apply_blas(const LinearOutput& output, ConstMatrix x, Activation activation) {
  const Linear& linear = *output.linear;
  for (std::size_t first = 0; first < linear.out(); first += kOutputsAtATime) {
    const std::size_t count = std::min(kOutputsAtATime, linear.out() - first);
    blas_multiply_transposed(x, linear.weight.floats(first, count, workspace().widened),
                             output.y.column_range(first, count));
  }
  if (!linear.bias.empty()) add_bias(linear.bias, output.y);
  activate(activation, output.y);
}

}  // namespace

LinearKernels linear_kernels() {
  if (chosen_kernels()) return *chosen_kernels();
  const bool has_vectors = instruction_set() != "SCALAR" && instruction_set() != "EMU128";
  return has_vectors ? LinearKernels::packed : LinearKernels::openblas;
}

void use_linear_kernels(LinearKernels kernels) { chosen_kernels() = kernels; }

Linear Linear::outputs(std::size_t first, std::size_t count) const {
  return {weight.row_range(first, count),
          bias.empty() ? std::span<const float>() : bias.subspan(first, count)};
}

void Linear::apply(ConstMatrix x, Matrix y, Activation activation) const {
  const std::array<LinearOutput, 1> alone = {{{this, y}}};
  apply_all(alone, x, activation);
}

void apply_all(std::span<const LinearOutput> outputs, ConstMatrix x, Activation activation) {
  const Input input = quantized_input(outputs, x);
  if (linear_kernels() == LinearKernels::openblas && input.integers.data == nullptr) {
    for (const LinearOutput& output : outputs) apply_blas(output, x, activation);
    return;
  }
  std::size_t panels = 0;
  for (const auto& output : outputs) panels += Panels::count(output.linear->out());
  const std::size_t work = x.rows * x.cols * panels * kPanelColumns;
  const std::size_t parts =
      work < kWorthSharing ? 1 : std::min(panels, kPartsAThread * sharing_threads());
  share_work(parts, [&](std::size_t part) {
    // This part's panels of all layers' panels one after another.
    std::size_t first = panels * part / parts;
    std::size_t last = panels * (part + 1) / parts;
    for (const auto& output : outputs) {
      const std::size_t own = Panels::count(output.linear->out());
      const std::size_t end = std::min(last, own);
      if (first < end) run_part({&output, first, end - first}, input, activation);
      first -= std::min(first, own);
      last -= std::min(last, own);
    }
  });
}

void pack_panels(const Table& weight, std::size_t first, std::size_t last, float* panels) {
  for (std::size_t panel = first; panel < last; ++panel) {
    const std::size_t row = panel * kPanelColumns;
    const std::size_t count = std::min(kPanelColumns, weight.rows - row);
    pack(weight.floats(row, count, workspace().widened),
         panels + panel * kPanelColumns * weight.cols);
  }
}

}  // namespace headlight
