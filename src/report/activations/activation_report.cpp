#include "report/activations/activation_report.h"

#include <algorithm>
#include <span>
#include <sstream>

#include "base/utf8.h"
#include "report/attention/attention_report.h"
#include "report/formats/documents.h"
#include "report/formats/plain_text.h"
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

/// The name of the model, and the tables of all states.
std::vector<std::string> blocks_of(const TextActivations& report, std::size_t bar) {
  std::vector<std::string> blocks = {'\n' + printable(report.text.model_name) + '\n'};
  for (std::size_t state = 0; state < report.activations.norms.size(); ++state) {
    blocks.push_back(state_table(report, state, bar));
  }
  return blocks;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Block beside block, with the second ones aligned.
std::string beside(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  constexpr const char* kBetween = "    ";
  std::size_t width = 0;
  for (const auto& block : left) {
    for (const auto& line : lines_of(block)) width = std::max(width, width_of(line));
  }
  std::string text;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const auto first = lines_of(i < left.size() ? left[i] : "");
    const auto second = lines_of(i < right.size() ? right[i] : "");
    for (std::size_t row = 0; row < std::max(first.size(), second.size()); ++row) {
      std::string line = row < first.size() ? first[row] : "";
      if (row < second.size() && !second[row].empty()) {
        line = begin_in(line, width) + kBetween + second[row];
      }
      text += line + '\n';
    }
  }
  return text;
}

}  // namespace

void write_activations(JsonWriter& json, const TextActivations& report) {
  begin_traced(json, report.text).key("tokens").begin_array();
  for (const auto& token : report.text.encoding.tokens) json.string(token);
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
  constexpr std::size_t kBar = 10;
  const TracedText& text = models.front().text;
  const std::string heading = shown_input(text.input) + '\n' + kExplained;
  if (models.size() == 2) {
    return heading +
           beside(blocks_of(models.front(), kBar / 2), blocks_of(models.back(), kBar / 2));
  }
  std::string tables;
  for (std::size_t state = 0; state < models.front().activations.norms.size(); ++state) {
    tables += state_table(models.front(), state, kBar);
  }
  return printable(text.model_name) + ": " + heading + tables;
}

std::string state_name(std::size_t state) {
  return state == 0 ? "embedding" : "layer " + std::to_string(state - 1);
}

}  // namespace headlight
