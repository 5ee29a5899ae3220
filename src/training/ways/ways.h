// All ways to train. A new one is a file of this folder, which its maker here and its row in
// ways.cpp make known.
#pragma once

#include <vector>

#include "training/settings.h"
#include "training/ways/way.h"

namespace headlight {

/// head.cpp: a new last layer.
Way head_way(const HeadSettings& settings);

/// ngrams.cpp: and what n-grams of tokens add to its logits.
Way ngrams_way(const HeadSettings& settings);

/// all.cpp: all weights, also from random ones.
Way all_way(const AllSettings& settings);

/// static.cpp: a model without layers.
Way static_way(const StaticSettings& settings);
/// configs/static.json, of which it is made unless another config is given.
extern const char* const kStaticConfig;

/// tfidf.cpp: a model of words and n-grams of characters.
Way tfidf_way();

/// contrastive.cpp: the encoder by contrast, then a new last layer.
Way contrastive_way(const HeadSettings& head, const CourseSettings& course);

/// Each with its part of the settings, in the order in which help names them.
std::vector<Way> ways_of(const AllSettings& settings);

}  // namespace headlight
