#include "report/attention/steps_report.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/utf8.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

constexpr std::size_t kShortVector = 4;

std::string number(float value) { return formatted("%.4f", value); }

std::string numbers(std::span<const float> vector) {
  std::string text;
  for (const float value : vector) text += (text.empty() ? "" : " ") + number(value);
  return text;
}

std::span<const float> row_of(const std::vector<float>& rows, std::size_t i, std::size_t e) {
  return std::span(rows).subspan(i * e, e);
}

std::string title_of(const TracedText& text, const HeadSteps& steps) {
  return "head " + std::to_string(steps.head) + " of layer " + std::to_string(steps.layer) +
         ", query " + std::to_string(steps.query) + ": " +
         token_of_steps(text, steps.target_query, steps.query);
}

/// "q  0.1 0.2", eight numbers a line.
std::string vector_lines(const std::string& name, std::span<const float> vector) {
  constexpr std::size_t kInALine = 8;
  std::string lines;
  for (std::size_t i = 0; i < vector.size(); i += kInALine) {
    std::string begin = i == 0 ? name : "";
    begin.resize(8, ' ');
    lines += begin;
    for (const float value : vector.subspan(i, std::min(kInALine, vector.size() - i))) {
      lines += formatted("%9.4f", value);
    }
    lines += '\n';
  }
  return lines;
}

}  // namespace

std::string token_of_steps(const TracedText& text, bool is_target, std::size_t token) {
  const std::vector<std::string>& tokens = text.encoding.tokens;
  return shown_name(!is_target   ? tokens[token]
                    : token == 0 ? text.first_target
                                 : tokens[token - 1]);
}

TextTable table_of_steps(const TracedText& text, const HeadSteps& steps) {
  const std::size_t e = steps.vector.size();
  const bool is_short = e <= kShortVector;
  std::vector<std::string> heading = {"key"};
  if (is_short) heading.emplace_back("k");
  heading.insert(heading.end(), {"q · k", "score", "weight"});
  if (is_short) heading.emplace_back("v");
  TextTable table(heading, 1);
  for (std::size_t key = 0; key < steps.weights.size(); ++key) {
    std::vector<std::string> row = {token_of_steps(text, steps.target_keys, key)};
    if (is_short) row.push_back(numbers(row_of(steps.keys, key, e)));
    row.push_back(number(steps.products[key]));
    row.push_back(std::isfinite(steps.scores[key]) ? number(steps.scores[key]) : "masked");
    row.push_back(number(steps.weights[key]));
    if (is_short) row.push_back(numbers(row_of(steps.values, key, e)));
    table.add(std::move(row));
  }
  return table;
}

std::string steps_text(const TracedText& text, const HeadSteps& steps) {
  return printable(title_of(text, steps)) + "\nscore = q · k × " + formatted("%.6g", steps.scale) +
         ", and what the model adds for positions; weight = softmax of the scores;\n"
         "output = sum of weight × v\n\n" +
         vector_lines("q", steps.vector) + table_of_steps(text, steps).text() + '\n' +
         vector_lines("output", steps.output);
}

void write_steps(JsonWriter& json, const TracedText& text, const HeadSteps& steps) {
  const std::size_t e = steps.vector.size();
  const auto rows = [&](const char* name, const std::vector<float>& matrix) {
    json.key(name).begin_array();
    for (std::size_t i = 0; i < steps.weights.size(); ++i) {
      json.array(row_of(matrix, i, e), [&](float value) { json.number(value); });
    }
    json.end_array();
  };
  json.begin_object().field("model", text.model_name).field("text", text.input.text);
  if (text.input.pair) json.field("pair", *text.input.pair);
  json.key("tokens").strings(text.encoding.tokens);
  if (steps.target_query) json.field("first_target_token", text.first_target);
  json.field("layer", steps.layer).field("head", steps.head).field("query", steps.query);
  json.field("scale", steps.scale).key("q").numbers(steps.vector);
  rows("keys", steps.keys);
  json.key("products").numbers(steps.products);
  json.key("scores").array(
      steps.scores, [&](float score) { std::isfinite(score) ? json.number(score) : json.null(); });
  json.key("weights").numbers(steps.weights);
  rows("values", steps.values);
  json.key("output").numbers(steps.output).end_object();
}

}  // namespace headlight
