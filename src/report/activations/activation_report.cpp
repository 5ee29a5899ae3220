#include "report/activations/activation_report.h"

#include <algorithm>
#include <span>
#include <sstream>

#include "base/utf8.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

constexpr const char* kExplained =
    "norm: length of the token's vector; before: its cosine with the vector before the layer;\n"
    "others: its mean cosine with the vectors of the other tokens\n";

void write_row(JsonWriter& json, std::span<const double> row) {
  json.begin_array();
  for (const double value : row) json.number(value);
  json.end_array();
}

std::string title_of(const ActivationReport& report) { return printable(report.model_name); }

std::string text_of(const ActivationReport& report) {
  const std::string text = printable(report.input.text);
  return report.input.pair ? text + kPairArrow + printable(*report.input.pair) : text;
}

/// One state's norms, cosines with the previous state, and mean cosines with the other tokens.
std::string state_table(const ActivationReport& report, std::size_t state, std::size_t bar) {
  const Activations& all = report.activations;
  const double longest = largest_norm(all);
  const bool changed = state > 0 && !all.change[state - 1].empty();
  std::vector<std::string> heading = {state_name(state), "norm", ""};
  if (changed) heading.insert(heading.end(), {"before", ""});
  heading.insert(heading.end(), {"others", ""});
  TextTable table(heading, 1);
  const std::size_t n = report.tokens.size();
  for (std::size_t token = 0; token < n; ++token) {
    std::vector<std::string> row = {shown_name(report.tokens[token])};
    const auto add = [&](double value, double share) {
      row.push_back(formatted("%.2f", value));
      row.push_back(text_bar(share, bar));
    };
    const double norm = all.norms[state][token];
    add(norm, longest > 0.0 ? norm / longest : 0.0);
    if (changed) add(all.change[state - 1][token], all.change[state - 1][token]);
    const double others = mean_similarity(all.similarity[state], n, token);
    add(others, others);
    table.add(row);
  }
  return table.text();
}

/// Two blocks of lines side by side, with the second one aligned.
std::string beside(const std::string& left, const std::string& right) {
  constexpr const char* kBetween = "    ";
  const auto lines_of = [](const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  };
  const std::vector<std::string> first = lines_of(left);
  const std::vector<std::string> second = lines_of(right);
  std::size_t width = 0;
  for (const auto& line : first) width = std::max(width, width_of(line));
  std::string text;
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    std::string line = i < first.size() ? first[i] : "";
    if (i < second.size() && !second[i].empty())
      line = begin_in(line, width) + kBetween + second[i];
    text += line + '\n';
  }
  return text;
}

}  // namespace

void write_activations(JsonWriter& json, const ActivationReport& report) {
  json.begin_object().field("model", report.model_name).field("text", report.input.text);
  if (report.input.pair) json.field("pair", *report.input.pair);
  json.key("tokens").begin_array();
  for (const auto& token : report.tokens) json.string(token);
  json.end_array().key("norms").begin_array();
  for (const auto& state : report.activations.norms) write_row(json, state);
  json.end_array().key("change").begin_array();
  for (const auto& layer : report.activations.change) {
    if (layer.empty()) {
      json.null();
    } else {
      write_row(json, layer);
    }
  }
  json.end_array().key("similarity").begin_array();
  const std::size_t n = report.tokens.size();
  for (const auto& state : report.activations.similarity) {
    json.begin_array();
    for (std::size_t token = 0; token < n; ++token) {
      write_row(json, std::span(state).subspan(token * n, n));
    }
    json.end_array();
  }
  json.end_array().end_object();
}

void write_activations(JsonWriter& json, const ActivationReport& report,
                       const ActivationReport& other) {
  json.begin_object().key("models").begin_array();
  write_activations(json, report);
  write_activations(json, other);
  json.end_array().end_object();
}

std::string activation_text(const ActivationReport& report) {
  constexpr std::size_t kBar = 10;
  std::string text = title_of(report) + ": " + text_of(report) + '\n' + kExplained;
  for (std::size_t state = 0; state < report.activations.norms.size(); ++state) {
    text += state_table(report, state, kBar);
  }
  return text;
}

std::string activation_text(const ActivationReport& report, const ActivationReport& other) {
  constexpr std::size_t kBar = 5;
  const std::size_t states =
      std::max(report.activations.norms.size(), other.activations.norms.size());
  std::string text = text_of(report) + '\n' + kExplained;
  std::string left = '\n' + title_of(report) + '\n';
  std::string right = '\n' + title_of(other) + '\n';
  for (std::size_t state = 0; state < states; ++state) {
    const auto table = [&](const ActivationReport& one) {
      return state < one.activations.norms.size() ? state_table(one, state, kBar) : "";
    };
    left += table(report);
    right += table(other);
    const auto lines = [](const std::string& block) {
      return std::count(block.begin(), block.end(), '\n');
    };
    std::string& shorter = lines(left) < lines(right) ? left : right;
    shorter += std::string(static_cast<std::size_t>(std::abs(lines(left) - lines(right))), '\n');
  }
  return text + beside(left, right);
}

std::string state_name(std::size_t state) {
  return state == 0 ? "embedding" : "layer " + std::to_string(state - 1);
}

}  // namespace headlight
