#include "encoder/trace.h"

#include "encoder/pass.h"

namespace headlight {
namespace {

/// The keys or values of each head [n, H], from those of the key heads [n, H/g].
void keep_of_heads(const HeadsDescription& heads, ConstMatrix value, std::vector<float>& kept) {
  if (heads.group == 1) return keep_rows(value, kept);
  const std::size_t e = heads.sizes.front();
  for (std::size_t i = 0; i < value.rows; ++i) {
    for (std::size_t first = 0; first < value.cols; first += e) {
      const auto key_head = value.row(i).subspan(first, e);
      for (std::size_t head = 0; head < heads.group; ++head) {
        kept.insert(kept.end(), key_head.begin(), key_head.end());
      }
    }
  }
}

}  // namespace

bool Trace::reads_all_rows() const {
  return wants_attention || wants_queries_and_keys || wants_context || wants_hidden;
}

void Trace::note(const Pass& pass, Moment moment, ConstMatrix value) {
  if (moment == Moment::embedded) texts.assign(pass.batch.texts(), {});
  std::vector<std::vector<float>> TextTrace::*kept = nullptr;
  if (moment == Moment::embedded && wants_hidden) kept = &TextTrace::hidden;
  if (moment == Moment::layer_output && wants_hidden) kept = &TextTrace::hidden;
  if (moment == Moment::context && wants_context) kept = &TextTrace::context;
  if (moment == Moment::value && wants_values) kept = &TextTrace::values;
  if (moment == Moment::query && wants_queries_and_keys) kept = &TextTrace::queries;
  if (moment == Moment::key && wants_queries_and_keys) kept = &TextTrace::keys;
  if (kept == nullptr) return;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    const ConstMatrix rows = value.row_range(pass.batch.starts()[text], pass.batch.length(text));
    std::vector<float>& of_text = (texts[text].*kept).emplace_back();
    if (moment == Moment::key || moment == Moment::value) {
      keep_of_heads(pass.model->layers[pass.layer].heads, rows, of_text);
    } else {
      keep_rows(rows, of_text);
    }
  }
}

void Trace::attend(const Pass& pass, Moment moment, std::span<TextAttention> attentions) {
  const bool labels = moment == Moment::label_context;
  if (!(labels ? wants_label_attention : wants_attention)) return;
  const HeadsDescription& heads =
      labels ? pass.model->label_heads : pass.model->layers[pass.layer].heads;
  for (TextAttention& attention : attentions) {
    TextTrace& trace = texts[attention.text];
    std::vector<float>& kept = labels ? trace.label_attention : trace.attention.emplace_back();
    kept.resize(heads.sizes.size() * attention.query.rows * attention.key.rows);
    attention.kept = kept;
  }
}

}  // namespace headlight
