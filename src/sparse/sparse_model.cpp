#include "sparse/sparse_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/utf8.h"

namespace headlight {
namespace {

double norm_of(std::span<const SparseEntry> entries, SparseStep step) {
  double sum = 0.0;
  for (const SparseEntry& entry : entries) {
    sum += step == SparseStep::l1 ? std::abs(entry.value) : entry.value * entry.value;
  }
  return step == SparseStep::l1 ? sum : std::sqrt(sum);
}

/// `first` is the row of the first feature that has an idf.
void apply_steps(const SparseSteps& all, std::size_t first, std::span<SparseEntry> entries) {
  for (const SparseStep step : all.steps) {
    const bool is_norm = step == SparseStep::l1 || step == SparseStep::l2;
    const double norm = is_norm ? norm_of(entries, step) : 0.0;
    for (SparseEntry& entry : entries) {
      double& x = entry.value;
      if (step == SparseStep::binary) x = 1.0;
      if (step == SparseStep::sublinear && x != 1.0) x = std::log(x) + 1.0;
      if (step == SparseStep::idf) x *= all.idf[entry.row - first];
      if (norm > 0.0) x /= norm;
    }
  }
  if (all.scale == 1.0) return;
  for (SparseEntry& entry : entries) entry.value *= all.scale;
}

/// Counts terms by their rows.
class RowCounter {
 public:
  RowCounter(SparseScratch& scratch, std::size_t bytes)
      : places_(scratch.places), entries_(scratch.entries), first_(scratch.entries.size()) {
    places_.assign(std::bit_ceil(std::clamp<std::size_t>(4 * bytes, 64, 8192)), 0);
  }

  void add(std::uint32_t row, double count) {
    std::uint32_t& place = find(row);
    if (place != 0) {
      entries_[place - 1].value += count;
      return;
    }
    entries_.push_back({row, count});
    place = static_cast<std::uint32_t>(entries_.size());
    if (2 * (entries_.size() - first_) > places_.size()) grow();
  }

 private:
  std::uint32_t& find(std::uint32_t row) {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = (row * 0x9E3779B1U >> 7U) & mask;
    while (places_[at] != 0 && entries_[places_[at] - 1].row != row) at = (at + 1) & mask;
    return places_[at];
  }
  void grow() {
    places_.assign(2 * places_.size(), 0);
    for (std::size_t i = first_; i < entries_.size(); ++i) {
      find(entries_[i].row) = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<std::uint32_t>& places_;  // a power of two
  std::vector<SparseEntry>& entries_;
  std::size_t first_;
};

double probability_of(SparseOutput output, double decision) {
  if (output == SparseOutput::clipped) return (std::clamp(decision, -1.0, 1.0) + 1.0) / 2.0;
  return 1.0 / (1.0 + std::exp(-decision));
}

}  // namespace

double SparseCurve::at(double value) const {
  const auto after = std::ranges::upper_bound(x, value) - x.begin();
  if (after == 0) return y.front();
  const auto i = static_cast<std::size_t>(after);
  if (i == x.size()) return y.back();
  return y[i - 1] + (y[i] - y[i - 1]) * ((value - x[i - 1]) / (x[i] - x[i - 1]));
}

SparseModel::SparseModel(std::vector<SparseFeatures> features, SparseSteps steps, SparseHead head,
                         std::shared_ptr<const void> memory, std::size_t bytes)
    : features_(std::move(features)),
      steps_(std::move(steps)),
      head_(std::move(head)),
      memory_(std::move(memory)),
      bytes_(bytes) {}

/// `take` gets the row of each term, if it has one, and whether it counts negatively.
template <typename Take>
void SparseModel::visit(std::size_t part, std::string_view text, SparseScratch& scratch,
                        const Take& take) const {
  constexpr std::uint32_t kSign = 0x80000000U;
  const SparseFeatures& of = features_[part];
  const auto first = static_cast<std::uint32_t>(of.first);
  const auto in_buckets = [&](std::string_view term, std::span<const Span> parts) {
    const std::uint32_t hash = murmur_hash(term);
    const std::uint32_t size = (hash & kSign) == 0 ? hash : 0U - hash;
    // −2^31 has no absolute value in 32 bits.
    const std::uint32_t row = (hash == kSign ? kSign - of.buckets : size) % of.buckets;
    take(std::optional(first + row), of.alternate_sign && (hash & kSign) != 0, term, parts);
  };
  const auto in_dictionary = [&](std::string_view term, std::span<const Span> parts) {
    auto row =
        scratch.memo.row(term, part, [&] { return of.dictionary.find(term, murmur_hash(term)); });
    if (row) *row += first;
    take(row, false, term, parts);
  };
  if (of.buckets > 0) {
    visit_terms(of.analyzer, text, scratch.analyzer, in_buckets);
  } else {
    visit_terms(of.analyzer, text, scratch.analyzer, in_dictionary);
  }
}

template <typename Take>
void SparseModel::visit_words_of(std::size_t part, std::string_view text, SparseScratch& scratch,
                                 const Take& take) const {
  const SparseFeatures& of = features_[part];
  const auto first = static_cast<std::uint32_t>(of.first);
  split_words(of.analyzer, text, scratch.analyzer);
  for (const Span& word : scratch.analyzer.words) {
    const auto add_rows = [&](std::vector<std::uint32_t>& rows) {
      visit_characters_of(word, of.analyzer, scratch.analyzer, [&](std::string_view term, auto) {
        const auto row = scratch.memo.row(
            term, part, [&] { return of.dictionary.find(term, murmur_hash(term)); });
        rows.push_back(row ? first + *row : WordMemo::kNoRow);
      });
    };
    take(scratch.words.rows(scratch.analyzer.text.view(word.begin, word.end), part, add_rows));
  }
}

void SparseModel::read(std::string_view text, SparseScratch& scratch) const {
  scratch.entries.clear();
  scratch.terms = 0;
  for (std::size_t part = 0; part < features_.size(); ++part) {
    const std::size_t before = scratch.entries.size();
    const SparseFeatures& of = features_[part];
    RowCounter counter(scratch, text.size());
    const bool has_words = of.analyzer.analyzer == Analyzer::word_characters && of.buckets == 0;
    if (has_words) {
      visit_words_of(part, text, scratch, [&](std::span<const std::uint32_t> rows) {
        scratch.terms += rows.size();
        for (const std::uint32_t row : rows) {
          if (row != WordMemo::kNoRow) counter.add(row, 1.0);
        }
      });
    } else {
      visit(part, text, scratch,
            [&](std::optional<std::uint32_t> row, bool is_negative, const auto&... /*term*/) {
              ++scratch.terms;
              if (row) counter.add(*row, is_negative ? -1.0 : 1.0);
            });
    }
    apply_steps(of.steps, of.first, std::span(scratch.entries).subspan(before));
  }
  apply_steps(steps_, 0, scratch.entries);
}

/// sums [k · m] += value · row
void SparseModel::add_row(const SparseEntry& entry, std::vector<double>& sums) const {
  const auto add = [&](const auto* row) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += entry.value * static_cast<double>(row[i]);
    }
  };
  const std::size_t first = entry.row * sums.size();
  head_.narrow.empty() ? add(&head_.weights[first]) : add(&head_.narrow[first]);
}

/// [k · m] → [k · c]
std::vector<double> SparseModel::of_labels(std::span<const double> sums) const {
  if (head_.columns == head_.labels) return {sums.begin(), sums.end()};
  std::vector<double> decisions;
  for (const double x : sums) decisions.insert(decisions.end(), {-x, x});
  return decisions;
}

std::vector<double> SparseModel::mean_of_folds(std::span<const double> decisions) const {
  std::vector<double> mean(head_.labels);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    mean[i % head_.labels] += decisions[i] / static_cast<double>(head_.folds);
  }
  return mean;
}

void SparseModel::score(double temperature, SparseScratch& scratch) const {
  std::vector<double> sums(head_.bias.begin(), head_.bias.end());
  for (const SparseEntry& entry : scratch.entries) add_row(entry, sums);
  std::vector<double> decisions = of_labels(sums);
  scratch.logits = mean_of_folds(decisions);
  scratch.probabilities.clear();
  if (head_.output == SparseOutput::none && head_.curves.empty()) return;
  for (double& x : decisions) x /= temperature;
  for (std::size_t fold = 0; fold < head_.folds; ++fold) {
    make_probabilities(fold, std::span(decisions).subspan(fold * head_.labels, head_.labels));
  }
  scratch.probabilities = mean_of_folds(decisions);
}

void SparseModel::make_probabilities(std::size_t fold, std::span<double> x) const {
  const std::size_t first = fold * x.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!head_.curves.empty()) {
      x[i] = head_.curves[first + i].at(x[i]);
      continue;
    }
    if (!head_.slopes.empty()) x[i] = x[i] * head_.slopes[first + i] + head_.offsets[first + i];
    if (head_.output != SparseOutput::softmax) x[i] = probability_of(head_.output, x[i]);
  }
  if (head_.each_label) return;
  if (head_.output == SparseOutput::softmax) {
    const double most = *std::ranges::max_element(x);
    for (double& p : x) p = std::exp(p - most);
  }
  double sum = 0.0;
  for (const double p : x) sum += p;
  for (double& p : x) p = sum == 0.0 ? 1.0 / static_cast<double>(x.size()) : p / sum;
}

Encoding SparseModel::features_of(std::string_view text) const {
  Encoding encoding;
  SparseScratch scratch;
  for (std::size_t part = 0; part < features_.size(); ++part) {
    visit(part, text, scratch,
          [&](std::optional<std::uint32_t> row, bool /*is_negative*/, std::string_view term,
              std::span<const Span> parts) {
            const std::vector<std::uint32_t>& origins = scratch.analyzer.text.origins;
            add_feature(row, std::string(term),
                        {origins[parts.front().begin], origins[parts.back().end - 1] + 1},
                        Sequence::first, encoding);
          });
  }
  return encoding;
}

std::vector<std::vector<float>> SparseModel::effects_of(std::string_view text,
                                                        std::span<const Offset> words) const {
  SparseScratch scratch;
  read(text, scratch);
  std::ranges::sort(scratch.entries, {}, &SparseEntry::row);
  std::vector<std::size_t> word_of(characters_of_bytes(text).back(), SIZE_MAX);
  for (std::size_t word = 0; word < words.size(); ++word) {
    std::fill(word_of.begin() + static_cast<std::ptrdiff_t>(words[word].begin),
              word_of.begin() + static_cast<std::ptrdiff_t>(words[word].end), word);
  }
  std::map<std::uint32_t, double> times;                               // each row was found
  std::vector<std::pair<std::uint32_t, std::set<std::size_t>>> found;  // rows and their words
  for (std::size_t part = 0; part < features_.size(); ++part) {
    visit(part, text, scratch,
          [&](std::optional<std::uint32_t> row, bool /*is_negative*/, std::string_view /*term*/,
              std::span<const Span> parts) {
            if (!row) return;
            times[*row] += 1.0;
            auto& touched = found.emplace_back(*row, std::set<std::size_t>()).second;
            for (const Span& piece : parts) {
              for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
                touched.insert(word_of[scratch.analyzer.text.origins[i]]);
              }
            }
            touched.erase(SIZE_MAX);
          });
  }
  std::vector<std::vector<double>> sums(words.size(), std::vector<double>(head_.bias.size()));
  for (const auto& [row, touched] : found) {
    const double value =
        std::ranges::lower_bound(scratch.entries, row, {}, &SparseEntry::row)->value;
    const double share = value / times[row] / static_cast<double>(touched.size());
    for (const std::size_t word : touched) add_row({row, share}, sums[word]);
  }
  std::vector<std::vector<float>> effects;
  for (const auto& sum : sums) {
    const std::vector<double> effect = mean_of_folds(of_labels(sum));
    effects.emplace_back(effect.begin(), effect.end());
  }
  return effects;
}

FeatureModel::Facts SparseModel::arguments() const {
  Facts facts;
  const auto quoted = [](const std::string& text) { return '"' + text + '"'; };
  const auto add_steps = [&](const std::string& name, const SparseSteps& steps) {
    if (!steps.steps.empty()) {
      facts.emplace_back(name, quoted(joined(steps.steps, " ", [](SparseStep step) {
                           return std::string(word_for(step, kSparseStepWords));
                         })));
    }
  };
  for (std::size_t i = 0; i < features_.size(); ++i) {
    const SparseFeatures& of = features_[i];
    const AnalyzerSettings& how = of.analyzer;
    const std::string number = features_.size() > 1 ? std::to_string(i + 1) : "";
    facts.emplace_back("analyzer" + number, quoted(word_for(how.analyzer, kAnalyzerWords)));
    facts.emplace_back("ngrams" + number,
                       quoted(std::to_string(how.least) + "-" + std::to_string(how.most)));
    facts.emplace_back((of.buckets > 0 ? "buckets" : "features") + number,
                       std::to_string(of.size()));
    add_steps("steps" + number, of.steps);
  }
  add_steps("steps", steps_);
  facts.emplace_back(
      "output",
      quoted(head_.curves.empty() ? word_for(head_.output, kSparseOutputWords) : "curves"));
  return facts;
}

FeatureModel::Facts SparseModel::sizes() const {
  const SparseFeatures& last = features_.back();
  Facts sizes = {{"features", std::to_string(last.first + last.size())}};
  sizes.emplace_back("bytes", std::to_string(bytes_));
  return sizes;
}

}  // namespace headlight
