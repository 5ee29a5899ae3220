// The names of the head statistics, in output order.
#pragma once

#include <array>
#include <vector>

#include "inside/attention_statistics.h"

namespace headlight {

struct StatisticsField {
  const char* name;
  double HeadStatistics::*value;
};

/// In the order of the contract.
inline constexpr std::array kStatisticsFields = {
    StatisticsField{"mean", &HeadStatistics::mean},
    StatisticsField{"std", &HeadStatistics::std},
    StatisticsField{"max", &HeadStatistics::max},
    StatisticsField{"entropy", &HeadStatistics::entropy},
    StatisticsField{"distance", &HeadStatistics::distance},
    StatisticsField{"self", &HeadStatistics::self},
    StatisticsField{"previous", &HeadStatistics::previous},
    StatisticsField{"next", &HeadStatistics::next},
    StatisticsField{"special", &HeadStatistics::special}};

/// The mean of each statistic over `heads` (at least one).
HeadStatistics mean_of(const std::vector<HeadStatistics>& heads);

}  // namespace headlight
