// Weight files that are broken in one way each: one line names the tensor and what was found.
// The rules of safetensors are those of its reference reader (huggingface/safetensors).
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "model/model_files.h"
#include "model/refused_model.h"

namespace headlight::broken_weights_test {
namespace {

using namespace std::string_literals;

/// The eight bytes that say how long the header is.
std::string little_endian(std::uint64_t number) {
  std::string bytes;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>((number >> shift) & 0xFFU));
  }
  return bytes;
}

void cut(std::string& file, std::size_t bytes) { file.resize(bytes); }
void cut_from_end(std::string& file, std::size_t bytes) { file.resize(file.size() - bytes); }
void set_length(std::string& file, std::uint64_t length) {
  file.replace(0, 8, little_endian(length));
}

struct BytesCase {
  std::string name;
  void (*break_file)(std::string& file);
  const char* reason;
};

const std::vector<BytesCase> kBytes = {
    {"empty file", [](auto& f) { cut(f, 0); }, "model.safetensors: found 0 bytes|at least 8"},
    {"one byte", [](auto& f) { cut(f, 1); }, "model.safetensors: found 1 bytes"},
    {"seven bytes", [](auto& f) { cut(f, 7); }, "model.safetensors: found 7 bytes"},
    {"length alone", [](auto& f) { cut(f, 8); },
     "model.safetensors: found a header of|in a file of 8"},
    {"cut in the header", [](auto& f) { cut(f, 100); },
     "found a header of|in a file of 100|truncated"},
    {"cut before the data", [](auto& f) { cut_from_end(f, data_of(f).size()); },
     "tensor embeddings.token.weight: data_offsets [0, 96] exceeds the file|0 bytes of data"},
    {"cut in the data", [](auto& f) { cut_from_end(f, 200); },
     "tensor layers.0.attention.value.weight|exceeds the file|256 bytes of data"},
    {"cut by one byte", [](auto& f) { cut_from_end(f, 1); },
     "tensor classifier.bias: data_offsets [448, 456] exceeds the file|455 bytes of data"},
    {"length 0", [](auto& f) { f = little_endian(0); }, "the header does not begin with {"},
    {"length 2^63", [](auto& f) { set_length(f, std::uint64_t{1} << 63U); },
     "found a header of 9223372036854775808 bytes"},
    {"length that wraps around with its own eight bytes",
     [](auto& f) { set_length(f, UINT64_MAX - 7); },
     "found a header of 18446744073709551608 bytes"},
    {"length past the limit", [](auto& f) { set_length(f, 100'000'001); },
     "found a header of 100000001 bytes|100000000"},
    {"length of a byte too many", [](auto& f) { set_length(f, f.size() - 7); },
     "found a header of|in a file of"},
    {"length of a byte too few", [](auto& f) { set_length(f, header_of(f).size() - 1); },
     "model.safetensors: header"},
    {"length of two bytes too many", [](auto& f) { set_length(f, header_of(f).size() + 2); },
     "model.safetensors: header"},
    {"a page about an error in its place",
     [](auto& f) { f = "<!DOCTYPE html><html><body>404 Not Found</body></html>"; },
     "may not be a safetensors file"},
    {"trailing bytes", [](auto& f) { f += "\0\0\0\0"s; }, "found 4 bytes after the last tensor"},
    {"no tensors and no data", [](auto& f) { f = safetensors("{}", ""); },
     "tensor embeddings.token.weight: missing|[6, 4]"},
    {"header is a list", [](auto& f) { f = safetensors("[1, 2]", ""); },
     "the header does not begin with {"},
    {"header begins with a blank", [](auto& f) { f = safetensors(" " + header_of(f), data_of(f)); },
     "the header does not begin with {"},
    {"header is no JSON", [](auto& f) { f = safetensors("{nope}", ""); },
     "model.safetensors: header|JSON"},
    {"header ends early", [](auto& f) { f = safetensors("{\"a\": {", ""); },
     "model.safetensors: header|JSON"},
    {"header goes on after its end",
     [](auto& f) { f = safetensors(header_of(f) + " x", data_of(f)); },
     "model.safetensors: header|JSON"},
    {"header is no UTF-8", [](auto& f) { f = safetensors("{\"\xFF\": 1}", ""); },
     "header: not valid UTF-8 at byte 2"},
    {"header with a NUL after its end",
     [](auto& f) { f = safetensors(header_of(f) + "\0 x"s, data_of(f)); },
     "model.safetensors: header|JSON"},
    {"header with NUL bytes", [](auto& f) { f = safetensors("{\0\0\0}"s, ""); },
     "model.safetensors: header|JSON"},
    {"header nested a hundred thousand deep",
     [](auto& f) { f = safetensors("{\"a\":" + std::string(100'000, '['), ""); }, "header|nested"},
    {"two tensors of one name",
     [](auto& f) {
       f = safetensors(
           replaced(header_of(f), "layers.0.attention.key.bias", "layers.0.attention.query.bias"),
           data_of(f));
     },
     "layers.0.attention.query.bias|twice"},
    {"metadata is a list",
     [](auto& f) {
       f = safetensors(replaced(header_of(f), "{", "{\"__metadata__\":[],"), data_of(f));
     },
     "__metadata__"},
    {"metadata of numbers",
     [](auto& f) {
       f = safetensors(replaced(header_of(f), "{", "{\"__metadata__\":{\"epoch\":3},"), data_of(f));
     },
     "__metadata__"},
};

/// One value of the header's entry for one tensor; "" takes the field away.
struct FieldCase {
  const char* tensor;
  const char* field;
  const char* value;
  const char* reason;
};

const std::vector<FieldCase> kFields = {
    {"classifier.bias", "dtype", "\"Q9\"", "classifier.bias|\"Q9\""},
    {"classifier.bias", "dtype", "\"f32\"", "classifier.bias|\"f32\""},
    {"classifier.bias", "dtype", "32", "classifier.bias|dtype|found 32"},
    {"classifier.bias", "dtype", "null", "classifier.bias|dtype|found null"},
    {"classifier.bias", "dtype", "", "classifier.bias|dtype|missing"},
    {"classifier.bias", "dtype", "\"F64\"", "classifier.bias|8 bytes|F64 [2] needs 16"},
    {"classifier.bias", "dtype", "\"BF16\"", "classifier.bias|8 bytes|BF16 [2] needs 4"},
    {"classifier.bias", "dtype", "\"F4\"", "classifier.bias|8 bytes|F4 [2] needs 1"},
    {"classifier.bias", "shape", "", "classifier.bias|shape|missing"},
    {"classifier.bias", "shape", "\"[2]\"", "classifier.bias|shape|found \"[2]\""},
    {"classifier.bias", "shape", "2", "classifier.bias|shape|found 2"},
    {"classifier.bias", "shape", "[2.0]", "classifier.bias|shape"},
    {"classifier.bias", "shape", "[-2]", "classifier.bias|shape|from 0 to 2^64 - 1"},
    {"classifier.bias", "shape", "[[2]]", "classifier.bias|shape"},
    {"classifier.bias", "shape", "[\"2\"]", "classifier.bias|shape"},
    {"classifier.bias", "shape", "[1]", "classifier.bias|8 bytes|[1] needs 4"},
    {"classifier.bias", "shape", "[]", "classifier.bias|8 bytes|[] needs 4"},
    {"classifier.bias", "shape", "[0]", "classifier.bias|8 bytes|[0] needs 0"},
    {"classifier.bias", "shape", "[9223372036854775808]",
     "classifier.bias|[9223372036854775808]|larger than any file"},
    {"classifier.bias", "shape", "[18446744073709551615]",
     "classifier.bias|[18446744073709551615]|larger than any file"},
    {"classifier.bias", "shape", "[18446744073709551616]", "classifier.bias|shape"},
    {"classifier.bias", "shape", "[4294967296, 4294967296]",
     "classifier.bias|[4294967296, 4294967296]|larger than any file"},
    {"classifier.bias", "shape", "[4294967296, 4294967296, 0]", "classifier.bias"},
    {"classifier.bias", "shape", "[2305843009213693954]",
     "classifier.bias|[2305843009213693954]|larger than any file"},
    {"classifier.bias", "data_offsets", "", "classifier.bias|data_offsets|missing"},
    {"classifier.bias", "data_offsets", "[]", "classifier.bias|data_offsets|two"},
    {"classifier.bias", "data_offsets", "[448]", "classifier.bias|data_offsets|two"},
    {"classifier.bias", "data_offsets", "[448, 456, 456]", "classifier.bias|data_offsets|two"},
    {"classifier.bias", "data_offsets", "{\"begin\": 448}",
     "classifier.bias|data_offsets|found an object"},
    {"classifier.bias", "data_offsets", "[448.0, 456.0]", "classifier.bias|data_offsets"},
    {"classifier.bias", "data_offsets", "[-8, 456]",
     "classifier.bias|data_offsets|from 0 to 2^64 - 1"},
    {"classifier.bias", "data_offsets", "[456, 448]",
     "classifier.bias|[456, 448] ends before it begins"},
    {"classifier.bias", "data_offsets", "[440, 448]", "classifier.bias|[440, 448] overlaps|448"},
    {"classifier.bias", "data_offsets", "[452, 460]",
     "classifier.bias|[452, 460] leaves a gap|448"},
    {"classifier.bias", "data_offsets", "[448, 460]", "classifier.bias|12 bytes|needs 8"},
    {"classifier.bias", "data_offsets", "[448, 9223372036854775808]",
     "classifier.bias|[448, 9223372036854775808]"},
    {"classifier.bias", "data_offsets", "[18446744073709551608, 18446744073709551615]",
     "classifier.bias|leaves a gap"},
    {"classifier.bias", "data_offsets", "[18446744073709551608, 0]",
     "classifier.bias|ends before it begins"},
    {"embeddings.token.weight", "data_offsets", "[8, 104]",
     "embeddings.token.weight|[8, 104]|leaves a gap|0"},
    {"layers.0.attention.query.weight", "data_offsets", "[0, 64]", "overlaps"},
};

TEST_CASE("a safetensors file with broken bytes is refused") {
  for (const BytesCase& broken : kBytes) {
    INFO("case: " << broken.name);
    Folder folder = toy_folder();
    broken.break_file(folder["model.safetensors"]);
    check_refused(folder, broken.reason);
    check_refused(folder, broken.reason, "toy/config.json");
  }
}

TEST_CASE("a safetensors header with a broken entry is refused by the tensor's name") {
  for (const FieldCase& broken : kFields) {
    INFO("case: " << std::string(broken.field) + " " + broken.value);
    Folder folder = toy_folder();
    std::string& file = folder["model.safetensors"];
    OrderedJson header = OrderedJson::parse(header_of(file));
    if (*broken.value == '\0') {
      header[broken.tensor].erase(broken.field);
    } else {
      header[broken.tensor][broken.field] = OrderedJson::parse(broken.value);
    }
    file = safetensors(header.dump(), data_of(file));
    check_refused(folder, std::string("model.safetensors: |") + broken.reason);
    check_refused(folder, std::string("model.safetensors: |") + broken.reason, "toy/config.json");
  }
}

TEST_CASE("a header's entry that is no object is refused") {
  Folder folder = toy_folder();
  std::string& file = folder["model.safetensors"];
  OrderedJson header = OrderedJson::parse(header_of(file));
  header["classifier.bias"] = 7;
  file = safetensors(header.dump(), data_of(file));
  check_refused(folder, "classifier.bias|found 7, expected an object");
}

}  // namespace
}  // namespace headlight::broken_weights_test
