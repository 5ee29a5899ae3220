#include "inside/statistics_fields.h"

namespace headlight {

HeadStatistics mean_of(const std::vector<HeadStatistics>& heads) {
  HeadStatistics mean;
  for (const HeadStatistics& head : heads) {
    for (const auto& [name, value] : kStatisticsFields) {
      mean.*value += head.*value / static_cast<double>(heads.size());
    }
  }
  return mean;
}

}  // namespace headlight
