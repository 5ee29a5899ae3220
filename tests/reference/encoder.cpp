#include "reference/encoder.h"

#include <cmath>
#include <limits>
#include <optional>
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
  Vector products;     // [h, m, n]
  Vector scores;       // [h, m, n]
  Vector context;      // [m, H]
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

  Result run(const Text& text, const Patch* patch) const {
    Result result;
    Matrix x = embed(text);
    apply(patch, 0, x);
    result.hidden.push_back(numbers_of(x));
    const Matrix embedded = x;
    for (std::size_t i = 0; i < a.layer_weights.size(); ++i) {
      x = layer(i, x, result);
      if (i == 0 && a.conv_kernel_size > 0)
        x = normed("convolution.norm", added(x, convolution(embedded)));
      apply(patch, i + 1, x);
      result.hidden.push_back(numbers_of(x));
    }
    if (a.norms_before()) x = normed("final_norm", x);
    result.encoded = numbers_of(x);
    const Matrix logits = a.pooling == "label_attention"
                              ? label_logits(x, result)
                              : head(pool(text, a.head_dense_first ? head_dense(x) : x));
    result.logits = numbers_of(logits);
    result.probabilities =
        a.pooling == "none" ? numbers_of(softmax(logits)) : probabilities(logits);
    return result;
  }

 private:
  static void apply(const Patch* patch, std::size_t state, Matrix& x) {
    if (patch == nullptr || patch->state != state) return;
    for (std::size_t j = 0; j < x.shape(1); ++j) x(patch->token, j) = patch->vector[j];
  }

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
    const bool first = a.embedding_projection_first;
    if (first) x = linear("embeddings.projection", x, d, false);
    if (a.embedding_layer_norm) x = normed("embeddings.norm", x);
    if (a.embedding_projection && !first) x = linear("embeddings.projection", x, d, true);
    return x;
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

  // act(conv(x)): row i reads rows i - k/2 … i + k/2, and zeros outside of the text.
  Matrix convolution(const Matrix& x) const {
    const std::size_t width = d / a.conv_groups;
    const Tensor& weight = tensor("convolution.weight", {d, width, a.conv_kernel_size});
    return activated(a.conv_act, convolved(x, weight, vector("convolution.bias", d)));
  }

  // 2. post: x = LN(x + attn(x)); pre: x = x + attn(LN(x)); sandwich: x = x + LN(attn(LN(x)));
  //    none: no norms. `residual: false` drops the `x +`; `intermediate_size: 0` drops the
  //    feed-forward sublayer.
  Matrix layer(std::size_t index, Matrix x, Result& result) const {
    const std::string name = "layers." + std::to_string(a.layer_weights[index]);
    const auto attend = [&](const Matrix& in) {
      Attended attended = attention(name + ".attention", in, in, index);
      result.attention.push_back(std::move(attended.maps));
      result.products.push_back(std::move(attended.products));
      result.scores.push_back(std::move(attended.scores));
      result.context.push_back(std::move(attended.context));
      result.value_norms.push_back(std::move(attended.value_norms));
      return attended.output;
    };
    const auto feed = [&](const Matrix& in) { return feed_forward(name + ".feed_forward", in); };

    x = sublayer(name + ".attention", index > 0 || a.first_attention_norm, x, attend);
    if (a.intermediate_size > 0) x = sublayer(name + ".feed_forward", true, x, feed);
    return x;
  }

  template <typename Function>
  Matrix sublayer(const std::string& name, bool normed_before, const Matrix& x,
                  const Function& function) const {
    const Matrix in = a.norms_before() && normed_before ? normed(name + ".norm", x) : x;
    Matrix out = function(in);
    if (a.norm_order == "sandwich") out = normed(name + ".output_norm", out);
    if (a.residual) out = added(x, out);
    return a.norm_order == "post" ? normed(name + ".norm", out) : out;
  }

  // A = softmax(Q K^T · scale + mask), output A V; the heads' outputs are concatenated, then
  // · Wo^T + bo. Queries come from `from` [m, d], keys and values from `to` [n, d]. `layer` is
  // nothing for label attention, whose heads have their own keys, the full input, and no mask,
  // window, positions or norms.
  Attended attention(const std::string& name, const Matrix& from, const Matrix& to,
                     std::optional<std::size_t> layer) const {
    Attended attended;
    std::vector<Matrix> maps;
    std::vector<Matrix> values;
    const std::string head_input = layer ? a.head_input : "full";
    const std::size_t group = layer ? a.group() : 1;
    Matrix concatenated(TensorShape<2>{from.shape(0), a.all_heads()});
    std::size_t first = 0;  // where head k's rows and columns begin in H
    for (std::size_t k = 0; k < h; ++k) {
      const std::size_t e = a.head_sizes[k];
      const std::size_t first_key = group == 1 ? first : k / group * e;
      const std::size_t keys = a.all_heads() / group;
      Matrix q = head_projection(name + ".query", from, head_input, {k, first, a.all_heads()});
      Matrix key = head_projection(name + ".key", to, head_input, {k, first_key, keys});
      const Matrix v = head_projection(name + ".value", to, head_input, {k, first_key, keys});
      if (layer && a.query_key_norm) {
        q = normed_head(name + ".query_norm", q);
        key = normed_head(name + ".key_norm", key);
      }
      if (layer && a.position_embedding_type == "rotary") {
        q = turned(q, a.rope_theta[*layer]);
        key = turned(key, a.rope_theta[*layer]);
      }
      Matrix scores = product_transposed(q, key);
      append(attended.products, scores);
      if (layer && a.relative_attention) {
        scores += relative_scores(name, {q, key}, {k, first, a.all_heads()}, {k, first_key, keys});
      }
      maps.push_back(scaled_scores(scores, layer, k));
      values.push_back(v);
      append(attended.value_norms, value_norms(name, v, first));
      first += e;
    }
    for (Matrix& map : maps) {
      map = masked(map, layer);
      append(attended.scores, map);
      map = softmax(map);
    }
    first = 0;
    for (std::size_t k = 0; k < h; ++k) {
      const std::size_t e = a.head_sizes[k];
      xt::view(concatenated, xt::all(), xt::range(first, first + e)) = product(maps[k], values[k]);
      append(attended.maps, maps[k]);
      first += e;
    }
    append(attended.context, concatenated);
    attended.output = a.attention_output_projection
                          ? linear(name + ".output", concatenated, d, a.attention_output_bias)
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

  /// The outputs of head `head` in a projection of `all` outputs, from output `first`.
  struct HeadPlace {
    std::size_t head;
    std::size_t first;
    std::size_t all;
  };

  /// Q, K or V of a head: [n, e]. `full`: from the whole hidden vector; `slice`: from its own
  /// slice.
  Matrix head_projection(const std::string& name, const Matrix& x, const std::string& head_input,
                         HeadPlace place) const {
    const std::size_t e = a.head_sizes[place.head];
    const Matrix seen = head_input == "slice" ? column_range(x, place.head * e, e) : x;
    const Matrix weight = matrix(name + ".weight", place.all, seen.shape(1));
    Matrix y = product_transposed(seen, row_range(weight, place.first, e));
    if (a.attention_bias) {
      y += xt::view(vector(name + ".bias", place.all), xt::range(place.first, place.first + e));
    }
    return y;
  }

  /// A head's queries or keys [n, e], normed by a gain alone.
  Matrix normed_head(const std::string& name, const Matrix& x) const {
    const std::size_t e = x.shape(1);
    return layer_norm(
        {vector(name + ".weight", e), xt::zeros<double>({e}), a.layer_norm_eps, a.layer_norm_form},
        x);
  }

  /// A head's queries or keys [n, e] with pair k of row p turned by p / base^(2k / r), where r is
  /// how many numbers are turned.
  Matrix turned(const Matrix& x, double base) const {
    const double e = static_cast<double>(x.shape(1));
    const auto r = static_cast<std::size_t>(e * a.partial_rotary_factor);
    Matrix y = x;
    for (std::size_t p = 0; p < x.shape(0); ++p) {
      for (std::size_t k = 0; k < r / 2; ++k) {
        const double share = static_cast<double>(2 * k) / static_cast<double>(r);
        const double angle = static_cast<double>(p) * std::pow(base, -share);
        const std::size_t one = a.rope_interleaved ? 2 * k : k;
        const std::size_t other = a.rope_interleaved ? 2 * k + 1 : k + r / 2;
        y(p, one) = x(p, one) * std::cos(angle) - x(p, other) * std::sin(angle);
        y(p, other) = x(p, other) * std::cos(angle) + x(p, one) * std::sin(angle);
      }
    }
    return y;
  }

  /// Whether the query at i may attend to the key at j.
  bool sees(std::optional<std::size_t> layer, std::size_t i, std::size_t j) const {
    if (!layer) return true;
    if (a.attention_mask == "causal" && j > i) return false;
    const std::size_t distance = i > j ? i - j : j - i;
    return a.attention_window.empty() || distance <= a.attention_window[*layer].value_or(distance);
  }

  /// What relative embeddings add to the scores of a head, [m, n].
  Matrix relative_scores(const std::string& name, const QueriesAndKeys& head, HeadPlace query,
                         HeadPlace key) const {
    const RelativePositions& relative = *a.relative_attention;
    Matrix embeddings = matrix("relative_attention.embeddings.weight", 2 * relative.span, d);
    if (relative.norm) embeddings = normed("relative_attention.norm", embeddings);
    const std::string own = name + (relative.shared ? "." : ".relative_");
    QueriesAndKeys projected;
    if (relative.position_to_content) {
      projected.queries = head_projection(own + "query", embeddings, "full", query);
    }
    if (relative.content_to_position) {
      projected.keys = head_projection(own + "key", embeddings, "full", key);
    }
    return relative_products(relative, head, projected);
  }

  /// The scores of a head [m, n], before the mask.
  Matrix scaled_scores(const Matrix& products, std::optional<std::size_t> layer,
                       std::size_t head) const {
    const std::size_t terms = layer ? a.score_terms : 1;
    const double e = static_cast<double>(a.head_sizes[head] * terms);
    const double scale = a.attention_scale ? *a.attention_scale : 1.0 / std::sqrt(e);
    Matrix scores = products * scale;
    if (a.relative_bias) scores += relative_bias(head, scores.shape(0), scores.shape(1));
    return scores;
  }

  Matrix masked(Matrix scores, std::optional<std::size_t> layer) const {
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
      for (std::size_t j = 0; j < scores.shape(1); ++j) {
        if (!sees(layer, i, j)) scores(i, j) = -kInfinity;
      }
    }
    return scores;
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

  // act(x W1^T + b1) W2^T + b2; gated: (act(x Wg^T + bg) · (x W1^T + b1)) W2^T + b2
  Matrix feed_forward(const std::string& name, const Matrix& x) const {
    const bool bias = a.feed_forward_bias;
    Matrix up = linear(name + ".up", x, a.intermediate_size, bias);
    if (a.gated_feed_forward) {
      const Matrix gate = linear(name + ".gate", x, a.intermediate_size, bias);
      up *= activated(a.hidden_act, gate);
    } else {
      up = activated(a.hidden_act, up);
    }
    return linear(name + ".down", up, d, bias);
  }

  // 3. The first token, the last, the mean or the largest of each column: [1, width]; all tokens
  //    where there is no pooling.
  Matrix pool(const Text& text, const Matrix& x) const {
    const std::size_t n = x.shape(0);
    if (a.pooling == "none") return x;
    if (a.pooling == "cls") return row_range(x, 0, 1);
    if (a.pooling == "last") return row_range(x, last_row(text, n), 1);
    if (a.pooling != "mean" && a.pooling != "max") throw std::logic_error("pooling " + a.pooling);
    Row pooled = xt::mean(x, {0});
    if (a.pooling == "max") pooled = xt::amax(x, {0});
    return xt::view(pooled, xt::newaxis(), xt::all());
  }

  // The last token; the last that is no pad where those are passed over, and the first where all
  // are.
  std::size_t last_row(const Text& text, std::size_t n) const {
    for (std::size_t i = n; a.last_skips_pad && i > 0; --i) {
      if (text.ids[i - 1] != a.pad_token_id) return i - 1;
    }
    return a.last_skips_pad ? 0 : n - 1;
  }

  // The optional dense of the head with its activation and norm, of texts or of tokens.
  Matrix head_dense(Matrix z) const {
    if (a.head_dense_act) {
      z = activated(*a.head_dense_act, linear("head.dense", z, d, a.head_dense_bias));
    }
    if (a.head_norm) z = normed("head.norm", z);
    return z;
  }

  // 4. The optional dense, unless it was before the pooling, then logits = z Wc^T + bc: [1, c].
  Matrix head(Matrix z) const {
    if (!a.head_dense_first) z = head_dense(std::move(z));
    if (z.shape(1) != a.classifier_in()) throw std::logic_error("reference: width of the head");
    return linear("classifier", z, classes(), a.classifier_bias);
  }

  // 3 and 4 with label_attention: a learned query a class attends to the tokens, full input and no
  // mask; class c uses its own vector, logit_c = z_c · Wc[c] + bc[c].
  Matrix label_logits(const Matrix& x, Result& result) const {
    const std::size_t c = classes();
    const Matrix queries = matrix("label_attention.queries", c, d);
    Attended attended = attention("label_attention", queries, x, std::nullopt);
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
    const std::size_t size = x.shape(1);
    const Row zeros = xt::zeros<double>({size});
    return layer_norm(
        {vector(name + ".weight", size), a.norm_bias ? vector(name + ".bias", size) : zeros,
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

Result encode(const Architecture& architecture, const Tensors& tensors, const Text& text,
              const Patch* patch) {
  return Encoder(architecture, tensors).run(pad(architecture, text), patch);
}

Result encode(const nlohmann::json& config, const Tensors& tensors, const Text& text) {
  return encode(read_architecture(config), tensors, text);
}

}  // namespace headlight::reference
