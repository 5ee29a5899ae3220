// A linear classifier of counted features, as a pipeline of scikit-learn has it: dictionaries of
// words or n-grams (or their hashes), weights of their counts such as tf-idf, and a sum of the
// weights of all features for each label. START HERE in this room.
//
// Sums are float64, as in scikit-learn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "sparse/analyzer.h"
#include "sparse/dictionary.h"
#include "sparse/term_memo.h"
#include "text/feature_model.h"

namespace headlight {

/// What is done to the numbers of all features of a text, one after another. binary: each becomes
/// 1. sublinear: 1 + ln x. idf: each times that of its feature. l1, l2: divided by the norm.
enum class SparseStep : std::uint8_t { binary, sublinear, idf, l1, l2 };
inline constexpr std::array<Word<SparseStep>, 5> kSparseStepWords = {
    {{"binary", SparseStep::binary},
     {"sublinear_tf", SparseStep::sublinear},
     {"idf", SparseStep::idf},
     {"l1", SparseStep::l1},
     {"l2", SparseStep::l2}}};

struct SparseSteps {
  std::vector<SparseStep> steps;
  std::span<const double> idf;  // of each feature, if a step is idf
  double scale = 1.0;           // then
};

/// How a text's features are counted, and their rows in the weights.
struct SparseFeatures {
  AnalyzerSettings analyzer;
  SparseDictionary dictionary;
  std::uint32_t buckets = 0;   // in place of a dictionary: features are hashes modulo this
  bool alternate_sign = true;  // of buckets: each count has the sign of its hash
  SparseSteps steps;
  std::size_t first = 0;  // row of the weights

  std::size_t size() const { return buckets > 0 ? buckets : dictionary.size(); }
};

/// none: decision values alone. The others make a probability of each decision value and divide
/// each by the sum of all, but for several labels at once. clipped: of −1 to 1.
enum class SparseOutput : std::uint8_t { none, softmax, sigmoid, clipped };
inline constexpr std::array<Word<SparseOutput>, 4> kSparseOutputWords = {
    {{"none", SparseOutput::none},
     {"softmax", SparseOutput::softmax},
     {"sigmoid", SparseOutput::sigmoid},
     {"clipped", SparseOutput::clipped}}};

/// A function of a decision value by linear interpolation between points; constant outside.
struct SparseCurve {
  std::span<const double> x;  // in rising order
  std::span<const double> y;

  double at(double value) const;
};

struct SparseHead {
  std::size_t labels = 0;  // c
  /// Probabilities are means over so many classifiers.
  std::size_t folds = 1;            // k
  std::size_t columns = 0;          // m: c, or 1 for two labels with decision values −x and x
  std::span<const double> weights;  // [V, k · m]; empty: those of `narrow`
  std::span<const float> narrow;    // [V, k · m]
  std::span<const double> bias;     // [k · m]
  SparseOutput output = SparseOutput::none;
  bool each_label = false;          // several labels at once
  std::span<const double> slopes;   // [k · c] of decision values before `output`; empty: 1
  std::span<const double> offsets;  // [k · c]; empty: 0
  std::vector<SparseCurve> curves;  // [k · c] in place of `output`
};

/// A feature and its number in a text.
struct SparseEntry {
  std::uint32_t row = 0;  // of the weights
  double value = 0.0;
};

/// Memory for a text, used again for the next one.
struct SparseScratch : FeatureScratch {
  AnalyzerScratch analyzer;
  TermMemo memo;
  WordMemo words;
  std::vector<std::uint32_t> places;  // a hash table: 1 + number in `entries`, or 0
  std::vector<SparseEntry> entries;   // each row once, those of a dictionary together
  std::size_t terms = 0;              // that were read, known or not
  std::vector<double> probabilities;  // [c]; empty: the model has none
  std::vector<double> logits;         // [c] the means of decisions over k
};

/// Const and shared by threads.
class SparseModel : public FeatureModel {
 public:
  /// `memory` owns what the spans show; they were checked to fit together.
  SparseModel(std::vector<SparseFeatures> features, SparseSteps steps, SparseHead head,
              std::shared_ptr<const void> memory, std::size_t bytes);

  const char* kind() const override { return "n-grams"; }
  bool gives_vectors() const override { return false; }
  Encoding features_of(std::string_view text) const override;
  Facts arguments() const override;
  Facts sizes() const override;
  std::size_t bytes() const override { return bytes_; }

  const std::vector<SparseFeatures>& features() const { return features_; }
  const SparseHead& head() const { return head_; }
  /// Sets scratch.entries. Throws TextError for a text that cannot be read.
  void read(std::string_view text, SparseScratch& scratch) const;
  /// Decision values are divided by the temperature for the probabilities.
  void score(double temperature, SparseScratch& scratch) const;
  /// [words, c] What words, in code points of the text, add to the logits: an equal share of each
  /// n-gram that a word has a part of.
  std::vector<std::vector<float>> effects_of(std::string_view text,
                                             std::span<const Offset> words) const;

 private:
  template <typename Take>
  void visit(std::size_t part, std::string_view text, SparseScratch& scratch,
             const Take& take) const;
  /// The rows of the n-grams of each word in turn, with WordMemo::kNoRow for those without one.
  template <typename Take>
  void visit_words_of(std::size_t part, std::string_view text, SparseScratch& scratch,
                      const Take& take) const;
  void add_row(const SparseEntry& entry, std::vector<double>& sums) const;
  std::vector<double> of_labels(std::span<const double> sums) const;
  std::vector<double> mean_of_folds(std::span<const double> decisions) const;
  void make_probabilities(std::size_t fold, std::span<double> x) const;

  std::vector<SparseFeatures> features_;
  SparseSteps steps_;
  SparseHead head_;
  std::shared_ptr<const void> memory_;
  std::size_t bytes_;
};

}  // namespace headlight
