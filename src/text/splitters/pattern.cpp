#include "text/splitters/pattern.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <oniguruma.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/unicode/character_classes.h"
#include "text/unicode/character_tables.h"

namespace headlight {
namespace {

/// The names of a property in patterns, and its range of categories, first to last.
struct Property {
  const char* name;
  const char* long_name;
  Category first;
  Category last;
};

constexpr std::array<Property, 17> kProperties{{
    {"L", "Letter", Category::lu, Category::lo},
    {"Lu", "Uppercase_Letter", Category::lu, Category::lu},
    {"Ll", "Lowercase_Letter", Category::ll, Category::ll},
    {"Lt", "Titlecase_Letter", Category::lt, Category::lt},
    {"Lm", "Modifier_Letter", Category::lm, Category::lm},
    {"Lo", "Other_Letter", Category::lo, Category::lo},
    {"M", "Mark", Category::mn, Category::me},
    {"Mn", "Nonspacing_Mark", Category::mn, Category::mn},
    {"Mc", "Spacing_Mark", Category::mc, Category::mc},
    {"Me", "Enclosing_Mark", Category::me, Category::me},
    {"N", "Number", Category::nd, Category::no},
    {"Nd", "Decimal_Number", Category::nd, Category::nd},
    {"Nl", "Letter_Number", Category::nl, Category::nl},
    {"No", "Other_Number", Category::no, Category::no},
    {"P", "Punctuation", Category::p, Category::p},
    {"S", "Symbol", Category::s, Category::s},
    {"Z", "Separator", Category::z, Category::z},
}};

/// The number of ranges, then first and last of each: the format of Oniguruma.
std::vector<OnigCodePoint> ranges_of(const Property& property) {
  std::vector<OnigCodePoint> ranges = {0};
  for (const auto& [first, last, category] : kCategories) {
    if (category < property.first || category > property.last) continue;
    if (ranges.size() > 1 && ranges.back() + 1 == first) {
      ranges.back() = last;
    } else {
      ranges.insert(ranges.end(), {first, last});
      ++ranges.front();
    }
  }
  return ranges;
}

/// Defines the reference's classes for \p{L}, \p{Lu}, …, \p{Z} in Oniguruma: all general categories
/// except the subcategories of P, S, Z and C. Each release of Oniguruma has its own Unicode
/// version, and the installed one may differ from the reference's. Returns Oniguruma's status.
int define_properties() {
  static std::array<std::vector<OnigCodePoint>, kProperties.size()> all;  // Oniguruma points here
  for (std::size_t i = 0; i < kProperties.size(); ++i) {
    all[i] = ranges_of(kProperties[i]);
    const int status = onig_unicode_define_user_property(kProperties[i].name, all[i].data());
    if (status != ONIG_NORMAL) return status;
  }
  return ONIG_NORMAL;
}

/// The expression with the properties of define_properties() in place of their long names and of
/// [:punct:], which counts symbols, too, in the reference's release of Oniguruma.
std::string with_own_classes(std::string_view source) {
  std::string expression;
  const auto replaces = [&](const std::string& found, const std::string& put) {
    if (!source.starts_with(found)) return false;
    expression += put;
    source.remove_prefix(found.size());
    return true;
  };
  const auto shortens = [&](const Property& property) {
    return std::ranges::any_of(std::array{"\\p{", "\\P{", "\\p{^"}, [&](const char* begin) {
      return replaces(std::string(begin) + property.long_name + "}",
                      std::string(begin) + property.name + "}");
    });
  };
  std::size_t depth = 0;  // of brackets
  while (!source.empty()) {
    const char c = source.front();
    if (c == '\\' && std::ranges::any_of(kProperties, shortens)) continue;
    if (depth > 0 &&
        (replaces("[:punct:]", "\\p{P}\\p{S}") || replaces("[:^punct:]", "[^\\p{P}\\p{S}]"))) {
      continue;
    }
    if (c == '[') ++depth;
    if (c == ']' && depth > 0) --depth;
    const std::size_t size = std::min<std::size_t>(c == '\\' ? 2 : 1, source.size());
    expression += source.substr(0, size);
    source.remove_prefix(size);
  }
  return expression;
}

// The limits of one search. A match may backtrack as often as the engine's default allows, as in
// the reference. The total of all attempts of a search is limited in proportion to the text.
constexpr unsigned long kRetriesPerMatch = 10'000'000;
constexpr unsigned long kRetriesPerByte = 10;
constexpr unsigned int kDeepestStack = 4'000'000;  // backtracking points, about 50 bytes each

// Groups in groups take stack. Each level counts twice.
constexpr unsigned int kDeepestPattern = 600;

// The engine doesn't count characters that it passes without backtracking: `a*b|\s+` takes
// quadratic time on a row of "a". Each attempt therefore calls the program back, and the time of
// all attempts in a text is limited, far above what useful patterns take.
constexpr double kSeconds = 1.0;
constexpr double kSecondsPerByte = 1e-6;
constexpr std::size_t kLeastInterval = 64;  // attempts between two looks at the clock
constexpr std::size_t kBytesPerInterval = std::size_t{1} << 24U;  // some 0.1 s
const std::string kCallBack = "(?{})";  // the engine's syntax: before each attempt

/// Of the processor in this thread: a run that is suspended loses nothing.
double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Counts the attempts of all searches in a text, and ends them after some time.
class Watch {
 public:
  explicit Watch(std::size_t bytes)
      : limit_(kSeconds + kSecondsPerByte * static_cast<double>(bytes)),
        interval_(kLeastInterval + kBytesPerInterval / (bytes + 1)) {}

  static int attempt(OnigCalloutArgs* /*arguments*/, void* watch) {
    return static_cast<Watch*>(watch)->may_go_on() ? ONIG_CALLOUT_SUCCESS
                                                   : ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER;
  }

 private:
  bool may_go_on() {
    if (++attempts_ % interval_ != 0) return true;
    const double now = seconds_now();
    if (attempts_ == interval_) begin_ = now;  // short texts don't ask for the time
    return now - begin_ < limit_;
  }

  double limit_;  // seconds
  std::size_t interval_;
  std::size_t attempts_ = 0;
  double begin_ = 0.0;
};

const OnigUChar* bytes(const std::string& text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string message_of(int code, const OnigErrorInfo* info) {
  std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
  const int length = info == nullptr ? onig_error_code_to_str(buffer.data(), code)
                                     : onig_error_code_to_str(buffer.data(), code, info);
  return {buffer.begin(), buffer.begin() + length};
}

/// The engine, limits and results of the searches in one text.
class Searcher {
 public:
  /// `source` is the expression, for messages.
  Searcher(OnigRegex regex, const std::string& text, const std::string& source)
      : regex_(regex),
        text_(text),
        source_(source),
        region_(onig_region_new()),
        budget_(onig_new_match_param()),
        watch_(text.size()) {
    if (region_ == nullptr || budget_ == nullptr) throw std::bad_alloc();
    onig_initialize_match_param(budget_.get());
    onig_set_retry_limit_in_match_of_match_param(budget_.get(), kRetriesPerMatch);
    onig_set_retry_limit_in_search_of_match_param(budget_.get(),
                                                  kRetriesPerMatch + kRetriesPerByte * text.size());
    onig_set_match_stack_limit_size_of_match_param(budget_.get(), kDeepestStack);
    onig_set_progress_callout_of_match_param(budget_.get(), &Watch::attempt);
    onig_set_callout_user_data_of_match_param(budget_.get(), &watch_);
  }

  /// The first match at or after `from`, in bytes.
  std::optional<std::pair<std::size_t, std::size_t>> find(std::size_t from) {
    const OnigUChar* begin = bytes(text_);
    const OnigUChar* end = begin + text_.size();
    const int found = onig_search_with_param(regex_, begin, end, begin + from, end, region_.get(),
                                             ONIG_OPTION_NONE, budget_.get());
    if (found == ONIG_MISMATCH) return std::nullopt;
    if (found < 0) {
      throw TextError("the tokenizer's pattern " + shortened(source_) +
                      " fails: " + message_of(found, nullptr));
    }
    return std::pair(static_cast<std::size_t>(region_->beg[0]),
                     static_cast<std::size_t>(region_->end[0]));
  }

 private:
  struct FreeRegion {
    void operator()(OnigRegion* region) const { onig_region_free(region, 1); }
  };
  struct FreeBudget {
    void operator()(OnigMatchParam* budget) const { onig_free_match_param(budget); }
  };

  OnigRegex regex_;
  const std::string& text_;
  const std::string& source_;
  std::unique_ptr<OnigRegion, FreeRegion> region_;
  std::unique_ptr<OnigMatchParam, FreeBudget> budget_;
  Watch watch_;
};

/// Converts rising byte positions in a UTF-8 text to code point positions.
class CodePointCounter {
 public:
  explicit CodePointCounter(std::string_view text) : text_(text) {}

  std::uint32_t at(std::size_t byte) {
    for (; byte_ < byte; ++byte_) {
      if (!continues_character(text_[byte_])) ++code_points_;
    }
    return code_points_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::uint32_t code_points_ = 0;
};

std::vector<Span> find_string(std::u32string_view wanted, std::u32string_view text) {
  std::vector<Span> found;
  for (std::size_t at = 0; (at = text.find(wanted, at)) != std::u32string_view::npos;) {
    const auto begin = static_cast<std::uint32_t>(at);
    at += wanted.size();
    found.push_back({begin, static_cast<std::uint32_t>(at)});
  }
  return found;
}

}  // namespace

class Pattern::Expression {
 public:
  explicit Expression(const std::string& source) : source_(source) {
    compiled(source);  // reads it as it stands: a first `*` is an error
    regex_ = compiled(kCallBack + with_own_classes(source));
  }

  std::vector<Span> find_all(const std::string& text) const {
    std::vector<Span> matches;
    Searcher searcher(regex_.get(), text, source_);
    CodePointCounter code_points(text);
    std::size_t from = 0;
    std::size_t last_end = std::string::npos;
    while (from <= text.size()) {
      const auto match = searcher.find(from);
      if (!match) break;
      const auto [begin, end] = *match;
      // Nothing new, such as an empty match: advances by one character, as in the reference. With
      // \K in a lookbehind a match may also begin and end before `from`.
      if (last_end != std::string::npos && end <= last_end) {
        from += from < text.size() ? decode_utf8(text, from)->bytes : 1;
        continue;
      }
      if (last_end != std::string::npos && begin < last_end) {
        throw TextError("the tokenizer's pattern " + shortened(source_) +
                        " matches the same characters twice");
      }
      const std::uint32_t first = code_points.at(begin);
      matches.push_back({first, code_points.at(end)});
      from = last_end = end;
    }
    return matches;
  }

 private:
  struct Free {
    void operator()(OnigRegex regex) const { onig_free(regex); }
  };
  using Regex = std::unique_ptr<std::remove_pointer_t<OnigRegex>, Free>;

  static int start() {
    OnigEncoding encoding = ONIG_ENCODING_UTF8;
    const int code = onig_initialize(&encoding, 1);
    onig_set_parse_depth_limit(kDeepestPattern);
    return code == ONIG_NORMAL ? define_properties() : code;
  }

  static Regex compiled(const std::string& source) {
    static const int started = start();
    OnigErrorInfo info{};
    OnigRegex regex = nullptr;
    const int code =
        started != ONIG_NORMAL
            ? started
            : onig_new(&regex, bytes(source), bytes(source) + source.size(), ONIG_OPTION_NONE,
                       ONIG_ENCODING_UTF8, ONIG_SYNTAX_ONIGURUMA, &info);
    if (code != ONIG_NORMAL) throw Error("", message_of(code, &info));
    return Regex(regex);
  }

  std::string source_;
  Regex regex_;  // of kCallBack and source_
};

Pattern::Pattern(std::u32string text) : text_(std::move(text)) {}
Pattern::Pattern(std::unique_ptr<const Expression> expression, std::u32string text)
    : text_(std::move(text)), expression_(std::move(expression)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Pattern Pattern::of_string(std::u32string text) { return Pattern(std::move(text)); }

Pattern Pattern::of_expression(const std::string& expression) {
  return {std::make_unique<const Expression>(expression), to_code_points(expression)};
}

bool Pattern::is_within_words() const {
  if (expression_ != nullptr) return text_ == U" {2,}";  // as in DeBERTa's tokenizers
  return std::ranges::none_of(text_, is_white_space);
}

std::vector<Span> Pattern::find_all(std::u32string_view text) const {
  if (text.empty()) return {};
  return expression_ == nullptr ? find_string(text_, text) : expression_->find_all(to_utf8(text));
}

}  // namespace headlight
