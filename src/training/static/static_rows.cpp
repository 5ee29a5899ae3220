#include "training/static/static_rows.h"

#include "encoder/ngrams.h"

namespace headlight {

StaticRows::StaticRows(const Description& model, const std::vector<LabelledRow>& rows) {
  TextParts found;
  starts_.reserve(rows.size() + 1);
  for (const LabelledRow& row : rows) {
    find_parts(*model.ngrams, row.tokens.ids, row.tokens.type_ids, found);
    for (const std::size_t i : found.tokens) parts_.push_back(row.tokens.ids[i]);
    for (const Ngram& ngram : found.ngrams) {
      parts_.push_back(static_cast<std::uint32_t>(model.vocab_size + ngram.bucket));
    }
    starts_.push_back(parts_.size());
  }
}

}  // namespace headlight
