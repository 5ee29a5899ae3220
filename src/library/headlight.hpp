// headlight.h for C++17: handles that own, and one exception.
//
//   const headlight::Model model("sentiment");
//   const headlight::Prediction verdict = model.classify("not bad at all");
//   std::cout << model.labels()[verdict.best] << '\n';  // positive
//
// What holds for headlight.h holds here too. A model is const and shared by threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <headlight.h>

namespace headlight {

/// A call that failed.
class Failure : public std::runtime_error {
 public:
  Failure(hl_status status, const std::string& line) : std::runtime_error(line), status_(status) {}
  hl_status status() const noexcept { return status_; }

 private:
  hl_status status_;
};

/// A text or a pair. Its characters must outlive the call.
struct Text {
  Text(std::string_view only) : text(only) {}
  Text(const std::string& only) : text(only) {}
  Text(const char* only) : text(only) {}
  Text(std::string_view first, std::string_view second) : text(first), pair(second) {}

  std::string_view text;
  std::optional<std::string_view> pair;
};

/// As hl_run_options. Words that are empty are as the model says; a head is its layer and its
/// number there.
struct Options {
  std::size_t max_tokens = 0;
  std::string long_texts;  // "truncate", "error", "window"
  bool plain_text = false;
  /// "occlusion", "shapley", "gradient", "integrated-gradients", "lrp"; "exact" without layers
  std::string method;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> heads_off = {};
};

struct Prediction {
  std::vector<float> logits;         // [c]; NaN with an error
  std::vector<float> probabilities;  // [c]; empty for a regression
  std::size_t best = 0;              // the label with the highest logit
  std::uint32_t tokens = 0;
  std::uint32_t truncated = 0;
  std::string error;  // if not empty, the text could not be scored
  /// That pass their thresholds, best first, of a model of several labels; the best one of another;
  /// none of a regression or with an error.
  std::vector<std::size_t> labels = {};
};

/// Bytes of the text (sequence 1) or its pair (2); 0 is a special token.
struct Place {
  int sequence = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Token {
  std::int32_t id;
  std::string token;
  Place place;
};

namespace detail {

inline void check(hl_status status) {
  if (status != HL_OK) throw Failure(status, hl_last_error());
}

template <auto Free>
struct Freed {
  template <typename Handle>
  void operator()(Handle* handle) const noexcept {
    Free(handle);
  }
};
template <typename Handle, auto Free>
using Owned = std::unique_ptr<Handle, Freed<Free>>;

inline std::vector<Token> tokens_of(const hl_encoding* encoding) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < hl_encoding_size(encoding); ++i) {
    Place place;
    place.sequence = hl_encoding_offsets(encoding, i, &place.begin, &place.end);
    tokens.push_back({hl_encoding_ids(encoding)[i], hl_encoding_token(encoding, i), place});
  }
  return tokens;
}

inline hl_text c_text(const Text& text) {
  // The address of an empty view may be NULL, which would mean that there is none.
  const auto address = [](std::string_view view) { return view.empty() ? "" : view.data(); };
  return {address(text.text), text.text.size(), text.pair ? address(*text.pair) : nullptr,
          text.pair ? text.pair->size() : 0};
}

/// hl_run_options with the memory that they point to.
struct Run {
  explicit Run(const Options& options) {
    for (const auto& [layer, head] : options.heads_off) heads.push_back(layer * 65536U + head);
    hl_run_options_defaults(&run);
    run.max_tokens = options.max_tokens;
    run.long_texts = word(options.long_texts);
    run.plain_text = options.plain_text ? 1 : 0;
    run.method = word(options.method);
    run.seed = options.seed;
    run.heads_off = heads.data();
    run.heads_off_count = heads.size();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  const hl_run_options* get() const { return &run; }
  static const char* word(const std::string& word) { return word.empty() ? nullptr : word.c_str(); }

  std::vector<std::uint32_t> heads;
  hl_run_options run{};
};

}  // namespace detail

/// Every head of every layer for one text of t tokens. Pointers are valid as long as it lives.
class Attention {
 public:
  explicit Attention(hl_attention* handle) : handle_(handle) {}

  std::vector<Token> tokens() const {
    return detail::tokens_of(hl_attention_encoding(handle_.get()));
  }
  /// [t, t]: rows are queries.
  const float* weights(std::size_t layer, std::size_t head) const {
    return hl_attention_weights(handle_.get(), layer, head);
  }
  /// [t, head_size]; so are the next two.
  const float* queries(std::size_t layer, std::size_t head) const {
    return hl_attention_queries(handle_.get(), layer, head);
  }
  const float* keys(std::size_t layer, std::size_t head) const {
    return hl_attention_keys(handle_.get(), layer, head);
  }
  const float* values(std::size_t layer, std::size_t head) const {
    return hl_attention_values(handle_.get(), layer, head);
  }
  std::size_t head_size(std::size_t layer, std::size_t head) const {
    return hl_attention_head_size(handle_.get(), layer, head);
  }
  /// [c]; nullptr without labels of the text.
  const float* logits() const { return hl_attention_logits(handle_.get()); }
  /// [c]; nullptr also for a regression.
  const float* probabilities() const { return hl_attention_probabilities(handle_.get()); }
  /// In nats, the mean over the queries.
  double entropy(std::size_t layer, std::size_t head) const {
    return hl_attention_entropy(handle_.get(), layer, head);
  }
  /// For functions of headlight.h that this header does not have.
  const hl_attention* get() const noexcept { return handle_.get(); }

 private:
  detail::Owned<hl_attention, hl_attention_free> handle_;
};

/// The effect of each word on each logit.
class Explanation {
 public:
  explicit Explanation(hl_explanation* handle) : handle_(handle) {}

  std::size_t words() const { return hl_explanation_words(handle_.get()); }
  Place word(std::size_t number) const {
    Place place;
    place.sequence = hl_explanation_word(handle_.get(), number, &place.begin, &place.end);
    return place;
  }
  const float* effects(std::size_t word) const {  // [c]
    return hl_explanation_effects(handle_.get(), word);
  }
  const float* logits() const { return hl_explanation_logits(handle_.get()); }  // [c]

 private:
  detail::Owned<hl_explanation, hl_explanation_free> handle_;
};

/// Threads and precision. Models keep what they need of it.
class Engine {
 public:
  /// precision: "fp32", "bf16" or "int8"
  explicit Engine(int threads = 0, const std::string& precision = "fp32") {
    hl_engine_options options;
    hl_engine_options_defaults(&options);
    options.threads = threads;
    options.precision = precision.c_str();
    hl_engine* made = nullptr;
    detail::check(hl_engine_new(&options, &made));
    handle_.reset(made);
  }
  /// Running calls throw Failure with HL_STOPPED.
  void stop() const noexcept { hl_stop(handle_.get()); }
  hl_engine* get() const noexcept { return handle_.get(); }

 private:
  detail::Owned<hl_engine, hl_engine_free> handle_;
};

class Model {
 public:
  explicit Model(const std::string& path_or_name, const Engine& engine = Engine()) {
    hl_model* made = nullptr;
    detail::check(hl_model_load(engine.get(), path_or_name.c_str(), &made));
    handle_.reset(made);
  }

  std::vector<std::string> labels() const {
    std::vector<std::string> names(hl_model_labels(get()));
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = hl_model_label(get(), i);
    return names;
  }
  std::string problem_type() const { return hl_model_problem_type(get()); }
  std::size_t layers() const { return hl_model_layers(get()); }
  std::size_t heads(std::size_t layer) const { return hl_model_heads(get(), layer); }
  std::size_t label_heads() const { return hl_model_label_heads(get()); }
  std::size_t embedding_width() const { return hl_model_embedding_width(get()); }
  std::size_t max_tokens() const { return hl_model_max_tokens(get()); }
  /// Whether a pair can mean something to the model.
  bool reads_pairs() const { return hl_model_reads_pairs(get()) != 0; }
  /// [c] the least probability at which a model of several labels gives each; empty: another model
  std::vector<float> thresholds() const {
    std::vector<float> all(hl_model_thresholds(get(), nullptr));
    hl_model_thresholds(get(), all.data());
    return all;
  }

  Prediction classify(const Text& text, const Options& options = {}) const {
    return std::move(classify(std::vector<Text>{text}, options).front());
  }
  std::vector<Prediction> classify(const std::vector<Text>& texts,
                                   const Options& options = {}) const {
    const bool is_regression = problem_type() == "regression";
    const std::size_t c = hl_model_labels(get());
    std::vector<float> logits(texts.size() * c);
    std::vector<float> probabilities(is_regression ? 0 : logits.size());
    std::vector<hl_row> rows(texts.size());
    detail::check(hl_classify(get(), c_texts(texts).data(), texts.size(),
                              detail::Run(options).get(), logits.data(),
                              is_regression ? nullptr : probabilities.data(), rows.data()));
    const auto row = [&](const std::vector<float>& all, std::size_t i) {
      return all.empty() ? all : std::vector<float>(&all[i * c], &all[i * c] + c);
    };
    const std::vector<float> least = thresholds();
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Prediction one{row(logits, i), row(probabilities, i), 0,
                     rows[i].tokens, rows[i].truncated,     {}};
      const auto best = std::max_element(one.logits.begin(), one.logits.end());
      one.best = static_cast<std::size_t>(best - one.logits.begin());
      if (rows[i].status != HL_OK) {
        one.error = error_of(texts[i], options);
      } else if (!is_regression) {
        one.labels = given_labels(one, least);
      }
      predictions.push_back(std::move(one));
    }
    return predictions;
  }
  /// Vectors [n, embedding_width()]; NaN for a text with an error.
  std::vector<float> embed(const std::vector<Text>& texts, const Options& options = {}) const {
    std::vector<float> vectors(texts.size() * embedding_width());
    detail::check(hl_embed(get(), c_texts(texts).data(), texts.size(), detail::Run(options).get(),
                           vectors.data(), nullptr));
    return vectors;
  }
  /// Why a text cannot be scored; empty: it can.
  std::string error_of(const Text& text, const Options& options = {}) const {
    const hl_text read = detail::c_text(text);
    const detail::Run how(options);
    std::string error(hl_text_error(get(), &read, how.get(), nullptr, 0), '\0');
    if (!error.empty()) hl_text_error(get(), &read, how.get(), error.data(), error.size() + 1);
    return error;
  }
  /// The whole text, uncut.
  std::vector<Token> tokenize(const Text& text, const Options& options = {}) const {
    const detail::Owned<hl_encoding, hl_encoding_free> made(made_by(hl_tokenize, text, options));
    return detail::tokens_of(made.get());
  }
  Attention attention(const Text& text, const Options& options = {}) const {
    return Attention(made_by(hl_attend, text, options));
  }
  Explanation explain(const Text& text, const Options& options = {}) const {
    return Explanation(made_by(hl_explain, text, options));
  }
  const hl_model* get() const noexcept { return handle_.get(); }

 private:
  template <typename Handle>
  Handle* made_by(hl_status (*call)(const hl_model*, const hl_text*, const hl_run_options*,
                                    Handle**),
                  const Text& text, const Options& options) const {
    const hl_text read = detail::c_text(text);
    Handle* made = nullptr;
    detail::check(call(get(), &read, detail::Run(options).get(), &made));
    return made;
  }
  static std::vector<std::size_t> given_labels(const Prediction& one,
                                               const std::vector<float>& thresholds) {
    if (std::isnan(one.logits[0])) return {};  // the model knows no word of the text
    if (thresholds.empty()) return {one.best};
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      if (one.probabilities[i] >= thresholds[i]) given.push_back(i);
    }
    const auto before = [&](std::size_t a, std::size_t b) {
      if (one.probabilities[a] != one.probabilities[b]) {
        return one.probabilities[a] > one.probabilities[b];
      }
      return one.logits[a] > one.logits[b];
    };
    std::stable_sort(given.begin(), given.end(), before);
    return given;
  }
  static std::vector<hl_text> c_texts(const std::vector<Text>& texts) {
    std::vector<hl_text> all;
    for (const Text& text : texts) all.push_back(detail::c_text(text));
    return all;
  }

  detail::Owned<hl_model, hl_model_free> handle_;
};

}  // namespace headlight
