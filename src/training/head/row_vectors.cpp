#include "training/head/row_vectors.h"

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "rows/origin.h"

namespace headlight {

std::string origin_of_vectors(const Model& model, const Engine& engine, const RowPointers& rows,
                              const std::string& cut) {
  std::string texts;
  for (const LabelledRow* row : rows) {
    texts = hash_of(texts + row->input.text + '\0' + row->input.pair.value_or("\1"));
  }
  return model_hash(marks_of_files(model.files)) + '\n' + engine.arithmetic() + '\n' + texts + cut;
}

bool encode_rows(const Model& model, const RowPointers& rows, std::size_t threads, VectorFile& file,
                 FitWatch& watch, const std::string& hint) {
  if (file.count() == rows.size()) return true;
  if (file.count() > 0) watch.note("resuming after " + counted(file.count(), "text"));
  watch.begin(FitWatch::Stage::encoding, file.count());
  encode_texts(model, rows, threads, file, [&](std::size_t done) {
    watch.count(done, static_cast<double>(done) / static_cast<double>(rows.size()));
  });
  watch.end();
  if (caught_signal() == 0) return true;
  watch.warn("stopped after " + std::to_string(file.count()) + " of " +
             counted(rows.size(), "text") + "; " + hint);
  return false;
}

}  // namespace headlight
