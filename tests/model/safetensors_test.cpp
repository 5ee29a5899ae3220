#include "model/safetensors.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "model/safetensors_bytes.h"

namespace headlight::safetensors_test {
namespace {

/// "a F32 [2] 0+8, b I64 [] 8+8": name, dtype, shape, where the bytes begin and how many.
std::string layout_of(const std::string& file) {
  std::string all;
  const auto bytes = as_bytes(file);
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof(header));
  for (const auto& entry : parse_safetensors(bytes, "f")) {
    const auto begin = entry.bytes.data() - bytes.data() - 8 - static_cast<std::ptrdiff_t>(header);
    all += (all.empty() ? "" : ", ") + entry.name + " " + entry.dtype + " " +
           to_string(entry.shape) + " " + std::to_string(begin) + "+" +
           std::to_string(entry.bytes.size());
  }
  return all;
}

TEST_CASE("valid files give their tensors in the order of their bytes") {
  struct Row {
    std::string header;
    std::size_t data;
    std::string layout;
  };
  const Row rows[] = {
      {"{}", 0, ""},
      {R"({"__metadata__":{"format":"pt"}})", 0, ""},
      {R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
       R"("a":{"dtype":"I64","shape":[1,1],"data_offsets":[8,16]}})",
       16, "b F32 [2] 0+8, a I64 [1, 1] 8+8"},
      {R"({"a":{"dtype":"F16","shape":[],"data_offsets":[0,2]}})", 2, "a F16 [] 0+2"},
      {R"({"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]}})", 2, "a F4 [4] 0+2"},
      {R"({"a":{"dtype":"F6_E2M3","shape":[2,2],"data_offsets":[0,3]}})", 3,
       "a F6_E2M3 [2, 2] 0+3"},
      // No bytes at all, at the start, between others and at the end; any number of them.
      {R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
       R"("b":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
       R"("c":{"dtype":"F64","shape":[5,0,2],"data_offsets":[3,3]},)"
       R"("d":{"dtype":"BOOL","shape":[0],"data_offsets":[3,3]},)"
       R"("e":{"dtype":"U8","shape":[1],"data_offsets":[3,4]},)"
       R"("f":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}})",
       4,
       "a U8 [0] 0+0, b U8 [3] 0+3, c F64 [5, 0, 2] 3+0, d BOOL [0] 3+0, e U8 [1] 3+1, "
       "f U8 [0] 4+0"},
      {R"({"a":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}}     )", 8, "a C64 [1] 0+8"},
  };
  for (const auto& [header, data, layout] : rows) {
    CHECK(layout_of(safetensors_file(header, std::string(data, 'x'))) == layout);
  }
}

TEST_CASE("broken files are refused with the tensor and what is wrong with it") {
  struct Row {
    std::string file;
    std::string error;
  };
  const auto with = [](const std::string& entry, std::size_t data) {
    return safetensors_file(R"({"a":{)" + entry + "}}", std::string(data, 'x'));
  };
  const auto f32 = [&](const std::string& shape, const std::string& offsets, std::size_t data) {
    return with(R"("dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets, data);
  };
  const std::string long_header = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}";
  const Row rows[] = {
      {"1234567",
       "f: found 7 bytes, expected a safetensors file of at least 8; it may be truncated"},
      {long_header,  // 8 + N would wrap around
       "f: found a header of 18446744073709551615 bytes, expected at most 100000000; "
       "it may not be a safetensors file"},
      {safetensors_file("{}", "").substr(0, 9),
       "f: found a header of 2 bytes in a file of 9; it may be truncated"},
      {safetensors_file(" {}", ""),
       "f: the header does not begin with {; it may not be a safetensors file"},
      {safetensors_file("{", ""), "f: header: column 2: not valid JSON here"},
      {safetensors_file(R"({"__metadata__":{"a":1}})", ""),
       "f: __metadata__ is not an object of strings"},
      {with(R"("dtype":"F31","shape":[1],"data_offsets":[0,4])", 4),
       R"(f: tensor a: dtype "F31" is not a safetensors dtype)"},
      {with(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])", 1),
       "f: tensor a: shape [3] of F4 does not fill whole bytes"},
      {f32("[1]", "[0]", 4), "f: tensor a.data_offsets: found a list of 1, expected two numbers"},
      {f32("[1]", "[4,0]", 4), "f: tensor a: data_offsets [4, 0] ends before it begins"},
      {f32("[1]", "[4,8]", 8),
       "f: tensor a: data_offsets [4, 8] leaves a gap before it, expected it to begin at 0"},
      {f32("[2]", "[0,4]", 4),
       "f: tensor a: data_offsets [0, 4] holds 4 bytes, but F32 [2] needs 8"},
      {f32("[2]", "[0,8]", 4),
       "f: tensor a: data_offsets [0, 8] exceeds the file, which has 4 bytes of data; "
       "it may be truncated"},
      {f32("[1]", "[0,4]", 5), "f: found 1 bytes after the last tensor, expected none"},
      {f32("[4294967296,4294967296]", "[0,0]", 0),  // 2^64 elements would wrap to none
       "f: tensor a: shape [4294967296, 4294967296] is larger than any file, of 2^61 bytes"},
      {f32("[-1]", "[0,4]", 4),
       "f: tensor a.shape: found a list of 1, expected a list of whole numbers from 0 to "
       "2^64 - 1"},
      {safetensors_file(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                        R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                        "123"),
       "f: tensor b: data_offsets [1, 3] overlaps the previous tensor, expected it to begin at 2"},
  };
  for (const auto& row : rows) {
    CHECK(error_of([&] { parse_safetensors(as_bytes(row.file), "f"); }) == row.error);
  }
}

TEST_CASE("what is made is read back, in the order given and with its bits") {
  const std::vector<float> first = {1.5F, -0.0F, 1e-45F, 3e38F, 5.0F, 6.0F};
  const std::vector<float> scalar = {7.0F};
  const std::vector<NamedTensor> tensors = {
      {"z.weight", {2, 3}, first}, {"none", {0, 4}, {}}, {"a \"quoted\" é", {}, scalar}};
  const std::string file = make_safetensors(tensors);
  const auto entries = parse_safetensors(as_bytes(file), "f");
  REQUIRE(entries.size() == tensors.size());
  for (const auto& tensor : tensors) {
    CAPTURE(tensor.name);
    bool found = false;
    for (const auto& entry : entries) {
      if (entry.name != tensor.name) continue;
      found = true;
      CHECK(entry.dtype == "F32");
      CHECK(entry.shape == tensor.shape);
      REQUIRE(entry.bytes.size() == tensor.values.size_bytes());
      CHECK(
          std::equal(entry.bytes.begin(), entry.bytes.end(), std::as_bytes(tensor.values).begin()));
    }
    CHECK(found);
  }
  CHECK(entries.front().name == "z.weight");
  // Numbers begin at a multiple of 8, so that they can be used where they are mapped.
  CHECK((entries.front().bytes.data() - as_bytes(file).data()) % 8 == 0);
}

TEST_CASE("a file may have very many tensors, which takes time in proportion") {
  const std::vector<float> number = {1.0F};
  std::vector<NamedTensor> tensors;
  constexpr std::size_t kMany = 60'000;  // the square of this would take half a minute
  tensors.reserve(kMany);
  for (std::size_t i = 0; i < kMany; ++i) tensors.push_back({std::to_string(i), {1}, number});
  const std::string file = make_safetensors(tensors);
  const auto entries = parse_safetensors(as_bytes(file), "f");
  REQUIRE(entries.size() == kMany);
  CHECK(entries.back().name == "59999");
}

}  // namespace
}  // namespace headlight::safetensors_test
