#include "reference/encoder.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/functions.h"
#include "reference/matrix.h"

namespace headlight::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Attended {
  Matrix output;       // [m, d], or [m, H] without projection
  Vector maps;         // [h, m, n]
  Vector value_norms;  // [h, n]
};

template <typename Array>
void append(Vector& values, const Array& more) {
  values.insert(values.end(), more.begin(), more.end());
}

/// Columns `first` … `first + count - 1`.
Matrix column_range(const Matrix& x, std::size_t first, std::size_t count) {
  return xt::view(x, xt::all(), xt::range(first, first + count));
}

/// Rows `first` … `first + count - 1`.
Matrix row_range(const Matrix& x, std::size_t first, std::size_t count) {
  return xt::view(x, xt::range(first, first + count), xt::all());
}

/// The table's row of each of `places`.
Matrix rows_of(const Matrix& table, const std::vector<std::size_t>& places) {
  return xt::view(table, xt::keep(places), xt::all());
}

/// x + y; of unlike shapes xtensor would repeat a row or a column.
Matrix added(const Matrix& x, const Matrix& y) {
  if (x.shape() != y.shape()) throw std::logic_error("reference: unlike shapes");
  return x + y;
}

class Encoder {
 public:
  Encoder(const Architecture& architecture, const Tensors& tensors)
      : a(architecture), tensors_(tensors), d(architecture.hidden_size), h(a.head_sizes.size()) {}

  Result run(const Text& text) const {
    Result result;
    Matrix x = embed(text);
    result.hidden.push_back(numbers_of(x));
    for (const std::size_t weights : a.layer_weights) {
      x = layer("layers." + std::to_string(weights), x, result);
      result.hidden.push_back(numbers_of(x));
    }
    if (a.norm_order == "pre") x = normed("final_norm", x);
    result.encoded = numbers_of(x);
    const Matrix logits = a.pooling == "label_attention" ? label_logits(x, result) : head(pool(x));
    result.logits = numbers_of(logits);
    result.probabilities =
        a.pooling == "none" ? numbers_of(softmax(logits)) : probabilities(logits);
    return result;
  }

 private:
  // 1. x_i = E[id_i] · embedding_scale + P(i) + S[type_i], then LayerNorm, then the projection.
  Matrix embed(const Text& text) const {
    const std::size_t n = text.ids.size();
    const std::size_t w = a.embedding_size;
    Matrix x = rows_of(matrix("embeddings.token.weight", a.vocab_size, w), text.ids);
    x *= a.embedding_scale;
    if (a.position_embedding_type == "sinusoidal") {
      for (std::size_t i = 0; i < n; ++i) xt::row(x, i) += view_of<1>(sinusoidal(i, w), {w});
    }
    if (a.position_embedding_type == "absolute") {
      x += rows_of(matrix("embeddings.position.weight", a.max_position_embeddings, w),
                   positions(text));
    }
    if (a.type_vocab_size > 0) {
      x += rows_of(matrix("embeddings.token_type.weight", a.type_vocab_size, w), text.type_ids);
    }
    if (a.embedding_layer_norm) x = normed("embeddings.norm", x);
    return a.embedding_projection ? linear("embeddings.projection", x, d, true) : x;
  }

  // Token i's row of the table: i; where pads are skipped, the pad's id for a pad, and that plus
  // the number of others up to and including it for another.
  std::vector<std::size_t> positions(const Text& text) const {
    std::vector<std::size_t> rows;
    std::size_t others = 0;
    for (std::size_t i = 0; i < text.ids.size(); ++i) {
      const bool pad = text.ids[i] == a.skipped_pad;
      if (!pad) ++others;
      rows.push_back(a.skipped_pad ? *a.skipped_pad + (pad ? 0 : others) : i);
    }
    return rows;
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
    Matrix out = function(in);
    if (a.residual) out = added(x, out);
    return a.norm_order == "post" ? normed(norm_name, out) : out;
  }

  // A = softmax(Q K^T · scale + mask), output A V; the heads' outputs are concatenated, then
  // · Wo^T + bo. Queries come from `from` [m, d], keys and values from `to` [n, d].
  Attended attention(const std::string& name, const Matrix& from, const Matrix& to,
                     const std::string& head_input, bool causal) const {
    Attended attended;
    Matrix concatenated(TensorShape<2>{from.shape(0), a.all_heads()});
    std::size_t first = 0;  // where head k's rows and columns begin in H
    for (std::size_t k = 0; k < h; ++k) {
      const std::size_t e = a.head_sizes[k];
      const Matrix q = head_projection(name + ".query", from, head_input, k, first);
      const Matrix key = head_projection(name + ".key", to, head_input, k, first);
      const Matrix v = head_projection(name + ".value", to, head_input, k, first);
      const Matrix map = attention_map(q, key, causal, k);
      xt::view(concatenated, xt::all(), xt::range(first, first + e)) = product(map, v);
      append(attended.maps, map);
      append(attended.value_norms, value_norms(name, v, first));
      first += e;
    }
    attended.output = a.attention_output_projection
                          ? linear(name + ".output", concatenated, d, a.attention_bias)
                          : concatenated;
    return attended;
  }

  /// The length of each row of V [n, e] through the head's columns of Wo, where there is one.
  Row value_norms(const std::string& name, const Matrix& v, std::size_t first) const {
    Matrix handed = v;
    if (a.attention_output_projection) {
      const Matrix wo = matrix(name + ".output.weight", d, a.all_heads());
      handed = product_transposed(v, column_range(wo, first, v.shape(1)));
    }
    return xt::sqrt(xt::sum(xt::square(handed), {1}));
  }

  /// Q, K or V of head k: [n, e]. `full`: from the whole hidden vector; `slice`: from its own
  /// slice.
  Matrix head_projection(const std::string& name, const Matrix& x, const std::string& head_input,
                         std::size_t k, std::size_t first) const {
    const std::size_t e = a.head_sizes[k];
    const std::size_t all = a.all_heads();
    const Matrix seen = head_input == "slice" ? column_range(x, k * e, e) : x;
    const Matrix weight = matrix(name + ".weight", all, seen.shape(1));
    Matrix y = product_transposed(seen, row_range(weight, first, e));
    if (a.attention_bias) {
      y += xt::view(vector(name + ".bias", all), xt::range(first, first + e));
    }
    return y;
  }

  /// [m, n], of Q [m, e] and K [n, e].
  Matrix attention_map(const Matrix& q, const Matrix& k, bool causal, std::size_t head) const {
    const double e = static_cast<double>(q.shape(1));
    const double scale = a.attention_scale ? *a.attention_scale : 1.0 / std::sqrt(e);
    Matrix scores = product_transposed(q, k) * scale;
    if (a.relative_bias) scores += relative_bias(head, q.shape(0), k.shape(0));
    for (std::size_t i = 0; causal && i < q.shape(0); ++i) {
      xt::view(scores, i, xt::range(i + 1, k.shape(0))) = -kInfinity;
    }
    return softmax(scores);
  }

  /// What head `head` of every layer adds to each query's score of each key, [m, n].
  Matrix relative_bias(std::size_t head, std::size_t m, std::size_t n) const {
    const Matrix table = matrix("relative_bias.weight", kBuckets, h);
    Matrix bias(TensorShape<2>{m, n});
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) bias(i, j) = table(relative_bucket(i, j), head);
    }
    return bias;
  }

  // act(x W1^T + b1) W2^T + b2
  Matrix feed_forward(const std::string& name, const Matrix& x) const {
    const Matrix up = linear(name + ".up", x, a.intermediate_size, true);
    return linear(name + ".down", activated(a.hidden_act, up), d, true);
  }

  // 3. The first token, the last, the mean or the largest of each column: [1, width]; all tokens
  //    where there is no pooling.
  Matrix pool(const Matrix& x) const {
    const std::size_t n = x.shape(0);
    if (a.pooling == "none") return x;
    if (a.pooling == "cls") return row_range(x, 0, 1);
    if (a.pooling == "last") return row_range(x, n - 1, 1);
    if (a.pooling != "mean" && a.pooling != "max") throw std::logic_error("pooling " + a.pooling);
    Row pooled = xt::mean(x, {0});
    if (a.pooling == "max") pooled = xt::amax(x, {0});
    return xt::view(pooled, xt::newaxis(), xt::all());
  }

  // 4. The optional dense with its activation, then logits = z Wc^T + bc: [1, c], or [n, c].
  Matrix head(Matrix z) const {
    if (a.head_dense_act) z = activated(*a.head_dense_act, linear("head.dense", z, d, true));
    if (z.shape(1) != a.classifier_in()) throw std::logic_error("reference: width of the head");
    return linear("classifier", z, classes(), a.classifier_bias);
  }

  // 3 and 4 with label_attention: a learned query a class attends to the tokens, full input and no
  // mask; class c uses its own vector, logit_c = z_c · Wc[c] + bc[c].
  Matrix label_logits(const Matrix& x, Result& result) const {
    const std::size_t c = classes();
    const Matrix queries = matrix("label_attention.queries", c, d);
    Attended attended = attention("label_attention", queries, x, "full", false);
    result.label_attention = std::move(attended.maps);
    const Matrix own = attended.output * matrix("classifier.weight", c, d);
    Row logits = xt::sum(own, {1});
    if (a.classifier_bias) logits += vector("classifier.bias", c);
    return xt::view(logits, xt::newaxis(), xt::all());
  }

  // 5.
  Vector probabilities(const Matrix& logits) const {
    if (a.problem_type == "regression") return numbers_of(logits);
    if (a.problem_type == "single_label_classification" && logits.size() > 1) {
      return numbers_of(softmax(logits));
    }
    Vector out;
    for (const double logit : logits) out.push_back(sigmoid(logit));
    return out;
  }

  /// x W^T, plus the bias where there is one: [n, out].
  Matrix linear(const std::string& name, const Matrix& x, std::size_t out, bool bias) const {
    Matrix y = product_transposed(x, matrix(name + ".weight", out, x.shape(1)));
    if (bias) y += vector(name + ".bias", out);
    return y;
  }

  static Matrix activated(const std::string& activation, Matrix x) {
    for (double& value : x) value = activate(activation, value);
    return x;
  }

  Matrix normed(const std::string& name, const Matrix& x) const {
    return layer_norm({vector(name + ".weight", x.shape(1)), vector(name + ".bias", x.shape(1)),
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
    return view_of<2>(tensor(name, {rows, cols}).values, {rows, cols});
  }

  Row vector(const std::string& name, std::size_t size) const {
    return view_of<1>(tensor(name, {size}).values, {size});
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
