#include "inside/word_subsets.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/error.h"

namespace headlight {
namespace {

/// Texts that are made and scored together, and about how many words they may have: of long texts,
/// few, so that those who watch hear of them every now and then.
constexpr std::size_t kSubsetsAtOnce = 64;
constexpr std::size_t kWordsAtOnce = 2048;
constexpr std::size_t kBytesKept = std::size_t{64} << 20;  // of predictions, about
constexpr std::size_t kBytesEach = 320;                    // but its labels and words

}  // namespace

WordSubsets::WordSubsets(const TextClassifier& classifier, const TextInput& input,
                         const ExplanationWatch& watch)
    : classifier_(classifier), input_(input), watch_(watch), text_(read_words(classifier, input)) {
  if (size() <= kMostWords) return;
  throw TextError("has " + std::to_string(size()) + " words that are read, more than the " +
                  std::to_string(kMostWords) +
                  " whose sets can be scored (--max-length reads fewer)");
}

TextInput WordSubsets::text_of_set(const KeptWords& kept) const {
  WordNumbers numbers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) numbers.push_back(text_.read[i]);
  }
  return numbers.size() == size() ? text_.joined : text_of(text_.words, input_, numbers);
}

void WordSubsets::check(const KeptWords& kept, const Prediction& prediction) const {
  if (prediction.error.empty()) return;
  const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
  if (count == size()) throw TextError(prediction.error);
  throw TextError("with " + std::to_string(count) + " of its " + std::to_string(size()) +
                  " words the text " + prediction.error);
}

bool WordSubsets::score(std::span<const KeptWords> sets) {
  const std::size_t bytes = kBytesEach + size() / 8 + 8 * classifier_.labels().names.size();
  if (known_.size() * bytes > kBytesKept) {
    auto whole = known_.extract(all());
    known_.clear();
    if (whole) known_.insert(std::move(whole));
  }
  std::vector<const KeptWords*> wanted;
  std::unordered_set<KeptWords> listed;
  for (const KeptWords& kept : sets) {
    if (!known_.contains(kept) && listed.insert(kept).second) wanted.push_back(&kept);
  }
  const std::size_t at_once =
      std::clamp<std::size_t>(kWordsAtOnce / std::max<std::size_t>(size(), 1), 1, kSubsetsAtOnce);
  for (std::size_t begin = 0; begin < wanted.size(); begin += at_once) {
    const auto some = std::span(wanted).subspan(begin, std::min(at_once, wanted.size() - begin));
    std::vector<TextInput> texts;
    for (const KeptWords* kept : some) texts.push_back(text_of_set(*kept));
    auto predictions = classifier_.classify(texts, scratch_, watch_.stopped);
    if (predictions.size() < texts.size()) return false;
    for (std::size_t i = 0; i < some.size(); ++i) {
      check(*some[i], predictions[i]);
      known_.emplace(*some[i], std::move(predictions[i]));
    }
    scored_ += some.size();
    if (watch_.scored) watch_.scored(scored_);
  }
  return true;
}

}  // namespace headlight
