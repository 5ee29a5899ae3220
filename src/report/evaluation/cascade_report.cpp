#include "report/evaluation/cascade_report.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "metrics/confidence.h"
#include "report/evaluation/evaluation_report.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

double rate_of(const Cascade& cascade, const CascadePoint& point) {
  return cascade.rows_per_second(1.0, 1.0 - cascade.share(point.kept));
}

Interval accuracy_interval(const Cascade& cascade, std::size_t right) {
  return proportion_interval(right, cascade.rows, cascade.distinct);
}

/// Some points, then the large model alone.
TextTable points_table(const Cascade& cascade) {
  TextTable table(
      {"kept", "confidence ≥", "agreement", "at least", "accuracy", "95 % CI", "rows/s"}, 0);
  const auto add = [&](std::vector<std::string> cells, std::size_t right, double rate) {
    const Interval interval = accuracy_interval(cascade, right);
    cells.push_back(percent(cascade.share(right)));
    cells.push_back(percent_range(interval.low, interval.high));
    cells.push_back(grouped(static_cast<std::size_t>(std::llround(rate))));
    table.add(cells);
  };
  const auto rounded_down = [](double share) {
    return fixed(std::floor(10000.0 * share + 1e-9) / 100.0, 2) + " %";
  };
  std::size_t kept = 0;  // by the point before
  for (const double share : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0}) {
    const auto point = std::ranges::find_if(
        cascade.points, [&](const auto& each) { return cascade.share(each.kept) >= share; });
    if (point->kept == kept) continue;
    kept = point->kept;
    add({percent(cascade.share(kept)), fixed(point->threshold, 6),
         rounded_down(cascade.agreement(*point)), rounded_down(cascade.agreement_bound(*point))},
        point->right, rate_of(cascade, *point));
  }
  add({"none", "-", "-", "-"}, cascade.large_right, cascade.rows_per_second(0.0, 1.0));
  return table;
}

TextTable promises_table(const Cascade& cascade) {
  TextTable table({"promise", "kept", "confidence ≥"}, 1);
  for (const char* percentage : {"90", "95", "98", "99", "99.5", "99.9"}) {
    const double agreement = std::stod(percentage) / 100.0;
    const auto point = promised_point(cascade, agreement);
    const std::size_t needed = rows_to_promise(agreement);
    const std::string missing = cascade.distinct < needed ? grouped(needed) + " rows or more" : "-";
    table.add({std::string("--agree ") + percentage + '%',
               point ? percent(cascade.share(point->kept)) : "-",
               point ? fixed(point->threshold, 6) : missing});
  }
  return table;
}

}  // namespace

void write_cascade(JsonWriter& json, const Cascade& cascade) {
  const auto end = [&](std::size_t right, double rate) {
    json.field("accuracy", cascade.share(right));
    interval_field(json, "accuracy_interval", accuracy_interval(cascade, right));
    json.field("rows_per_second", rate).end_object();
  };
  json.key("cascade").array(cascade.points, [&](const CascadePoint& point) {
    json.begin_object().field("threshold", point.threshold);
    json.field("kept", cascade.share(point.kept)).field("agreement", cascade.agreement(point));
    json.field("agreement_bound", cascade.agreement_bound(point));
    end(point.right, rate_of(cascade, point));
  });
  if (cascade.rows == 0) return;
  json.key("cascade_large").begin_object();
  end(cascade.large_right, cascade.rows_per_second(0.0, 1.0));
}

std::string cascade_text(const Cascade& cascade) {
  if (cascade.rows == 0) return "\nno rows that both models score\n";
  return points_table(cascade).text() +
         "at least: with 95 % confidence, for rows like those measured\n" +
         "none: the large model alone\n" + promises_table(cascade).text();
}

}  // namespace headlight
