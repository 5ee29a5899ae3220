#include "encoder/attention.h"

#include <algorithm>

#include "encoder/dot_product_attention.h"

namespace headlight {
namespace {

/// The position of one text's rows.
struct TextRows {
  std::size_t first_token;  // among the keys
  std::size_t tokens;
  std::size_t first_query;  // among the queries
  std::size_t queries;
  std::size_t first_out;  // among the outputs
  std::size_t position;   // of the first query in the text
};

TextRows rows_of(const AttentionInput& input, const Pass& pass, std::size_t text) {
  const Batch& batch = pass.batch;
  const std::size_t number = text - input.first_text;
  const std::size_t start = batch.starts()[text];
  const std::size_t first = start - batch.starts()[input.first_text];
  const std::size_t count = batch.length(text);
  const std::size_t before = batch.first_position();
  const std::size_t labels = input.query.rows;
  switch (input.attending) {
    case Attending::one_token:
      return {first, count, number, 1, number, before + pass.rows[text] - start};
    case Attending::labels:
      return {first, count, 0, labels, number * labels, 0};
    default:
      return {first, count, first, count, first, before};
  }
}

/// The memory of the trace for the weights [h, m, n] of a text; empty: not requested.
std::span<float> kept_weights(Attending attending, Trace* trace, std::size_t text,
                              std::size_t size) {
  if (trace == nullptr) return {};
  TextTrace& own = trace->texts[text];
  if (attending == Attending::labels) {
    if (!trace->wants_label_attention) return {};
    own.label_attention.resize(size);
    return own.label_attention;
  }
  if (!trace->wants_attention) return {};
  return own.attention.emplace_back(size);
}

/// The values of each head [n, H], from those of the key heads [n, H/g].
void keep_values(const HeadsDescription& heads, ConstMatrix value, std::vector<float>& kept) {
  const std::size_t e = heads.sizes.front();
  for (std::size_t i = 0; i < value.rows; ++i) {
    for (std::size_t first = 0; heads.group > 1 && first < value.cols; first += e) {
      const auto own = value.row(i).subspan(first, e);
      for (std::size_t copy = 0; copy < heads.group; ++copy) {
        kept.insert(kept.end(), own.begin(), own.end());
      }
    }
  }
  if (heads.group == 1) keep_rows(value, kept);
}

/// The outputs of the heads [n, H] of each text.
void keep_context(const Pass& pass, ConstMatrix context) {
  if (pass.trace == nullptr || !pass.trace->wants_context) return;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    const ConstMatrix own = context.row_range(pass.batch.starts()[text], pass.batch.length(text));
    keep_rows(own, pass.trace->texts[text].context.emplace_back());
  }
}

/// The outputs of the heads [m, H] → [m, d] in `out`, or themselves without `output`.
Matrix apply_output(const std::optional<Linear>& output, Matrix context, Buffer& out) {
  if (!output) return context;
  const Matrix projected = out.shape(context.rows, output->out());
  output->apply(context, projected);
  return projected;
}

}  // namespace

void project(const HeadsDescription& heads, std::span<const LinearOutput> projections,
             ConstMatrix x) {
  if (heads.input == HeadInput::full) return apply_all(projections, x);
  for (const LinearOutput& projection : projections) {
    std::size_t first = 0;
    for (const std::size_t e : heads.sizes) {
      // [e, e]: this head's rows
      projection.linear->outputs(first, e).apply(x.column_range(first, e),
                                                 projection.y.column_range(first, e));
      first += e;
    }
  }
}

Matrix attend_texts(const HeadsDescription& heads, const std::optional<Linear>& output,
                    const AttentionInput& input, Pass& pass, Buffer& out) {
  Scratch& scratch = pass.scratch;
  const bool labels = input.attending == Attending::labels;
  const std::size_t queries = input.query.rows * (labels ? input.texts : 1);  // m
  if (input.cache != nullptr) input.cache->append(input.key, input.value);
  Buffer& destination = output ? pass.memory(scratch.context) : out;
  const Matrix context = destination.shape(queries, heads.width());  // [m, H]
  AttentionTape& notes = labels ? pass.notes().head.labels : pass.layer_notes().attention;
  notes.context = context;
  scratch.attentions.clear();
  for (std::size_t text = input.first_text; text < input.first_text + input.texts; ++text) {
    const TextRows rows = rows_of(input, pass, text);
    TextAttention& attention = scratch.attentions.emplace_back();
    attention.query = input.query.row_range(rows.first_query, rows.queries);
    attention.key = input.key.row_range(rows.first_token, rows.tokens);
    attention.value = input.value.row_range(rows.first_token, rows.tokens);
    attention.cache = input.cache;
    attention.first_position = rows.position;
    if (!labels) {
      attention.relative_bias = pass.relative_bias;
      attention.relative_scores = pass.relative_scores;
      if (pass.tape != nullptr) {
        attention.dropout = attention_dropout(pass.tape->dropout, pass.layer, text);
      }
    }
    attention.kept = kept_weights(input.attending, pass.trace, text,
                                  heads.sizes.size() * rows.queries * rows.tokens);
    if (!labels && pass.trace != nullptr && pass.trace->wants_values) {
      keep_values(heads, attention.value, pass.trace->texts[text].values.emplace_back());
    }
    attention.out = context.row_range(rows.first_out, rows.queries);
  }
  attend(heads, scratch.attentions);
  if (!labels) keep_context(pass, context);
  if (!labels) replace_head(heads, pass, context);
  return apply_output(output, context, out);
}

Matrix attend_known(const HeadsDescription& heads, const std::optional<Linear>& output, Pass& pass,
                    Buffer& out) {
  const ConstMatrix known = pass.part->context;  // [n, H]
  const std::size_t queries = pass.rows.empty() ? known.rows : pass.rows.size();
  Buffer& destination = output ? pass.scratch.context : out;
  const Matrix context = destination.shape(queries, known.cols);  // [m, H]
  for (std::size_t i = 0; i < queries; ++i) {
    const std::size_t row = pass.rows.empty() ? i : pass.rows[i];
    std::ranges::copy(known.row(row), context.row(i).begin());
  }
  replace_head(heads, pass, context);
  return apply_output(output, context, out);
}

}  // namespace headlight
