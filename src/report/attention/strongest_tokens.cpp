#include "report/attention/strongest_tokens.h"

#include "base/utf8.h"
#include "inside/strongest.h"
#include "report/formats/plain_text.h"

namespace headlight {

std::string shown_unit(const TokenWord& unit) {
  constexpr std::size_t kWidest = 16;
  return cut_to(printable(unit.text), kWidest);
}

std::string strongest_text(std::span<const double> weights, std::span<const TokenWord> units,
                           std::size_t columns, unsigned decimals) {
  std::string text;
  std::size_t used = 0;
  for (const std::size_t i : by_weight(weights)) {
    const std::string one = shown_unit(units[i]) + " " + fixed(weights[i], decimals);
    const std::size_t wanted = width_of(one) + (text.empty() ? 0 : 2);
    if (!text.empty() && used + wanted > columns) break;
    text += (text.empty() ? "" : "  ") + one;
    used += wanted;
  }
  return text;
}

}  // namespace headlight
