#include "library/text_rows.h"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace headlight {
namespace {

constexpr std::size_t kViewSize = 16;    // of utf8_view
constexpr std::size_t kInlineSize = 12;  // the longest text within a view

/// The value of a buffer at an index; buffers may be unaligned.
template <typename T>
T value_at(const void* buffer, std::size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + index * sizeof(T), sizeof(T));
  return value;
}

/// The texts of an array without a dictionary.
using Strings = std::function<std::string_view(std::size_t)>;

template <typename Offset>
Strings strings_by_offsets(const void* const* buffers) {
  return [offsets = buffers[1], data = static_cast<const char*>(buffers[2])](std::size_t i) {
    const auto begin = value_at<Offset>(offsets, i);
    const auto end = value_at<Offset>(offsets, i + 1);
    return end <= begin ? std::string_view()
                        : std::string_view(data + begin, static_cast<std::size_t>(end - begin));
  };
}

Strings strings_by_views(const void* const* buffers) {
  return [buffers](std::size_t i) {
    const char* const view = static_cast<const char*>(buffers[1]) + i * kViewSize;
    const auto size = static_cast<std::size_t>(value_at<std::int32_t>(view, 0));
    if (size <= kInlineSize) return std::string_view(view + sizeof(std::int32_t), size);
    const auto buffer = static_cast<std::size_t>(value_at<std::int32_t>(view, 2));
    const auto begin = value_at<std::int32_t>(view, 3);
    return std::string_view(static_cast<const char*>(buffers[2 + buffer]) + begin, size);
  };
}

/// The numbers of words, by the letter of a format of integers. Empty: it is none.
std::function<std::size_t(std::size_t)> indices_of(std::string_view format, const void* data) {
  const std::size_t letter = std::string_view("cCsSiIlL").find(format);
  if (format.size() != 1 || letter == std::string_view::npos) return {};
  return [data, size = std::size_t{1} << letter / 2](std::size_t i) {
    std::uint64_t index = 0;
    std::memcpy(&index, static_cast<const char*>(data) + i * size, size);
    return static_cast<std::size_t>(index);
  };
}

/// Throws ArgumentError unless there are so many buffers, with the one that places the values.
void require_buffers(const ArrowArray& array, std::int64_t count) {
  if (array.n_buffers < count || array.buffers == nullptr ||
      (array.length > 0 && array.buffers[1] == nullptr)) {
    throw ArgumentError("the Arrow array lacks buffers of its format");
  }
}

Strings strings_of(std::string_view format, const ArrowArray& array) {
  if (format != "u" && format != "U" && format != "vu") return {};
  require_buffers(array, format == "vu" ? 2 : 3);
  if (format == "u") return strings_by_offsets<std::int32_t>(array.buffers);
  if (format == "U") return strings_by_offsets<std::int64_t>(array.buffers);
  return strings_by_views(array.buffers);
}

bool is_valid(const ArrowArray& array, std::size_t i) {
  const void* const bits = array.buffers[0];
  if (bits == nullptr || array.null_count == 0) return true;
  return ((value_at<std::uint8_t>(bits, i / 8) >> (i % 8)) & 1U) != 0;
}

std::optional<TextInput> text_at(const ArrowArray& array, const Strings& strings, std::size_t i) {
  if (!is_valid(array, i)) return std::nullopt;
  TextInput input;
  input.text = strings(i);
  return input;
}

[[noreturn]] void refuse(std::string_view format) {
  throw ArgumentError("the column has the Arrow format \"" + std::string(format) +
                      "\", expected strings: utf8, large_utf8, utf8_view, or a dictionary of them");
}

std::size_t checked_size(const ArrowArray& array) {
  if (array.length < 0 || array.offset < 0) {
    throw ArgumentError("the Arrow array has a negative length or offset");
  }
  return static_cast<std::size_t>(array.offset);
}

}  // namespace

TextRows::TextRows(const hl_text* texts, std::size_t n, hl_row* to)
    : count(n),
      input([texts](std::size_t i) { return std::optional(input_of(texts[i])); }),
      rows(to) {
  if (n > 0) required(texts, "texts");
}

TextRows::TextRows(const ArrowSchema* schema, const ArrowArray* texts, hl_row* to) : rows(to) {
  const ArrowArray& array = required(texts, "texts");
  const std::string_view format = &required(required(schema, "schema").format, "a format");
  const std::size_t first = checked_size(array);
  count = static_cast<std::size_t>(array.length);
  if (count == 0 || format == "n") {
    input = [](std::size_t /*row*/) { return std::nullopt; };
    return;
  }
  if (schema->dictionary == nullptr) {
    const Strings strings = strings_of(format, array);
    if (!strings) refuse(format);
    input = [&array, strings, first](std::size_t i) { return text_at(array, strings, first + i); };
    return;
  }
  const ArrowArray& words = required(array.dictionary, "the dictionary");
  const std::string_view of_words = &required(schema->dictionary->format, "a format");
  const Strings strings = strings_of(of_words, words);
  require_buffers(array, 2);
  const auto numbers = indices_of(format, array.buffers[1]);
  if (!strings || !numbers) refuse(of_words);
  input = [&array, &words, strings, numbers, first,
           begin = checked_size(words)](std::size_t i) -> std::optional<TextInput> {
    if (!is_valid(array, first + i)) return std::nullopt;
    return text_at(words, strings, begin + numbers(first + i));
  };
}

void put_row(std::span<const float> numbers, std::size_t width, std::size_t row, float* out) {
  if (out == nullptr) return;
  float* const first = out + row * width;
  if (numbers.empty()) {
    std::fill_n(first, width, std::numeric_limits<float>::quiet_NaN());
  } else {
    std::ranges::copy(numbers, first);
  }
}

}  // namespace headlight
