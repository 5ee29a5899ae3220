#include "gradient/backward.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "encoder/forward.h"
#include "encoder/scratch.h"
#include "gradient/backward_pass.h"
#include "gradient/steps.h"

namespace headlight {
namespace {

/// Biases [h, 2n - 1] by distance; adds the gradient of each to that of its table [r, h].
void bias_tables_gradient(const BackwardPass& pass) {
  for (std::size_t i = 0; pass.gradients.wanted() && i < pass.relative_biases.size(); ++i) {
    const Matrix& bias = pass.relative_biases[i];
    const Matrix table = pass.gradients.of(pass.weights.relative_biases[i]);
    const auto longest = static_cast<std::ptrdiff_t>(bias.cols / 2);
    for (std::size_t column = 0; column < bias.cols; ++column) {
      const auto distance = static_cast<std::ptrdiff_t>(column) - longest;
      const auto bucket = table.row(pass.model.relative_biases[i].buckets.of(distance));
      for (std::size_t k = 0; k < bucket.size(); ++k) bucket[k] += bias.row(k)[column];
    }
  }
}

/// The relative embeddings, normed if they are, [2s, d].
ConstMatrix relative_embeddings(const Weights& weights, BackwardMemory& memory) {
  if (!weights.relative_attention) return {};
  const RelativeWeights& relative = *weights.relative_attention;
  if (!relative.norm) return relative.embeddings;
  const Matrix normed = memory.take(relative.embeddings.rows, relative.embeddings.cols);
  layer_norm(*relative.norm, relative.embeddings, normed);
  return normed;
}

/// Adds the gradient of the relative embeddings, from that of the normed ones.
void add_embeddings_gradient(const BackwardPass& pass) {
  if (!pass.weights.relative_attention || !pass.gradients.wanted()) return;
  const RelativeWeights& relative = *pass.weights.relative_attention;
  const Matrix gradient = pass.relative_gradient;
  if (relative.norm) norm_gradient(pass, *relative.norm, relative.embeddings, gradient, gradient);
  add(gradient, pass.gradients.of(relative.embeddings));
}

/// Adds the products of what a layer adds to its input.
void add_layer_products(const BackwardPass& pass, std::size_t index, ConstMatrix dy) {
  if (pass.products == nullptr || pass.products->kind() != PartKind::layer) return;
  const BackwardMemory::Frame frame(pass.memory);
  const ConstMatrix x = pass.tape.layers[index][Moment::attention_input];
  const Matrix input = pass.memory.take(dy.rows, dy.cols);
  const bool all = dy.rows == x.rows;
  for (std::size_t i = 0; i < dy.rows; ++i) {
    copy_rows(x.row_range(all ? i : pass.tape.rows[i], 1), input.row_range(i, 1));
  }
  const ConstMatrix output = pass.tape.layers[index][Moment::layer_output];
  pass.products->add(pass.batch, index, 1.0, output, dy);
  pass.products->add(pass.batch, index, -1.0, input, dy);
}

/// dy [n, d], the gradient of the decoder's input, becomes that of the encoder's last layer.
void end_decoder(const BackwardPass& pass, Matrix dy) {
  copy_rows(dy, pass.target);
  copy_rows(pass.source, dy);
  if (!pass.weights.encoder_norm) return;
  norm_gradient(pass, *pass.weights.encoder_norm, pass.tape.values[Moment::source_unnormed], dy,
                dy);
}

}  // namespace

struct Backpropagation::Memory {
  BackwardRules rules = BackwardRules::gradient;
  PartProducts* products = nullptr;
  Tape tape;
  Scratch scratch;
  BackwardMemory backward;
  Buffer embedded;  // [n, d]

  /// Runs forward and loss, then backward to the first layer's input: its gradient, [n, d].
  Matrix run(BackwardPass& pass, const Loss& loss, double& value);
};

Matrix Backpropagation::Memory::run(BackwardPass& pass, const Loss& loss, double& value) {
  const Outputs outputs{forward(pass.model, pass.weights, {pass.batch, scratch, &tape}),
                        tape.values[Moment::pooled]};
  const Matrix dlogits = backward.take_zeros(outputs.logits.rows, outputs.logits.cols);
  const Matrix dvectors = backward.take_zeros(outputs.vectors.rows, outputs.vectors.cols);
  value = loss(outputs, {dlogits, dvectors});
  for (const Matrix& bias : tape.positions.relative_biases) {
    pass.relative_biases.push_back(backward.take_zeros(bias.rows, bias.cols));
  }
  pass.relative_embeddings = relative_embeddings(pass.weights, backward);
  pass.relative_gradient =
      backward.take_zeros(pass.relative_embeddings.rows, pass.relative_embeddings.cols);

  pass.rules = rules;
  pass.products = products;
  if (products != nullptr) products->start(pass.batch.texts());
  const ConstMatrix encoded = tape.values[Moment::encoded];
  Matrix dy = backward.take(encoded.rows, encoded.cols);
  output_gradient(pass, dlogits, dvectors, dy);
  if (pass.weights.final_norm) {
    norm_gradient(pass, *pass.weights.final_norm, tape.values[Moment::unnormed], dy, dy);
  }
  if (pass.model.decoder) {
    pass.source = backward.take_zeros(pass.batch.tokens(), pass.model.hidden_size);
    pass.target = backward.take(pass.batch.tokens(), pass.model.hidden_size);
  }
  Matrix dx = backward.take(pass.batch.tokens(), pass.model.hidden_size);
  Matrix other = backward.take(pass.batch.tokens(), pass.model.hidden_size);
  const Matrix beside = backward.take(pass.weights.convolution ? dx.rows : 0, dx.cols);
  for (std::size_t index = pass.model.layers.size(); index > 0; --index) {
    add_layer_products(pass, index - 1, dy);
    if (index == 1 && pass.weights.convolution) convolution_gradient(pass, dy, beside);
    layer_gradient(pass, index - 1, dy, dx);
    dy = std::exchange(dx, std::exchange(other, dx));
    if (pass.model.decoder && index - 1 == pass.model.decoder->first) end_decoder(pass, dy);
  }
  if (pass.weights.convolution) add(beside, dy);
  bias_tables_gradient(pass);
  add_embeddings_gradient(pass);
  return dy;
}

Backpropagation::Backpropagation(BackwardRules rules, PartProducts* products)
    : memory_(std::make_unique<Memory>()) {
  memory_->rules = rules;
  memory_->products = products;
}
Backpropagation::~Backpropagation() = default;
Backpropagation::Backpropagation(Backpropagation&&) noexcept = default;
Backpropagation& Backpropagation::operator=(Backpropagation&&) noexcept = default;

double Backpropagation::add_gradients(const Parameters& parameters, const Batch& batch,
                                      const Dropout& dropout, const Loss& loss,
                                      std::span<float> gradients) {
  Memory& memory = *memory_;
  const BackwardMemory::Frame frame(memory.backward);
  memory.tape.rewind(parameters.description().layers.size());
  memory.tape.dropout = dropout;
  memory.tape.start = {};
  BackwardPass pass{parameters.description(),
                    parameters.weights(),
                    batch,
                    memory.tape,
                    {parameters.values().data(), gradients.data()},
                    memory.backward};
  double value = 0.0;
  embedding_gradient(pass, memory.run(pass, loss, value));
  return value;
}

Backpropagation::Embedded Backpropagation::embedded_gradient(const Description& model,
                                                             const Weights& weights,
                                                             const Batch& batch, ConstMatrix start,
                                                             const Loss& loss) {
  Memory& memory = *memory_;
  const BackwardMemory::Frame frame(memory.backward);
  memory.tape.rewind(model.layers.size());
  memory.tape.dropout = {};
  memory.tape.start = start;
  BackwardPass pass{model, weights, batch, memory.tape, {}, memory.backward};
  Embedded result;
  const Matrix gradient = memory.run(pass, loss, result.loss);
  const Matrix kept = memory.embedded.shape(gradient.rows + pass.target.rows, gradient.cols);
  copy_rows(gradient, kept.row_range(0, gradient.rows));
  if (pass.target.rows > 0) copy_rows(pass.target, kept.row_range(gradient.rows, gradient.rows));
  result.gradient = kept;
  result.vectors = memory.tape.values[Moment::embedded];
  return result;
}

}  // namespace headlight
