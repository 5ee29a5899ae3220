#include "inside/flip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr std::size_t kRemovalsAtOnce = 64;
constexpr std::size_t kBeamSets = 4;    // of each size, that the search extends
constexpr std::size_t kBeamWords = 64;  // that it adds to each of them, the strongest first

/// The sizes of which all sets are tried, and how many sets these are.
struct TriedSizes {
  std::size_t largest = 0;
  std::size_t sets = 0;
};

TriedSizes tried_sizes(std::size_t words, std::size_t most) {
  TriedSizes tried;
  std::size_t sets = 1;
  for (std::size_t size = 1; size <= words; ++size) {
    sets = sets * (words - size + 1) / size;
    if (size > 1 && tried.sets + sets > most) break;
    tried = {size, tried.sets + sets};
  }
  return tried;
}

/// A set of words that is left out.
struct Removal {
  WordNumbers words;  // ascending
  bool flips = false;
  double margin = -std::numeric_limits<double>::infinity();  // of an error
};

/// The sets with one more of the words, each with the first `most` of those that it lacks.
std::set<WordNumbers> extended(const std::vector<Removal>& sets, const WordNumbers& words,
                               std::size_t most) {
  std::set<WordNumbers> larger;
  for (const Removal& each : sets) {
    std::size_t added = 0;
    for (const std::size_t word : words) {
      if (std::binary_search(each.words.begin(), each.words.end(), word)) continue;
      if (++added > most) break;
      WordNumbers set = each.words;
      set.insert(std::lower_bound(set.begin(), set.end(), word), word);
      larger.insert(std::move(set));
    }
  }
  return larger;
}

double log_odds(float probability) {
  const double p = std::clamp(static_cast<double>(probability), 1e-9, 1.0 - 1e-9);
  return std::log(p / (1.0 - p));
}

Removal judged(WordNumbers words, const LabelSet& labels, const Prediction& whole,
               const Prediction& rest) {
  Removal removal{std::move(words)};
  if (!rest.error.empty()) return removal;
  const bool several = labels.problem_type == ProblemType::multi_label;
  if (!several) removal.flips = rest.best != whole.best;
  for (std::size_t i = 0; i < rest.logits.size(); ++i) {
    double margin = static_cast<double>(rest.logits[i]) - rest.logits[whole.best];
    if (several) {
      const float threshold = labels.threshold(i);
      const bool was_given = whole.scores[i] >= threshold;
      removal.flips = removal.flips || (rest.scores[i] >= threshold) != was_given;
      margin = (log_odds(rest.scores[i]) - log_odds(threshold)) * (was_given ? -1.0 : 1.0);
    } else if (i == whole.best) {
      continue;
    }
    removal.margin = std::max(removal.margin, margin);
  }
  return removal;
}

class FlipSearch {
 public:
  FlipSearch(const TextClassifier& classifier, const TextInput& input, const Prediction& whole,
             const ExplanationWatch& watch)
      : classifier_(classifier),
        input_(input),
        whole_(whole),
        watch_(watch),
        text_(read_words(classifier, input)) {}

  /// Empty if it was stopped.
  std::optional<Flip> run(const FlipLimits& limits) {
    const auto [tried, sets] = tried_sizes(text_.read.size(), limits.tried);
    Flip flip;
    flip.tried = tried;
    left_ = sets;
    WordNumbers strongest;           // by what they change alone
    std::vector<Removal> scored(1);  // of each size, the best first
    for (std::size_t size = 1; size <= text_.read.size() && left_ > 0; ++size) {
      const bool all = size <= tried;
      if (!all) scored.resize(std::min(scored.size(), kBeamSets));
      const auto larger =
          all ? extended(scored, text_.read, SIZE_MAX) : extended(scored, strongest, kBeamWords);
      if (!score(larger, scored)) return std::nullopt;
      for (std::size_t i = 0; size == 1 && i < scored.size(); ++i) {
        strongest.push_back(scored[i].words.front());
      }
      if (scored.front().flips) {
        flip.words = std::move(scored.front().words);
        flip.exhaustive = all;
        if (!all && !shrink(strongest, tried, flip.words)) return std::nullopt;
        return with_prediction(std::move(flip));
      }
      if (size == tried) left_ = limits.searched;
    }
    flip.exhaustive = tried == text_.read.size();
    return flip;
  }

 private:
  TextInput text_without(const WordNumbers& words, WordNumbers rest) const {
    std::erase_if(rest,
                  [&](std::size_t i) { return std::binary_search(words.begin(), words.end(), i); });
    return text_of(text_.words, input_, rest);
  }

  /// Scores the sets, as many as are left, and puts the best first. False if it was stopped.
  bool score(const std::set<WordNumbers>& sets, std::vector<Removal>& scored) {
    scored.clear();
    for (auto set = sets.begin(); set != sets.end() && left_ > 0;) {
      std::vector<WordNumbers> some;
      std::vector<TextInput> texts;
      for (; set != sets.end() && texts.size() < kRemovalsAtOnce && left_ > 0; ++set, --left_) {
        some.push_back(*set);
        texts.push_back(text_without(*set, text_.enough));
      }
      const auto predictions = classifier_.classify(texts, scratch_, watch_.stopped);
      if (predictions.size() < texts.size()) return false;
      for (std::size_t i = 0; i < some.size(); ++i) {
        scored.push_back(judged(std::move(some[i]), classifier_.labels(), whole_, predictions[i]));
      }
      count_ += some.size();
      if (watch_.scored) watch_.scored(count_);
    }
    std::ranges::stable_sort(scored, [](const Removal& a, const Removal& b) {
      return a.flips != b.flips ? a.flips : a.margin > b.margin;
    });
    return true;
  }

  /// Puts words back, the weakest first, until none can be put back alone. No set of up to `least`
  /// words flips.
  bool shrink(const WordNumbers& strongest, std::size_t least, WordNumbers& words) {
    for (std::size_t before = 0; before != words.size() && words.size() > least + 1;) {
      before = words.size();
      for (auto word = strongest.rbegin(); word != strongest.rend() && left_ > 0; ++word) {
        WordNumbers rest = words;
        if (std::erase(rest, *word) == 0) continue;
        std::vector<Removal> scored;
        if (!score({rest}, scored)) return false;
        if (scored.front().flips) words = std::move(rest);
      }
    }
    return true;
  }

  /// Scores the whole text without the words, as anybody would type it.
  std::optional<Flip> with_prediction(Flip flip) {
    WordNumbers all(text_.words.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    flip.input = text_without(flip.words, std::move(all));
    ScoringScratch scratch;
    auto again = classifier_.classify({&flip.input, 1}, scratch, watch_.stopped);
    if (again.empty()) return std::nullopt;
    flip.prediction = std::move(again.front());
    return flip;
  }

  const TextClassifier& classifier_;
  const TextInput& input_;
  const Prediction& whole_;
  const ExplanationWatch& watch_;
  WordsRead text_;
  std::size_t left_ = 0;   // sets that may still be scored
  std::size_t count_ = 0;  // of scored texts
  ScoringScratch scratch_;
};

}  // namespace

bool can_flip(const LabelSet& labels) {
  if (labels.problem_type == ProblemType::multi_label) return labels.probabilities;
  return labels.problem_type == ProblemType::single_label && labels.names.size() > 1;
}

std::size_t flip_texts(std::size_t words, const FlipLimits& limits) {
  const auto [largest, sets] = tried_sizes(words, limits.tried);
  return sets + (largest < words ? limits.searched : 0) + 1;
}

std::optional<Flip> find_flip(const TextClassifier& classifier, const TextInput& input,
                              const Prediction& whole, const ExplanationWatch& watch,
                              const FlipLimits& limits) {
  return FlipSearch(classifier, input, whole, watch).run(limits);
}

}  // namespace headlight
