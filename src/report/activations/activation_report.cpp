#include "report/activations/activation_report.h"

#include <algorithm>
#include <span>
#include <sstream>

#include "base/utf8.h"
#include "report/attention/attention_report.h"
#include "report/formats/documents.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_bars.h"
#include "report/formats/text_table.h"
#include "report/predictions/prediction_report.h"

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

std::string title_of(const TextActivations& report) { return printable(report.text.model_name); }

/// One state's norms, cosines with the previous state, and mean cosines with the other tokens.
std::string state_table(const TextActivations& report, std::size_t state, std::size_t bar) {
  const Activations& all = report.activations;
  const double longest = largest_norm(all);
  const bool changed = state > 0 && !all.change[state - 1].empty();
  std::vector<std::string> heading = {state_name(state), "norm", ""};
  if (changed) heading.insert(heading.end(), {"before", ""});
  heading.insert(heading.end(), {"others", ""});
  TextTable table(heading, 1);
  const std::size_t n = report.text.encoding.tokens.size();
  for (std::size_t token = 0; token < n; ++token) {
    std::vector<std::string> row = {shown_name(report.text.encoding.tokens[token])};
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

/// The tables of all states of one model.
std::string tables(const TextActivations& report) {
  constexpr std::size_t kBar = 10;
  std::string text;
  for (std::size_t state = 0; state < report.activations.norms.size(); ++state) {
    text += state_table(report, state, kBar);
  }
  return text;
}

/// Those of two models, with the tables of each state beside each other.
std::string two_columns(const TextActivations& first, const TextActivations& second) {
  constexpr std::size_t kBar = 5;
  const std::size_t states =
      std::max(first.activations.norms.size(), second.activations.norms.size());
  std::string left = '\n' + title_of(first) + '\n';
  std::string right = '\n' + title_of(second) + '\n';
  for (std::size_t state = 0; state < states; ++state) {
    const auto table = [&](const TextActivations& one) {
      return state < one.activations.norms.size() ? state_table(one, state, kBar) : "";
    };
    left += table(first);
    right += table(second);
    const auto lines = [](const std::string& block) {
      return std::count(block.begin(), block.end(), '\n');
    };
    std::string& shorter = lines(left) < lines(right) ? left : right;
    shorter += std::string(static_cast<std::size_t>(std::abs(lines(left) - lines(right))), '\n');
  }
  return beside(left, right);
}

}  // namespace

void write_activations(JsonWriter& json, const TextActivations& report) {
  begin_traced(json, report.text).key("tokens").begin_array();
  for (const auto& token : report.text.encoding.tokens) json.string(token);
  json.end_array().key("norms").begin_array();
  for (const auto& state : report.activations.norms) write_row(json, state);
  json.end_array().key("change").begin_array();
  for (const auto& layer : report.activations.change) {
    layer.empty() ? void(json.null()) : write_row(json, layer);
  }
  json.end_array().key("similarity").begin_array();
  const std::size_t n = report.text.encoding.tokens.size();
  for (const auto& state : report.activations.similarity) {
    json.begin_array();
    for (std::size_t token = 0; token < n; ++token) {
      write_row(json, std::span(state).subspan(token * n, n));
    }
    json.end_array();
  }
  json.end_array().end_object();
}

std::string activation_json(const std::vector<TextActivations>& models, bool ascii) {
  return json_document(ascii, [&](JsonWriter& json) {
    if (models.size() == 1) return write_activations(json, models.front());
    json.begin_object().key("models").begin_array();
    for (const TextActivations& model : models) write_activations(json, model);
    json.end_array().end_object();
  });
}

std::string activation_text(const std::vector<TextActivations>& models) {
  const TextActivations& report = models.front();
  const std::string text = shown_input(report.text.input) + '\n' + kExplained;
  if (models.size() == 1) return title_of(report) + ": " + text + tables(report);
  return text + two_columns(report, models.back());
}

std::string state_name(std::size_t state) {
  return state == 0 ? "embedding" : "layer " + std::to_string(state - 1);
}

}  // namespace headlight
