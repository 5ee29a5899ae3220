#include "classifier/fasttext_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// Collects what a text consists of.
struct ShownParts {
  Encoding encoding = {};

  void add(std::optional<std::uint32_t> row, std::string name, Offset offset, Sequence sequence) {
    encoding.ids.push_back(row.value_or(kNoToken));
    encoding.type_ids.push_back(0);
    encoding.tokens.push_back(std::move(name));
    encoding.offsets.push_back(offset);
    encoding.sequences.push_back(sequence);
  }
};

}  // namespace

TextSize read_fasttext(const FasttextModel& model, const ReadingOptions& options,
                       const TextInput& input, FasttextScratch& scratch) {
  if (input.pair) throw TextError("is a pair, but models of fastText read one text");
  if (input.ids) throw TextError("is ids, but models of fastText read words");
  model.read(input.text, scratch);
  TextSize size;
  size.tokens = scratch.words.size();
  size.own = size.tokens - 1;
  if (model.arguments().maxn == 0) {
    size.unknown = static_cast<std::size_t>(std::ranges::count_if(
        scratch.words, [](const auto& word) { return !word.number && word.begin < word.end; }));
  }
  if (options.finds_equal) size.key = short_hash_of(input.text);
  return size;
}

std::vector<std::size_t> characters_of_bytes(std::string_view text) {
  std::vector<std::size_t> numbers(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    numbers[i + 1] = numbers[i] + (continues_character(text[i]) ? 0 : 1);
  }
  // A byte inside of a character belongs to the one that it is in.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues_character(text[i]) && numbers[i] > 0) --numbers[i];
  }
  return numbers;
}

Encoding encode_fasttext(const FasttextModel& model, const ReadingOptions& options,
                         const TextInput& input) {
  FasttextScratch scratch;
  read_fasttext(model, options, input, scratch);
  ShownParts shown;
  const std::string_view text = input.text;
  const std::vector<std::size_t> characters = characters_of_bytes(text);
  for (const FasttextWord& word : scratch.words) {
    const bool is_put_in = word.begin == word.end;
    const std::string bytes(is_put_in ? kFasttextEnd
                                      : text.substr(word.begin, word.end - word.begin));
    const std::string marked = '<' + bytes + '>';
    bool is_first = true;
    model.words().visit_word(
        text, word, [&](std::optional<std::uint32_t> row, std::size_t begin, std::size_t end) {
          const auto place = [&](std::size_t i) {
            return characters[word.begin + std::clamp<std::size_t>(i, 1, bytes.size() + 1) - 1];
          };
          const bool is_word = std::exchange(is_first, false);
          const Offset offset = is_put_in ? Offset() : Offset{place(begin), place(end)};
          shown.add(row, is_word ? bytes : marked.substr(begin, end - begin), offset,
                    is_put_in ? Sequence::none : Sequence::first);
        });
  }
  model.words().visit_phrases(scratch.words, [&](std::optional<std::uint32_t> row,
                                                 std::size_t first, std::size_t last) {
    std::string name;
    for (std::size_t i = first; i <= last; ++i) {
      const FasttextWord& word = scratch.words[i];
      name += (i == first ? "" : " ") +
              std::string(word.begin == word.end ? kFasttextEnd
                                                 : text.substr(word.begin, word.end - word.begin));
    }
    shown.add(row, std::move(name),
              {characters[scratch.words[first].begin], characters[scratch.words[last].end]},
              Sequence::first);
  });
  return std::move(shown.encoding);
}

}  // namespace headlight
