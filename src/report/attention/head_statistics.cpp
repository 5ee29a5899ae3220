#include "report/attention/head_statistics.h"

#include <cmath>
#include <span>

#include "inside/attention_statistics.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

using StatisticsFields = std::span<const StatisticsField>;

std::vector<std::string> statistics_row(const std::string& layer, const std::string& head,
                                        StatisticsFields fields, const HeadStatistics& statistics,
                                        unsigned decimals) {
  std::vector<std::string> row = {layer, head};
  for (const auto& field : fields) {
    const double value = statistics.*field.value;
    row.push_back(std::isnan(value) ? "-" : fixed(value, decimals));
  }
  return row;
}

TextTable table_of(StatisticsFields fields, const std::vector<HeadStatistics>& heads,
                   unsigned decimals) {
  std::vector<std::string> heading = {"layer", "head"};
  for (const auto& field : fields) heading.emplace_back(field.name);
  TextTable table(heading, 0);
  for (const HeadStatistics& head : heads) {
    table.add(statistics_row(std::to_string(head.layer), std::to_string(head.head), fields, head,
                             decimals));
  }
  return table;
}

}  // namespace

void write_head_statistics(JsonWriter& json, const std::vector<HeadStatistics>& heads) {
  json.begin_array();
  for (const HeadStatistics& head : heads) {
    json.begin_object().field("layer", head.layer).field("head", head.head);
    for (const auto& [name, value] : kStatisticsFields) {
      json.key(name);
      std::isnan(head.*value) ? json.null() : json.number(head.*value);
    }
    json.end_object();
  }
  json.end_array();
}

TextTable head_statistics_table(const std::vector<HeadStatistics>& heads, unsigned decimals) {
  return table_of(kStatisticsFields, heads, decimals);
}

std::string head_statistics_text(const std::vector<HeadStatistics>& heads, unsigned decimals) {
  constexpr std::size_t kFirstFields = 8;  // as many as fit in 80 columns with 4 decimals
  if (heads.empty()) return "";
  const StatisticsFields fields = kStatisticsFields;
  std::string text;
  for (const StatisticsFields some : {fields.first(kFirstFields), fields.subspan(kFirstFields)}) {
    TextTable table = table_of(some, heads, decimals);
    if (heads.size() > 1) table.add(statistics_row("all", "", some, mean_of(heads), decimals));
    text += table.text();
  }
  return text;
}

}  // namespace headlight
