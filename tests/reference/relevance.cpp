#include "reference/relevance.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/functions.h"
#include "reference/matrix.h"

namespace headlight::reference {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// R / z, where nothing gives nothing.
double share(double relevance, double z) { return relevance == 0.0 ? 0.0 : relevance / z; }

Matrix zeros_like(const Matrix& x) {
  return xt::zeros<double>(TensorShape<2>{x.shape(0), x.shape(1)});
}

double sum_of(const Matrix& x) {
  double sum = 0.0;
  for (const double value : x) sum += value;
  return sum;
}

/// A value, its relevance, and how it hands this on.
struct Node {
  Matrix value;
  Matrix relevance;
  std::function<void(const Matrix& relevance)> hand_on;
};

/// Functions of matrices, each with its rule.
class Graph {
 public:
  using Ref = Node*;

  double absorbed = 0.0;

  /// A value whose relevance goes no further.
  Ref leaf(Matrix value) { return add(std::move(value), {}); }

  /// z = x · weightᵀ + bias. R_i = Σ_j x_i w_ji R_j / z_j, and the bias has its share.
  Ref linear(Ref x, Matrix weight, Row bias) {
    const std::size_t n = x->value.shape(0);
    Matrix z(TensorShape<2>{n, weight.shape(0)});
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < weight.shape(0); ++j) {
        z(i, j) = bias(j);
        for (std::size_t k = 0; k < weight.shape(1); ++k) z(i, j) += x->value(i, k) * weight(j, k);
      }
    }
    return add(z, [this, x, z, weight, bias](const Matrix& r) {
      for (std::size_t i = 0; i < z.shape(0); ++i) {
        for (std::size_t j = 0; j < z.shape(1); ++j) {
          const double each = share(r(i, j), z(i, j));
          absorbed += bias(j) * each;
          for (std::size_t k = 0; k < weight.shape(1); ++k) {
            x->relevance(i, k) += x->value(i, k) * weight(j, k) * each;
          }
        }
      }
    });
  }

  /// x + y, each with its part of the sum.
  Ref sum(Ref x, Ref y) {
    if (x->value.shape() != y->value.shape()) throw std::logic_error("relevance: unlike shapes");
    return add(x->value + y->value, [x, y](const Matrix& r) {
      for (std::size_t i = 0; i < r.shape(0); ++i) {
        for (std::size_t j = 0; j < r.shape(1); ++j) {
          const double each = share(r(i, j), x->value(i, j) + y->value(i, j));
          x->relevance(i, j) += x->value(i, j) * each;
          y->relevance(i, j) += y->value(i, j) * each;
        }
      }
    });
  }

  /// x · y of each element: half for each.
  Ref product_of_each(Ref x, Ref y) {
    return add(x->value * y->value, [x, y](const Matrix& r) {
      x->relevance += 0.5 * r;
      y->relevance += 0.5 * r;
    });
  }

  /// Σ_k x_ik y_kj: each term has its part of the sum, and each factor half of that.
  Ref product(Ref x, Ref y) {
    return add(headlight::product(x->value, y->value), [x, y](const Matrix& r) {
      const Matrix z = headlight::product(x->value, y->value);
      for (std::size_t i = 0; i < r.shape(0); ++i) {
        for (std::size_t j = 0; j < r.shape(1); ++j) {
          const double each = share(r(i, j), z(i, j));
          for (std::size_t k = 0; k < x->value.shape(1); ++k) {
            const double term = 0.5 * x->value(i, k) * y->value(k, j) * each;
            x->relevance(i, k) += term;
            y->relevance(k, j) += term;
          }
        }
      }
    });
  }

  /// z_ij = Σ_e x_{row(i, j)} e · y_{row(i, j)} e for chosen rows of both; the rule of product().
  using Rows = std::function<std::pair<std::size_t, std::size_t>(std::size_t, std::size_t)>;
  Ref products_of_rows(Ref x, Ref y, TensorShape<2> shape, const Rows& rows) {
    Matrix z(shape);
    for (std::size_t i = 0; i < shape[0]; ++i) {
      for (std::size_t j = 0; j < shape[1]; ++j) {
        const auto [p, q] = rows(i, j);
        z(i, j) = 0.0;
        for (std::size_t e = 0; e < x->value.shape(1); ++e) {
          z(i, j) += x->value(p, e) * y->value(q, e);
        }
      }
    }
    return add(z, [x, y, z, rows](const Matrix& r) {
      for (std::size_t i = 0; i < r.shape(0); ++i) {
        for (std::size_t j = 0; j < r.shape(1); ++j) {
          const auto [p, q] = rows(i, j);
          const double each = share(r(i, j), z(i, j));
          for (std::size_t e = 0; e < x->value.shape(1); ++e) {
            const double term = 0.5 * x->value(p, e) * y->value(q, e) * each;
            x->relevance(p, e) += term;
            y->relevance(q, e) += term;
          }
        }
      }
    });
  }

  /// f of each element. Its argument has all the relevance, but that of f(0), a constant.
  Ref activation(Ref x, const std::string& name) {
    Matrix y = x->value;
    for (double& value : y) value = activate(name, value);
    const double constant = activate(name, 0.0);
    return add(y, [this, x, y, constant](const Matrix& r) {
      for (std::size_t i = 0; i < r.shape(0); ++i) {
        for (std::size_t j = 0; j < r.shape(1); ++j) {
          const double each = share(r(i, j), y(i, j));
          absorbed += constant * each;
          x->relevance(i, j) += (y(i, j) - constant) * each;
        }
      }
    });
  }

  /// s = softmax of each row: R_i = x_i (R_i - s_i Σ R) (Taylor with a bias, proposition 3.1).
  Ref softmax_rows(Ref x) {
    const Matrix s = softmax(x->value);
    return add(s, [this, x, s](const Matrix& r) {
      for (std::size_t i = 0; i < r.shape(0); ++i) {
        double all = 0.0;
        for (std::size_t j = 0; j < r.shape(1); ++j) all += r(i, j);
        absorbed += all;
        for (std::size_t j = 0; j < r.shape(1); ++j) {
          if (x->value(i, j) == kMasked) continue;
          const double own = x->value(i, j) * (r(i, j) - s(i, j) * all);
          x->relevance(i, j) += own;
          absorbed -= own;
        }
      }
    });
  }

  /// The divisor of a row is a constant, so that the norm is linear: y_j = Σ_i x_i m_ij + bias.
  Ref norm(Ref x, const Norm& norm) {
    const Matrix y = layer_norm(norm, x->value);
    return add(y, [this, x, y, norm](const Matrix& r) {
      const std::size_t d = y.shape(1);
      const double mean_share = norm.form == "rms" ? 0.0 : 1.0 / static_cast<double>(d);
      for (std::size_t row = 0; row < y.shape(0); ++row) {
        double mean = 0.0;
        for (std::size_t i = 0; i < d; ++i) mean += mean_share * x->value(row, i);
        double variance = 0.0;
        for (std::size_t i = 0; i < d; ++i) {
          variance += std::pow(x->value(row, i) - mean, 2.0) / static_cast<double>(d);
        }
        const double divisor = norm.form == "deviation" ? std::sqrt(variance) + norm.eps
                                                        : std::sqrt(variance + norm.eps);
        for (std::size_t j = 0; j < d; ++j) {
          const double each = share(r(row, j), y(row, j));
          absorbed += norm.bias(j) * each;
          for (std::size_t i = 0; i < d; ++i) {
            const double m = ((i == j ? 1.0 : 0.0) - mean_share) / divisor * norm.gain(j);
            x->relevance(row, i) += x->value(row, i) * m * each;
          }
        }
      }
    });
  }

  /// y_ij = factor · x_ij + constant_ij
  Ref shifted(Ref x, double factor, const Matrix& constant) {
    const Matrix y = factor * x->value + constant;
    return add(y, [this, x, y, factor, constant](const Matrix& r) {
      for (std::size_t i = 0; i < r.shape(0); ++i) {
        for (std::size_t j = 0; j < r.shape(1); ++j) {
          if (y(i, j) == kMasked) continue;
          const double each = share(r(i, j), y(i, j));
          absorbed += constant(i, j) * each;
          x->relevance(i, j) += factor * x->value(i, j) * each;
        }
      }
    });
  }

  /// Element (i, j) is a weighted sum of elements of x: `terms(i, j)` lists them. LRP-0 of these.
  struct Term {
    std::size_t row, column;
    double weight;
  };
  using Terms = std::function<std::vector<Term>(std::size_t, std::size_t)>;
  Ref sums(Ref x, TensorShape<2> shape, const Terms& terms) {
    Matrix z(shape);
    for (std::size_t i = 0; i < shape[0]; ++i) {
      for (std::size_t j = 0; j < shape[1]; ++j) {
        z(i, j) = 0.0;
        for (const Term& term : terms(i, j)) {
          z(i, j) += term.weight * x->value(term.row, term.column);
        }
      }
    }
    return add(z, [x, z, terms](const Matrix& r) {
      for (std::size_t i = 0; i < r.shape(0); ++i) {
        for (std::size_t j = 0; j < r.shape(1); ++j) {
          const double each = share(r(i, j), z(i, j));
          for (const Term& term : terms(i, j)) {
            x->relevance(term.row, term.column) +=
                term.weight * x->value(term.row, term.column) * each;
          }
        }
      }
    });
  }

  /// Rows and columns of x.
  Ref part(Ref x, std::size_t first_row, std::size_t rows, std::size_t first, std::size_t columns) {
    return sums(x, {rows, columns}, [=](std::size_t i, std::size_t j) {
      return std::vector<Term>{{first_row + i, first + j, 1.0}};
    });
  }
  Ref columns(Ref x, std::size_t first, std::size_t count) {
    return part(x, 0, x->value.shape(0), first, count);
  }

  /// The columns of all of these, one after another.
  Ref concatenated(const std::vector<Ref>& all) {
    std::size_t width = 0;
    for (const Ref one : all) width += one->value.shape(1);
    Matrix y(TensorShape<2>{all.front()->value.shape(0), width});
    std::size_t first = 0;
    for (const Ref one : all) {
      const std::size_t count = one->value.shape(1);
      xt::view(y, xt::all(), xt::range(first, first + count)) = one->value;
      first += count;
    }
    return add(y, [all](const Matrix& r) {
      std::size_t begin = 0;
      for (const Ref one : all) {
        const std::size_t count = one->value.shape(1);
        one->relevance += xt::view(r, xt::all(), xt::range(begin, begin + count));
        begin += count;
      }
    });
  }

  /// From the relevance of the last node to that of all.
  void run(const Matrix& last) {
    nodes_.back().relevance = last;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      if (node->hand_on) node->hand_on(node->relevance);
    }
  }

 private:
  Ref add(Matrix value, std::function<void(const Matrix&)> hand_on) {
    Matrix none = zeros_like(value);
    return &nodes_.emplace_back(Node{std::move(value), std::move(none), std::move(hand_on)});
  }

  std::deque<Node> nodes_;  // in the order of work
};

/// The encoder as functions of a graph (encoder.h has the formulas).
class RelevanceEncoder {
 public:
  using Ref = Graph::Ref;

  RelevanceEncoder(const Architecture& architecture, const Tensors& tensors)
      : a_(architecture), tensors_(tensors), d_(architecture.hidden_size) {}

  Relevance run(const Text& text, const Matrix& embedded, const Vector& factors) {
    const Ref start = graph_.leaf(embedded);
    Ref x = start;
    for (std::size_t i = 0; i < a_.layer_weights.size(); ++i) {
      x = layer(i, x);
      if (i == 0 && a_.conv_kernel_size > 0) {
        x = normed("convolution.norm", graph_.sum(x, convolution(start)));
      }
    }
    if (a_.norms_before()) x = normed("final_norm", x);
    const Ref logits = a_.pooling == "label_attention"
                           ? label_logits(x)
                           : head(pool(text, a_.head_dense_first ? head_dense(x) : x));
    Matrix last = logits->value;
    for (std::size_t i = 0; i < factors.size(); ++i) last.data()[i] *= factors[i];
    graph_.run(last);
    double absorbed = graph_.absorbed;
    for (const Ref constant : constants_) absorbed += sum_of(constant->relevance);
    return {numbers_of(start->relevance), absorbed, tied_};
  }

 private:
  Ref layer(std::size_t index, Ref x) {
    const std::string name = "layers." + std::to_string(a_.layer_weights[index]);
    x = sublayer(name + ".attention", index > 0 || a_.first_attention_norm, x,
                 [&](Ref in) { return attention(name + ".attention", in, in, index); });
    if (a_.intermediate_size == 0) return x;
    return sublayer(name + ".feed_forward", true, x,
                    [&](Ref in) { return feed_forward(name + ".feed_forward", in); });
  }

  template <typename Function>
  Ref sublayer(const std::string& name, bool normed_before, Ref x, const Function& function) {
    Ref out = function(a_.norms_before() && normed_before ? normed(name + ".norm", x) : x);
    if (a_.norm_order == "sandwich") out = normed(name + ".output_norm", out);
    if (a_.residual) out = graph_.sum(x, out);
    return a_.norm_order == "post" ? normed(name + ".norm", out) : out;
  }

  /// One head of attention, where its rows begin in the projections.
  struct Place {
    std::size_t head;
    std::size_t first;
    std::size_t all;
  };

  Ref attention(const std::string& name, Ref from, Ref to, std::optional<std::size_t> layer) {
    std::vector<Ref> heads;
    const std::size_t group = layer ? a_.group() : 1;
    std::size_t first = 0;
    for (std::size_t k = 0; k < a_.head_sizes.size(); ++k) {
      const std::size_t e = a_.head_sizes[k];
      const Place query{k, first, a_.all_heads()};
      const Place key{k, group == 1 ? first : k / group * e, a_.all_heads() / group};
      const bool slice = layer && a_.head_input == "slice";
      Ref q = projected(name + ".query", from, slice, query);
      Ref keys = projected(name + ".key", to, slice, key);
      const Ref v = projected(name + ".value", to, slice, key);
      if (layer && a_.query_key_norm) {
        q = graph_.norm(q, head_norm(name + ".query_norm", e));
        keys = graph_.norm(keys, head_norm(name + ".key_norm", e));
      }
      if (layer && a_.position_embedding_type == "rotary") {
        q = turned(q, a_.rope_theta[*layer]);
        keys = turned(keys, a_.rope_theta[*layer]);
      }
      const TensorShape<2> shape{q->value.shape(0), keys->value.shape(0)};
      Ref scores =
          graph_.products_of_rows(q, keys, shape, [](auto i, auto j) { return std::pair(i, j); });
      if (layer && a_.relative_attention) {
        scores = with_relative(name, {q, query}, {keys, key}, scores);
      }
      heads.push_back(graph_.product(weights(scores, layer, k), v));
      first += e;
    }
    const Ref context = graph_.concatenated(heads);
    if (!a_.attention_output_projection) return context;
    return linear(name + ".output", context, d_, a_.attention_output_bias);
  }

  struct PlacedHead {
    Ref values;
    Place place;
  };
  Ref with_relative(const std::string& name, PlacedHead query, PlacedHead key, Ref scores) {
    const RelativePositions& relative = *a_.relative_attention;
    Matrix table = matrix("relative_attention.embeddings.weight", 2 * relative.span, d_);
    if (relative.norm) table = layer_norm(norm_of("relative_attention.norm", d_), table);
    const std::string own = name + (relative.shared ? "." : ".relative_");
    const TensorShape<2> shape{scores->value.shape(0), scores->value.shape(1)};
    if (relative.content_to_position) {
      const Ref keys = constant(own + "key", table, key.place);
      scores = graph_.sum(
          scores, graph_.products_of_rows(query.values, keys, shape, [relative](auto i, auto j) {
            return std::pair(i, relative_column(relative, i, j));
          }));
    }
    if (relative.position_to_content) {
      const Ref queries = constant(own + "query", table, query.place);
      scores = graph_.sum(
          scores, graph_.products_of_rows(key.values, queries, shape, [relative](auto i, auto j) {
            return std::pair(j, relative_column(relative, i, j));
          }));
    }
    return scores;
  }

  /// Rows of a table of the model through a projection: they have relevance, but no token has.
  Ref constant(const std::string& name, const Matrix& table, const Place& place) {
    Matrix value = product_transposed(table, rows(name, table.shape(1), place));
    const Row added = bias(name, place);
    for (std::size_t i = 0; i < value.shape(0); ++i) xt::row(value, i) += added;
    constants_.push_back(graph_.leaf(value));
    return constants_.back();
  }

  Ref projected(const std::string& name, Ref x, bool slice, const Place& place) {
    const std::size_t e = a_.head_sizes[place.head];
    const Ref seen = slice ? graph_.columns(x, place.head * e, e) : x;
    return graph_.linear(seen, rows(name, seen->value.shape(1), place), bias(name, place));
  }
  Matrix rows(const std::string& name, std::size_t in, const Place& place) const {
    const Matrix weight = matrix(name + ".weight", place.all, in);
    const std::size_t e = a_.head_sizes[place.head];
    return xt::view(weight, xt::range(place.first, place.first + e), xt::all());
  }
  Row bias(const std::string& name, const Place& place) const {
    const std::size_t e = a_.head_sizes[place.head];
    if (!a_.attention_bias) return xt::zeros<double>({e});
    const Row all = vector(name + ".bias", place.all);
    return xt::view(all, xt::range(place.first, place.first + e));
  }

  Ref turned(Ref x, double base) {
    const std::size_t e = x->value.shape(1);
    const auto r = static_cast<std::size_t>(static_cast<double>(e) * a_.partial_rotary_factor);
    const std::size_t pairs = r / 2;
    const bool interleaved = a_.rope_interleaved;
    return graph_.sums(x, {x->value.shape(0), e}, [=](std::size_t p, std::size_t j) {
      if (j >= 2 * pairs) return std::vector<Graph::Term>{{p, j, 1.0}};
      const std::size_t k = interleaved ? j / 2 : j % pairs;
      const bool is_first = interleaved ? j % 2 == 0 : j < pairs;
      const std::size_t other = interleaved ? j ^ 1U : (j + pairs) % (2 * pairs);
      const double exponent = static_cast<double>(2 * k) / static_cast<double>(r);
      const double angle = static_cast<double>(p) * std::pow(base, -exponent);
      const double sine = is_first ? -std::sin(angle) : std::sin(angle);
      return std::vector<Graph::Term>{{p, j, std::cos(angle)}, {p, other, sine}};
    });
  }

  /// The softmax of the scores of a head, scaled, with bias and mask.
  Ref weights(Ref scores, std::optional<std::size_t> layer, std::size_t head) {
    const std::size_t terms = layer ? a_.score_terms : 1;
    const double e = static_cast<double>(a_.head_sizes[head] * terms);
    const double scale = a_.attention_scale ? *a_.attention_scale : 1.0 / std::sqrt(e);
    Matrix added = zeros_like(scores->value);
    for (std::size_t i = 0; i < added.shape(0); ++i) {
      for (std::size_t j = 0; j < added.shape(1); ++j) {
        if (a_.relative_bias) {
          added(i, j) = matrix("relative_bias.weight", kBuckets, a_.head_sizes.size())(
              relative_bucket(i, j), head);
        }
        if (!sees(layer, i, j)) added(i, j) = kMasked;
      }
    }
    return graph_.softmax_rows(graph_.shifted(scores, scale, added));
  }

  bool sees(std::optional<std::size_t> layer, std::size_t i, std::size_t j) const {
    if (!layer) return true;
    if (a_.attention_mask == "causal" && j > i) return false;
    const std::size_t distance = i > j ? i - j : j - i;
    return a_.attention_window.empty() ||
           distance <= a_.attention_window[*layer].value_or(distance);
  }

  Ref feed_forward(const std::string& name, Ref x) {
    const bool biased = a_.feed_forward_bias;
    Ref up = linear(name + ".up", x, a_.intermediate_size, biased);
    if (a_.gated_feed_forward) {
      const Ref gate = linear(name + ".gate", x, a_.intermediate_size, biased);
      up = graph_.product_of_each(graph_.activation(gate, a_.hidden_act), up);
    } else {
      up = graph_.activation(up, a_.hidden_act);
    }
    return linear(name + ".down", up, d_, biased);
  }

  Ref convolution(Ref x) {
    const std::size_t width = d_ / a_.conv_groups;
    const std::size_t kernel = a_.conv_kernel_size;
    const Tensor& weight = tensors_.at("convolution.weight");
    const std::size_t n = x->value.shape(0);
    const Ref sums = graph_.sums(x, {n, d_}, [=, &weight](std::size_t i, std::size_t o) {
      std::vector<Graph::Term> terms;
      for (std::size_t t = 0; t < kernel; ++t) {
        if (i + t < kernel / 2 || i + t - kernel / 2 >= n) continue;
        for (std::size_t c = 0; c < width; ++c) {
          terms.push_back({i + t - kernel / 2, o / width * width + c,
                           weight.values[(o * width + c) * kernel + t]});
        }
      }
      return terms;
    });
    Matrix added = zeros_like(sums->value);
    const Row own = vector("convolution.bias", d_);
    for (std::size_t i = 0; i < n; ++i) xt::row(added, i) = own;
    return graph_.activation(graph_.shifted(sums, 1.0, added), a_.conv_act);
  }

  Ref pool(const Text& text, Ref x) {
    const std::size_t n = x->value.shape(0);
    if (a_.pooling == "none") return x;
    if (a_.pooling == "cls") return graph_.part(x, 0, 1, 0, x->value.shape(1));
    if (a_.pooling == "last") return graph_.part(x, last_row(text, n), 1, 0, x->value.shape(1));
    const bool largest = a_.pooling == "max";
    if (largest) tied_ = is_tied(x->value);
    return graph_.sums(x, {1, x->value.shape(1)}, [=](std::size_t, std::size_t j) {
      std::vector<Graph::Term> terms;
      std::size_t best = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (x->value(i, j) > x->value(best, j)) best = i;
        if (!largest) terms.push_back({i, j, 1.0 / static_cast<double>(n)});
      }
      if (largest) terms.push_back({best, j, 1.0});
      return terms;
    });
  }
  /// Whether a column's maximum is less than rounding above another number.
  static bool is_tied(const Matrix& x) {
    for (std::size_t j = 0; j < x.shape(1); ++j) {
      Row column = xt::col(x, j);
      std::sort(column.begin(), column.end());
      const double top = column(column.size() - 1);
      if (column.size() > 1 && top - column(column.size() - 2) < 1e-5 * (1.0 + std::abs(top))) {
        return true;
      }
    }
    return false;
  }
  std::size_t last_row(const Text& text, std::size_t n) const {
    for (std::size_t i = n; a_.last_skips_pad && i > 0; --i) {
      if (text.ids[i - 1] != a_.pad_token_id) return i - 1;
    }
    return a_.last_skips_pad ? 0 : n - 1;
  }

  Ref head_dense(Ref z) {
    if (a_.head_dense_act) {
      z = graph_.activation(linear("head.dense", z, d_, a_.head_dense_bias), *a_.head_dense_act);
    }
    return a_.head_norm ? normed("head.norm", z) : z;
  }

  Ref head(Ref z) {
    if (!a_.head_dense_first) z = head_dense(z);
    return linear("classifier", z, classes(), a_.classifier_bias);
  }

  Ref label_logits(Ref x) {
    const std::size_t c = classes();
    constants_.push_back(graph_.leaf(matrix("label_attention.queries", c, d_)));
    const Ref own = attention("label_attention", constants_.back(), x, std::nullopt);
    const Matrix weight = matrix("classifier.weight", c, d_);
    const Ref sums = graph_.sums(own, {1, c}, [=](std::size_t, std::size_t label) {
      std::vector<Graph::Term> terms;
      for (std::size_t j = 0; j < weight.shape(1); ++j)
        terms.push_back({label, j, weight(label, j)});
      return terms;
    });
    Matrix added = zeros_like(sums->value);
    if (a_.classifier_bias) xt::row(added, 0) = vector("classifier.bias", c);
    return graph_.shifted(sums, 1.0, added);
  }

  Ref linear(const std::string& name, Ref x, std::size_t out, bool biased) {
    const Row none = xt::zeros<double>({out});
    return graph_.linear(x, matrix(name + ".weight", out, x->value.shape(1)),
                         biased ? vector(name + ".bias", out) : none);
  }

  Ref normed(const std::string& name, Ref x) {
    return graph_.norm(x, norm_of(name, x->value.shape(1)));
  }
  Norm norm_of(const std::string& name, std::size_t size) const {
    const Row none = xt::zeros<double>({size});
    return {vector(name + ".weight", size), a_.norm_bias ? vector(name + ".bias", size) : none,
            a_.layer_norm_eps, a_.layer_norm_form};
  }
  Norm head_norm(const std::string& name, std::size_t size) const {
    return {vector(name + ".weight", size), xt::zeros<double>({size}), a_.layer_norm_eps,
            a_.layer_norm_form};
  }

  std::size_t classes() const {
    return a_.labels ? *a_.labels : tensors_.at("classifier.weight").shape.at(0);
  }
  Matrix matrix(const std::string& name, std::size_t rows, std::size_t cols) const {
    return view_of<2>(tensors_.at(name).values, {rows, cols});
  }
  Row vector(const std::string& name, std::size_t size) const {
    return view_of<1>(tensors_.at(name).values, {size});
  }

  const Architecture& a_;
  const Tensors& tensors_;
  std::size_t d_;
  Graph graph_;
  std::vector<Ref> constants_;
  bool tied_ = false;
};

}  // namespace

Relevance relevance(const Architecture& architecture, const Tensors& tensors, const Text& text,
                    const Vector& factors) {
  const Text padded = pad(architecture, text);
  const Vector start = encode(architecture, tensors, text).hidden.front();
  const std::size_t n = padded.ids.size();
  const Matrix embedded = view_of<2>(start, {n, start.size() / n});
  return RelevanceEncoder(architecture, tensors).run(padded, embedded, factors);
}

}  // namespace headlight::reference
