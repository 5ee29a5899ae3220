// The page of attention_page.h before it has data: made of the files in page/ as the program is
// built (page/page.cmake).
#pragma once

#include <string_view>

namespace headlight {

/// HTML in which @TITLE@, @STEPS@, @DATA@ and @MATRICES@, each once and in this order, stand for
/// what attention_page() puts there.
extern const std::string_view kPageTemplate;

}  // namespace headlight
