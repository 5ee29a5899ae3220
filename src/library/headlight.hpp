// The C interface of headlight (headlight.h) for C++17: handles that own, and one exception.
//
//   const headlight::Model model("sentiment");
//   const headlight::Prediction verdict = model.classify("not bad at all");
//   std::cout << model.labels()[verdict.best] << '\n';  // positive
//
// Models are const and shared by threads. What holds for headlight.h holds here too.
#pragma once

#include <algorithm>
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

inline void check(hl_status status) {
  if (status != HL_OK) throw Failure(status, hl_last_error());
}

/// A text or a pair. Its characters must outlive the call.
struct Text {
  Text(std::string_view only) : text(only) {}  // NOLINT(google-explicit-constructor)
  Text(const std::string& only) : text(only) {}  // NOLINT(google-explicit-constructor)
  Text(const char* only) : text(only) {}  // NOLINT(google-explicit-constructor)
  Text(std::string_view first, std::string_view second) : text(first), pair(second) {}

  hl_text c_text() const {
    // An empty view may have no address, which would mean that there is no pair.
    const auto address = [](std::string_view view) { return view.empty() ? "" : view.data(); };
    return {address(text), text.size(), pair ? address(*pair) : nullptr, pair ? pair->size() : 0};
  }

  std::string_view text;
  std::optional<std::string_view> pair;
};

struct Head {
  std::size_t layer;
  std::size_t head;
};

/// As hl_run_options.
struct Options {
  std::size_t max_tokens = 0;
  std::string long_texts = "truncate";
  bool plain_text = false;
  std::string method = "occlusion";
  std::uint64_t seed = 0;
  std::vector<Head> heads_off = {};
};

struct Prediction {
  std::vector<float> logits;         // [c]; NaN with an error
  std::vector<float> probabilities;  // [c]; empty for a regression
  std::size_t best = 0;              // the label with the highest logit
  std::uint32_t tokens = 0;
  std::uint32_t truncated = 0;
  std::string error;  // if not empty, the text could not be scored
};

/// n rows of equal width, one after another.
struct Rows {
  std::size_t width = 0;
  std::vector<float> numbers;  // [n, width]
  std::vector<hl_row> texts;   // [n]

  const float* row(std::size_t i) const { return numbers.data() + i * width; }
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

template <typename Handle, void (*Free)(Handle*)>
struct Freed {
  void operator()(Handle* handle) const noexcept { Free(handle); }
};
template <typename Handle, void (*Free)(Handle*)>
using Owned = std::unique_ptr<Handle, Freed<Handle, Free>>;

inline std::vector<Token> tokens_of(const hl_encoding* encoding) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < hl_encoding_size(encoding); ++i) {
    Place place;
    place.sequence = hl_encoding_offsets(encoding, i, &place.begin, &place.end);
    tokens.push_back({hl_encoding_ids(encoding)[i], hl_encoding_token(encoding, i), place});
  }
  return tokens;
}

/// hl_run_options with the memory that they point to.
class RunOptions {
 public:
  RunOptions(const Options& options, std::size_t layers) {
    for (const Head& off : options.heads_off) {
      if (off.layer >= layers || off.head > UINT16_MAX) {
        throw Failure(HL_BAD_ARGUMENT, "heads_off: no head " + std::to_string(off.head) +
                                           " in layer " + std::to_string(off.layer));
      }
      heads_.push_back(static_cast<std::uint32_t>(off.layer * 65536 + off.head));
    }
    hl_run_options_defaults(&run_);
    run_.max_tokens = options.max_tokens;
    run_.long_texts = options.long_texts.c_str();
    run_.plain_text = options.plain_text ? 1 : 0;
    run_.method = options.method.c_str();
    run_.seed = options.seed;
    run_.heads_off = heads_.data();
    run_.heads_off_count = heads_.size();
  }
  const hl_run_options* get() const { return &run_; }

 private:
  std::vector<std::uint32_t> heads_;
  hl_run_options run_{};
};

}  // namespace detail

/// Every head of every layer for one text of t tokens. Pointers are valid as long as it lives.
class Attention {
 public:
  explicit Attention(hl_attention* handle) : handle_(handle) {}

  std::vector<Token> tokens() const {
    return detail::tokens_of(hl_attention_encoding(handle_.get()));
  }
  std::size_t size() const { return hl_encoding_size(hl_attention_encoding(handle_.get())); }
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
  explicit Engine(int threads = 0, const std::string& precision = "fp32") {
    hl_engine_options options;
    hl_engine_options_defaults(&options);
    options.threads = threads;
    options.precision = precision.c_str();
    hl_engine* handle = nullptr;
    check(hl_engine_new(&options, &handle));
    handle_.reset(handle);
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
    hl_model* handle = nullptr;
    check(hl_model_load(engine.get(), path_or_name.c_str(), &handle));
    handle_.reset(handle);
  }

  std::vector<std::string> labels() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < hl_model_labels(get()); ++i) {
      names.emplace_back(hl_model_label(get(), i));
    }
    return names;
  }
  std::string problem_type() const { return hl_model_problem_type(get()); }
  std::size_t layers() const { return hl_model_layers(get()); }
  std::size_t heads(std::size_t layer) const { return hl_model_heads(get(), layer); }
  std::size_t embedding_width() const { return hl_model_embedding_width(get()); }
  std::size_t max_tokens() const { return hl_model_max_tokens(get()); }

  Prediction classify(const Text& text, const Options& options = {}) const {
    return std::move(classify(std::vector<Text>{text}, options).front());
  }
  std::vector<Prediction> classify(const std::vector<Text>& texts,
                                   const Options& options = {}) const {
    const bool is_regression = problem_type() == "regression";
    const std::size_t c = hl_model_labels(get());
    std::vector<float> probabilities(is_regression ? 0 : texts.size() * c);
    const Rows rows = logits(texts, options, is_regression ? nullptr : &probabilities);
    std::vector<Prediction> predictions(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Prediction& prediction = predictions[i];
      prediction.logits.assign(rows.row(i), rows.row(i) + c);
      if (!is_regression) {
        prediction.probabilities.assign(probabilities.data() + i * c,
                                        probabilities.data() + (i + 1) * c);
      }
      const auto best = std::max_element(prediction.logits.begin(), prediction.logits.end());
      prediction.best = static_cast<std::size_t>(best - prediction.logits.begin());
      prediction.tokens = rows.texts[i].tokens;
      prediction.truncated = rows.texts[i].truncated;
      if (rows.texts[i].status != HL_OK) prediction.error = error_of(texts[i], options);
    }
    return predictions;
  }
  /// [n, c]. `probabilities` is nullptr or has room for as many numbers.
  Rows logits(const std::vector<Text>& texts, const Options& options = {},
              std::vector<float>* probabilities = nullptr) const {
    Rows rows = rows_for(texts, hl_model_labels(get()));
    check(hl_classify(get(), c_texts(texts).data(), texts.size(), run(options).get(),
                      rows.numbers.data(), probabilities ? probabilities->data() : nullptr,
                      rows.texts.data()));
    return rows;
  }
  /// [n, e]
  Rows embed(const std::vector<Text>& texts, const Options& options = {}) const {
    Rows rows = rows_for(texts, embedding_width());
    check(hl_embed(get(), c_texts(texts).data(), texts.size(), run(options).get(),
                   rows.numbers.data(), rows.texts.data()));
    return rows;
  }
  /// Why a text cannot be scored; empty: it can.
  std::string error_of(const Text& text, const Options& options = {}) const {
    const hl_text c_text = text.c_text();
    std::string error(hl_text_error(get(), &c_text, run(options).get(), nullptr, 0), '\0');
    if (!error.empty()) {
      hl_text_error(get(), &c_text, run(options).get(), error.data(), error.size() + 1);
    }
    return error;
  }
  /// The whole text, uncut.
  std::vector<Token> tokenize(const Text& text, const Options& options = {}) const {
    const hl_text c_text = text.c_text();
    hl_encoding* handle = nullptr;
    check(hl_tokenize(get(), &c_text, run(options).get(), &handle));
    const detail::Owned<hl_encoding, hl_encoding_free> owned(handle);
    return detail::tokens_of(handle);
  }
  Attention attention(const Text& text, const Options& options = {}) const {
    const hl_text c_text = text.c_text();
    hl_attention* handle = nullptr;
    check(hl_attend(get(), &c_text, run(options).get(), &handle));
    return Attention(handle);
  }
  Explanation explain(const Text& text, const Options& options = {}) const {
    const hl_text c_text = text.c_text();
    hl_explanation* handle = nullptr;
    check(hl_explain(get(), &c_text, run(options).get(), &handle));
    return Explanation(handle);
  }
  const hl_model* get() const noexcept { return handle_.get(); }

 private:
  detail::RunOptions run(const Options& options) const { return {options, layers()}; }
  static std::vector<hl_text> c_texts(const std::vector<Text>& texts) {
    std::vector<hl_text> all;
    for (const Text& text : texts) all.push_back(text.c_text());
    return all;
  }
  static Rows rows_for(const std::vector<Text>& texts, std::size_t width) {
    return {width, std::vector<float>(texts.size() * width), std::vector<hl_row>(texts.size())};
  }

  detail::Owned<hl_model, hl_model_free> handle_;
};

}  // namespace headlight
