#include "report/attention/head_worth.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"

namespace headlight {
namespace {

double finite_number(const Json& value, const Fields& fields, const std::string& name) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) fields.fail(name, "a number");
  return value.get<double>();
}

Interval interval_of(Fields& fields, const std::string& name) {
  const Json& pair = fields.required(name);
  if (!pair.is_array() || pair.size() != 2) fields.fail(name, "two numbers");
  return {finite_number(pair[0], fields, name), finite_number(pair[1], fields, name)};
}

HeadWorth::Head head_of(Fields& fields, const Description& model, const std::string& change) {
  HeadWorth::Head head;
  head.layer = fields.required_size("layer", 0);
  head.head = fields.required_size("head", 0);
  if (head.layer >= model.layers.size() ||
      head.head >= model.layers[head.layer].heads.sizes.size()) {
    fields.complain("head", "layer " + std::to_string(head.layer) + " of the model has no head " +
                                std::to_string(head.head) + "; was another model measured?");
  }
  head.change = finite_number(fields.required(change), fields, change);
  if (fields.find(change + "_interval") != nullptr) {
    head.interval = interval_of(fields, change + "_interval");
  }
  return head;
}

}  // namespace

HeadWorth read_head_worth(const std::string& file, const Description& model) {
  const Json json = read_json_file(file);
  Fields whole(json, file);
  HeadWorth worth;
  const Json& parts = whole.required("ablation");
  if (!parts.is_array() || parts.empty()) {
    whole.fail("ablation", "the heads of headlight evaluate --ablate heads --format json");
  }
  worth.rows = SIZE_MAX;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Fields fields(parts[i], file, "ablation[" + std::to_string(i) + "]");
    if (fields.required_string("part") != "head") fields.fail("part", "head; use --ablate heads");
    const bool values = fields.find("mse_change") != nullptr;
    worth.measure = values ? "squared error" : "log loss";
    worth.rows = std::min(worth.rows, fields.required_size("rows", 0));
    worth.heads.push_back(head_of(fields, model, values ? "mse_change" : "log_loss_change"));
  }
  return worth;
}

}  // namespace headlight
