#include "training/cuts/piece_choice.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kContinuation = "##";

std::u32string characters_of(std::string_view piece) {
  if (piece.size() > kContinuation.size() && piece.starts_with(kContinuation)) {
    piece.remove_prefix(kContinuation.size());
  }
  return to_code_points(piece);
}

/// Latin letters, digits, punctuation and currency signs.
bool is_common(char32_t c) {
  return c < 0x250 || (c >= 0x2000 && c < 0x2070) || (c >= 0x20A0 && c < 0x20D0);
}

/// How often each token occurs in the texts, by id.
std::vector<std::uint64_t> count_tokens(const Tokenizer& tokenizer,
                                        const std::vector<const TextInput*>& inputs) {
  std::vector<std::uint64_t> counts(tokenizer.vocabulary_size());
  TokenIds tokens;
  for (const TextInput* input : inputs) {
    try {
      tokenizer.encode_ids(input->text, input->pair, {}, tokens);
    } catch (const TextError&) {
      continue;  // an error of its row
    }
    for (const TokenId id : tokens.ids) ++counts[id];
  }
  return counts;
}

/// The characters of all tokens that occur.
std::set<char32_t> characters_of(const Tokenizer& tokenizer,
                                 const std::vector<std::uint64_t>& counts) {
  std::set<char32_t> characters;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const std::u32string own = characters_of(*tokenizer.token(static_cast<TokenId>(i)));
    characters.insert(own.begin(), own.end());
  }
  return characters;
}

}  // namespace

PieceChoice choose_pieces(const Tokenizer& tokenizer, const std::vector<const TextInput*>& inputs,
                          std::size_t size, const std::vector<TokenId>& always) {
  const std::vector<std::uint64_t> counts = count_tokens(tokenizer, inputs);
  const std::set<char32_t> used = characters_of(tokenizer, counts);
  const auto is_needed = [&](const std::string& piece) {
    const std::u32string own = characters_of(piece);
    return own.size() == 1 && (is_common(own[0]) || used.contains(own[0]));
  };
  PieceChoice choice;
  std::vector<TokenId> others;
  std::uint64_t pieces = 0;
  std::uint64_t kept_pieces = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    const std::optional<std::string> piece = tokenizer.token(id);
    if (!piece) continue;
    const bool is_special = tokenizer.is_added(id) || tokenizer.inserts(id);
    if (!is_special) pieces += counts[i];
    if (is_special || is_needed(*piece) || std::ranges::find(always, id) != always.end()) {
      choice.kept.push_back(id);
      if (!is_special) kept_pieces += counts[i];
    } else {
      others.push_back(id);
    }
  }
  choice.required = choice.kept.size();
  std::ranges::sort(others, [&](TokenId a, TokenId b) {
    return std::tie(counts[b], a) < std::tie(counts[a], b);
  });
  for (const TokenId id : others) {
    if (choice.kept.size() >= size) break;
    choice.kept.push_back(id);
    kept_pieces += counts[id];
  }
  std::ranges::sort(choice.kept);
  if (pieces > 0) choice.share = static_cast<double>(kept_pieces) / static_cast<double>(pieces);
  return choice;
}

}  // namespace headlight
