#include "training/rows/vocabulary_learning.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "training/rows/labelled_rows.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestWord = 100;  // as the longest that WordPiece cuts
constexpr std::size_t kMostCharacters = 1000;
constexpr std::uint64_t kLeastPairs = 2;

using PieceId = std::uint32_t;
using PieceName = std::u32string;

const PieceName kContinuation = U"##";

/// A pair of neighbouring pieces.
using Pair = std::pair<PieceId, PieceId>;

struct PairHash {
  std::size_t operator()(const Pair& pair) const {
    return std::hash<std::uint64_t>()(std::uint64_t{pair.first} << 32U | pair.second);
  }
};

struct PairUse {
  std::uint64_t count = 0;
  std::vector<std::uint32_t> words;  // with this pair, now or before a merge; with repetitions
};

/// In a queue, the most frequent pair comes first; of equal ones, the one with lower ids.
struct Candidate {
  std::uint64_t count;
  Pair pair;

  bool operator<(const Candidate& other) const {
    return std::tie(count, other.pair) < std::tie(other.count, pair);
  }
};

struct CutWord {
  std::vector<PieceId> pieces;
  std::uint64_t count;
};

/// The most frequent characters, in code point order.
std::set<char32_t> choose_characters(const std::vector<CountedWord>& words, std::size_t most) {
  std::unordered_map<char32_t, std::size_t> counts;
  for (const auto& [word, count] : words) {
    for (const char32_t c : word) counts[c] += count;
  }
  std::vector<std::pair<char32_t, std::size_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  if (sorted.size() > most) sorted.resize(most);
  std::set<char32_t> characters;
  for (const auto& entry : sorted) characters.insert(entry.first);
  return characters;
}

class PieceLearner {
 public:
  PieceLearner(const std::vector<CountedWord>& words, std::size_t most) : most_(most) {
    const std::set<char32_t> known =
        choose_characters(words, std::min(kMostCharacters, std::max<std::size_t>(most / 2, 1)));
    for (const char32_t c : known) add_piece(PieceName(1, c));
    std::set<char32_t> inner;
    std::vector<const CountedWord*> usable;
    for (const CountedWord& word : words) {
      const auto is_known = [&](char32_t c) { return known.contains(c); };
      if (word.word.size() > kLongestWord) continue;
      if (!std::all_of(word.word.begin(), word.word.end(), is_known)) continue;
      inner.insert(word.word.begin() + 1, word.word.end());
      usable.push_back(&word);
    }
    for (const char32_t c : inner) {
      if (names_.size() < most_) add_piece(kContinuation + c);
    }
    for (const CountedWord* word : usable) cut(*word);
  }

  void learn() {
    for (std::uint32_t word = 0; word < words_.size(); ++word) {
      check_stopped();
      add_pairs(word, std::nullopt);
    }
    for (const auto& [pair, use] : uses_) queue_.push({use.count, pair});
    while (names_.size() < most_ && !queue_.empty()) {
      check_stopped();
      const Candidate best = queue_.top();
      queue_.pop();
      const std::uint64_t count = uses_[best.pair].count;
      if (count != best.count) {
        if (count > 0) queue_.push({count, best.pair});
      } else if (count < kLeastPairs) {
        return;
      } else {
        merge(best.pair);
      }
    }
  }

  std::vector<std::string> pieces() const {
    std::vector<std::string> utf8;
    utf8.reserve(names_.size());
    for (const PieceName& name : names_) utf8.push_back(to_utf8(name));
    return utf8;
  }

 private:
  PieceId add_piece(const PieceName& name) {
    const auto [entry, is_new] = ids_.emplace(name, static_cast<PieceId>(names_.size()));
    if (is_new) names_.push_back(name);
    return entry->second;
  }

  /// Leaves out words with a character inside of which there is no piece.
  void cut(const CountedWord& word) {
    CutWord cut{{ids_.at(PieceName(1, word.word.front()))}, word.count};
    for (std::size_t i = 1; i < word.word.size(); ++i) {
      const auto found = ids_.find(kContinuation + word.word[i]);
      if (found == ids_.end()) return;
      cut.pieces.push_back(found->second);
    }
    words_.push_back(std::move(cut));
  }

  /// If a piece is `merged`, only pairs with it are new in the word.
  void add_pairs(std::uint32_t word, std::optional<PieceId> merged) {
    const auto& [pieces, count] = words_[word];
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      PairUse& use = uses_[{pieces[i - 1], pieces[i]}];
      use.count += count;
      const bool is_new = !merged || pieces[i - 1] == *merged || pieces[i] == *merged;
      if (is_new && (use.words.empty() || use.words.back() != word)) use.words.push_back(word);
    }
  }

  void remove_pairs(const CutWord& word) {
    for (std::size_t i = 1; i < word.pieces.size(); ++i) {
      uses_[{word.pieces[i - 1], word.pieces[i]}].count -= word.count;
    }
  }

  void merge(const Pair& pair) {
    const PieceName& second = names_[pair.second];
    const PieceId merged = add_piece(names_[pair.first] + second.substr(kContinuation.size()));
    const std::vector<std::uint32_t> words = std::move(uses_[pair].words);
    std::unordered_set<std::uint64_t> seen;
    std::set<Pair> grown;
    for (const std::uint32_t word : words) {
      if (!seen.insert(word).second) continue;
      remove_pairs(words_[word]);
      join(pair, merged, words_[word].pieces);
      add_pairs(word, merged);
      const std::vector<PieceId>& pieces = words_[word].pieces;
      for (std::size_t i = 1; i < pieces.size(); ++i) {
        if (pieces[i - 1] == merged || pieces[i] == merged)
          grown.insert({pieces[i - 1], pieces[i]});
      }
    }
    uses_.erase(pair);
    for (const Pair& other : grown) queue_.push({uses_[other].count, other});
  }

  static void join(const Pair& pair, PieceId merged, std::vector<PieceId>& pieces) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i, ++kept) {
      const bool is_pair =
          i + 1 < pieces.size() && pieces[i] == pair.first && pieces[i + 1] == pair.second;
      pieces[kept] = is_pair ? merged : pieces[i];
      if (is_pair) ++i;
    }
    pieces.resize(kept);
  }

  std::size_t most_;
  std::vector<PieceName> names_;
  std::unordered_map<PieceName, PieceId> ids_;
  std::vector<CutWord> words_;
  std::unordered_map<Pair, PairUse, PairHash> uses_;
  std::priority_queue<Candidate> queue_;
};

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

std::vector<std::string> learn_pieces(const std::vector<CountedWord>& words, std::size_t most) {
  PieceLearner learner(words, most);
  learner.learn();
  return learner.pieces();
}

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

WordCounts VocabularyLearning::counts() const {
  WordCounts counts;
  for (const auto& [word, count] : counts_) {
    counts.all += count;
    counts.once += count == 1 ? 1 : 0;
    counts.characters += count_characters(word);
  }
  return counts;
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
  const bool needs_repeats =  // pieces of words that occur once can still occur twice
      request_.tokenizer.type != Type::wordpiece && !request_.tokenizer.character_ngrams;
  if (needs_repeats && (words.empty() || words.front().second < kLeastCount)) {
    throw TrainingError("cannot learn a vocabulary: no word occurs twice in the texts");
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
