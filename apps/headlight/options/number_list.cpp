#include "options/number_list.h"

#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/outer_blanks.h"
#include "base/utf8.h"
#include "options/options.h"

namespace headlight {
namespace {

/// Adds "3" or "2-4". Returns false for anything else and for numbers not below `count`.
bool add_range(std::string_view part, std::size_t count, std::set<std::size_t>& numbers) {
  part = without_outer_blanks(part);
  const char* end = part.data() + part.size();
  std::size_t first = 0;
  auto [stop, error] = std::from_chars(part.data(), end, first);
  if (error != std::errc()) return false;
  std::size_t last = first;
  if (stop != end && *stop == '-') {
    const auto rest = std::from_chars(stop + 1, end, last);
    if (rest.ec != std::errc()) return false;
    stop = rest.ptr;
  }
  if (stop != end || first > last || last >= count) return false;
  for (std::size_t number = first; number <= last; ++number) numbers.insert(number);
  return true;
}

}  // namespace

std::vector<std::size_t> parse_numbers(const std::string& option, const std::string& thing,
                                       std::string_view list, std::size_t count) {
  std::set<std::size_t> numbers;
  std::string_view rest = list;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    if (!add_range(part, count, numbers)) {
      throw UsageError(option + ": found \"" + shortened(part) +
                       (count == 0 ? "\", but the model has no " + thing + "s"
                                   : "\", expected numbers such as 0,2-4 of " + thing + "s 0 to " +
                                         std::to_string(count - 1)));
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return {numbers.begin(), numbers.end()};
}

std::vector<Part> parse_heads(const std::string& option, const std::string& list,
                              const Description& model) {
  std::set<std::pair<std::size_t, std::size_t>> heads;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) {
      throw UsageError(option + ": found \"" + shortened(name) +
                       "\", expected LAYER.HEAD, such as 1.3");
    }
    const std::string layer = name.substr(0, dot);
    const std::size_t number = parse_numbers(option, "layer", layer, model.layers.size()).front();
    const std::size_t count = model.layers[number].heads.sizes.size();
    heads.emplace(number, parse_numbers(option, "head", name.substr(dot + 1), count).front());
  }
  std::vector<Part> parts;
  parts.reserve(heads.size());
  for (const auto& [layer, head] : heads) parts.push_back({PartKind::head, layer, head});
  return parts;
}

}  // namespace headlight
