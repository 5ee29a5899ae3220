#include "report/attention/head_statistics.h"

#include "inside/attention_statistics.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

std::vector<std::string> statistics_row(const std::string& layer, const std::string& head,
                                        const HeadStatistics& statistics, unsigned decimals) {
  std::vector<std::string> row = {layer, head};
  for (const auto& field : kStatisticsFields) {
    row.push_back(fixed(statistics.*field.value, decimals));
  }
  return row;
}

}  // namespace

void write_head_statistics(JsonWriter& json, const std::vector<HeadStatistics>& heads) {
  json.begin_array();
  for (const HeadStatistics& head : heads) {
    json.begin_object().field("layer", head.layer).field("head", head.head);
    for (const auto& [name, value] : kStatisticsFields) json.field(name, head.*value);
    json.end_object();
  }
  json.end_array();
}

TextTable head_statistics_table(const std::vector<HeadStatistics>& heads, unsigned decimals) {
  std::vector<std::string> heading = {"layer", "head"};
  for (const auto& field : kStatisticsFields) heading.emplace_back(field.name);
  TextTable table(heading, 0);
  for (const HeadStatistics& head : heads) {
    table.add(
        statistics_row(std::to_string(head.layer), std::to_string(head.head), head, decimals));
  }
  return table;
}

std::string head_statistics_text(const std::vector<HeadStatistics>& heads, unsigned decimals) {
  if (heads.empty()) return "";
  TextTable table = head_statistics_table(heads, decimals);
  if (heads.size() > 1) table.add(statistics_row("all", "", mean_of(heads), decimals));
  return table.text();
}

}  // namespace headlight
