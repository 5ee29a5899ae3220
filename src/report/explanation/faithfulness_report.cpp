#include "report/explanation/faithfulness_report.h"

#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

std::vector<std::string> judged_row(const JudgedMethod& judged) {
  const auto share = [](const std::optional<double>& value) {
    return value ? percent(*value) : std::string("-");
  };
  const Faithfulness& found = judged.faithfulness;
  return {judged.name, decimal(found.comprehensiveness), share(found.normalized_comprehensiveness),
          decimal(found.sufficiency), share(found.normalized_sufficiency)};
}

const std::vector<std::string> kFaithfulnessHeading = {"method", "comprehensiveness", "of best",
                                                       "sufficiency", "of best"};

}  // namespace

std::string faithfulness_text(const std::vector<JudgedMethod>& judged) {
  if (judged.empty()) return "";
  TextTable table(kFaithfulnessHeading, 1);
  for (const JudgedMethod& each : judged) table.add(judged_row(each));
  return table.text();
}

std::string faithfulness_section(const std::vector<JudgedMethod>& judged) {
  if (judged.empty()) return "";
  std::string table = "<table>\n" + html_row(kFaithfulnessHeading, "th");
  for (const JudgedMethod& each : judged) table += html_row(judged_row(each));
  return "<h2>Faithfulness</h2>\n<p>Comprehensiveness: how much the score of the predicted label "
         "falls without the 10 to 50 % of the words that a method names first; high is good. "
         "Sufficiency: how much it falls with only these words; low is good. The percentages are 0 "
         "% for the worst order of the words that was found, and 100 % for the best.</p>\n" +
         html_scroller("faithfulness of methods", table + "</table>\n");
}

}  // namespace headlight
