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
#include <exception>
#include <functional>
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
  std::vector<std::string> among = {};  // the labels that classify and evaluate decide between
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
  std::uint32_t unknown = 0;  // of the tokens, the unknown one
};

/// Bytes of the text (sequence 1) or its pair (2); 0 is a special token.
struct Place {
  int sequence = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What a model that labels tokens found.
struct Entity {
  std::string label;
  Place place;
  float probability = 0.0F;
};

/// As hl_fit_options; empty words and no texts are as there.
struct FitOptions {
  std::string train;
  std::string start;
  double minutes = 2.0;
  double dev_share = 0.1;
  std::vector<Text> dev_texts = {};
  std::vector<std::vector<std::string>> dev_labels = {};
  std::vector<float> weights = {};
  std::uint64_t seed = 0;
  bool overwrite = false;
  /// Returns whether to stop. fit() throws what it throws.
  std::function<bool(double done, const char* phase)> progress = {};
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
    for (const std::string& label : options.among) among.push_back(label.c_str());
    run.among = among.data();
    run.among_count = among.size();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  const hl_run_options* get() const { return &run; }
  static const char* word(const std::string& word) { return word.empty() ? nullptr : word.c_str(); }

  std::vector<std::uint32_t> heads;
  std::vector<const char*> among;
  hl_run_options run{};
};

inline std::vector<hl_text> c_texts(const std::vector<Text>& texts) {
  std::vector<hl_text> all;
  for (const Text& text : texts) all.push_back(c_text(text));
  return all;
}

/// The labels of each text, as C takes them.
struct Labels {
  explicit Labels(const std::vector<std::vector<std::string>>& labels) {
    for (const auto& of_text : labels) {
      std::string& line = lines.emplace_back();
      for (const std::string& label : of_text) {
        if (label.find_first_of(std::string_view("\n\0", 2)) != std::string::npos) {
          throw Failure(HL_BAD_ARGUMENT, "a label has the end of a line or a NUL character in it");
        }
        line += (line.empty() ? "" : "\n") + label;
      }
    }
    for (const std::string& line : lines) all.push_back(line.c_str());
  }
  std::vector<std::string> lines;
  std::vector<const char*> all;
};

inline void check_counts(std::size_t texts, std::size_t labels) {
  if (texts != labels) throw Failure(HL_BAD_ARGUMENT, "there are not as many labels as texts");
}

/// An exception must not pass through C: it stops the training, and is kept.
struct Watch {
  static std::int32_t call(void* user, double done, const char* phase) noexcept {
    auto& watch = *static_cast<Watch*>(user);
    try {
      return watch.progress(done, phase) ? 1 : 0;
    } catch (...) {
      watch.thrown = std::current_exception();
      return 1;
    }
  }
  const std::function<bool(double, const char*)>& progress;
  std::exception_ptr thrown = nullptr;
};

/// The text that `make` gives.
template <typename Make>
std::string made_text(const Make& make) {
  char* made = nullptr;
  check(make(&made));
  const Owned<char, hl_string_free> owned(made);
  return made;
}

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
  /// JSON: the models that Model finds by name.
  std::string models() const {
    return detail::made_text([&](char** made) { return hl_models(get(), made); });
  }
  /// Trains a model, writes its directory, and returns the report as JSON. `labels` [n] are those
  /// of each text.
  std::string fit(const std::vector<Text>& texts,
                  const std::vector<std::vector<std::string>>& labels, const std::string& directory,
                  const FitOptions& options = {}) const {
    detail::check_counts(texts.size(), labels.size());
    detail::check_counts(options.dev_texts.size(), options.dev_labels.size());
    if (!options.weights.empty()) detail::check_counts(texts.size(), options.weights.size());
    const auto dev_texts = detail::c_texts(options.dev_texts);
    const detail::Labels dev_labels(options.dev_labels);
    hl_fit_options c;
    hl_fit_options_defaults(&c);
    c.train = detail::Run::word(options.train);
    c.start = detail::Run::word(options.start);
    c.minutes = options.minutes;
    c.dev_share = options.dev_share;
    c.dev_texts = dev_texts.data();
    c.dev_labels = dev_labels.all.data();
    c.dev_n = dev_texts.size();
    c.weights = options.weights.empty() ? nullptr : options.weights.data();
    c.seed = options.seed;
    c.overwrite = options.overwrite ? 1 : 0;
    detail::Watch watch{options.progress};
    c.user = &watch;
    if (options.progress) c.progress = detail::Watch::call;
    const detail::Labels c_labels(labels);
    return detail::made_text([&](char** made) {
      const hl_status status = hl_fit(get(), detail::c_texts(texts).data(), c_labels.all.data(),
                                      texts.size(), &c, directory.c_str(), made);
      if (watch.thrown) std::rethrow_exception(watch.thrown);
      return status;
    });
  }
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
  std::string problem_type() const {
    const char* const type = hl_model_problem_type(get());
    return type == nullptr ? "" : type;  // of a model that was moved from
  }
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
  /// With `among`, c is its size: these labels, in the order of labels().
  std::vector<Prediction> classify(const std::vector<Text>& texts,
                                   const Options& options = {}) const {
    const bool is_regression = problem_type() == "regression";
    const std::size_t c = options.among.empty() ? hl_model_labels(get()) : options.among.size();
    std::vector<float> logits(texts.size() * c);
    std::vector<float> probabilities(is_regression ? 0 : logits.size());
    std::vector<hl_row> rows(texts.size());
    std::vector<std::uint32_t> unknown(texts.size());
    detail::Run how(options);
    how.run.unknown = unknown.data();
    detail::check(hl_classify(get(), detail::c_texts(texts).data(), texts.size(), how.get(),
                              logits.data(), is_regression ? nullptr : probabilities.data(),
                              rows.data()));
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
      one.unknown = unknown[i];
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
    detail::check(hl_embed(get(), detail::c_texts(texts).data(), texts.size(),
                           detail::Run(options).get(), vectors.data(), nullptr));
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
  /// JSON as `headlight evaluate --format json`.
  std::string evaluate(const std::vector<Text>& texts,
                       const std::vector<std::vector<std::string>>& labels,
                       const Options& options = {}) const {
    detail::check_counts(texts.size(), labels.size());
    const detail::Labels c_labels(labels);
    return detail::made_text([&](char** made) {
      return hl_evaluate(get(), detail::c_texts(texts).data(), c_labels.all.data(), texts.size(),
                         detail::Run(options).get(), made);
    });
  }
  /// [n] how well each text answers the query; NaN: a bad text.
  std::vector<float> rank(const Text& query, const std::vector<Text>& texts,
                          const Options& options = {}) const {
    const hl_text asked = detail::c_text(query);
    std::vector<float> scores(texts.size());
    detail::check(hl_rank(get(), &asked, detail::c_texts(texts).data(), texts.size(),
                          detail::Run(options).get(), scores.data(), nullptr));
    return scores;
  }
  std::vector<Entity> entities(const Text& text, const Options& options = {}) const {
    const detail::Owned<hl_entity_list, hl_entity_list_free> made(
        made_by(hl_entities, text, options));
    std::vector<Entity> found(hl_entity_list_size(made.get()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      Place& place = found[i].place;
      found[i].label = hl_entity_list_label(made.get(), i);
      place.sequence = hl_entity_list_place(made.get(), i, &place.begin, &place.end);
      found[i].probability = hl_entity_list_probability(made.get(), i);
    }
    return found;
  }
  /// Probabilities [n, k] of labels [k] that the model was not trained on; NaN: a bad text.
  std::vector<float> zero_shot(const std::vector<Text>& texts,
                               const std::vector<std::string>& labels, bool each_alone = false,
                               const Options& options = {}) const {
    std::vector<const char*> names;
    for (const std::string& label : labels) names.push_back(label.c_str());
    std::vector<float> probabilities(texts.size() * labels.size());
    detail::check(hl_zero_shot(get(), detail::c_texts(texts).data(), texts.size(), names.data(),
                               names.size(), each_alone ? 1 : 0, detail::Run(options).get(),
                               nullptr, probabilities.data(), nullptr));
    return probabilities;
  }
  /// HTML of one text, or of two beside each other.
  std::string attention_page(const std::vector<Text>& texts, const Options& options = {}) const {
    return detail::made_text([&](char** made) {
      return hl_attention_page(get(), detail::c_texts(texts).data(), texts.size(),
                               detail::Run(options).get(), made);
    });
  }
  std::string explanation_page(const Text& text, const Options& options = {}) const {
    const hl_text read = detail::c_text(text);
    return detail::made_text([&](char** made) {
      return hl_explanation_page(get(), &read, detail::Run(options).get(), made);
    });
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
  detail::Owned<hl_model, hl_model_free> handle_;
};

}  // namespace headlight
