#include "model/file_tensors.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "model/safetensors.h"
#include "model/safetensors_bytes.h"

namespace headlight::file_tensors_test {
namespace {

/// {"a": …} of shape [1, 2], its numbers `shift` bytes off a multiple of 8.
std::string one_tensor(const std::string& dtype, const std::string& data, std::size_t shift) {
  std::string header = R"({"a":{"dtype":")" + dtype + R"(","shape":[1,2],"data_offsets":[0,)" +
                       std::to_string(data.size()) + "]}}";
  while (header.size() % 8 != shift) header += ' ';
  return safetensors_file(header, data);
}

bool is_used_in_place(FileTensors& tensors) {
  const void* mapped = tensors.table("a", 1, 2).bytes;
  return tensors.floats("a", {1, 2}).data() == mapped;
}

TEST_CASE("aligned float32 is used where it is mapped, the rest is widened to the same numbers") {
  const std::string f32 = bytes_of({1.5F, -2.0F});
  const std::string f16("\x00\x3E\x00\xC0", 4);
  const std::string bf16("\xC0\x3F\x00\xC0", 4);
  struct Row {
    std::string dtype;
    std::string data;
    std::size_t shift;
    bool in_place;
  };
  const Row rows[] = {
      {"F32", f32, 0, true},    {"F32", f32, 4, true},    {"F32", f32, 1, false},
      {"F32", f32, 2, false},   {"F16", f16, 0, false},   {"F16", f16, 3, false},
      {"BF16", bf16, 0, false}, {"BF16", bf16, 5, false},
  };
  const TemporaryFolder folder;
  for (const auto& [dtype, data, shift, in_place] : rows) {
    CAPTURE(dtype);
    CAPTURE(shift);
    const std::string content = one_tensor(dtype, data, shift);
    FileTensors tensors(folder.write("m.safetensors", content));
    const auto values = tensors.floats("a", {1, 2});
    CHECK(std::vector(values.begin(), values.end()) == std::vector{1.5F, -2.0F});
    std::vector<float> row(2);
    tensors.table("a", 1, 2).read(0, row);
    CHECK(row == std::vector{1.5F, -2.0F});
    CHECK(is_used_in_place(tensors) == in_place);
    CHECK(tensors.parameters() == 2);  // counted once, however often it is taken
    CHECK(tensors.bytes_on_disk() == content.size());
    CHECK(tensors.rows_of("a") == 1);
    CHECK(tensors.rows_of("b") == std::nullopt);
  }
}

TEST_CASE("a weight of JSON that is [in, out] says so, or is told how to") {
  const TemporaryFolder folder;
  const std::string tensors = R"({"tensors": {"w": [[1, 2, 3], [4, 5, 6]]})";
  const std::string path = folder.write("w.json", tensors + "}");
  CHECK(error_of([&] { FileTensors(path).weight("w", 3, 2); }) ==
        path +
            ": tensor w: found shape [2, 3], expected [3, 2]; with \"transposed\": true beside "
            "\"tensors\", linear layers are [in, out]");
  folder.write("w.json", tensors + R"(, "transposed": true})");
  FileTensors turned(path);
  CHECK(turned.rows_of("w") == 3);
  for (int again = 0; again < 2; ++again) {
    const Table weight = turned.weight("w", 3, 2);
    std::vector<float> row(2);
    weight.read(1, row);
    CHECK(row == std::vector<float>{2.0F, 5.0F});
    CHECK(turned.rows_of("w") == 3);
  }
  CHECK(FileTensors(path).table("w", 2, 3).rows == 2);
  CHECK(error_of([&] { turned.weight("lost", 3, 2); }) ==
        path + ": tensor lost: missing, expected shape [3, 2]");
  CHECK(error_of([&] {
          turned.replace("w", {3, 2}, std::vector<float>(6));
        }) == path + ": has transposed weights; an adapter needs others");
}

TEST_CASE("a tensor that is not as asked for is named with what was found and expected") {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("m.safetensors",
                   safetensors_file(R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                                    R"("b":{"dtype":"F32","shape":[3],"data_offsets":[24,36]},)"
                                    R"("i":{"dtype":"I64","shape":[1],"data_offsets":[36,44]}})",
                                    bytes_of({1, 2, 3, 4, 5, -INFINITY, 1, NAN, 3, 0, 0})));
  struct Row {
    std::string name;
    Shape shape;
    std::string error;
  };
  const Row rows[] = {
      {"c", {4, 1}, "tensor c: missing, expected shape [4, 1]"},
      {"a", {3, 2}, "tensor a: found shape [2, 3], expected [3, 2]"},
      {"a", {6}, "tensor a: found shape [2, 3], expected [6]"},
      {"i", {1}, "tensor i: found dtype I64, expected F32, F16 or BF16"},
      {"a",
       {2, 3},
       "tensor a: found a number that is not finite at row 1, column 2, "
       "expected finite ones"},
      {"b",
       {3},
       "tensor b: found a number that is not finite at element 1, "
       "expected finite ones"},
  };
  for (const auto& row : rows) {
    const std::string error = path + ": " + row.error;
    const auto complaint = [&](const auto& take) {
      FileTensors tensors(path);
      return error_of([&] {
        take(tensors);
        tensors.check_finite();
      });
    };
    CHECK(complaint([&](FileTensors& file) { file.floats(row.name, row.shape); }) == error);
    if (row.shape.size() != 2) continue;
    CHECK(complaint([&](FileTensors& file) { file.table(row.name, row.shape[0], row.shape[1]); }) ==
          error);
  }
}

TEST_CASE("of several numbers that are not finite the first is named, in large tensors too") {
  const TemporaryFolder folder;
  std::vector<float> numbers(2'000'003, 1.0F);
  const std::vector<float> few = {1, NAN, 1};
  numbers[1'999'999] = NAN;
  numbers[1'234'567] = INFINITY;
  const std::string path = folder.write(
      "m.safetensors", make_safetensors({{"a", {2'000'003}, numbers}, {"b", {3}, few}}));
  FileTensors tensors(path);
  tensors.floats("a", {2'000'003});
  tensors.floats("b", {3});
  CHECK(error_of([&] { tensors.check_finite(); }) ==
        path +
            ": tensor a: found a number that is not finite at element 1234567, "
            "expected finite ones");
}

TEST_CASE("what runs while numbers are checked runs once, and fails only if they are finite") {
  const TemporaryFolder folder;
  std::vector<float> numbers(600'000, 1.0F);
  const auto file_of = [&] {
    return folder.write("m.safetensors", make_safetensors({{"a", {300'000, 2}, numbers}}));
  };
  int calls = 0;
  const auto fail = [&] {
    ++calls;
    throw Error("b", "failed");
  };
  FileTensors finite(file_of());
  const Table table = finite.table("a", 300'000, 2);
  finite.check_finite(table, [&] { ++calls; });
  CHECK(calls == 1);
  std::vector<float> row(2);
  table.read(299'999, row);  // its pages were released
  CHECK(row == std::vector<float>{1.0F, 1.0F});
  CHECK(error_of([&] { finite.check_finite(table, fail); }) == "b: failed");
  numbers[599'999] = NAN;
  FileTensors broken(file_of());
  broken.table("a", 300'000, 2);
  CHECK(error_of([&] {
          broken.check_finite({}, fail);
        }).ends_with("row 299999, column 1, expected finite ones"));
  CHECK(calls == 3);
}

TEST_CASE("a tensor that nobody took is left over") {
  const TemporaryFolder folder;
  const std::vector<float> one = {1.0F};
  const std::string path = folder.write(
      "m.safetensors", make_safetensors({{"a", {1}, one}, {"b", {1, 1}, one}, {"c", {1}, one}}));
  FileTensors tensors(path);
  tensors.floats("a", {1});
  tensors.table("b", 1, 1);
  CHECK(error_of([&] { tensors.refuse_leftovers(); }) ==
        path + ": tensor c: the config does not use it");
  tensors.floats("c", {1});
  CHECK(error_of([&] { tensors.refuse_leftovers(); }).empty());
}

TEST_CASE("weights written by hand are tensors like any other") {
  const TemporaryFolder folder;
  FileTensors tensors(folder.write("weights.json", R"({"tensors": {"a": [[1.5, -2]], "n": []}})"));
  CHECK(tensors.floats("a", {1, 2})[1] == -2.0F);
  CHECK(tensors.floats("n", {0}).empty());
  CHECK(tensors.parameters() == 2);
  CHECK(error_of([&] { tensors.refuse_leftovers(); }).empty());
}

TEST_CASE("shards are one set of tensors, and the index says which file holds which") {
  const TemporaryFolder folder;
  const std::vector<float> one = {1.0F};
  const std::vector<float> two = {2.0F};
  folder.write("1.safetensors", make_safetensors({{"a", {1}, one}}));
  folder.write("2.safetensors", make_safetensors({{"b", {1}, two}}));
  folder.write("both.safetensors", make_safetensors({{"a", {1}, one}, {"b", {1}, two}}));
  const auto open = [&](const std::string& weight_map) {
    return FileTensors(
        folder.write("m.safetensors.index.json",
                     R"({"metadata": {"total_size": 8}, "weight_map": )" + weight_map + "}"));
  };
  FileTensors tensors = open(R"({"a": "1.safetensors", "b": "2.safetensors"})");
  CHECK(tensors.floats("a", {1})[0] == 1.0F);
  CHECK(tensors.floats("b", {1})[0] == 2.0F);
  CHECK(tensors.bytes_on_disk() ==
        content_of(folder / "1.safetensors").size() + content_of(folder / "2.safetensors").size());

  const std::string index = folder / "m.safetensors.index.json";
  struct Row {
    std::string weight_map;
    std::string error;
  };
  const Row rows[] = {
      {R"({"a": "1.safetensors", "b": "1.safetensors"})",
       index + ": tensor b: not in 1.safetensors, which weight_map names for it"},
      {R"({"a": "2.safetensors", "b": "1.safetensors"})",
       index + ": tensor a: not in 2.safetensors, which weight_map names for it"},
      {R"({"a": "both.safetensors"})",
       folder / "both.safetensors" + ": tensor b: not in the weight_map of " + index},
      {R"({"a": "both.safetensors", "b": "2.safetensors"})",
       folder / "both.safetensors" + ": tensor b: is also in another shard"},
      {R"({"a": "3.safetensors"})", folder / "3.safetensors" + ": No such file or directory"},
      {R"({"a": "../1.safetensors"})",
       index +
           R"(: weight_map.a: found "../1.safetensors", expected the name of a file beside the index)"},
      {R"({"a": ".."})",
       index + R"(: weight_map.a: found "..", expected the name of a file beside the index)"},
      {R"({"a": ""})",
       index + R"(: weight_map.a: found "", expected the name of a file beside the index)"},
      {R"({"a": 1})", index + ": weight_map.a: found 1, expected a string"},
      {"[]", index + ": weight_map: found a list of 0, expected an object"},
  };
  for (const auto& row : rows) CHECK(error_of([&] { open(row.weight_map); }) == row.error);
}

}  // namespace
}  // namespace headlight::file_tensors_test
