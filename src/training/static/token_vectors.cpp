#include "training/static/token_vectors.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/hash.h"
#include "math/tensor.h"
#include "training/head/row_vectors.h"
#include "training/head/text_vectors.h"

namespace headlight {
namespace {

/// A row for each token: the token as a text, with what the tokenizer puts around it.
std::vector<LabelledRow> rows_of_tokens(const Model& encoder) {
  TokenIds around;
  encoder.tokenizer->encode_ids("a", std::nullopt, {}, around);
  const std::size_t after = encoder.tokenizer->ending_tokens();
  const std::size_t before = encoder.tokenizer->special_tokens(/*pair=*/false) - after;
  std::vector<LabelledRow> rows(encoder.description.vocab_size);
  for (std::size_t id = 0; id < rows.size(); ++id) {
    std::vector<TokenId>& ids = rows[id].tokens.ids;
    ids.assign(around.ids.begin(), around.ids.begin() + static_cast<std::ptrdiff_t>(before));
    ids.push_back(static_cast<TokenId>(id));
    ids.insert(ids.end(), around.ids.end() - static_cast<std::ptrdiff_t>(after), around.ids.end());
    rows[id].tokens.type_ids.assign(ids.size(), 0);
    rows[id].key = id;
  }
  return rows;
}

/// Scales the vectors so that the mean square of their numbers is that of `kSize`, those of
/// frequent tokens by a / (a + share of the tokens of the rows).
void weigh(std::span<float> vectors, const LabelledRows& rows, std::size_t tokens) {
  constexpr double kFrequent = 1e-2;
  constexpr double kSize = 0.1;
  std::vector<double> counts(tokens, 1.0);
  auto all = static_cast<double>(tokens);
  for (const LabelledRow& row : rows.train) {
    for (const TokenId id : row.tokens.ids) counts[id] += 1.0;
    all += static_cast<double>(row.tokens.size());
  }
  const std::size_t d = vectors.size() / tokens;
  double squares = 0.0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i] *= static_cast<float>(kFrequent / (kFrequent + counts[i / d] / all));
    squares += double{vectors[i]} * vectors[i];
  }
  if (squares == 0.0) return;
  const double factor = kSize / std::sqrt(squares / static_cast<double>(vectors.size()));
  for (float& value : vectors) value *= static_cast<float>(factor);
}

}  // namespace

std::vector<float> principal_components(ConstMatrix x, std::size_t count) {
  const std::size_t k = x.cols;
  Tensor<2> centred = xt::zeros<double>({x.rows, k});
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < k; ++j) centred(i, j) = x.row(i)[j];
  }
  const Tensor<1> mean = xt::mean(centred, {0});
  centred -= mean;
  const Tensor<2> across = xt::transpose(centred);
  const Tensor<2> covariance = product(across, centred);
  const std::size_t found = std::min(count, k);
  Tensor<2> directions = xt::zeros<double>({k, found});
  for (std::size_t i = 0; i < directions.size(); ++i) {
    directions.storage()[i] = static_cast<double>(mixed_bits(i)) * 0x1p-64 - 0.5;
  }
  // Orthogonal iteration (Golub and Van Loan 2013, "Matrix Computations", §8.2.4). Neighbours whose
  // variances are nearly equal may stay mixed.
  constexpr std::size_t kSteps = 60;
  for (std::size_t step = 0; step < kSteps; ++step) {
    directions = orthonormal(product(covariance, directions));
  }
  Tensor<2> leading = xt::zeros<double>({k, count});
  xt::view(leading, xt::all(), xt::range(0, found)) = directions;
  return numbers_of<float>(product(centred, leading));
}

std::optional<std::vector<float>> token_vectors(const Model& encoder, const LabelledRows& rows,
                                                std::size_t count, const TrainingRun& run) {
  const std::vector<LabelledRow> tokens = rows_of_tokens(encoder);
  const RowPointers pointers = pointers_to({&tokens});
  VectorFile file(run.place.directory() + ".vectors",
                  origin_of_vectors(encoder, run.engine, {}, "its tokens"),
                  encoder.description.classifier_size(), run.place.resume);
  if (!encode_rows(encoder, pointers, run.engine.threads(), file, run.watch)) return std::nullopt;
  std::vector<float> vectors = principal_components(file.map(), count);
  weigh(vectors, rows, tokens.size());
  return vectors;
}

}  // namespace headlight
