// The page of attention_page.h without data. The build generates it from the files in page/
// (page/page.cmake).
#pragma once

#include <string_view>

namespace headlight {

/// HTML with the placeholders @TITLE@, @STEPS@ and @DATA@, each once and in this order, which
/// AttentionPage replaces.
extern const std::string_view kPageTemplate;

}  // namespace headlight
