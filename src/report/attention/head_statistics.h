// The statistics of heads, as JSON and as a table.
#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "inside/attention_statistics.h"
#include "report/formats/text_table.h"

namespace headlight {

/// An array with one object per head. A statistic that there is not is null.
void write_head_statistics(JsonWriter& json, const std::vector<HeadStatistics>& heads);

TextTable head_statistics_table(const std::vector<HeadStatistics>& heads, unsigned decimals);
/// Two tables, of attention and of its sinks, with one line per head and, if there are several, a
/// line of means; empty without heads.
std::string head_statistics_text(const std::vector<HeadStatistics>& heads, unsigned decimals = 4);

}  // namespace headlight
