#include "classifier/entities.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

constexpr std::string_view kOutside = "O";

/// A token or a word with its best label.
struct LabelledPart {
  std::size_t label;
  float probability;
  Offset offset;
  std::size_t first = 0;  // its tokens
  std::size_t last = 0;
};

/// B-PER → {true, PER}; I-PER → {false, PER}; any other label is its own name.
struct Tag {
  bool begins;
  std::string_view name;
};

Tag tag_of(std::string_view label) {
  const bool begins = label.starts_with("B-");
  return {begins, begins || label.starts_with("I-") ? label.substr(2) : label};
}

std::string_view after_first_hyphen(std::string_view label) {
  const std::size_t hyphen = label.find('-');
  return hyphen == std::string_view::npos ? label : label.substr(hyphen + 1);
}

/// The best label of the scores; ties go to the lower number.
LabelledPart best_of(std::span<const float> scores, const Offset& offset) {
  const auto best = std::max_element(scores.begin(), scores.end());
  return {static_cast<std::size_t>(best - scores.begin()), *best, offset, 0, 0};
}

std::vector<float> mean_scores(std::span<const ScoredToken> word) {
  std::vector<double> sums(word.front().scores.size());
  for (const ScoredToken& token : word) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(token.scores[i]);
  }
  for (double& sum : sums) sum /= static_cast<double>(word.size());
  return {sums.begin(), sums.end()};
}

LabelledPart labelled_part(Aggregation aggregation, std::span<const ScoredToken> word) {
  const Offset offset{word.front().offset.begin, word.back().offset.end};
  if (aggregation == Aggregation::average) return best_of(mean_scores(word), offset);
  LabelledPart part = best_of(word.front().scores, offset);
  if (aggregation == Aggregation::first) return part;
  for (const ScoredToken& token : word) {
    const LabelledPart other = best_of(token.scores, offset);
    if (other.probability > part.probability) part = other;
  }
  return part;
}

/// The words, or each token by itself.
std::vector<LabelledPart> labelled_parts(Aggregation aggregation,
                                         std::span<const ScoredToken> tokens) {
  std::vector<LabelledPart> parts;
  for (std::size_t first = 0; first < tokens.size();) {
    std::size_t last = first + 1;
    while (needs_words(aggregation) && last < tokens.size() && tokens[last].continues_word) ++last;
    parts.push_back(labelled_part(aggregation, tokens.subspan(first, last - first)));
    parts.back().first = first;
    parts.back().last = last;
    first = last;
  }
  return parts;
}

Entity entity_of(const std::vector<std::string>& labels, std::span<const LabelledPart> group) {
  Entity entity;
  entity.label = after_first_hyphen(labels[group.front().label]);
  entity.offset = {group.front().offset.begin, group.back().offset.end};
  entity.first = group.front().first;
  entity.last = group.back().last;
  double sum = 0.0;
  for (const LabelledPart& part : group) sum += static_cast<double>(part.probability);
  entity.probability = static_cast<float>(sum / static_cast<double>(group.size()));
  return entity;
}

std::vector<Entity> grouped_entities(const std::vector<std::string>& labels,
                                     std::span<const LabelledPart> parts) {
  std::vector<Entity> entities;
  for (std::size_t first = 0; first < parts.size();) {
    const std::string_view name = tag_of(labels[parts[first].label]).name;
    std::size_t last = first + 1;
    for (; last < parts.size(); ++last) {
      const Tag tag = tag_of(labels[parts[last].label]);
      if (tag.begins || tag.name != name) break;
    }
    entities.push_back(entity_of(labels, parts.subspan(first, last - first)));
    first = last;
  }
  return entities;
}

}  // namespace

std::vector<Entity> find_entities(Aggregation aggregation, const std::vector<std::string>& labels,
                                  std::span<const ScoredToken> tokens) {
  const std::vector<LabelledPart> parts = labelled_parts(aggregation, tokens);
  std::vector<Entity> entities;
  if (aggregation == Aggregation::none) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      entities.push_back(entity_of(labels, std::span(parts).subspan(i, 1)));
      entities.back().label = labels[parts[i].label];
      entities.back().index = tokens[i].index;
    }
  } else {
    entities = grouped_entities(labels, parts);
  }
  std::erase_if(entities, [](const Entity& entity) { return entity.label == kOutside; });
  return entities;
}

}  // namespace headlight
