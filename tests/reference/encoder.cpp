#include "reference/encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/functions.h"

namespace headlight::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Attended {
  Matrix output;             // [m, d], or [m, H] without projection
  std::vector<Matrix> maps;  // [head] of [m, n]
  Vector value_norms;        // [h, n]
};

/// Columns `first` … `first + count - 1`.
Matrix column_range(const Matrix& x, std::size_t first, std::size_t count) {
  Matrix y(x.rows, count);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < count; ++j) y(i, j) = x(i, first + j);
  }
  return y;
}

/// Rows `first` … `first + count - 1`.
Matrix row_range(const Matrix& x, std::size_t first, std::size_t count) {
  Matrix y(count, x.cols);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) y(i, j) = x(first + i, j);
  }
  return y;
}

Matrix transposed(const Matrix& x) {
  Matrix y(x.cols, x.rows);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) y(j, i) = x(i, j);
  }
  return y;
}

class Encoder {
 public:
  Encoder(const Architecture& architecture, const Tensors& tensors)
      : a(architecture), tensors_(tensors), d(architecture.hidden_size), h(a.head_sizes.size()) {}

  Result run(const Text& text) const {
    Result result;
    Matrix x = embed(text);
    result.hidden.push_back(x);
    for (const std::size_t weights : a.layer_weights) {
      x = layer("layers." + std::to_string(weights), x, result);
      result.hidden.push_back(x);
    }
    if (a.norm_order == "pre") x = normed("final_norm", x);
    result.encoded = x;
    result.logits = a.pooling == "label_attention" ? label_logits(x, result) : logits(pool(x));
    result.probabilities = probabilities(result.logits);
    return result;
  }

 private:
  // 1. x_i = E[id_i] · embedding_scale + P(i) + S[type_i], then LayerNorm, then the projection.
  Matrix embed(const Text& text) const {
    const std::size_t n = text.ids.size();
    const std::size_t w = a.embedding_size;
    const Matrix e = matrix("embeddings.token.weight", a.vocab_size, w);
    Matrix x(n, w);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < w; ++j) x(i, j) = e(text.ids[i], j) * a.embedding_scale;
    }
    if (a.position_embedding_type == "sinusoidal") {
      for (std::size_t i = 0; i < n; ++i) {
        const Vector p = sinusoidal(i, w);
        for (std::size_t j = 0; j < w; ++j) x(i, j) += p[j];
      }
    }
    if (a.position_embedding_type == "absolute") {
      const Matrix p = matrix("embeddings.position.weight", a.max_position_embeddings, w);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < w; ++j) x(i, j) += p(position(text, i), j);
      }
    }
    if (a.type_vocab_size > 0) {
      const Matrix s = matrix("embeddings.token_type.weight", a.type_vocab_size, w);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < w; ++j) x(i, j) += s(text.type_ids[i], j);
      }
    }
    if (a.embedding_layer_norm) x = normed("embeddings.norm", x);
    if (!a.embedding_projection) return x;
    return plus_bias(times_transposed(x, matrix("embeddings.projection.weight", d, w)),
                     vector("embeddings.projection.bias", d));
  }

  // Token i's row of the table: i; where pads are skipped, the pad's id for a pad, and that plus
  // the number of others up to and including it for another.
  std::size_t position(const Text& text, std::size_t i) const {
    if (!a.skipped_pad) return i;
    if (text.ids[i] == *a.skipped_pad) return *a.skipped_pad;
    std::size_t others = 0;
    for (std::size_t j = 0; j <= i; ++j) others += text.ids[j] != *a.skipped_pad ? 1 : 0;
    return *a.skipped_pad + others;
  }

  // 2. post: x = LN(x + attn(x)); pre: x = x + attn(LN(x)); none: no norms. `residual: false` drops
  //    the `x +`; `intermediate_size: 0` drops the feed-forward sublayer.
  Matrix layer(const std::string& name, Matrix x, Result& result) const {
    const auto attend = [&](const Matrix& in) {
      const bool causal = a.attention_mask == "causal";
      Attended attended = attention(name + ".attention", in, in, a.head_input, causal);
      result.attention.push_back(std::move(attended.maps));
      result.value_norms.push_back(std::move(attended.value_norms));
      return attended.output;
    };
    const auto feed = [&](const Matrix& in) { return feed_forward(name + ".feed_forward", in); };

    x = sublayer(name + ".attention.norm", x, attend);
    if (a.intermediate_size > 0) x = sublayer(name + ".feed_forward.norm", x, feed);
    return x;
  }

  template <typename Function>
  Matrix sublayer(const std::string& norm_name, const Matrix& x, const Function& function) const {
    const Matrix in = a.norm_order == "pre" ? normed(norm_name, x) : x;
    const Matrix changed = function(in);
    const Matrix out = a.residual ? sum(x, changed) : changed;
    return a.norm_order == "post" ? normed(norm_name, out) : out;
  }

  // A = softmax(Q K^T · scale + mask), output A V; the heads' outputs are concatenated, then
  // · Wo^T + bo. Queries come from `from` [m, d], keys and values from `to` [n, d].
  Attended attention(const std::string& name, const Matrix& from, const Matrix& to,
                     const std::string& head_input, bool causal) const {
    Attended attended;
    Matrix concatenated(from.rows, a.all_heads());
    std::size_t first = 0;  // where head k's rows and columns begin in H
    for (std::size_t k = 0; k < h; ++k) {
      const Matrix q = head_projection(name + ".query", from, head_input, k, first);
      const Matrix key = head_projection(name + ".key", to, head_input, k, first);
      const Matrix v = head_projection(name + ".value", to, head_input, k, first);
      const Matrix map = attention_map(q, key, causal, k);
      const Matrix output = times_transposed(map, transposed(v));
      for (std::size_t i = 0; i < output.rows; ++i) {
        for (std::size_t j = 0; j < output.cols; ++j) concatenated(i, first + j) = output(i, j);
      }
      attended.maps.push_back(map);
      append_value_norms(name, v, first, attended.value_norms);
      first += a.head_sizes[k];
    }
    attended.output = concatenated;
    if (a.attention_output_projection) {
      const Matrix wo = matrix(name + ".output.weight", d, a.all_heads());
      attended.output = times_transposed(concatenated, wo);
      if (a.attention_bias) {
        attended.output = plus_bias(attended.output, vector(name + ".output.bias", d));
      }
    }
    return attended;
  }

  /// The length of each row of V [n, e] through the head's columns of Wo, where there is one.
  void append_value_norms(const std::string& name, const Matrix& v, std::size_t first,
                          Vector& norms) const {
    Matrix handed = v;
    if (a.attention_output_projection) {
      const Matrix wo = matrix(name + ".output.weight", d, a.all_heads());
      handed = times_transposed(v, column_range(wo, first, v.cols));
    }
    for (std::size_t j = 0; j < handed.rows; ++j) {
      double square = 0.0;
      for (std::size_t i = 0; i < handed.cols; ++i) square += handed(j, i) * handed(j, i);
      norms.push_back(std::sqrt(square));
    }
  }

  /// Q, K or V of head k: [n, e]. `full`: from the whole hidden vector; `slice`: from its own
  /// slice.
  Matrix head_projection(const std::string& name, const Matrix& x, const std::string& head_input,
                         std::size_t k, std::size_t first) const {
    const std::size_t e = a.head_sizes[k];
    const std::size_t all = a.all_heads();
    const bool slice = head_input == "slice";
    const Matrix seen = slice ? column_range(x, k * e, e) : x;
    const Matrix weight = row_range(matrix(name + ".weight", all, slice ? e : d), first, e);
    Matrix y = times_transposed(seen, weight);
    if (a.attention_bias) {
      const Vector bias = vector(name + ".bias", all);
      for (std::size_t i = 0; i < y.rows; ++i) {
        for (std::size_t j = 0; j < e; ++j) y(i, j) += bias[first + j];
      }
    }
    return y;
  }

  Matrix attention_map(const Matrix& q, const Matrix& k, bool causal, std::size_t head) const {
    const double e = static_cast<double>(q.cols);
    const double scale = a.attention_scale ? *a.attention_scale : 1.0 / std::sqrt(e);
    const Matrix scores = times_transposed(q, k);
    Matrix map(q.rows, k.rows);
    for (std::size_t i = 0; i < q.rows; ++i) {
      Vector row(k.rows);
      for (std::size_t j = 0; j < k.rows; ++j) {
        const double mask = causal && j > i ? -kInfinity : 0.0;
        row[j] = scores(i, j) * scale + relative_bias(head, i, j) + mask;
      }
      const Vector shares = softmax(row);
      for (std::size_t j = 0; j < k.rows; ++j) map(i, j) = shares[j];
    }
    return map;
  }

  /// What head `head` of every layer adds to query i's score of key j.
  double relative_bias(std::size_t head, std::size_t i, std::size_t j) const {
    if (!a.relative_bias) return 0.0;
    return matrix("relative_bias.weight", kBuckets, h)(relative_bucket(i, j), head);
  }

  // act(x W1^T + b1) W2^T + b2
  Matrix feed_forward(const std::string& name, const Matrix& x) const {
    const std::size_t f = a.intermediate_size;
    Matrix up = plus_bias(times_transposed(x, matrix(name + ".up.weight", f, d)),
                          vector(name + ".up.bias", f));
    for (double& value : up.values) value = activate(a.hidden_act, value);
    return plus_bias(times_transposed(up, matrix(name + ".down.weight", d, f)),
                     vector(name + ".down.bias", d));
  }

  // 3. The first token, the last, the mean or the largest of each column: [1, width].
  Matrix pool(const Matrix& x) const {
    const std::size_t n = x.rows;
    if (a.pooling == "cls") return row_range(x, 0, 1);
    if (a.pooling == "last") return row_range(x, n - 1, 1);
    if (a.pooling != "mean" && a.pooling != "max") throw std::logic_error("pooling " + a.pooling);
    Matrix pooled(1, x.cols);
    for (std::size_t j = 0; j < x.cols; ++j) {
      double total = 0.0;
      double largest = -kInfinity;
      for (std::size_t i = 0; i < n; ++i) {
        total += x(i, j);
        largest = std::max(largest, x(i, j));
      }
      pooled(0, j) = a.pooling == "mean" ? total / static_cast<double>(n) : largest;
    }
    return pooled;
  }

  // 4. The optional dense with its activation, then logits = z Wc^T + bc.
  Vector logits(Matrix z) const {
    if (a.head_dense_act) {
      z = plus_bias(times_transposed(z, matrix("head.dense.weight", d, d)),
                    vector("head.dense.bias", d));
      for (double& value : z.values) value = activate(*a.head_dense_act, value);
    }
    const std::size_t c = classes();
    z = times_transposed(z, matrix("classifier.weight", c, a.classifier_in()));
    if (a.classifier_bias) z = plus_bias(z, vector("classifier.bias", c));
    return z.values;
  }

  // 3 and 4 with label_attention: a learned query a class attends to the tokens, full input and no
  // mask; class c uses its own vector, logit_c = z_c · Wc[c] + bc[c].
  Vector label_logits(const Matrix& x, Result& result) const {
    const std::size_t c = classes();
    const Matrix queries = matrix("label_attention.queries", c, d);
    const Attended attended = attention("label_attention", queries, x, "full", false);
    for (std::size_t i = 0; i < c; ++i) {
      Matrix weights(h, x.rows);
      for (std::size_t k = 0; k < h; ++k) {
        for (std::size_t j = 0; j < x.rows; ++j) weights(k, j) = attended.maps[k](i, j);
      }
      result.label_attention.push_back(weights);
    }
    const Matrix wc = matrix("classifier.weight", c, d);
    Vector logits(c, 0.0);
    for (std::size_t i = 0; i < c; ++i) {
      for (std::size_t j = 0; j < d; ++j) logits[i] += attended.output(i, j) * wc(i, j);
      if (a.classifier_bias) logits[i] += vector("classifier.bias", c)[i];
    }
    return logits;
  }

  // 5.
  Vector probabilities(const Vector& logits) const {
    if (a.problem_type == "regression") return logits;
    if (a.problem_type == "single_label_classification" && logits.size() > 1) {
      return softmax(logits);
    }
    Vector out;
    for (const double logit : logits) out.push_back(sigmoid(logit));
    return out;
  }

  Matrix normed(const std::string& name, const Matrix& x) const {
    return layer_norm({vector(name + ".weight", x.cols), vector(name + ".bias", x.cols),
                       a.layer_norm_eps, a.layer_norm_form},
                      x);
  }

  std::size_t classes() const {
    return a.labels ? *a.labels : tensors_.at("classifier.weight").shape.at(0);
  }

  const Tensor& tensor(const std::string& name, const std::vector<std::size_t>& shape) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw std::logic_error("reference: no tensor " + name);
    if (found->second.shape != shape) throw std::logic_error("reference: shape of " + name);
    return found->second;
  }

  Matrix matrix(const std::string& name, std::size_t rows, std::size_t cols) const {
    Matrix m(rows, cols);
    m.values = tensor(name, {rows, cols}).values;
    return m;
  }

  const Vector& vector(const std::string& name, std::size_t size) const {
    return tensor(name, {size}).values;
  }

  const Architecture& a;
  const Tensors& tensors_;
  std::size_t d;
  std::size_t h;
};

}  // namespace

Text pad(const Architecture& architecture, Text text) {
  if (architecture.pad_to_length) {
    text.ids.resize(*architecture.pad_to_length, architecture.pad_token_id);
    text.type_ids.resize(*architecture.pad_to_length, 0);
  }
  return text;
}

Result encode(const Architecture& architecture, const Tensors& tensors, const Text& text) {
  return Encoder(architecture, tensors).run(pad(architecture, text));
}

Result encode(const nlohmann::json& config, const Tensors& tensors, const Text& text) {
  return encode(read_architecture(config), tensors, text);
}

}  // namespace headlight::reference
