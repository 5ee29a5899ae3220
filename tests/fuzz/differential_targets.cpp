// Two ways to the same result: instruction sets, forms of the weights, threads, streaming.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "encoder/forward.h"
#include "encoder/stream.h"
#include "fuzz/targets.h"
#include "math/instruction_set.h"
#include "math/prepared_layer.h"
#include "model/init.h"
#include "model/locate.h"
#include "model/model.h"

namespace headlight::fuzz {
namespace {

/// The bytes of an input, taken in order and again from the front.
class Bytes {
 public:
  explicit Bytes(std::string_view data) : data_(data) {}

  std::uint8_t next() {
    const auto byte = static_cast<std::uint8_t>(data_[at_]);
    at_ = (at_ + 1) % data_.size();
    return byte;
  }
  std::size_t up_to(std::size_t most) { return 1 + next() % most; }
  /// Any bits if `any`, else a number in [-2, 2).
  std::vector<float> floats(std::size_t count, bool any) {
    std::vector<float> values(count);
    for (float& value : values) {
      if (!any) {
        value = static_cast<float>(next()) / 64.0F - 2.0F;
        continue;
      }
      std::uint32_t bits = 0;
      for (int i = 0; i < 4; ++i) bits = bits << 8U | next();
      value = std::bit_cast<float>(bits);
    }
    return values;
  }

 private:
  std::string_view data_;
  std::size_t at_ = 0;
};

struct Product {
  std::vector<float> x;       // [n, in]
  std::vector<float> weight;  // [out, in]
  std::vector<float> bias;    // [out]
  std::size_t n;

  std::size_t out() const { return bias.size(); }
  std::size_t in() const { return x.size() / n; }
  Linear linear() const {
    const Table table{NumberFormat::f32, reinterpret_cast<const std::byte*>(weight.data()), out(),
                      in()};
    return {table, bias};
  }
  std::vector<float> result(LinearForm form, Activation activation) const {
    std::vector<float> y(n * out());
    const PreparedLayer prepared(linear(), form);
    prepared.layer.apply({x.data(), n, in(), in()}, {y.data(), n, out(), out()}, activation);
    return y;
  }
};

/// Not-a-number has many bits, of which none are promised.
bool same_bits(std::span<const float> a, std::span<const float> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float left, float right) {
    return (std::isnan(left) && std::isnan(right)) ||
           std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
  });
}

/// All ways of our own kernels, which give the same bits wherever a multiply-add is rounded once.
void check_own_kernels(const Product& product, Activation activation) {
  const std::vector<std::string> sets = instruction_sets();
  std::vector<float> first;
  for (const std::string& set : sets) {
    use_instruction_set(set);
    if (!has_fused_multiply_add()) continue;
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
      const ThreadPermit permit(threads);
      for (const LinearForm form : {LinearForm::stored, LinearForm::packed}) {
        const auto y = product.result(form, activation);
        if (first.empty()) first = y;
        require(same_bits(y, first), set + ": other bits");
      }
    }
  }
  use_instruction_set(sets.front());
}

/// Each way, the baselines and OpenBLAS too, is near the float64 product.
void check_near(const Product& product) {
  const std::vector<std::string> sets = instruction_sets();
  for (const std::string& set : sets) {
    use_instruction_set(set);
    for (const LinearForm form : {LinearForm::packed, LinearForm::blas}) {
      const auto y = product.result(form, Activation::linear);
      for (std::size_t i = 0; i < y.size(); ++i) {
        const std::size_t row = i / product.out();
        const std::size_t out = i % product.out();
        double sum = product.bias[out];
        double size = std::abs(sum);
        for (std::size_t j = 0; j < product.in(); ++j) {
          const double term = static_cast<double>(product.x[row * product.in() + j]) *
                              static_cast<double>(product.weight[out * product.in() + j]);
          sum += term;
          size += std::abs(term);
        }
        constexpr double kTolerance = 1e-5;  // of float32, for at most 80 terms
        require(std::abs(static_cast<double>(y[i]) - sum) <= kTolerance * size, set + ": far off");
      }
    }
  }
  use_instruction_set(sets.front());
}

/// A causal model of two layers, made once.
struct Causal {
  Causal() {
    const std::string config = folder.write("config.json", R"({"model_type": "headlight",
        "vocab_size": 256, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 32, "max_position_embeddings": 64, "attention_mask": "causal",
        "pooling": "last", "id2label": ["a", "b", "c"]})");
    init_model(config, folder / "model", 1, /*force=*/true);
    model = load_model(locate_model(folder / "model", ""));
  }

  TemporaryFolder folder;
  Model model;
};

std::vector<float> whole_logits(const Model& model, std::span<const TokenId> ids,
                                std::span<const TokenId> type_ids) {
  Batch batch;
  batch.add(ids, type_ids);
  Scratch scratch;
  const auto row = forward(model.description, model.weights, {batch, scratch}).row(0);
  return {row.begin(), row.end()};
}

}  // namespace

/// The first byte: any bits or small numbers, and the activation. Then rows, inputs and outputs,
/// then the numbers.
void run_products(std::string_view data) {
  if (data.size() < 5) return;
  constexpr std::array<Activation, 3> kActivations = {Activation::linear, Activation::relu,
                                                      Activation::gelu};
  Bytes bytes(data);
  const std::uint8_t choices = bytes.next();
  const bool any = (choices & 1U) != 0;
  const std::size_t n = bytes.up_to(9);
  const std::size_t in = bytes.up_to(80);
  const std::size_t out = bytes.up_to(80);
  const Product product{bytes.floats(n * in, any), bytes.floats(out * in, any),
                        bytes.floats(out, any), n};
  check_own_kernels(product, kActivations[(choices >> 1U) % kActivations.size()]);
  if (!any) check_near(product);
}

void run_stream(std::string_view data) {
  static const Causal causal;
  const Model& model = causal.model;
  constexpr std::size_t kLongest = 64;
  if (data.size() < 2) return;
  const auto choices = static_cast<std::uint8_t>(data.front());
  data.remove_prefix(1);
  std::vector<TokenId> ids;
  for (const char byte : data.substr(0, kLongest)) ids.push_back(static_cast<std::uint8_t>(byte));
  const std::vector<TokenId> type_ids(ids.size());
  const std::vector<float> whole = whole_logits(model, ids, type_ids);
  {
    const ThreadPermit permit(2);
    require(same_bits(whole_logits(model, ids, type_ids), whole), "two threads: other bits");
  }
  Stream stream(model.description, model.weights);
  Scratch scratch;
  std::vector<float> logits;
  for (std::size_t first = 0; first < ids.size(); first = stream.tokens()) {
    const std::size_t count = std::min<std::size_t>(1 + choices % 7, ids.size() - first);
    const auto row = stream
                         .append(std::span(ids).subspan(first, count),
                                 std::span(type_ids).subspan(first, count), scratch)
                         .row(0);
    logits.assign(row.begin(), row.end());
  }
  require(same_bits(logits, whole), "streamed: other bits");
}

}  // namespace headlight::fuzz
