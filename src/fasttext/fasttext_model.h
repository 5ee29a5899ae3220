// A model file of fastText (.bin, .ftz; version 0.9.2), mapped: only the rows that texts have are
// read. START HERE in this room.
//
// Example:
//   const FasttextModel model("lid.176.ftz");
//   FasttextScratch scratch;  // one per thread
//   model.read("un texte", scratch);
//   model.average(scratch);
//   model.scorer().score(scratch.mean, /*most=*/3, /*all=*/false, scratch.scores);
//   const std::size_t best = scratch.scores.ranked[0];
//   const std::string_view label = model.dictionary().label(best);  // "__label__fr"
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "fasttext/arguments.h"
#include "fasttext/dictionary.h"
#include "fasttext/file_bytes.h"
#include "fasttext/scores.h"
#include "fasttext/table.h"
#include "fasttext/words.h"
#include "text/feature_model.h"

namespace headlight {

/// Memory for a text, used again for the next.
struct FasttextScratch {
  std::vector<FasttextWord> words;
  std::vector<std::uint32_t> places;  // as rows_of() needs them
  std::vector<std::uint32_t> rows;
  std::vector<float> mean;  // [d]
  FasttextScores scores;
};

/// Const and shared by threads.
class FasttextModel : public FeatureModel {
 public:
  /// Throws Error if the file is not such a model, or not complete.
  explicit FasttextModel(const std::string& path);

  const char* kind() const override { return "fastText"; }
  bool gives_vectors() const override { return true; }
  /// The words, each before its n-grams of characters, then the n-grams of words.
  Encoding features_of(std::string_view text) const override;
  /// Named as the options of fastText, in the order of the file.
  Facts arguments() const override;
  Facts sizes() const override;

  const FasttextArguments& settings() const { return arguments_; }
  const FasttextDictionary& dictionary() const { return dictionary_; }
  const FasttextWords& words() const { return words_; }
  const FasttextTable& input() const { return input_; }    // [m, d]
  const FasttextTable& output() const { return output_; }  // [c, d]
  /// Of a supervised model.
  const FasttextScorer& scorer() const { return *scorer_; }
  bool is_supervised() const { return scorer_.has_value(); }
  std::size_t bytes() const override { return file_.bytes().size(); }

  /// scratch.words and .rows of a text.
  void read(std::string_view text, FasttextScratch& scratch) const;
  /// The mean of scratch.rows, in scratch.mean; zeros without rows. False if a number is not
  /// finite.
  bool average(FasttextScratch& scratch) const;
  /// The mean of the unit vectors of the words, in scratch.mean, as of a model without labels.
  bool average_words(std::string_view text, FasttextScratch& scratch) const;

 private:
  std::size_t width() const { return static_cast<std::size_t>(arguments_.dim); }
  void check() const;

  MappedFile file_;
  FileBytes bytes_;  // what is not read yet
  FasttextArguments arguments_;
  FasttextDictionary dictionary_;
  bool is_quantised_;
  FasttextTable input_;
  FasttextTable output_;
  FasttextWords words_;
  std::optional<FasttextScorer> scorer_;
};

}  // namespace headlight
