#include "training/cuts/feed_forward_cut.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "classifier/text_reader.h"
#include "encoder/feed_forward.h"
#include "encoder/forward.h"
#include "encoder/tape.h"
#include "math/tensor.h"
#include "training/course/batches.h"

namespace headlight {
namespace {

constexpr std::size_t kBytesAtOnce = 8192;    // of texts
constexpr std::size_t kTokensPerNeuron = 16;  // of the sample
// Of the mean square of a neuron's output. Without it, neurons that are alike would get large
// weights of opposite signs.
constexpr double kRidge = 1e-2;

/// Some of the inputs, drawn at random, as batches with at least this number of tokens in total if
/// there are so many.
std::vector<Batch> sample_of(const std::vector<const TextInput*>& inputs, const Model& model,
                             std::size_t tokens) {
  std::vector<std::size_t> sizes;
  sizes.reserve(inputs.size());
  for (const TextInput* input : inputs) sizes.push_back(input->text.size());
  const EpochBatches order(sizes, kBytesAtOnce, /*seed=*/0, /*epoch=*/0);
  const TextReader reader(model, {});
  std::vector<Batch> sample;
  std::size_t read = 0;
  for (std::size_t i = 0; i < order.size() && read < tokens; ++i) {
    Batch batch;
    for (const std::uint32_t row : order.rows(i)) {
      try {
        const TokenIds ids = reader.read(*inputs[row]).windows.front();
        batch.add(ids.ids, ids.type_ids);
      } catch (const TextError&) {
        continue;  // an error of its row
      }
    }
    read += batch.tokens();
    if (batch.tokens() > 0) sample.push_back(std::move(batch));
  }
  return sample;
}

/// Calls visit(layer, h) with the outputs h [n, f] of the neurons of each feed-forward.
void visit_neurons(const Model& model, const std::vector<Batch>& sample,
                   const std::function<void(const LayerDescription&, const Tensor<2>&)>& visit) {
  const Description& description = model.description;
  Scratch scratch;
  Tape tape;
  Buffer gate;
  Buffer activated;
  for (const Batch& batch : sample) {
    tape.rewind(description.layers.size());
    Pass pass{batch, scratch, &tape};
    encode(description, model.weights, pass, /*rows=*/{});
    for (std::size_t i = 0; i < description.layers.size(); ++i) {
      const RawFeedForward raw{tape.layers[i][Moment::gate], tape.layers[i][Moment::up]};
      if (raw.up.rows == 0) continue;
      const Matrix h = activated.shape(raw.up.rows, raw.up.cols);
      activate_raw(description.layers[i].activation, raw, gate, h);
      Tensor<2> values({h.rows, h.cols});
      for (std::size_t row = 0; row < h.rows; ++row) {
        std::ranges::copy(h.row(row), values.begin() + static_cast<std::ptrdiff_t>(row * h.cols));
      }
      visit(description.layers[i], values);
    }
  }
}

Tensor<2> tensor_of(const Table& table) {
  Tensor<2> values({table.rows, table.cols});
  std::vector<float> row(table.cols);
  for (std::size_t i = 0; i < table.rows; ++i) {
    table.read(i, row);
    std::ranges::copy(row, values.begin() + static_cast<std::ptrdiff_t>(i * table.cols));
  }
  return values;
}

Tensor<2> columns_of(const Tensor<2>& matrix, const std::vector<std::size_t>& kept) {
  return xt::view(matrix, xt::all(), xt::keep(kept));
}

/// What one feed-forward gives, y = D h [d] without its bias, from fewer neurons k of h [f]:
/// y ≈ N (k - E k) + E y. With a bias it takes the means E; without, they count as 0.
class Narrowing {
 public:
  explicit Narrowing(const FeedForwardWeights& weights)
      : down_(tensor_of(weights.down.weight)),
        centred_(!weights.down.bias.empty()),
        sum_(xt::zeros<double>({down_.shape(1)})),
        squares_(xt::zeros<double>({down_.shape(1)})) {}

  /// First, all h [n, f] of the sample.
  void add_to_moments(const Tensor<2>& h) {
    rows_ += h.shape(0);
    sum_ += xt::sum(h, {0});
    squares_ += xt::sum(xt::square(h), {0});
  }

  /// Then: keeps the `size` neurons that change y most.
  void choose(std::size_t size) {
    const auto n = static_cast<double>(std::max<std::size_t>(rows_, 1));
    mean_ = centred_ ? Tensor<1>(sum_ / n) : Tensor<1>(xt::zeros_like(sum_));
    const Tensor<1> weight = (squares_ / n - xt::square(mean_)) * xt::sum(xt::square(down_), {0});
    kept_.resize(weight.size());
    std::iota(kept_.begin(), kept_.end(), std::size_t{0});
    std::ranges::stable_sort(kept_, [&](auto a, auto b) { return weight(a) > weight(b); });
    kept_.resize(std::min(size, kept_.size()));
    std::ranges::sort(kept_);
    const std::size_t k = kept_.size();
    products_ = xt::zeros<double>({k, k});
    crossed_ = xt::zeros<double>({k, down_.shape(0)});
  }

  /// Then all h [n, f] again.
  void add_to_products(const Tensor<2>& h) {
    const Tensor<2> centred = h - mean_;
    const Tensor<2> k = columns_of(centred, kept_);
    const Tensor<2> y = product_transposed(centred, down_);
    const Tensor<2> across = xt::transpose(k);
    products_ += product(across, k);
    crossed_ += product(across, y);
    power_ += inner_product(y, y);
  }

  /// At the end: N [d, k], as near to D as it predicts y.
  Tensor<2> solution() const {
    Tensor<2> result = columns_of(down_, kept_);
    const double ridge = kRidge * xt::mean(xt::diagonal(products_))();
    if (!(ridge > 0.0)) return result;
    const Tensor<2> missing = crossed_ - product_transposed(products_, result);
    const Tensor<2> system = products_ + ridge * xt::eye<double>(kept_.size());
    result += xt::transpose(solve(system, missing));
    return result;
  }

  /// The share of Σ (y - E y)² that N explains.
  double share_of(const Tensor<2>& solution) const {
    if (!(power_ > 0.0)) return 1.0;
    const Tensor<2> across = xt::transpose(solution);  // [k, d]
    const double explained =
        2.0 * inner_product(across, crossed_) - inner_product(across, product(products_, across));
    return explained / power_;
  }

  /// E y - N E k [d]; 0 without a bias.
  Tensor<1> offset(const Tensor<2>& solution) const {
    const Tensor<1> kept_mean = xt::view(mean_, xt::keep(kept_));
    return xt::sum(down_ * mean_, {1}) - xt::sum(solution * kept_mean, {1});
  }

  const std::vector<std::size_t>& kept() const { return kept_; }

 private:
  Tensor<2> down_;  // D [d, f]
  bool centred_;
  std::size_t rows_ = 0;
  Tensor<1> sum_, squares_;  // [f]
  Tensor<1> mean_;           // [f]
  std::vector<std::size_t> kept_;
  Tensor<2> products_;  // Σ k kᵀ [k, k]
  Tensor<2> crossed_;   // Σ k yᵀ [k, d]
  double power_ = 0.0;  // Σ y²
};

/// Row-major numbers.
Table table_of(const std::vector<float>& numbers, std::size_t rows) {
  return {NumberFormat::f32, std::as_bytes(std::span(numbers)).data(), rows, numbers.size() / rows};
}

using WeightMemory = std::deque<std::vector<float>>;

/// Leaves out all outputs but these.
void keep_outputs(const std::vector<std::size_t>& kept, Linear& linear, WeightMemory& memory) {
  const std::size_t cols = linear.in();
  std::vector<float>& weight = memory.emplace_back(kept.size() * cols);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    linear.weight.read(kept[i], std::span(weight).subspan(i * cols, cols));
  }
  linear.weight = table_of(weight, kept.size());
  if (linear.bias.empty()) return;
  std::vector<float>& bias = memory.emplace_back();
  for (const std::size_t i : kept) bias.push_back(linear.bias[i]);
  linear.bias = bias;
}

/// Returns the share of the outputs that the new weights explain.
double narrow(const Narrowing& narrowing, FeedForwardWeights& weights, WeightMemory& memory) {
  const Tensor<2> solution = narrowing.solution();
  keep_outputs(narrowing.kept(), weights.up, memory);
  if (weights.gate) keep_outputs(narrowing.kept(), *weights.gate, memory);
  Linear& down = weights.down;
  if (!down.bias.empty()) {
    const Tensor<1> bias = narrowing.offset(solution) + view_of<1>(down.bias, {down.out()});
    down.bias = memory.emplace_back(numbers_of<float>(bias));
  }
  down.weight = table_of(memory.emplace_back(numbers_of<float>(solution)), down.out());
  return narrowing.share_of(solution);
}

}  // namespace

CutResult FeedForwardCut::cut(std::size_t size, const std::vector<const TextInput*>& inputs,
                              Model& model) {
  std::vector<std::optional<Narrowing>> narrowings;  // by weights, which layers can share
  CutResult result = {0, 0, 1.0};
  for (const LayerWeights& layer : model.weights.layers) {
    const std::size_t f = layer.feed_forward ? layer.feed_forward->up.out() : 0;
    result.before = std::max(result.before, f);
    std::optional<Narrowing>& own = narrowings.emplace_back();
    if (f > size) own.emplace(*layer.feed_forward);
  }
  if (result.before == 0) {
    throw Error(model.place.config, "has no feed-forward to make narrower",
                "leave out --feed-forward-size");
  }
  result.count = std::min(size, result.before);
  if (result.before <= size) return result;
  const std::vector<Batch> sample = sample_of(inputs, model, kTokensPerNeuron * size);
  const auto visit_all = [&](void (Narrowing::*add)(const Tensor<2>&)) {
    visit_neurons(model, sample, [&](const LayerDescription& layer, const Tensor<2>& h) {
      if (auto& own = narrowings[layer.weights]) ((*own).*add)(h);
    });
  };
  visit_all(&Narrowing::add_to_moments);
  for (auto& own : narrowings) {
    if (own) own->choose(size);
  }
  visit_all(&Narrowing::add_to_products);
  for (std::size_t i = 0; i < narrowings.size(); ++i) {
    if (!narrowings[i]) continue;
    FeedForwardWeights& weights = *model.weights.layers[i].feed_forward;
    result.share = std::min(result.share, narrow(*narrowings[i], weights, memory_));
  }
  for (LayerDescription& layer : model.description.layers) {
    layer.intermediate_size = std::min(layer.intermediate_size, size);
  }
  return result;
}

}  // namespace headlight
