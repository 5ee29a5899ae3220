#include "text/normalizers/charsmap.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "text/unicode/character_classes.h"
#include "text/unicode/graphemes.h"

namespace headlight {
namespace {

constexpr std::size_t kUnitBytes = 4;
constexpr std::size_t kLongestCluster = 5;  // in bytes; longer clusters are looked up by character

bool is_short(std::u32string_view cluster) {
  return cluster.size() <= kLongestCluster && to_utf8(cluster).size() <= kLongestCluster;
}

std::uint32_t read_unit(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = kUnitBytes; i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// The fields of a unit of the double array. A leaf has bit 31 set; labels do not.
bool has_leaf(std::uint32_t unit) { return (unit >> 8U & 1U) != 0; }
std::uint32_t value(std::uint32_t unit) { return unit & 0x7FFFFFFFU; }
std::uint32_t label(std::uint32_t unit) { return unit & 0x800000FFU; }
std::uint32_t offset(std::uint32_t unit) { return (unit >> 10U) << ((unit & 0x200U) >> 6U); }

/// Replaces `old_size` characters by `replacement`. Characters are replaced one by one as far as
/// both sizes allow; the rest is inserted or removed after them.
void write_replacement(std::u32string_view replacement, std::size_t old_size,
                       std::vector<Written>& written) {
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    written.push_back({replacement[i], i < old_size ? 0 : 1});
  }
  if (replacement.size() < old_size && !written.empty()) {
    written.back().changes -= static_cast<std::int32_t>(old_size - replacement.size());
  }
}

bool keeps_ascii(const Charsmap& map) {
  try {
    for (char c = ' '; c < 0x7F; ++c) {
      if (map.find({&c, 1})) return false;
    }
  } catch (const TextError&) {
    return false;  // the error is reported for a text that needs the rule
  }
  return true;
}

}  // namespace

Charsmap::Charsmap(std::string_view bytes) {
  if (bytes.size() < kUnitBytes) {
    throw Error("", "has " + std::to_string(bytes.size()) +
                        " bytes, but the size of its trie takes " + std::to_string(kUnitBytes));
  }
  const std::size_t units = read_unit(bytes) / kUnitBytes;
  bytes.remove_prefix(kUnitBytes);
  if (units == 0) throw Error("", "has an empty trie");
  if (units > bytes.size() / kUnitBytes) {
    throw Error("", "has a trie of " + std::to_string(units) + " units, but only bytes for " +
                        std::to_string(bytes.size() / kUnitBytes));
  }
  trie_.reserve(units);
  for (std::size_t i = 0; i < units; ++i) {
    trie_.push_back(read_unit(bytes));
    bytes.remove_prefix(kUnitBytes);
  }
  if (find_bad_utf8(bytes)) throw Error("", "has strings that are not UTF-8");
  strings_ = bytes;
}

std::uint32_t Charsmap::unit(std::size_t index) const {
  if (index < trie_.size()) return trie_[index];
  throw TextError("the precompiled_charsmap of the tokenizer is broken: its trie has " +
                  std::to_string(trie_.size()) + " units, but refers to unit " +
                  std::to_string(index));
}

std::optional<std::string_view> Charsmap::find(std::string_view key) const {
  std::size_t node = offset(trie_.front());
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) break;
    node ^= byte;
    const std::uint32_t found = unit(node);
    if (label(found) != byte) break;
    node ^= offset(found);
    if (!has_leaf(found)) continue;
    const std::size_t begin = value(unit(node));
    const std::string_view all = strings_;
    const bool in_character = begin < all.size() && continues_character(all[begin]);
    if (begin > all.size() || in_character) {
      throw TextError("the precompiled_charsmap of the tokenizer is broken: no string begins at " +
                      std::to_string(begin));
    }
    return all.substr(begin, all.find('\0', begin) - begin);
  }
  return std::nullopt;
}

Precompiled::Precompiled(Charsmap map) : map_(std::move(map)), keeps_ascii_(keeps_ascii(map_)) {}

void Precompiled::apply(NormalizedText& text) const {
  // Each of these characters is its own cluster.
  if (keeps_ascii_ && are_printable_ascii(text.characters)) return;
  const std::u32string_view characters = text.characters;
  std::vector<Written> written;
  written.reserve(text.size());
  bool is_changed = false;
  const auto replace = [&](std::u32string_view part) {
    const auto found = map_.find(to_utf8(part));
    if (found) write_replacement(to_code_points(*found), part.size(), written);
    check_growth(text.size(), written.size());
    is_changed = is_changed || found;
    return found.has_value();
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = cluster_end(characters, begin);
    const auto cluster = characters.substr(begin, end - begin);
    begin = end;
    if (cluster.size() > 1 && is_short(cluster) && replace(cluster)) continue;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
      if (!replace(cluster.substr(i, 1))) written.push_back({cluster[i], 0});
    }
  }
  if (!is_changed) return;
  text = rewrite(text, written);
}

}  // namespace headlight
