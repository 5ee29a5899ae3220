#include "classifier/fasttext_reader.h"

#include <algorithm>

#include "base/hash.h"

namespace headlight {
TextSize read_fasttext(const FasttextModel& model, const ReadingOptions& options,
                       const TextInput& input, FasttextScratch& scratch) {
  require_one_text(model, input);
  model.read(input.text, scratch);
  TextSize size;
  size.tokens = scratch.words.size();
  size.own = size.tokens - 1;
  if (model.settings().maxn == 0) {
    size.unknown = static_cast<std::size_t>(std::ranges::count_if(
        scratch.words, [](const auto& word) { return !word.number && word.begin < word.end; }));
  }
  if (options.finds_equal) size.key = short_hash_of(input.text);
  return size;
}

}  // namespace headlight
