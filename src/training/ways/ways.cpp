#include "training/ways/ways.h"

namespace headlight {

std::vector<Way> ways_of(const AllSettings& settings) {
  return {head_way(settings.head),
          ngrams_way(settings.head),
          all_way(settings),
          static_way({settings.teacher, settings.stored_as}),
          tfidf_way(),
          contrastive_way(settings.head, settings.course)};
}

}  // namespace headlight
