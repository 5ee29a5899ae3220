// The statistics of heads: their names once, for JSON, text and pages.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "metrics/attention_statistics.h"

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

/// An array with an object a head.
void write_head_statistics(JsonWriter& json, const std::vector<HeadStatistics>& heads);

/// A table with a line a head and, below several, one with their means; empty where there are none.
std::string head_statistics_text(const std::vector<HeadStatistics>& heads, unsigned decimals = 4);

}  // namespace headlight
