// Whatever config `headlight init` accepts, a training from it gives a model that is read back as
// it was trained, or is refused before it begins.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "classifier/text_reader.h"
#include "encoder/forward.h"
#include "model/init.h"
#include "reference/random_model.h"
#include "sanitized.h"
#include "training/fit.h"

namespace headlight::every_start_test {
namespace {

using nlohmann::json;
using reference::Random;
using Strings = std::vector<std::string>;

const Strings kWords = {"the", "film", "is", "good", "bad",  "not",  "Good", "Été",
                        "a",   "an",   "it", "was",  "very", "well", "made", "東京"};

/// A description with what the reference models lack, and any tokenizer.
class StartMaker {
 public:
  explicit StartMaker(std::uint64_t seed)
      : random(seed ^ 0x5eedU), config(reference::random_model(seed).config) {
    if (random.chance(1, 4)) drop_layers();
    if (config.value("position_embedding_type", "") == "absolute") {
      config["positions_skip_pad"] = random.chance(1, 2);
    }
    if (random.chance(1, 6)) config["relative_attention_num_buckets"] = 32;
    if (config.value("attention_output_projection", true) && random.chance(1, 6)) {
      config["final_norm"] = random.chance(1, 2);
    }
    config["max_position_embeddings"] = random.whole(1, 8) == 1 ? 5 : 512;
    if (config.value("pad_to_length", json()).is_number()) config["pad_to_length"] = 5;
    make_tokenizer();
    add_label_ngrams();
  }

  /// Also the files beside it. Returns its path.
  std::string write(const TemporaryFolder& folder) const {
    if (in_files_) {
      std::string lines;
      for (const std::string& word : words()) lines += word + "\n";
      folder.write("start/vocab.txt", lines);
    }
    return folder.write("start/config.json", config.dump());
  }

  /// Twenty rows; those of a classifier have two labels, or lists of labels.
  std::string rows() {
    std::string text = "text,label\n";
    for (std::size_t i = 0; i < 20; ++i) {
      const std::size_t length = random.whole(1, 9);
      for (std::size_t k = 0; k < length; ++k) {
        text += random.one_of(kWords) + random.one_of<std::string>({" ", " ", ". ", ""});
      }
      const bool even = i % 2 == 0;
      text += problem == ProblemType::regression    ? "," + std::to_string(i % 7)
              : problem == ProblemType::multi_label ? (even         ? ",a|b"
                                                       : i % 3 == 0 ? ","
                                                                    : ",b")
              : even                                ? ",a"
                                                    : ",b";
      text += '\n';
    }
    return text;
  }

  Random random;
  json config;
  ProblemType problem = ProblemType::single_label;

 private:
  void drop_layers() {
    for (const char* name :
         {"pad_to_length", "relative_attention", "pos_att_type", "max_relative_positions",
          "position_buckets", "share_att_key", "norm_rel_ebd", "conv_kernel_size", "conv_groups",
          "conv_act", "pooling", "last_skips_pad", "first_attention_norm", "rope_interleaved",
          "partial_rotary_factor", "attention_window", "rope_theta"}) {
      config.erase(name);
    }
    config["num_hidden_layers"] = 0;
    if (random.chance(1, 4)) return;
    config["ngram_sizes"] = random.one_of<json>({{2}, {3}, {2, 3}});
    config["ngram_buckets"] = random.whole(1, 40);
    config["ngram_seed"] = random.whole(0, 9);
    if (random.chance(1, 3)) return;
    for (const char* name : {"type_vocab_size", "embedding_scale", "embedding_layer_norm",
                             "embedding_size", "embedding_projection", "embedding_projection_first",
                             "head_dense_act", "head_norm", "head_dense_first"}) {
      config.erase(name);
    }
    config["position_embedding_type"] = "none";
  }

  void add_label_ngrams() {
    const json pooling = config.value("pooling", json("mean"));
    const bool fits = pooling != "none" && pooling != "label_attention";
    if (!fits || config.contains("ngram_sizes") || config.contains("pad_to_length")) return;
    if (!random.chance(1, 3)) return;
    config["label_ngram_sizes"] = random.one_of<json>({{1}, {1, 2}, {3}});
    config["label_ngram_buckets"] = random.whole(1, 40);
  }

  void make_tokenizer() {
    problem = random.one_of<ProblemType>(
        {ProblemType::single_label, ProblemType::multi_label, ProblemType::regression});
    config.erase("tokenizer");
    const std::size_t kind = random.whole(0, 9);
    if (kind == 0) return;  // the defaults
    json& tokenizer = config["tokenizer"];
    const bool published = kind == 1;
    in_files_ = published || kind < 4;
    if (published) {
      tokenizer["class"] = random.one_of<std::string>({"BertTokenizer", "BertTokenizerFast"});
      tokenizer["lowercase"] = random.chance(1, 2);
      if (random.chance(1, 4)) in_files_ = false;
    } else {
      tokenizer["type"] = random.one_of<std::string>({"wordpiece", "words", "whitespace"});
      for (const char* name : {"lowercase", "strip_accents", "remove_punctuation"}) {
        if (random.chance(1, 2)) tokenizer[name] = random.chance(1, 2);
      }
      for (const char* name : {"unk_token", "cls_token", "sep_token"}) {
        if (random.chance(1, 6)) tokenizer[name] = nullptr;
        if (random.chance(1, 8)) tokenizer[name] = "good";
      }
      if (random.chance(1, 2)) tokenizer["add_special_tokens"] = random.chance(1, 2);
      if (kind < 7 && !in_files_) tokenizer["vocabulary"] = words();
    }
    const bool has_words = in_files_ || tokenizer.contains("vocabulary");
    if (has_words) config["vocab_size"] = words().size() + random.whole(0, 2);
    if (config["vocab_size"] <= config.value("pad_token_id", 0)) config["pad_token_id"] = 0;
  }

  static Strings words() {
    Strings all = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", "##o", "##d", "go", "ba"};
    all.insert(all.end(), kWords.begin(), kWords.end());
    return all;
  }

  bool in_files_ = false;
};

class Steps : public FitWatch {
 public:
  void begin(Stage /*stage*/, std::size_t /*before*/) override { has_begun = true; }
  bool has_begun = false;
};

FitRows reading(RowReader& train, RowReader& dev) { return {train, &dev}; }

/// The figures of the written model on the rows that it can read.
DevelopmentFigures figures_of(const Model& model, const LabelSet& labels, const std::string& file,
                              const RowReading& form) {
  RowReader reader(file, form);
  const DataOptions options{.is_regression = labels.problem_type == ProblemType::regression};
  TrainingData data = make_training_data(read_spelled_rows(reader, options, ""), std::nullopt,
                                         {.is_regression = options.is_regression, .dev_share = 0.0},
                                         {model, false, {}, [](const auto&) {}});
  std::vector<float> logits;
  for (const LabelledRow& row : data.rows.train) {
    Batch batch;
    batch.add(row.tokens.ids, row.tokens.type_ids);
    Scratch scratch;
    const ConstMatrix z = forward(model.description, model.weights, {batch, scratch});
    logits.insert(logits.end(), z.row(0).begin(), z.row(0).end());
  }
  return development_figures(labels, logits, data.rows.train);
}

std::vector<double> values_of(const Evaluation& evaluation) {
  std::vector<double> values;
  for (const Measure& measure : evaluation.measures) values.push_back(measure.value);
  return values;
}

/// Returns why it was refused; "" if it was trained.
std::string fit_from(std::uint64_t seed, bool is_static) {
  const TemporaryFolder folder;
  StartMaker start(seed);
  const std::string config = start.write(folder);
  const std::string rows = folder.write("rows.csv", start.rows());
  CAPTURE(seed);
  CAPTURE(start.config.dump());
  try {
    init_model(config, folder / "random", 0, /*force=*/true);
  } catch (const Error& error) {
    FAIL_CHECK("headlight init refuses it: " << error.line());
    return error.line();
  }
  RowReading form;
  form.format = RowFormat::csv;
  form.needs_label = true;
  RowReader train(rows, form);
  RowReader dev(rows, form);
  AllSettings settings;
  settings.course.epochs = 1 + seed % 2;
  settings.keep_last = true;
  FitRequest request;
  request.place.output = folder / "made";
  request.way = is_static ? static_way({}) : all_way(settings);
  request.data.is_regression = start.problem == ProblemType::regression;
  Steps seen;
  Fit made;
  try {
    made = fit({{}, locate_model(folder / "start", "")}, reading(train, dev), request, Engine({}),
               seen);
  } catch (const Error& error) {
    CHECK_MESSAGE(!seen.has_begun, error.line());
    return error.line();
  }
  const Model model = load_model(locate_model(folder / "made", ""));
  const DevelopmentFigures found = figures_of(model, made.labels, rows, form);
  REQUIRE(made.figures);
  const auto& expected = made.figures->evaluation;
  CHECK(found.evaluation.rows == expected.rows);
  CHECK(found.calibration.temperature == model.calibration.temperature);
  CHECK(values_of(found.evaluation) == values_of(expected));
  return "";
}

// HEADLIGHT_STARTS=5000 tries more, and lists what was refused.
TEST_CASE("every bare config trains and is read back, or is refused before the training") {
  const char* asked = std::getenv("HEADLIGHT_STARTS");  // NOLINT(concurrency-mt-unsafe)
  const std::uint64_t count = asked != nullptr ? std::stoul(asked) : kSanitized ? 12 : 60;
  std::map<std::string, std::vector<std::uint64_t>> refused;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    for (const bool is_static : {false, true}) {
      if (is_static && !StartMaker(seed).config.contains("ngram_sizes")) continue;
      const std::string reason = fit_from(seed, is_static);
      if (!reason.empty()) refused[reason.substr(reason.find(": ") + 2)].push_back(seed);
    }
  }
  std::size_t all = 0;
  for (const auto& [reason, seeds] : refused) {
    all += seeds.size();
    if (asked != nullptr) {
      std::cout << seeds.size() << " such as " << seeds.front() << ": " << reason << '\n';
    }
  }
  CHECK(3 * all < count);
}

}  // namespace
}  // namespace headlight::every_start_test
