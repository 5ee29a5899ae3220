#include "report/predictions/prometheus.h"

#include <ctime>

#include "base/json.h"

namespace headlight {
namespace {

/// `name="text"`, escaped.
std::string prometheus_label(const std::string& name, const std::string& text) {
  std::string label = name + "=\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') label += '\\';
    label += c == '\n' ? "\\n" : std::string(1, c);
  }
  return label + '"';
}

/// Of "2026-07-01T02:00:59Z".
std::string unix_time(const std::string& iso) {
  std::tm parts{};
  ::strptime(iso.c_str(), "%FT%TZ", &parts);
  return std::to_string(::timegm(&parts));
}

}  // namespace

std::string prometheus_text(std::string_view summary) {
  const Json json = parse_json(summary, "the summary");
  const std::string model = prometheus_label("model", json.value("model", ""));
  std::string text;
  std::string info = model;
  const auto begin = [&](const std::string& name) {
    text += std::string(kPrometheusSummary) + name + " gauge\n";
  };
  const auto add = [&](const std::string& name, const std::string& labels,
                       const std::string& number) {
    text += "headlight_" + name + '{' + labels + "} " + number + '\n';
  };
  for (const auto& [name, value] : json.items()) {
    if (value.is_number() || value.is_boolean() || name == "time") {
      const std::string number = value.is_boolean() ? (value.get<bool>() ? "1" : "0")
                                 : name == "time"   ? unix_time(value.get<std::string>())
                                                    : value.dump();
      const std::string unit = name == "time" ? "time_seconds" : name;
      begin(unit);
      add(unit, model, number);
    } else if (value.is_object() && !value.empty() && value.front().is_number()) {
      begin(name);
      for (const auto& [key, count] : value.items()) {
        add(name, model + ',' + prometheus_label(name == "labels" ? "label" : "by", key),
            count.dump());
      }
    } else if (value.is_string() && name != "model") {
      info +=
          ',' + prometheus_label(name == "headlight" ? "version" : name, value.get<std::string>());
    }
  }
  begin("info");
  add("info", info, "1");
  return text;
}

}  // namespace headlight
