// Sequences of calls of the C interface, in any order and with any arguments that the contract
// allows: lengths inside their memory, handles that live.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "fuzz/targets.h"
#include "library/headlight.h"
#include "library/held.h"

namespace headlight::fuzz {
namespace {

constexpr std::size_t kSlots = 3;
constexpr std::size_t kMostTexts = 5;

/// Takes what a call needs from the front of the input; zeros after its end.
class CallBytes {
 public:
  explicit CallBytes(std::string_view data) : data_(data) {}

  bool is_empty() const { return data_.empty(); }
  std::uint8_t byte() {
    if (data_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(data_.front());
    data_.remove_prefix(1);
    return first;
  }
  std::string_view text(std::size_t longest) {
    const std::string_view text = data_.substr(0, byte() % (longest + 1));
    data_.remove_prefix(std::min(data_.size(), text.size()));
    return text;
  }

 private:
  std::string_view data_;
};

struct Models {
  TemporaryFolder folder;
  std::string lexicon;
  std::string encoder;

  Models() : lexicon(folder / "lexicon"), encoder(folder / "encoder") {
    lexicon_model(folder);
    encoder_model(folder);
  }
};

/// Handles that live, and memory that arguments point to.
class Session {
 public:
  explicit Session(CallBytes& bytes) : bytes_(bytes) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() = default;

  void call() {
    memory_.clear();
    switch (bytes_.byte() % 14) {
      case 0:
        return new_engine();
      case 1:
        return load();
      case 2:
        return score(/*embed=*/false);
      case 3:
        return score(/*embed=*/true);
      case 4:
        return check(make(encodings_, hl_tokenize));
      case 5:
        return check(make(attentions_, hl_attend));
      case 6:
        return check(make(explanations_, hl_explain));
      case 7:
        return read_encoding(slot(encodings_).get());
      case 8:
        read_attention(slot(attentions_).get());
        return compare(slot(attentions_).get(), slot(attentions_).get());
      case 9:
        return read_explanation(slot(explanations_).get());
      case 10:
        return ask_model();
      case 11:
        return hl_stop(slot(engines_).get());
      case 12:
        return text_error();
      default:
        return free_one();
    }
  }

 private:
  template <typename T>
  using Slots = std::array<Held<T>, kSlots>;
  template <typename T>
  Held<T>& slot(Slots<T>& handles) {
    return handles.at(bytes_.byte() % kSlots);
  }

  static void check(hl_status status) {
    require(status >= HL_OK && status <= HL_INTERNAL, "a status of the contract");
    require(status != HL_INTERNAL, std::string("no internal error: ") + hl_last_error());
    require(status == HL_OK || *hl_last_error() != '\0', "a failure has a line");
  }

  const char* word(std::initializer_list<const char*> known) {
    const std::size_t number = bytes_.byte() % (known.size() + 2);
    if (number < known.size()) return *(known.begin() + number);
    return number == known.size() ? nullptr : kept(bytes_.text(6)).c_str();
  }
  const std::string& kept(std::string_view text) { return memory_.emplace_back(text); }

  void new_engine() {
    hl_engine_options options;
    hl_engine_options_defaults(&options);
    const std::uint8_t kind = bytes_.byte();
    options.threads = kind % 4 == 3 ? -1 : kind % 4;
    options.precision = word({"fp32", "int8", "bf16"});
    if (kind > 200) options.struct_size = bytes_.byte();
    Held<hl_engine>& engine = slot(engines_);
    hl_engine* made = engine.get();  // which a failure must not leave there
    check(hl_engine_new(kind == 200 ? nullptr : &options, &made));
    engine.reset(made);
  }

  void load() {
    static const Models kModels;
    Held<hl_model>& model = slot(models_);
    const char* path =
        word({kModels.lexicon.c_str(), kModels.encoder.c_str(), "no such model", ""});
    hl_model* made = nullptr;
    check(hl_model_load(slot(engines_).get(), path, &made));
    model.reset(made);
  }

  hl_text text() {
    const std::string& first = kept(bytes_.text(40));
    const std::string& second = kept(bytes_.text(10));
    const std::uint8_t kind = bytes_.byte();
    hl_text text = {first.c_str(), first.size(), nullptr, 0};
    if (kind % 4 == 1) text.size = HL_C_STRING;
    if (kind % 4 == 2) text.size /= 2;
    if (kind % 8 == 7) text.pair = second.c_str();
    text.pair_size = kind > 100 ? HL_C_STRING : second.size();
    if (kind == 255) text.text = nullptr;
    return text;
  }

  const hl_run_options* options() {
    const std::uint8_t kind = bytes_.byte();
    if (kind % 4 == 0) return nullptr;
    hl_run_options_defaults(&options_);
    options_.max_tokens = bytes_.byte();
    options_.long_texts = word({"truncate", "error", "window"});
    options_.plain_text = kind % 8 == 1 ? 1 : 0;
    options_.method = word({"occlusion", "shapley", "gradient", "integrated-gradients", "lrp"});
    options_.seed = bytes_.byte();
    for (std::uint32_t& head : heads_) head = (bytes_.byte() % 3U) << 16U | (bytes_.byte() % 4U);
    options_.heads_off = kind > 250 ? nullptr : heads_.data();
    options_.heads_off_count = bytes_.byte() % (heads_.size() + 1);
    if (kind > 200) options_.struct_size = bytes_.byte();
    return &options_;
  }

  void score(bool embed) {
    const hl_model* const model = slot(models_).get();
    const std::size_t n = bytes_.byte() % (kMostTexts + 1);
    std::vector<hl_text> texts;
    for (std::size_t i = 0; i < n; ++i) texts.push_back(text());
    const std::size_t width = embed ? hl_model_embedding_width(model) : hl_model_labels(model);
    std::vector<float> numbers(n * width);
    std::vector<float> others(n * width);
    std::vector<hl_row> rows(n);
    const hl_run_options* const how = options();
    const hl_status status =
        embed
            ? hl_embed(model, texts.data(), n, how, numbers.data(), rows.data())
            : hl_classify(model, texts.data(), n, how, numbers.data(), others.data(), rows.data());
    check(status);
    if (status != HL_OK) return;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        require(std::isnan(numbers[i * width + j]) == (rows[i].status == HL_BAD_TEXT),
                "a row is NaN if its text is bad");
      }
      require(embed || (hl_text_error(model, &texts[i], how, nullptr, 0) > 0) ==
                           (rows[i].status == HL_BAD_TEXT),
              "a bad text has a reason");
    }
  }

  template <typename T>
  hl_status make(Slots<T>& handles, hl_status (*function)(const hl_model*, const hl_text*,
                                                          const hl_run_options*, T**)) {
    const hl_text input = text();
    Held<T>& handle = slot(handles);
    T* made = nullptr;
    const hl_status status = function(slot(models_).get(), &input, options(), &made);
    require((status == HL_OK) == (made != nullptr), "a call that fails makes no handle");
    handle.reset(made);
    return status;
  }

  void read_encoding(const hl_encoding* encoding) {
    const std::size_t n = hl_encoding_size(encoding);
    const std::uint32_t* const words = hl_encoding_words(encoding);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t begin = 1;
      std::size_t end = 0;
      const std::int32_t sequence = hl_encoding_offsets(encoding, i, &begin, &end);
      require(sequence >= 0 && sequence <= 2 && begin <= end, "a token has a place");
      require(hl_encoding_token(encoding, i) != nullptr, "a token has a name");
      require(hl_encoding_ids(encoding)[i] >= 0, "a token has an id");
      if (words == nullptr) continue;
      require(i == 0 ? words[i] == 0 : words[i] - words[i - 1] <= 1, "words ascend");
    }
    require(hl_encoding_token(encoding, n + bytes_.byte()) == nullptr, "no token after the last");
  }

  void read_attention(const hl_attention* attention) {
    const std::size_t t = hl_encoding_size(hl_attention_encoding(attention));
    const std::size_t layer = bytes_.byte() % 4;
    const std::size_t head = bytes_.byte() % 5;
    const float* const weights = hl_attention_weights(attention, layer, head);
    const std::size_t e = hl_attention_head_size(attention, layer, head);
    require((weights == nullptr) == (e == 0), "a head has a size");
    require((weights == nullptr) == std::isnan(hl_attention_entropy(attention, layer, head)),
            "a head has an entropy");
    require(hl_attention_label_weights(attention, head) == nullptr, "no label attention");
    if (weights == nullptr) return;
    double sum = 0;
    for (std::size_t i = 0; i < t * t; ++i) sum += static_cast<double>(weights[i]);
    require(std::abs(sum - static_cast<double>(t)) < 1e-3, "each row sums to 1");
    double all = 0;
    for (const float* rows :
         {hl_attention_queries(attention, layer, head), hl_attention_keys(attention, layer, head),
          hl_attention_values(attention, layer, head)}) {
      for (std::size_t i = 0; i < t * e; ++i) all += static_cast<double>(rows[i]);
    }
    require(std::isfinite(all), "queries, keys and values are finite");
    std::vector<float> products(t);
    std::vector<float> scores(t);
    std::vector<float> output(e);
    const std::size_t query = bytes_.byte();
    const hl_status status = hl_attention_steps(attention, layer, head, query, products.data(),
                                                scores.data(), output.data());
    check(status);
    require((status == HL_OK) == (query < t), "a token has steps");
    require(status != HL_OK || std::isfinite(scores[query]), "a query sees itself");
    read_encoding(hl_attention_encoding(attention));
  }

  static std::size_t words_in(const hl_attention* attention) {
    const hl_encoding* const encoding = hl_attention_encoding(attention);
    const std::size_t t = hl_encoding_size(encoding);
    return t == 0 ? 0 : hl_encoding_words(encoding)[t - 1] + std::size_t{1};
  }

  void compare(const hl_attention* before, const hl_attention* after) {
    const std::size_t fewer = std::min(words_in(before), words_in(after));
    std::vector<std::uint32_t> pairs(2 * fewer);
    std::size_t count = 0;
    check(hl_attention_align(before, after, pairs.data(), &count));
    require(count <= fewer, "no more pairs than words");
    std::vector<float> difference(count * count, 2.0F);
    const hl_status status = hl_attention_difference(before, after, bytes_.byte() % 4,
                                                     bytes_.byte() % 4, difference.data());
    check(status);
    for (const float x : difference) {
      require((std::abs(x) <= 1.0001F) == (status == HL_OK), "a difference of weights");
    }
  }

  void read_explanation(const hl_explanation* explanation) {
    const std::size_t words = hl_explanation_words(explanation);
    for (std::size_t i = 0; i < words; ++i) {
      std::size_t begin = 1;
      std::size_t end = 0;
      require(hl_explanation_word(explanation, i, &begin, &end) > 0 && begin < end,
              "a word has a place");
      require(std::isfinite(hl_explanation_effects(explanation, i)[0]), "an effect is finite");
    }
    require(hl_explanation_effects(explanation, words) == nullptr, "no word after the last");
  }

  void ask_model() {
    const hl_model* const model = slot(models_).get();
    const std::size_t number = bytes_.byte();
    require((hl_model_label(model, number) != nullptr) == (number < hl_model_labels(model)),
            "labels have names");
    require((hl_model_heads(model, number) > 0) == (number < hl_model_layers(model)),
            "layers have heads");
    require((hl_model_max_tokens(model) > 0) == (model != nullptr), "models have a limit");
  }

  void text_error() {
    const hl_text input = text();
    std::array<char, 16> buffer{};
    const std::size_t size = bytes_.byte() % (buffer.size() + 1);
    buffer.fill('x');
    hl_text_error(slot(models_).get(), &input, options(), buffer.data(), size);
    for (std::size_t i = size; i < buffer.size(); ++i) require(buffer.at(i) == 'x', "no byte more");
  }

  void free_one() {
    switch (bytes_.byte() % 5) {
      case 0:
        return slot(engines_).reset();
      case 1:
        return slot(models_).reset();
      case 2:
        return slot(encodings_).reset();
      case 3:
        return slot(attentions_).reset();
      default:
        return slot(explanations_).reset();
    }
  }

  CallBytes& bytes_;
  std::deque<std::string> memory_;
  hl_run_options options_{};
  std::array<std::uint32_t, 3> heads_{};
  // Freed from the last to the first.
  Slots<hl_encoding> encodings_;
  Slots<hl_model> models_;
  Slots<hl_attention> attentions_;
  Slots<hl_engine> engines_;
  Slots<hl_explanation> explanations_;
};

}  // namespace

void run_library(std::string_view data) {
  constexpr int kMostCalls = 40;
  CallBytes bytes(data);
  Session session(bytes);
  for (int calls = 0; calls < kMostCalls && !bytes.is_empty(); ++calls) session.call();
}

}  // namespace headlight::fuzz
