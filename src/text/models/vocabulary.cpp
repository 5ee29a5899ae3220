#include "text/models/vocabulary.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/utf8.h"

namespace headlight {
namespace {

// FNV-1a, which computes the hash of each prefix along the way.
constexpr std::uint64_t kHashStart = 0xCBF29CE484222325U;
constexpr std::uint64_t kHashPrime = 0x100000001B3U;

std::uint64_t hash_on(std::uint64_t hash, char byte) {
  return (hash ^ static_cast<unsigned char>(byte)) * kHashPrime;
}

std::uint64_t hash_of(std::string_view token) {
  std::uint64_t hash = kHashStart;
  for (const char byte : token) hash = hash_on(hash, byte);
  return hash;
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

std::vector<Vocabulary::Entry> numbered(std::vector<std::string> tokens) {
  std::vector<Vocabulary::Entry> entries;
  entries.reserve(tokens.size());
  for (std::string& token : tokens) {
    entries.push_back({std::move(token), static_cast<TokenId>(entries.size())});
  }
  return entries;
}

}  // namespace

TokenIndex::TokenIndex(std::size_t tokens) : slots_(std::bit_ceil(2 * tokens + 1)) {}

std::size_t TokenIndex::first_slot(std::uint64_t hash) const {
  return static_cast<std::size_t>(hash ^ (hash >> 32U)) & (slots_.size() - 1);
}

std::size_t TokenIndex::find_slot(std::string_view token, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  const auto is_token = [&](const Slot& slot) {
    return slot.tag == tag_of(hash) && slot.length == token.size() &&
           std::equal(token.begin(), token.end(), bytes_.data() + slot.begin);
  };
  std::size_t at = first_slot(hash);
  while (slots_[at].length != kFree && !is_token(slots_[at])) at = (at + 1) & mask;
  return at;
}

void TokenIndex::insert(std::string_view token, TokenId id) { insert(token, hash_of(token), id); }

void TokenIndex::insert_all(const std::vector<TokenEntry>& entries) {
  // The slots are far apart in memory, so each is loaded into the cache some tokens ahead.
  constexpr std::size_t kAhead = 16;
  std::array<std::uint64_t, kAhead> hashes{};
  std::size_t bytes = bytes_.size();
  for (const TokenEntry& entry : entries) bytes += entry.token.size();
  bytes_.reserve(bytes);
  for (std::size_t i = 0; i < entries.size() + kAhead; ++i) {
    std::uint64_t& hash = hashes[i % kAhead];
    if (i >= kAhead) insert(entries[i - kAhead].token, hash, entries[i - kAhead].id);
    if (i >= entries.size()) continue;
    hash = hash_of(entries[i].token);
    __builtin_prefetch(&slots_[first_slot(hash)], /*for writing*/ 1);
  }
}

void TokenIndex::insert(std::string_view token, std::uint64_t hash, TokenId id) {
  Slot& slot = slots_[find_slot(token, hash)];
  if (slot.length == kFree) {
    slot.begin = static_cast<std::uint32_t>(bytes_.size());
    slot.length = static_cast<std::uint32_t>(token.size());
    slot.tag = tag_of(hash);
    bytes_ += token;
    longest_ = std::max(longest_, token.size());
    ++size_;
  }
  slot.id = id;
}

std::optional<TokenId> TokenIndex::find(std::string_view token) const {
  if (token.size() > longest_) return std::nullopt;
  const Slot& slot = slots_[find_slot(token, hash_of(token))];
  return slot.length == kFree ? std::nullopt : std::optional(slot.id);
}

std::optional<TokenIndex::Prefix> TokenIndex::find_longest_prefix(std::string_view text) const {
  // Most words are whole tokens.
  if (const auto id = find(text); id && !text.empty()) return Prefix{*id, text.size()};
  std::optional<Prefix> longest;
  std::uint64_t hash = kHashStart;
  const std::size_t limit = std::min(text.size(), longest_);
  for (std::size_t bytes = 1; bytes <= limit; ++bytes) {
    hash = hash_on(hash, text[bytes - 1]);
    if (bytes < text.size() && continues_character(text[bytes])) continue;
    const Slot& slot = slots_[find_slot(text.substr(0, bytes), hash)];
    if (slot.length != kFree) longest = Prefix{slot.id, bytes};
  }
  return longest;
}

Vocabulary::Vocabulary(std::vector<Entry> entries)
    : entries_(std::move(entries)), index_(entries_.size()) {
  index_.insert_all(entries_);
  const auto by_id = [](const Entry& a, const Entry& b) { return a.id < b.id; };
  if (!std::is_sorted(entries_.begin(), entries_.end(), by_id)) {
    std::stable_sort(entries_.begin(), entries_.end(), by_id);
  }
}

Vocabulary::Vocabulary(std::vector<std::string> tokens) : Vocabulary(numbered(std::move(tokens))) {}

const std::string* Vocabulary::token(TokenId id) const {
  // If no earlier ids are missing or repeated, the index is the id.
  const bool is_index = id < entries_.size() && entries_[id].id == id;
  if (is_index && (id == 0 || entries_[id - 1].id != id)) return &entries_[id].token;
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), id,
                                      [](const Entry& entry, TokenId x) { return entry.id < x; });
  return found == entries_.end() || found->id != id ? nullptr : &found->token;
}

std::size_t Vocabulary::id_limit() const {
  return entries_.empty() ? 0 : std::size_t{entries_.back().id} + 1;
}

}  // namespace headlight
