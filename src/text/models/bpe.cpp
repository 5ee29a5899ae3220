#include "text/models/bpe.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "base/utf8.h"

namespace headlight {
namespace {

/// Ids of characters below this are looked up in advance. Includes all characters of byte-level
/// texts.
constexpr char32_t kSingles = 0x200;

/// Pairs to merge, if they still exist when they are processed: the rank, then the left symbol.
using Candidates = std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>;

std::uint32_t utf8_length(char32_t c) {
  if (c < 0x80) return 1;
  if (c < 0x800) return 2;
  return c < 0x10000 ? 3 : 4;
}

/// Maps a byte of a word's UTF-8 to its character, for bytes in rising order. Bytes past the end
/// belong to the last character.
class CharacterOfByte {
 public:
  explicit CharacterOfByte(std::u32string_view word) : word_(word), end_(utf8_length(word[0])) {}

  std::uint32_t operator()(std::uint32_t byte) {
    while (byte >= end_ && at_ + 1 < word_.size()) end_ += utf8_length(word_[++at_]);
    return at_;
  }

 private:
  std::u32string_view word_;
  std::uint32_t at_ = 0;
  std::uint32_t end_;  // the first byte after character at_
};

}  // namespace

BPE::BPE(Vocabulary vocabulary, const std::vector<Merge>& merges, Options options)
    : WordModel(std::move(vocabulary), options.unk_token), options_(std::move(options)) {
  if (options_.continuing_subword_prefix.empty() && options_.end_of_word_suffix.empty()) {
    for (char32_t c = 0; c < kSingles; ++c) {
      single_ids_.push_back(this->vocabulary().id(to_utf8({&c, 1})));
    }
  }
  if (options_.byte_fallback) bytes_.emplace(this->vocabulary());
  for (const auto& [left, right, merged] : merges) {
    ranks_.insert(left, right, static_cast<std::uint32_t>(merged_.size()));
    merged_.push_back(merged);
  }
}

void BPE::tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const {
  if (options_.ignore_merges) {
    if (const auto id = vocabulary().id(to_utf8(word))) {
      tokens.push_back({*id, {0, static_cast<std::uint32_t>(word.size())}});
      return;
    }
  }
  std::vector<Symbol> symbols = symbols_of(word);
  merge(symbols);
  CharacterOfByte character(word);
  std::uint32_t begin = 0;  // in bytes, as in the reference: omitted characters have none
  for (const Symbol& symbol : symbols) {
    if (symbol.bytes == 0) continue;
    const std::uint32_t end = begin + symbol.bytes;
    const std::uint32_t first = character(begin);
    tokens.push_back({symbol.id, {first, character(end - 1) + 1}});
    begin = end;
  }
}

/// The token of the character at `at`. If there is none, `spelling` is the spelling that was looked
/// up.
std::optional<TokenId> BPE::id_of(std::u32string_view word, std::size_t at,
                                  std::string& spelling) const {
  if (word[at] < single_ids_.size() && single_ids_[word[at]]) return single_ids_[word[at]];
  spelling.clear();
  if (at > 0) spelling += options_.continuing_subword_prefix;
  append_utf8(spelling, word[at]);
  if (at + 1 == word.size()) spelling += options_.end_of_word_suffix;
  return vocabulary().id(spelling);
}

/// The symbols of the word before any merge.
std::vector<BPE::Symbol> BPE::symbols_of(std::u32string_view word) const {
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  std::uint32_t unknown = 0;  // bytes of the pending unknown symbol
  const auto add_unknown = [&] {
    if (unknown > 0) symbols.push_back({unknown_id(word), unknown});
    unknown = 0;
  };
  std::string spelling;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (const auto id = id_of(word, i, spelling)) {
      add_unknown();
      symbols.push_back({*id, utf8_length(word[i])});
    } else if (!append_bytes(spelling, symbols) && unk_token()) {
      if (!options_.fuse_unk) add_unknown();
      unknown += utf8_length(word[i]);
    }
  }
  add_unknown();
  return symbols;
}

/// Appends before a pending unknown symbol, as in the reference.
bool BPE::append_bytes(std::string_view spelling, std::vector<Symbol>& symbols) const {
  if (!bytes_) return false;
  const auto ids = bytes_->find(spelling);
  if (!ids) return false;
  for (const TokenId id : *ids) symbols.push_back({id, 1});
  return true;
}

void BPE::merge(std::vector<Symbol>& symbols) const {
  constexpr std::size_t kFew = 32;
  symbols.size() <= kFew ? merge_few(symbols) : merge_many(symbols);
}

/// Searches all pairs for the next one to merge. For a usual word, this is faster than a queue.
void BPE::merge_few(std::vector<Symbol>& symbols) const {
  const auto rank = [&](auto left) {
    const auto right = left + 1;
    left->rank = right == symbols.end() ? kNone : ranks_.find(left->id, right->id).value_or(kNone);
  };
  for (auto symbol = symbols.begin(); symbol != symbols.end(); ++symbol) rank(symbol);
  const auto comes_first = [](const Symbol& a, const Symbol& b) { return a.rank < b.rank; };
  while (!symbols.empty()) {
    const auto left = std::min_element(symbols.begin(), symbols.end(), comes_first);
    if (left->rank == kNone) return;
    left->id = merged_[left->rank];
    left->bytes += left[1].bytes;
    symbols.erase(left + 1);
    rank(left);
    if (left != symbols.begin()) rank(left - 1);
  }
}

/// O(n log n) for n symbols.
void BPE::merge_many(std::vector<Symbol>& symbols) const {
  std::vector<std::uint64_t> storage;
  storage.reserve(symbols.size());
  Candidates candidates({}, std::move(storage));
  const auto consider = [&](std::uint32_t left) {
    Symbol& symbol = symbols[left];
    symbol.rank = ranks_.find(symbol.id, symbols[symbol.next].id).value_or(kNone);
    if (symbol.rank != kNone) candidates.push(std::uint64_t{symbol.rank} << 32U | left);
  };
  for (std::uint32_t i = 0; i + 1 < symbols.size(); ++i) {
    symbols[i].next = i + 1;
    symbols[i + 1].previous = i;
    consider(i);
  }
  while (!candidates.empty()) {
    const auto rank = static_cast<std::uint32_t>(candidates.top() >> 32U);
    const auto at = static_cast<std::uint32_t>(candidates.top());
    candidates.pop();
    Symbol& left = symbols[at];
    if (left.bytes == 0 || left.next == kNone) continue;
    if (left.rank == kNone || merged_[left.rank] != merged_[rank]) continue;
    Symbol& right = symbols[left.next];
    left.id = merged_[rank];
    left.bytes += right.bytes;
    left.next = right.next;
    right.bytes = 0;
    if (left.next != kNone) symbols[left.next].previous = at;
    if (left.previous != kNone) consider(left.previous);
    if (left.next != kNone) consider(at);
  }
}

}  // namespace headlight
