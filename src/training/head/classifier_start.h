// The model that a new classification head is put on: its encoder, pooling and dense layer, as the
// finished model will compute them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/sentence_modules.h"
#include "training/head/head_fitting.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

class ClassifierStart {
 public:
  /// Of a model with a classification head, all but its last layer and n-grams. Without a head, the
  /// pooling and the modules of its folder as far as they can be part of a classifier. Throws Error
  /// for a model that has no vector per text: one that labels tokens, or with label attention.
  /// `labels` are those of the rows: notes() says which named labels of a classifier are not among
  /// them, unless numbers or no labels are learned. `normalizes`: the module Normalize becomes a
  /// part of the classifier too.
  explicit ClassifierStart(Model loaded, const LabelSet& labels = {}, bool normalizes = false);

  /// Whether only the last layer will differ from the start, so that the files keep their layout.
  bool keeps_layout() const { return keeps_layout_; }
  /// Whether texts are read in another way than the loaded model reads them.
  bool reads_otherwise() const { return reads_otherwise_; }
  /// What is left out or was chosen, one line each.
  const std::vector<std::string>& notes() const { return notes_; }
  /// The first module that is left out, and why; empty: none is.
  const std::string& left_out() const { return left_out_; }
  /// Of the vectors that the last layer reads.
  std::size_t width() const { return model_.description.classifier_size(); }
  /// Whether the last layer has a bias.
  bool has_bias() const { return model_.description.classifier_bias; }
  /// The number format of the last layer.
  NumberFormat format() const { return format_; }

  Model& model() { return model_; }
  const Model& model() const { return model_; }

  /// Gives the model this last layer.
  void set_head(LinearHead head, const LabelSet& labels);
  /// Divides the logits of the last layer.
  void divide_head(float divisor);
  /// Adds n-grams to the logits, with a table [B, c].
  void set_label_ngrams(NgramDescription ngrams, std::vector<float> table);
  /// Leaves the encoder and its pooling alone.
  void remove_head();

 private:
  void use_modules();
  /// Makes a module a part of the model. Returns why it cannot be one; empty if it is.
  std::string absorb(const NormalizeModule& normalize);
  std::string absorb(const DenseModule& dense);
  std::string absorb(const LayerNorm& norm);

  Model model_;
  SentenceModules modules_;
  std::vector<float> dense_weight_;  // of a module with fewer outputs, filled with zeros
  std::vector<float> dense_bias_;
  LinearHead head_;
  std::vector<float> label_ngrams_;
  bool keeps_layout_;
  bool normalizes_;
  std::string left_out_;
  bool reads_otherwise_ = false;
  NumberFormat format_ = NumberFormat::f32;
  std::vector<std::string> notes_;
};

}  // namespace headlight
