#include "metrics/cascade_file.h"

#include "base/fields.h"
#include "base/json.h"
#include "base/json_writer.h"

namespace headlight {

std::string cascade_document(const Cascade& cascade, const Origin& origin) {
  return json_document(/*ascii=*/false, [&](JsonWriter& json) {
    json.begin_object().field("rows", cascade.rows);
    json.field("different_texts", cascade.distinct);
    json.key("thresholds").array(cascade.points, [&](const CascadePoint& point) {
      json.begin_object().field("threshold", point.threshold).field("kept_rows", point.kept);
      json.field("disagreeing_rows", point.disagreeing).end_object();
    });
    json.key("origin").foreign(to_json(origin)).end_object();
  });
}

CascadeFile read_cascade(const std::string& path) {
  const Json json = read_json_file(path);
  Fields fields(json, path);
  CascadeFile file;
  Cascade& cascade = file.cascade;
  cascade.rows = fields.required_size("rows", 1);
  cascade.distinct = fields.required_size("different_texts", 1, cascade.rows);
  const Json& points = fields.required("thresholds");
  if (!points.is_array()) fields.fail("thresholds", "an array");
  CascadePoint point;
  for (const Json& found : points) {
    Fields each(found, path, "thresholds");
    const double threshold = each.number_or("threshold", -1.0);
    if (threshold < 0.0 || threshold > 1.0) each.fail("threshold", "a number from 0 to 1");
    point.threshold = static_cast<float>(threshold);
    point.kept = each.required_size("kept_rows", point.kept + 1, cascade.rows);
    point.disagreeing = each.required_size("disagreeing_rows", point.disagreeing, point.kept);
    cascade.points.push_back(point);
  }
  file.origin = origin_from_json(fields.required("origin").dump(), path);
  return file;
}

}  // namespace headlight
