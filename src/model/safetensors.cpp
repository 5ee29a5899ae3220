#include "model/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;

constexpr std::array<std::pair<const char*, unsigned>, 22> kDtypeBits = {{
    {"BOOL", 8}, {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
    {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"I16", 16}, {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"F8_E5M2FNUZ", 8},
    {"I32", 32}, {"U32", 32},    {"F32", 32},    {"I64", 64},    {"U64", 64},
    {"F64", 64}, {"C64", 64},
}};

/// An entry with its range in the data, before the ranges are checked.
struct Ranged {
  SafetensorsEntry entry;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::string describe_range(const Ranged& tensor) {
  return "data_offsets [" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + "]";
}

class Reader {
 public:
  Reader(std::span<const std::byte> file, std::string where)
      : file_(file), where_(std::move(where)) {}

  std::vector<SafetensorsEntry> read() {
    const std::string_view header = read_header();
    data_ = file_.subspan(kLengthBytes + header.size());
    const Json json = parse_json(header, where_ + ": header");
    if (!json.is_object()) throw Error(where_, "the header is not a JSON object");
    for (const auto& [name, value] : json.items()) {
      if (name == "__metadata__") {
        check_metadata(value);
      } else {
        tensors_.push_back(read_entry(name, value));
      }
    }
    return lay_out();
  }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw Error(where_, "tensor " + shortened(name) + ": " + what);
  }

  std::string_view read_header() const {
    if (file_.size() < kLengthBytes) {
      throw Error(where_,
                  "found " + std::to_string(file_.size()) +
                      " bytes, expected a safetensors file of at least 8",
                  "it may be truncated");
    }
    std::uint64_t length = 0;
    std::memcpy(&length, file_.data(), kLengthBytes);
    if (length > kLongestHeader) {
      throw Error(where_,
                  "found a header of " + std::to_string(length) + " bytes, expected at most " +
                      std::to_string(kLongestHeader),
                  "it may not be a safetensors file");
    }
    if (length > file_.size() - kLengthBytes) {
      throw Error(where_,
                  "found a header of " + std::to_string(length) + " bytes in a file of " +
                      std::to_string(file_.size()),
                  "it may be truncated");
    }
    const std::string_view header(reinterpret_cast<const char*>(file_.data()) + kLengthBytes,
                                  static_cast<std::size_t>(length));
    if (header.empty() || header.front() != '{') {
      throw Error(where_, "the header does not begin with {", "it may not be a safetensors file");
    }
    return header;
  }

  void check_metadata(const Json& value) const {
    const auto is_string = [](const Json& item) { return item.is_string(); };
    if (!value.is_object() || !std::all_of(value.begin(), value.end(), is_string)) {
      throw Error(where_, "__metadata__ is not an object of strings");
    }
  }

  Ranged read_entry(const std::string& name, const Json& value) const {
    Fields fields(value, where_, "tensor " + shortened(name));
    Ranged tensor;
    tensor.entry.name = name;
    tensor.entry.dtype = fields.required_string("dtype");
    tensor.entry.shape = unsigned_numbers<std::size_t>(fields, "shape");
    const auto range = unsigned_numbers<std::uint64_t>(fields, "data_offsets");
    if (range.size() != 2) fields.fail("data_offsets", "two numbers");
    fields.refuse_unknown();
    tensor.begin = range[0];
    tensor.end = range[1];
    return tensor;
  }

  template <typename Number>
  static std::vector<Number> unsigned_numbers(Fields& fields, const char* name) {
    const Json& list = fields.required(name);
    const auto fits = [](const Json& item) {
      return item.is_number_unsigned() && std::in_range<Number>(item.get<std::uint64_t>());
    };
    if (!list.is_array() || !std::all_of(list.begin(), list.end(), fits)) {
      fields.fail(name, "a list of whole numbers from 0 to 2^" +
                            std::to_string(std::numeric_limits<Number>::digits) + " - 1");
    }
    return list.get<std::vector<Number>>();
  }

  /// The size in bytes for the shape and dtype.
  std::uint64_t size_of(const SafetensorsEntry& entry) const {
    const auto* const known =
        std::find_if(kDtypeBits.begin(), kDtypeBits.end(),
                     [&](const auto& dtype) { return dtype.first == entry.dtype; });
    if (known == kDtypeBits.end()) {
      fail(entry.name, "dtype \"" + entry.dtype + "\" is not a safetensors dtype");
    }
    std::uint64_t bits = known->second;
    for (const std::uint64_t size : entry.shape) {
      if (__builtin_mul_overflow(bits, size, &bits)) {
        fail(entry.name,
             "shape " + to_string(entry.shape) + " is larger than any file, of 2^61 bytes");
      }
    }
    if (bits % 8 != 0) {
      fail(entry.name,
           "shape " + to_string(entry.shape) + " of " + entry.dtype + " does not fill whole bytes");
    }
    return bits / 8;
  }

  /// Checks that the ranges cover the data without gaps and overlaps.
  std::vector<SafetensorsEntry> lay_out() {
    std::sort(tensors_.begin(), tensors_.end(), [](const Ranged& a, const Ranged& b) {
      return std::tie(a.begin, a.end, a.entry.name) < std::tie(b.begin, b.end, b.entry.name);
    });
    std::vector<SafetensorsEntry> entries;
    std::uint64_t expected = 0;
    for (Ranged& tensor : tensors_) {
      SafetensorsEntry& entry = tensor.entry;
      if (tensor.end < tensor.begin) {
        fail(entry.name, describe_range(tensor) + " ends before it begins");
      }
      if (tensor.begin != expected) {
        fail(entry.name, describe_range(tensor) +
                             (tensor.begin < expected ? " overlaps the previous tensor"
                                                      : " leaves a gap before it") +
                             ", expected it to begin at " + std::to_string(expected));
      }
      if (const std::uint64_t size = size_of(entry); size != tensor.end - tensor.begin) {
        fail(entry.name, describe_range(tensor) + " holds " +
                             std::to_string(tensor.end - tensor.begin) + " bytes, but " +
                             entry.dtype + " " + to_string(entry.shape) + " needs " +
                             std::to_string(size));
      }
      if (tensor.end > data_.size()) {
        fail(entry.name, describe_range(tensor) + " exceeds the file, which has " +
                             std::to_string(data_.size()) + " bytes of data; it may be truncated");
      }
      entry.bytes = data_.subspan(static_cast<std::size_t>(tensor.begin),
                                  static_cast<std::size_t>(tensor.end - tensor.begin));
      expected = tensor.end;
      entries.push_back(std::move(entry));
    }
    if (expected != data_.size()) {
      throw Error(where_, "found " + std::to_string(data_.size() - expected) +
                              " bytes after the last tensor, expected none");
    }
    return entries;
  }

  std::span<const std::byte> file_;
  std::string where_;
  std::span<const std::byte> data_;
  std::vector<Ranged> tensors_;
};

/// Adds a tensor whose name is new. Looking its name up would take time in the square of their
/// number.
void add_entry(nlohmann::ordered_json& header, const std::string& name, const std::string& dtype,
               const Shape& shape, std::pair<std::size_t, std::size_t> range) {
  nlohmann::ordered_json entry = {
      {"dtype", dtype}, {"shape", shape}, {"data_offsets", {range.first, range.second}}};
  header.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(name, std::move(entry));
}

/// The length of the header and the header, filled with blanks to a multiple of 8 bytes.
std::string header_bytes(const nlohmann::ordered_json& header) {
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes + text;
}

}  // namespace

std::vector<SafetensorsEntry> parse_safetensors(std::span<const std::byte> file,
                                                const std::string& where) {
  return Reader(file, where).read();
}

std::string make_safetensors(const std::vector<NamedTensor>& tensors) {
  auto header = nlohmann::ordered_json::object();
  std::size_t end = 0;
  for (const auto& tensor : tensors) {
    add_entry(header, tensor.name, "F32", tensor.shape, {end, end + tensor.values.size_bytes()});
    end += tensor.values.size_bytes();
  }
  std::string file = header_bytes(header);
  file.reserve(file.size() + end);
  for (const auto& tensor : tensors) {
    file.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes());
  }
  return file;
}

void write_safetensors(const std::function<void(std::string_view bytes)>& write,
                       const std::vector<SafetensorsEntry>& tensors) {
  nlohmann::ordered_json header = {{"__metadata__", {{"format", "pt"}}}};
  std::size_t end = 0;
  for (const SafetensorsEntry& tensor : tensors) {
    add_entry(header, tensor.name, tensor.dtype, tensor.shape, {end, end + tensor.bytes.size()});
    end += tensor.bytes.size();
  }
  write(header_bytes(header));
  for (const SafetensorsEntry& tensor : tensors) {
    write({reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
  }
}

}  // namespace headlight
