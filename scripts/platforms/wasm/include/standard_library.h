// What the rooms use and libc++ 13 or the C library of emscripten lacks.
#pragma once

#ifdef __cplusplus
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

enum { RENAME_NOREPLACE = 1, RENAME_EXCHANGE = 2 };
inline int renameat2(int, const char*, int, const char*, unsigned) {
  errno = ENOSYS;
  return -1;
}

namespace std {

template <typename To, typename From>
To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

/// In the format "%e" with the fewest digits that give the number back. 15 always do for a number
/// that was written with so many; of 16 and 17 the nearest are taken.
template <typename Number>
char* write_shortest(char* first, char* last, Number value) {
  constexpr bool kIsFloat = is_same_v<Number, float>;
  int size = 0;
  for (int digits = kIsFloat ? 6 : 15; digits <= (kIsFloat ? 9 : 17); ++digits) {
    size = snprintf(first, static_cast<size_t>(last - first), "%.*e", digits - 1,
                    static_cast<double>(value));
    if ((kIsFloat ? strtof(first, nullptr) : strtod(first, nullptr)) == value) break;
  }
  char* const exponent = find(first, first + size, 'e');
  char* end = exponent;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  return copy(exponent, first + size, end);
}

inline to_chars_result to_chars(char* first, char* last, double value,
                                chars_format /*scientific*/) {
  return {write_shortest(first, last, value), errc()};
}
inline to_chars_result to_chars(char* first, char* last, double value, chars_format /*fixed*/,
                                int decimals) {
  return {first + snprintf(first, static_cast<size_t>(last - first), "%.*f", decimals, value),
          errc()};
}
inline to_chars_result to_chars(char* first, char* last, float value) {
  return {write_shortest(first, last, value), errc()};
}
inline to_chars_result to_chars(char* first, char* last, double value) {
  return {write_shortest(first, last, value), errc()};
}
/// A whole number in [first, last) alone.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  value = strtod(string(first, last).c_str(), nullptr);
  return {last, errc()};
}

namespace ranges {

template <typename Range, typename Value>
auto find(Range&& range, const Value& value) {
  return std::find(range.begin(), range.end(), value);
}
template <typename Range, typename Value, typename Member>
auto find(Range&& range, const Value& value, Member member) {
  return std::find_if(range.begin(), range.end(),
                      [&](const auto& item) { return std::invoke(member, item) == value; });
}
template <typename Range, typename Test>
auto find_if(Range&& range, Test test) {
  return std::find_if(range.begin(), range.end(), test);
}
template <typename Range, typename Value>
auto upper_bound(Range&& range, const Value& value) {
  return std::upper_bound(range.begin(), range.end(), value);
}
template <typename Range, typename Value, typename Less = std::less<>, typename Member>
auto lower_bound(Range&& range, const Value& value, Less less, Member member) {
  return std::lower_bound(
      range.begin(), range.end(), value,
      [&](const auto& item, const Value& bound) { return less(std::invoke(member, item), bound); });
}
template <typename Range, typename Equal = std::equal_to<>>
auto adjacent_find(Range&& range, Equal equal = {}) {
  return std::adjacent_find(range.begin(), range.end(), equal);
}
template <typename Range, typename Other, typename Equal>
bool equal(Range&& range, Other&& other, Equal equal) {
  return std::equal(range.begin(), range.end(), other.begin(), other.end(), equal);
}
template <typename Range, typename Out, typename Change>
void transform(Range&& range, Out out, Change change) {
  std::transform(range.begin(), range.end(), out, change);
}
template <typename Range>
bool is_sorted(Range&& range) {
  return std::is_sorted(range.begin(), range.end());
}
template <typename Range>
void sort(Range&& range) {
  std::sort(range.begin(), range.end());
}
template <typename Range, typename Less = std::less<>, typename Member>
void sort(Range&& range, Less less, Member member) {
  std::sort(range.begin(), range.end(), [&](const auto& a, const auto& b) {
    return less(std::invoke(member, a), std::invoke(member, b));
  });
}
template <typename Range, typename Value>
auto count(Range&& range, const Value& value) {
  return std::count(range.begin(), range.end(), value);
}
template <typename Range, typename Test>
auto count_if(Range&& range, Test test) {
  return std::count_if(range.begin(), range.end(), test);
}
template <typename Range, typename Test>
bool any_of(Range&& range, Test test) {
  return std::any_of(range.begin(), range.end(), std::not_fn(std::not_fn(test)));
}
template <typename Range, typename Test>
bool all_of(Range&& range, Test test) {
  return std::all_of(range.begin(), range.end(), std::not_fn(std::not_fn(test)));
}
template <typename Range, typename Test>
bool none_of(Range&& range, Test test) {
  return std::none_of(range.begin(), range.end(), std::not_fn(std::not_fn(test)));
}
template <typename Range, typename Out>
void copy(Range&& range, Out out) {
  std::copy(range.begin(), range.end(), out);
}
template <typename Range, typename Value>
void fill(Range&& range, const Value& value) {
  std::fill(range.begin(), range.end(), value);
}
template <typename Range, typename Less>
void stable_sort(Range&& range, Less less) {
  std::stable_sort(range.begin(), range.end(), less);
}
template <typename Range>
auto max_element(Range&& range) {
  return std::max_element(range.begin(), range.end());
}
template <typename Range>
auto max(Range&& range) {
  return *std::max_element(range.begin(), range.end());
}

}  // namespace ranges
}  // namespace std
#endif
