// The head of a model file of fastText: what it was trained with (fastText 0.9.2, args.cc).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/words.h"
#include "fasttext/file_bytes.h"

namespace headlight {

enum class FasttextLoss : std::uint8_t {
  hierarchical_softmax = 1,
  negative_sampling = 2,
  softmax = 3,
  one_vs_all = 4
};
/// The words of its option -loss.
inline constexpr std::array<Word<FasttextLoss>, 4> kFasttextLossWords = {
    {{"hs", FasttextLoss::hierarchical_softmax},
     {"ns", FasttextLoss::negative_sampling},
     {"softmax", FasttextLoss::softmax},
     {"ova", FasttextLoss::one_vs_all}}};

enum class FasttextKind : std::uint8_t { cbow = 1, skipgram = 2, supervised = 3 };
inline constexpr std::array<Word<FasttextKind>, 3> kFasttextKindWords = {
    {{"cbow", FasttextKind::cbow},
     {"skipgram", FasttextKind::skipgram},
     {"supervised", FasttextKind::supervised}}};

/// Named as its options; in the order of the file.
struct FasttextArguments {
  std::int32_t version = 0;
  std::int32_t dim = 0;  // d
  std::int32_t ws = 0;
  std::int32_t epoch = 0;
  std::int32_t min_count = 0;
  std::int32_t neg = 0;
  std::int32_t word_ngrams = 0;
  FasttextLoss loss = FasttextLoss::softmax;
  FasttextKind kind = FasttextKind::supervised;
  std::uint32_t bucket = 0;  // rows that n-grams share
  std::int32_t minn = 0;
  std::int32_t maxn = 0;  // 0: no n-grams of characters
  std::int32_t rate_updates = 0;
  double sampling = 0.0;

  bool has_ngrams() const { return maxn > 0 || word_ngrams > 1; }
};

/// Whether a file begins as a model of fastText, whatever its name.
bool is_fasttext_file(const std::string& path);

/// Throws Error for another version, or a number that no model has.
FasttextArguments read_fasttext_arguments(FileBytes& bytes);

}  // namespace headlight
