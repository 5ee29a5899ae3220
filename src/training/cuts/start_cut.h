// Makes a model smaller before all of its weights are trained: fewer layers, as the start of
// DistilBERT (Sanh et al. 2019, "DistilBERT, a distilled version of BERT", §3), and fewer pieces of
// its WordPiece vocabulary.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifier/text_classifier.h"
#include "model/model.h"
#include "training/directory/model_directory.h"

namespace headlight {

/// Leaves out all layers but these, which are ascending and below the model's number of layers.
/// The model must not be prepared yet.
void keep_layers(const std::vector<std::size_t>& layers, Model& model);

/// Leaves out pieces. Owns the embeddings and the tokenizer's files of the model, which must not
/// outlive it.
class VocabularyCut {
 public:
  struct Kept {
    std::size_t tokens;
    std::size_t before;
    double share;  // of the pieces of the texts: those that are kept
  };

  /// The files are in `path`.partial, a directory that the destructor removes.
  explicit VocabularyCut(std::string path) : path_(std::move(path)) {}

  /// Keeps at most `size` tokens, see choose_pieces(). Throws Error if the vocabulary is not of
  /// WordPiece, has no file of its own, or has more special tokens and characters than `size`.
  Kept cut(std::size_t size, const std::vector<const TextInput*>& inputs, Model& model);

 private:
  std::string path_;
  std::optional<ModelDirectory> files_;
  std::vector<std::byte> embeddings_;
};

}  // namespace headlight
