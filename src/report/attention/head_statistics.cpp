#include "report/attention/head_statistics.h"

#include "inside/attention_statistics.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {

void write_head_statistics(JsonWriter& json, const std::vector<HeadStatistics>& heads) {
  json.begin_array();
  for (const HeadStatistics& head : heads) {
    json.begin_object().field("layer", head.layer).field("head", head.head);
    for (const auto& [name, value] : kStatisticsFields) json.field(name, head.*value);
    json.end_object();
  }
  json.end_array();
}

std::string head_statistics_text(const std::vector<HeadStatistics>& heads, unsigned decimals) {
  if (heads.empty()) return "";
  std::vector<std::string> heading = {"layer", "head"};
  for (const auto& field : kStatisticsFields) heading.emplace_back(field.name);
  TextTable table(heading, 0);
  for (const HeadStatistics& head : heads) {
    std::vector<std::string> row = {std::to_string(head.layer), std::to_string(head.head)};
    for (const auto& [name, value] : kStatisticsFields) {
      row.push_back(fixed(head.*value, decimals));
    }
    table.add(row);
  }
  if (heads.size() > 1) {
    const HeadStatistics mean = mean_of(heads);
    std::vector<std::string> row = {"all", ""};
    for (const auto& [name, value] : kStatisticsFields) row.push_back(fixed(mean.*value, decimals));
    table.add(row);
  }
  return table.text();
}

}  // namespace headlight
