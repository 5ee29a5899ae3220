// A model to train from a config without weights: its words are learned from the rows if it has
// none, its labels are those of the rows, its weights are random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "text/files/native_tokenizer.h"
#include "training/directory/model_directory.h"
#include "training/rows/labelled_rows.h"
#include "training/rows/vocabulary_learning.h"

namespace headlight {

class FreshModel {
 public:
  /// Reads the config of a native model. `vocabulary_size` is the number of words to learn; empty:
  /// vocab_size of the config. `text` is the config, if place.config is not a file. Throws Error,
  /// also for a published tokenizer without its files.
  FreshModel(const ModelPlace& place, std::optional<std::size_t> vocabulary_size,
             std::string text = "");
  /// With the tokenizer of `reader`, of which nothing else is kept; as long texts as it reads are
  /// read. `config` is that of a native model without words.
  FreshModel(Model reader, const std::string& config);
  /// The same with other fields of the config, as a merge patch (RFC 7386), whose words are to be
  /// learned.
  FreshModel with(const std::string& fields) const;

  /// Whether neither the config nor a file beside it has words; then learn_words() must be called.
  bool needs_words() const { return !model_.tokenizer; }
  /// Until then, equal for texts that the normalizer and the splitter make the same of. Throws
  /// TextError for a text without words.
  std::uint64_t key_of(const TextInput& input) const;
  /// Learns the vocabulary from the texts, pairs included. Throws Error, also if the files of the
  /// model could not be read again as they would be written.
  void learn_words(const std::vector<const TextInput*>& inputs);
  /// Of the texts that the words were learned from.
  const WordCounts& word_counts() const { return counts_; }
  /// The labels and the problem type of the rows; without labels, the model is an encoder alone.
  void set_labels(const LabelSet& labels);

  /// Replaces the number in the config, which has n-grams.
  void set_ngram_buckets(std::size_t buckets) { model_.description.ngrams->buckets = buckets; }

  /// Without weights; texts can be read once there are words.
  Model& model() { return model_; }
  const Model& model() const { return model_; }

  /// config.json as it was, with what the rows say.
  std::string config() const;
  /// vocab.txt; empty if the words were not learned.
  std::string vocabulary_file() const;
  /// Writes both, or the files of the tokenizer.
  void write(ModelDirectory& directory) const;

 private:
  void check_files() const;

  std::string text_;  // of the config; empty with the tokenizer of another model
  Model model_;
  TokenizerSettings tokenizer_;
  std::optional<std::size_t> vocabulary_size_;
  std::vector<std::string> learned_;  // words by id
  WordCounts counts_;
};

}  // namespace headlight
