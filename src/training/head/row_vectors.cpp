#include "training/head/row_vectors.h"

#include <span>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "rows/origin.h"

namespace headlight {
namespace {

struct MissingTexts {
  std::span<const LabelledRow* const> rows;
  std::size_t before;  // texts that have a vector
  std::string hint;    // how to go on after a signal
};

/// Returns false if a signal stopped the work.
bool encode_missing(const Model& model, const MissingTexts& missing, std::size_t threads,
                    FitWatch& watch, const AddVector& add) {
  constexpr std::size_t kTextsShown = 64;
  const std::size_t all = missing.before + missing.rows.size();
  std::size_t done = missing.before;
  if (done == all) return true;
  if (done > 0) watch.note("resuming after " + counted(done, "text"));
  watch.begin(FitWatch::Stage::encoding, done);
  encode_texts(model, missing.rows, threads, [&](const LabelledRow& row, auto vector) {
    add(row, vector);
    const bool is_shown = ++done % kTextsShown == 0 || done == all;
    if (is_shown) watch.count(done, static_cast<double>(done) / static_cast<double>(all));
  });
  watch.end();
  if (!is_interrupted()) return true;
  watch.warn("stopped after " + std::to_string(done) + " of " + counted(all, "text") + "; " +
             missing.hint);
  return false;
}

}  // namespace

std::string origin_of_vectors(const Model& model, const Engine& engine, const RowPointers& rows,
                              const std::string& cut) {
  std::string texts;
  for (const LabelledRow* row : rows) {
    texts = hash_of(texts + row->input.text + '\0' + row->input.pair.value_or("\1"));
  }
  return model_hash(marks_of_files(model.files)) + '\n' + engine.arithmetic() + '\n' + texts + cut +
         (model.description.reads_windows ? "\nwindow" : "") +
         (model.head_seed ? "\nhead " + std::to_string(*model.head_seed) : "");
}

bool encode_rows(const Model& model, const RowPointers& rows, std::size_t threads, VectorFile& file,
                 FitWatch& watch, const std::string& hint) {
  file.drop_after(rows.size());
  const std::size_t before = file.count();
  const bool is_whole =
      encode_missing(model, {std::span(rows).subspan(before), before, hint}, threads, watch,
                     [&](const LabelledRow& /*row*/, auto vector) { file.add(vector); });
  file.flush();
  return is_whole;
}

bool encode_rows(const std::string& kept_vectors, const Model& model, const Engine& engine,
                 const RowPointers& rows, VectorFile& file, FitWatch& watch) {
  if (kept_vectors.empty()) return encode_rows(model, rows, engine.threads(), file, watch);
  KeptVectors kept(kept_vectors, origin_of_vectors(model, engine, {}, ""), file.width());
  const RowPointers missing = kept.missing(rows);
  watch.note(kept_vectors + " lacks the vectors of " + counted(missing.size(), "text"));
  const bool is_whole = encode_missing(
      model, {missing, 0, "the same command goes on from there"}, engine.threads(), watch,
      [&](const LabelledRow& row, auto vector) { kept.add(row.input, vector); });
  kept.open_added();
  if (!is_whole) return false;
  for (const LabelledRow* row : std::span(rows).subspan(file.count())) {
    file.add(kept.find(row->input));
  }
  return true;
}

}  // namespace headlight
