#include "classifier/word_subsets.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/error.h"

namespace headlight {
namespace {

/// Number of texts that are made and scored together.
constexpr std::size_t kSubsetsAtOnce = 64;

}  // namespace

TextInput text_with(const std::vector<ExplainedWord>& words, const TextInput& like,
                    const KeptWords& kept) {
  TextInput input;
  if (like.pair) input.pair.emplace();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!kept[i]) continue;
    std::string& text = words[i].sequence == Sequence::second ? *input.pair : input.text;
    if (!text.empty()) text += ' ';
    text += words[i].text;
  }
  return input;
}

WordSubsets::WordSubsets(const TextClassifier& classifier, const TextInput& input,
                         const ExplanationWatch& watch)
    : classifier_(classifier), input_(input), watch_(watch), words_(split_words(input)) {}

void WordSubsets::check(const KeptWords& kept, const Prediction& prediction) const {
  if (prediction.error.empty()) return;
  const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
  if (count == size()) throw TextError(prediction.error);
  throw TextError("with " + std::to_string(count) + " of its " + std::to_string(size()) +
                  " words the text " + prediction.error);
}

bool WordSubsets::score(std::span<const KeptWords> sets) {
  std::vector<const KeptWords*> wanted;
  std::unordered_set<KeptWords> listed;
  for (const KeptWords& kept : sets) {
    if (!known_.contains(kept) && listed.insert(kept).second) wanted.push_back(&kept);
  }
  for (std::size_t begin = 0; begin < wanted.size(); begin += kSubsetsAtOnce) {
    const auto some =
        std::span(wanted).subspan(begin, std::min(kSubsetsAtOnce, wanted.size() - begin));
    std::vector<TextInput> texts;
    for (const KeptWords* kept : some) texts.push_back(text_with(words_, input_, *kept));
    auto predictions = classifier_.classify(texts, scratch_, watch_.stopped);
    if (predictions.size() < texts.size()) return false;
    for (std::size_t i = 0; i < some.size(); ++i) {
      check(*some[i], predictions[i]);
      known_.emplace(*some[i], std::move(predictions[i]));
    }
    if (watch_.scored) watch_.scored(known_.size());
  }
  return true;
}

}  // namespace headlight
