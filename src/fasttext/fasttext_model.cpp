#include "fasttext/fasttext_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

FasttextModel::FasttextModel(const std::string& path)
    : file_(path),
      bytes_(path, file_.bytes()),
      arguments_(read_fasttext_arguments(bytes_)),
      dictionary_(bytes_, arguments_),
      is_quantised_(bytes_.number<std::uint8_t>("input matrix") != 0),
      input_(bytes_, is_quantised_, width(), "input matrix"),
      output_(bytes_, (bytes_.number<std::uint8_t>("output matrix") != 0) && is_quantised_, width(),
              "output matrix"),
      words_(arguments_, dictionary_) {
  check();
  if (arguments_.kind != FasttextKind::supervised) return;
  scorer_.emplace(path, output_, arguments_.loss, dictionary_.label_counts());
}

void FasttextModel::check() const {
  bytes_.require(is_quantised_ || !dictionary_.is_pruned(),
                 "has a table of kept n-grams, but its input matrix is not quantised");
  bytes_.require(input_.rows() >= dictionary_.rows(),
                 "the input matrix has " + std::to_string(input_.rows()) + " rows, expected " +
                     std::to_string(dictionary_.rows()));
  if (arguments_.kind != FasttextKind::supervised) return;
  bytes_.require(dictionary_.labels() > 0, "is supervised, but has no labels");
  bytes_.require(output_.rows() == dictionary_.labels(),
                 "the output matrix has " + std::to_string(output_.rows()) +
                     " rows, expected one for each of " + std::to_string(dictionary_.labels()) +
                     " labels");
}

void FasttextModel::read(std::string_view text, FasttextScratch& scratch) const {
  words_.rows_of(text, scratch.words, scratch.rows);
}

bool FasttextModel::average(FasttextScratch& scratch) const {
  std::vector<float>& mean = scratch.mean;
  mean.assign(input_.width(), 0.0F);
  constexpr std::size_t kAhead = 8;
  for (std::size_t i = 0; i < scratch.rows.size(); ++i) {
    if (i + kAhead < scratch.rows.size()) input_.prefetch(scratch.rows[i + kAhead]);
    input_.add_row(scratch.rows[i], mean.data());
  }
  if (scratch.rows.empty()) return true;
  const auto share = static_cast<float>(1.0 / static_cast<double>(scratch.rows.size()));
  for (float& x : mean) x *= share;
  return std::ranges::all_of(mean, [](float x) { return std::isfinite(x); });
}

bool FasttextModel::average_words(std::string_view text, FasttextScratch& scratch) const {
  words_.split(text, scratch.words);
  std::vector<float> sum(input_.width());
  std::size_t count = 0;
  for (const FasttextWord& word : scratch.words) {
    if (word.begin == word.end) continue;  // the end is not a word of such a text
    scratch.rows.clear();
    words_.visit_word(text, word, [&](std::optional<std::uint32_t> row, auto... /*place*/) {
      if (row) scratch.rows.push_back(*row);
    });
    if (!average(scratch)) return false;
    float norm = 0.0F;
    for (const float x : scratch.mean) norm += x * x;
    norm = std::sqrt(norm);
    if (!(norm > 0.0F)) continue;
    const auto scale = static_cast<float>(1.0 / static_cast<double>(norm));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += scratch.mean[i] * scale;
    ++count;
  }
  scratch.mean = std::move(sum);
  const auto share = static_cast<float>(1.0 / static_cast<double>(std::max<std::size_t>(count, 1)));
  for (float& x : scratch.mean) x *= share;
  return true;
}

}  // namespace headlight
