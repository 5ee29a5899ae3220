#include "report/training/label_check_report.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "report/formats/plain_text.h"
#include "report/predictions/row_writer.h"
#include "rows/delimited.h"
#include "text/lookalikes.h"
#include "training/rows/corrections.h"

namespace headlight {
namespace {

KeptField label_field(const char* name, const LabelSet& labels, const Gold& target) {
  if (labels.problem_type == ProblemType::single_label) {
    return {name, labels.names[target.labels.front()]};
  }
  KeptField field{name, "", false};
  JsonWriter json(*field.text);
  json.array(target.labels, [&](std::size_t label) { json.string(labels.names[label]); });
  return field;
}

KeptField number_field(const char* name, double number) {
  KeptField field{name, "", false};
  JsonWriter(*field.text).number(static_cast<float>(number));
  return field;
}

KeptField id_field(const char* name, const RowId& id) { return {name, id.text, id.is_string}; }

struct AddedFields {
  bool id;
  bool label;    // for a person to fill
  bool checked;  // what fit --apply needs
};

/// Our fields of a row, without prefix.
std::vector<KeptField> added_fields(const LabelCheck& check, const DoubtfulRow& doubtful,
                                    const AddedFields& adds) {
  const LabelledRow& row = check.rows[doubtful.row];
  std::vector<KeptField> fields;
  if (adds.id) fields.push_back(id_field("id", row.id));
  fields.push_back(label_field("given", check.labels, row.target));
  fields.push_back(label_field("suggested", check.labels, doubtful.suggested));
  fields.push_back(number_field("probability_given", doubtful.probability_given));
  fields.push_back(number_field("probability_suggested", doubtful.probability_suggested));
  fields.push_back(doubtful.duplicate ? id_field("duplicate_of", check.rows[*doubtful.duplicate].id)
                                      : KeptField{"duplicate_of", std::nullopt});
  if (adds.label) fields.push_back({"label", std::nullopt});
  if (adds.checked) fields.push_back({kCheckedField, checked_row(row.number, check.mark)});
  return fields;
}

std::string json_line(const std::vector<KeptField>& fields) {
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  for (const KeptField& field : fields) write_kept(json, field);
  json.end_object();
  return line + '\n';
}

}  // namespace

std::string doubtful_rows(const LabelCheck& check, std::vector<std::string> columns,
                          const DoubtfulLayout& layout) {
  std::set<std::string> theirs(columns.begin(), columns.end());
  for (const LabelledRow& row : check.rows) {
    for (const KeptField& field : row.kept) {
      if (theirs.insert(field.name).second) columns.push_back(field.name);
    }
  }
  const bool has_place = layout.has_label || !theirs.contains(layout.prefix + "label");
  const AddedFields adds{!theirs.contains(layout.id), !layout.has_label && has_place, has_place};
  DoubtfulRow any;
  any.suggested = check.rows.front().target;
  for (const KeptField& field : added_fields(check, any, adds)) {
    columns.push_back(layout.prefix + field.name);
    if (theirs.contains(columns.back())) throw TextError(columns.back());
  }
  const auto table_line = [&](const std::vector<Cell>& cells) {
    return delimited_line(layout.format, cells, layout.null.value_or("")) + '\n';
  };
  std::string text;
  if (is_table(layout.format)) text = table_line({columns.begin(), columns.end()});
  for (const DoubtfulRow& doubtful : check.doubtful) {
    std::vector<KeptField> fields = check.rows[doubtful.row].kept;
    for (KeptField& field : added_fields(check, doubtful, adds)) {
      field.name.insert(0, layout.prefix);
      fields.push_back(std::move(field));
    }
    if (!is_table(layout.format)) {
      text += json_line(fields);
      continue;
    }
    std::vector<Cell> cells;
    for (const std::string& column : columns) {
      const auto found = std::ranges::find(fields, column, &KeptField::name);
      const bool is_null = found == fields.end() || (!found->is_string && found->text == "null");
      cells.push_back(is_null ? std::nullopt : found->text);
    }
    text += table_line(cells);
  }
  return text;
}

std::string label_check_json(const LabelCheck& check) {
  std::string document;
  JsonWriter json(document);
  json.begin_object().field("rows", check.rows.size()).field("errors", check.errors);
  json.field("labels", check.labels.names.size()).field("unjudged_labels", check.unjudged);
  if (check.unread > 0) json.field("unjudged_rows", check.unread);
  json.field("listed", check.doubtful.size());
  json.field("near_duplicates", check.doubtful.size() - check.suspects);
  json.key("labels_alike").array(check.alike, [&](const auto& group) {
    json.array(group, [&](std::size_t label) { json.string(check.labels.names[label]); });
  });
  json.end_object();
  return document + '\n';
}

std::string label_check_text(const LabelCheck& check) {
  Facts facts = {{"rows", grouped(check.rows.size()) + " of " + printable(check.file)},
                 {"labels", grouped(check.labels.names.size())},
                 {"rows listed", grouped(check.doubtful.size()) + ", " +
                                     grouped(check.doubtful.size() - check.suspects) +
                                     " only for a near-duplicate with another label"}};
  if (check.errors > 0)
    facts.emplace_back("rows with errors", grouped(check.errors) + ", not used");
  if (check.unjudged > 0) {
    facts.emplace_back("labels not judged", grouped(check.unjudged) + ", with too few texts");
  }
  if (check.unread > 0) {
    facts.emplace_back("rows not judged",
                       grouped(check.unread) + ", whose tokens are mostly unknown to the model");
  }
  for (const auto& group : check.alike) {
    facts.emplace_back("labels spelled alike", joined(group, ", ", [&](std::size_t label) {
                         return '"' + shown_name(with_escapes(check.labels.names[label])) + '"';
                       }));
  }
  return facts_text(facts);
}

}  // namespace headlight
