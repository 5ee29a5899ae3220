// Writes a native model as others read it: a folder of transformers, of sentence-transformers, or
// of model2vec; and the encoder of others as a native model.
#pragma once

#include <string>

#include "model/model.h"

namespace headlight {

enum class ExportLayout : std::uint8_t {
  /// BertForSequenceClassification, BertForTokenClassification, or BertModel of an encoder alone.
  bert,
  /// BertModel and a pooling; with a classifier a dense layer, whose vectors are the logits.
  sentence_transformers,
  /// A table of vectors, of a model without layers: StaticEmbedding, with that dense layer; config
  /// and tensors of model2vec if the tokens are those of its rules.
  static_table,
  /// An encoder with the pooling and the modules of its folder.
  native
};
inline constexpr std::array<Word<ExportLayout>, 4> kExportLayoutWords = {
    {{"bert", ExportLayout::bert},
     {"sentence-transformers", ExportLayout::sentence_transformers},
     {"static", ExportLayout::static_table},
     {"headlight", ExportLayout::native}}};

/// Numbers are float32. A projection of the embeddings is multiplied into their tables, and a
/// stored temperature divides the classifier. Throws Error{config, …} that names the field which
/// has no counterpart in the layout, and as ModelDirectory does.
void export_model(Model model, ExportLayout layout, const std::string& directory, bool force);

}  // namespace headlight
