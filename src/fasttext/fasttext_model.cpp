#include "fasttext/fasttext_model.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/utf8.h"

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
  words_.rows_of(text, scratch.words, scratch.places, scratch.rows);
}

bool FasttextModel::average(FasttextScratch& scratch) const {
  std::vector<float>& mean = scratch.mean;
  mean.assign(input_.width(), 0.0F);
  constexpr std::size_t kAhead = 8;
  constexpr std::size_t kFound = 256;  // rows whose pages are found at once
  const std::span<const std::uint32_t> rows = scratch.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % kFound == 0) input_.find_pages(rows.subspan(i, std::min(kFound, rows.size() - i)));
    if (i + kAhead < rows.size()) input_.prefetch(rows[i + kAhead]);
    input_.add_row(rows[i], mean.data());
  }
  if (scratch.rows.empty()) return true;
  const auto share = static_cast<float>(1.0 / static_cast<double>(scratch.rows.size()));
  for (float& x : mean) x *= share;
  return all_finite(mean);
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

Encoding FasttextModel::features_of(std::string_view text) const {
  FasttextScratch scratch;
  read(text, scratch);
  Encoding encoding;
  const std::vector<std::size_t> characters = characters_of_bytes(text);
  for (const FasttextWord& word : scratch.words) {
    const bool is_put_in = word.begin == word.end;
    const std::string bytes(is_put_in ? kFasttextEnd
                                      : text.substr(word.begin, word.end - word.begin));
    const std::string marked = '<' + bytes + '>';
    bool is_first = true;
    words_.visit_word(
        text, word, [&](std::optional<std::uint32_t> row, std::size_t begin, std::size_t end) {
          const auto place = [&](std::size_t i) {
            return characters[word.begin + std::clamp<std::size_t>(i, 1, bytes.size() + 1) - 1];
          };
          const bool is_word = std::exchange(is_first, false);
          const Offset offset = is_put_in ? Offset() : Offset{place(begin), place(end)};
          add_feature(row, is_word ? bytes : marked.substr(begin, end - begin), offset,
                      is_put_in ? Sequence::none : Sequence::first, encoding);
        });
  }
  words_.visit_phrases(scratch.words, [&](std::optional<std::uint32_t> row, std::size_t first,
                                          std::size_t last) {
    std::string name;
    for (std::size_t i = first; i <= last; ++i) {
      const FasttextWord& word = scratch.words[i];
      name += (i == first ? "" : " ") +
              std::string(word.begin == word.end ? kFasttextEnd
                                                 : text.substr(word.begin, word.end - word.begin));
    }
    add_feature(row, std::move(name),
                {characters[scratch.words[first].begin], characters[scratch.words[last].end]},
                Sequence::first, encoding);
  });
  return encoding;
}

FeatureModel::Facts FasttextModel::arguments() const {
  const FasttextArguments& of = arguments_;
  const auto word = [](const char* name) { return std::string(1, '"') + name + '"'; };
  return {{"model", word(word_for(of.kind, kFasttextKindWords))},
          {"loss", word(word_for(of.loss, kFasttextLossWords))},
          {"dim", std::to_string(of.dim)},
          {"ws", std::to_string(of.ws)},
          {"epoch", std::to_string(of.epoch)},
          {"minCount", std::to_string(of.min_count)},
          {"neg", std::to_string(of.neg)},
          {"wordNgrams", std::to_string(of.word_ngrams)},
          {"bucket", std::to_string(of.bucket)},
          {"minn", std::to_string(of.minn)},
          {"maxn", std::to_string(of.maxn)},
          {"lrUpdateRate", std::to_string(of.rate_updates)}};
}

FeatureModel::Facts FasttextModel::sizes() const {
  const auto flag = [](bool is_set) { return is_set ? "true" : "false"; };
  Facts sizes = {{"words", std::to_string(dictionary_.words())},
                 {"rows", std::to_string(input_.rows())}};
  if (dictionary_.is_pruned()) {
    sizes.emplace_back("kept_ngrams", std::to_string(dictionary_.kept_buckets()));
  }
  sizes.emplace_back("quantised", flag(input_.is_quantised()));
  sizes.emplace_back("qnorm", flag(input_.has_norms()));
  sizes.emplace_back("qout", flag(output_.is_quantised()));
  sizes.emplace_back("training_tokens", std::to_string(dictionary_.tokens()));
  sizes.emplace_back("bytes", std::to_string(bytes()));
  return sizes;
}

}  // namespace headlight
