#include <algorithm>
#include <cmath>
#include <span>

#include "base/utf8.h"
#include "report/explanation/explanation_report.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr std::size_t kPictured = 3;  // labels
constexpr double kAround = 16.0;      // margin
constexpr double kWordRow = 24.0;     // height of a word, and of a line of text
constexpr double kHalfBar = 110.0;    // the longest bar, on each side of the middle
constexpr double kNumberBeside = 64.0;
constexpr double kWordLetter = 8.0;  // about the width of one

/// The bars of one label, from a middle line: blue to the right, red to the left.
std::string label_bars(const Explanation& explanation, const std::vector<std::size_t>& words,
                       std::size_t label, double largest, const std::string& name) {
  const double middle = kNumberBeside + kHalfBar;
  std::string content = svg_text(middle, kWordRow / 2,
                                 R"(text-anchor="middle" dy="0.35em" font-weight="bold")", name);
  double y = kWordRow;
  for (const std::size_t number : words) {
    const double effect = explanation.words[number].effect[label];
    const double length = largest > 0.0 ? std::abs(effect) / largest * kHalfBar : 0.0;
    const bool below = effect < 0.0;
    content += svg_box({below ? middle - length : middle, y + 4, length, kWordRow - 8},
                       below ? R"(fill="#d6604d")" : R"(fill="#4393c3")", "");
    content += svg_text(
        below ? middle - length - 5 : middle + length + 5, y + kWordRow / 2,
        std::string(R"(dy="0.35em" font-size="11" text-anchor=")") + (below ? "end\"" : "start\""),
        effect_text(explanation.words[number], label));
    y += kWordRow;
  }
  return content + "<path d=\"M " + pixels(middle) + ' ' + pixels(kWordRow) + " V " + pixels(y) +
         "\" stroke=\"#808080\"/>\n";
}

std::vector<std::string> notes_below(const Explanation& explanation, std::size_t shown) {
  std::vector<std::string> notes = {
      "change of the logit by each word: blue speaks for the label, red against it"};
  const std::string method = method_text(explanation);
  if (!method.empty()) notes.push_back(method);
  const std::size_t hidden = explanation.words.size() - shown;
  if (hidden > 0) notes.push_back("and " + std::to_string(hidden) + " weaker words");
  return notes;
}

}  // namespace

std::string explanation_picture(const std::string& title, const LabelSet& labels,
                                const Explanation& explanation, const ExplanationView& view) {
  const auto shown = labels_to_explain(labels, explanation, kPictured);
  std::vector<std::size_t> words = strongest_words(explanation, shown.front(), view.most);
  std::ranges::sort(words);  // as in the text
  std::vector<std::string> lines = {
      verdict_line(labels, explanation.prediction, verdict_view(labels), /*color=*/false)};
  const std::string towards = towards_text(labels, explanation);
  if (!towards.empty()) lines.push_back(towards);
  double width = 0.0;
  double y = kAround;
  std::string content;
  const auto add_line = [&](const std::string& text, const std::string& look) {
    content += svg_text(kAround, y + kWordRow / 2, look + R"( dy="0.35em")", html_text(text));
    width = std::max(width, kWordLetter * static_cast<double>(width_of(text)));
    y += kWordRow;
  };
  for (const std::string& line : lines) add_line(line, R"(font-size="14")");
  double names = 0.0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = shown_name(explanation.words[words[i]].text);
    content += svg_text(kAround, y + (static_cast<double>(i) + 1.5) * kWordRow, R"(dy="0.35em")",
                        html_text(name));
    names = std::max(names, kWordLetter * static_cast<double>(width_of(name)));
  }
  const double largest = largest_effect(explanation, shown);
  double x = kAround + names;
  for (const std::size_t label : shown) {
    content += svg_group(
        x, y,
        label_bars(
            explanation, words, label, largest,
            html_text(cut_to(printable(name_of_explained(labels, explanation, label)), 40))));
    x += 2 * (kHalfBar + kNumberBeside);
  }
  y += static_cast<double>(words.size() + 1) * kWordRow + kAround / 2;
  for (const std::string& note : notes_below(explanation, words.size())) {
    add_line(note, R"(font-size="11" font-style="italic")");
  }
  return svg_document(std::max(x, width) + kAround, y + kAround / 2,
                      html_text("Effect of each word on the prediction"), content, title);
}

}  // namespace headlight
