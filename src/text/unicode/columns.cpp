#include "text/unicode/columns.h"

#include <utf8proc.h>

namespace headlight {

std::size_t columns_of(std::u32string_view text) {
  std::size_t columns = 0;
  for (const char32_t c : text) {
    columns += static_cast<std::size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(c)));
  }
  return columns;
}

}  // namespace headlight
