// The summary of a run for a monitor.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// How it begins.
inline constexpr std::string_view kPrometheusSummary = "# TYPE headlight_";

/// The text format of Prometheus, as its node exporter collects *.prom files. `summary` is the JSON
/// of a summary: each number is a gauge, and so are the time and whether the run finished; what it
/// says in words are the labels of headlight_info.
std::string prometheus_text(std::string_view summary);

}  // namespace headlight
