// Makes a start with weights smaller before all of its weights are trained: fewer layers, as the
// start of DistilBERT (Sanh et al. 2019, "DistilBERT, a distilled version of BERT", §3), fewer
// pieces of its WordPiece vocabulary, and narrower feed-forwards.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classifier/text_classifier.h"
#include "model/model.h"
#include "text/tokenizer.h"
#include "training/cuts/feed_forward_cut.h"
#include "training/directory/model_directory.h"
#include "training/settings.h"
#include "training/watch.h"

namespace headlight {

/// Leaves out all layers but these, which are ascending and below the model's number of layers.
/// The model must not be prepared yet.
void keep_layers(const std::vector<std::size_t>& layers, Model& model);

struct PieceChoice {
  std::vector<TokenId> kept;  // ascending
  std::size_t required = 0;   // special tokens, added tokens and pieces of one character
  double share = 1.0;         // of the pieces of the texts: those that are kept
};

/// Keeps all special tokens, added tokens and pieces of one character, so that no word of the texts
/// becomes unknown: of a Latin letter, a digit, punctuation or a currency sign, and of what else
/// the texts contain. The other places up to `size` go to the pieces that occur most often in the
/// texts; of equally frequent ones, the lower id. `always` are further ids to keep. If `required`
/// is more than `size`, `kept` is longer than `size`. Texts that the tokenizer cannot read are left
/// out.
PieceChoice choose_pieces(const Tokenizer& tokenizer, const std::vector<const TextInput*>& inputs,
                          std::size_t size, const std::vector<TokenId>& always);

/// Leaves out pieces. Owns the embeddings and the tokenizer's files of the model, which must not
/// outlive it.
class VocabularyCut {
 public:
  /// The files are in `path`.partial, a directory that the destructor removes.
  explicit VocabularyCut(std::string path) : path_(std::move(path)) {}

  /// Keeps at most `size` tokens, see choose_pieces(). Throws Error if the vocabulary is not of
  /// WordPiece, has no file of its own, or has more special tokens and characters than `size`.
  CutResult cut(std::size_t size, const std::vector<const TextInput*>& inputs, Model& model);

 private:
  std::string path_;
  std::optional<ModelDirectory> files_;
  std::vector<std::byte> embeddings_;
};

/// All that is left out of a model, which must not outlive it.
class StartCut {
 public:
  /// `directory`: where the finished model will be.
  StartCut(CutSettings settings, const std::string& directory, FitWatch& watch)
      : settings_(std::move(settings)), watch_(watch), vocabulary_(directory + ".start") {}

  /// Notes what is kept. `train`: the texts to train on. Throws Error for what cannot be cut.
  void cut(const std::vector<const TextInput*>& train, Model& model);

 private:
  CutSettings settings_;
  FitWatch& watch_;
  VocabularyCut vocabulary_;
  FeedForwardCut feed_forward_;
};

}  // namespace headlight
