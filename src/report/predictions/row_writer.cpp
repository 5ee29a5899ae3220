#include "report/predictions/row_writer.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "report/predictions/foreign_rows.h"

namespace headlight {
void write_kept(JsonWriter& json, const KeptField& field) {
  json.key(field.name);
  if (!field.text) {
    json.null();
  } else if (field.is_string) {
    json.string(*field.text);
  } else {
    json.foreign(*field.text);
  }
}

RowWriter::RowWriter(const LabelSet& labels, RowLayout layout)
    : labels_(labels), layout_(std::move(layout)) {}

/// Whether the kept input column already has the id under the name of the output column.
bool RowWriter::is_kept_id(const std::string& name) const {
  return layout_.keep && name == layout_.id && (name == "id" || name == layout_.view.prefix + "id");
}

bool RowWriter::writes_id(const Row& row) const {
  if (!layout_.id) return false;
  if (!is_kept_id(*layout_.id)) return true;
  return is_table(layout_.format)
             ? !places_.contains(*layout_.id)
             : std::ranges::find(row.kept, *layout_.id, &KeptField::name) == row.kept.end();
}

std::vector<std::string> RowWriter::own_columns() const {
  const std::string& prefix = layout_.view.prefix;
  std::vector<std::string> columns;
  if (writes_id({})) columns.push_back(prefix + "id");
  if (layout_.file) columns.push_back(*layout_.file);
  if (layout_.text) columns.push_back(prefix + "text");
  if (layout_.text && layout_.pair) columns.push_back(prefix + "pair");
  Prediction any;
  any.error = "none";
  for (auto& column : prediction_columns(labels_, any, layout_.view, layout_.format)) {
    columns.push_back(std::move(column.name));
  }
  return columns;
}

bool RowWriter::file_clashes() const {
  const std::vector<std::string> own = own_columns();
  return layout_.file && std::ranges::count(own, *layout_.file) > 1;
}

bool RowWriter::is_ours(const std::string& name) const {
  return !is_kept_id(name) && ours_.contains(name);
}

std::optional<std::string> RowWriter::take_columns(const std::vector<std::string>& kept) {
  if (!layout_.keep) return std::nullopt;
  kept_ = kept;
  places_.clear();
  for (std::size_t i = 0; i < kept.size(); ++i) places_.emplace(kept[i], i);
  const std::vector<std::string> own = own_columns();
  ours_ = {own.begin(), own.end()};
  const auto found =
      std::find_if(kept.begin(), kept.end(), [&](const auto& name) { return is_ours(name); });
  if (found == kept.end()) return std::nullopt;
  return *found;
}

std::string RowWriter::way_out(const std::string& name) const {
  if (name == layout_.file) return "choose another --file-field";
  return layout_.view.prefix.empty() ? "--column-prefix renames the output columns"
                                     : "choose another --column-prefix";
}

std::string RowWriter::complaint(const Row& row) const {
  for (const KeptField& field : row.kept) {
    if (places_.contains(field.name)) continue;
    if (is_ours(field.name)) {
      return "field \"" + shortened(field.name) + "\" clashes with an output column; " +
             way_out(field.name);
    }
    if (is_table(layout_.format)) {
      return "field \"" + shortened(field.name) +
             "\" is not in the first row, which defines the columns";
    }
  }
  return "";
}

std::string RowWriter::header() const {
  if (!is_table(layout_.format) || !layout_.header) return "";
  std::vector<Cell> cells(kept_.begin(), kept_.end());
  for (const auto& name : own_columns()) cells.emplace_back(name);
  return table_line(cells);
}

std::string RowWriter::without_rows(const RowReader& input) {
  if (input.found_nothing()) return "";
  take_columns(input.columns());
  return header();
}

std::string RowWriter::row(const ScoredRow<Prediction>& scored) const {
  if (layout_.format == RowFormat::text) {
    const Prediction& prediction = scored.result;
    if (!prediction.error.empty()) return "error: " + printable(prediction.error) + '\n';
    return prediction_line(labels_, scored.row.input, prediction, layout_.view, layout_.color) +
           '\n';
  }
  if (layout_.format == RowFormat::fasttext) {
    return fasttext_row(labels_, scored.result, layout_.view) + '\n';
  }
  if (layout_.format == RowFormat::hf) {
    return hf_row(labels_, scored.row.input.text, scored.result, layout_.view) + '\n';
  }
  return is_table(layout_.format) ? table_line(cells(scored)) : object(scored) + '\n';
}

std::string RowWriter::object(const ScoredRow<Prediction>& scored) const {
  const Row& row = scored.row;
  const std::string& prefix = layout_.view.prefix;
  constexpr std::size_t kUsual = 256;  // characters of a row, without long texts
  std::string object;
  object.reserve(kUsual);
  JsonWriter json(object, layout_.ascii);
  json.begin_object();
  for (const KeptField& field : row.kept) write_kept(json, field);
  if (writes_id(row)) {
    json.key(prefix + "id");
    write_id(json, row.id);
  }
  if (layout_.file) json.field(*layout_.file, row.file);
  if (layout_.text) {
    json.field(prefix + "text", row.input.text);
    if (row.input.pair) json.field(prefix + "pair", *row.input.pair);
  }
  write_prediction(json, labels_, scored.result, layout_.view);
  json.end_object();
  return object;
}

std::vector<Cell> RowWriter::cells(const ScoredRow<Prediction>& scored) const {
  const Row& row = scored.row;
  std::vector<Cell> cells(kept_.size());
  for (const KeptField& field : row.kept) {
    const auto place = places_.find(field.name);
    const bool absent = place == places_.end() || (!field.is_string && field.text == "null");
    if (!absent) cells[place->second] = field.text;
  }
  const auto id = layout_.id ? places_.find(*layout_.id) : places_.end();
  if (id != places_.end()) cells[id->second] = row.id.text;
  if (writes_id(row)) cells.emplace_back(row.id.text);
  if (layout_.file) cells.emplace_back(row.file);
  if (layout_.text) cells.emplace_back(row.input.text);
  if (layout_.text && layout_.pair) cells.push_back(row.input.pair);
  for (auto& column : prediction_columns(labels_, scored.result, layout_.view, layout_.format)) {
    cells.push_back(std::move(column.cell));
  }
  return cells;
}

std::string RowWriter::table_line(const std::vector<Cell>& cells) const {
  return delimited_line(layout_.format, cells, layout_.null.value_or("")) + '\n';
}

}  // namespace headlight
