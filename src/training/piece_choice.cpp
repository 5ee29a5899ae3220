#include "training/piece_choice.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kContinuation = "##";

bool is_one_character(std::string_view piece) {
  if (piece.size() > kContinuation.size() && piece.starts_with(kContinuation)) {
    piece.remove_prefix(kContinuation.size());
  }
  return to_code_points(piece).size() == 1;
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

}  // namespace

PieceChoice choose_pieces(const Tokenizer& tokenizer, const std::vector<const TextInput*>& inputs,
                          std::size_t size, const std::vector<TokenId>& always) {
  const std::vector<std::uint64_t> counts = count_tokens(tokenizer, inputs);
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
    if (is_special || is_one_character(*piece) || std::ranges::find(always, id) != always.end()) {
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
