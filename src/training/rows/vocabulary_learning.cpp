#include "training/rows/vocabulary_learning.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "training/rows/piece_learning.h"

namespace headlight {
namespace {

constexpr std::size_t kMostWords = 2'000'000;
constexpr std::size_t kLeastCount = 2;

using Type = TokenizerSettings::Type;

/// Special tokens in the order of BERT's, those that the tokenizer uses.
std::vector<std::string> special_tokens(const VocabularyRequest& request) {
  const TokenizerSettings& settings = request.tokenizer;
  const bool is_wordpiece = settings.type == Type::wordpiece;
  std::vector<std::string> tokens;
  const auto add = [&](const std::optional<std::string>& token) {
    const bool is_there = token && std::find(tokens.begin(), tokens.end(), *token) != tokens.end();
    if (token && !is_there) tokens.push_back(*token);
  };
  add(settings.unk_token);
  if (settings.add_special_tokens.value_or(is_wordpiece)) {
    add(settings.cls_token);
    add(settings.sep_token);
  }
  if (is_wordpiece) add("[MASK]");
  if (request.pad || is_wordpiece) {
    const std::size_t at = std::min<std::size_t>(request.pad.value_or(0), tokens.size());
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), "[PAD]");
  }
  return tokens;
}

}  // namespace

VocabularyLearning::VocabularyLearning(VocabularyRequest request) : request_(std::move(request)) {}

void VocabularyLearning::read(std::string_view text) {
  for (const std::u32string& word : native_words(request_.tokenizer, text)) {
    ++counts_[to_utf8(word)];
  }
  if (counts_.size() > kMostWords) forget_rarest();
}

void VocabularyLearning::forget_rarest() {
  while (counts_.size() > kMostWords / 2) {
    ++forgotten_;
    std::erase_if(counts_, [&](const auto& entry) { return entry.second <= forgotten_; });
  }
}

std::vector<std::string> VocabularyLearning::learn() const {
  std::vector<std::string> tokens = special_tokens(request_);
  if (request_.size <= tokens.size()) {
    throw Error(
        "", "a vocabulary of " + std::to_string(request_.size) + " tokens has no room for words",
        "it has " + std::to_string(tokens.size()) + " special tokens: " + listed(tokens, 5));
  }
  std::vector<std::pair<std::string, std::size_t>> words;
  for (const auto& entry : counts_) {
    if (std::find(tokens.begin(), tokens.end(), entry.first) == tokens.end())
      words.emplace_back(entry);
  }
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  if (words.empty() || words.front().second < kLeastCount) {
    throw Error("", "cannot learn a vocabulary: no word occurs twice in the texts");
  }
  const std::size_t room = request_.size - tokens.size();
  if (request_.tokenizer.type == Type::wordpiece) {
    std::vector<CountedWord> counted;
    counted.reserve(words.size());
    for (const auto& [word, count] : words) counted.push_back({to_code_points(word), count});
    for (std::string& piece : learn_pieces(counted, room)) tokens.push_back(std::move(piece));
    return tokens;
  }
  for (auto& [word, count] : words) {
    if (tokens.size() == request_.size || count < kLeastCount) break;
    tokens.push_back(std::move(word));
  }
  return tokens;
}

}  // namespace headlight
