#include "training/head/text_vectors.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/text_reader.h"
#include "encoder/trace.h"
#include "model/init.h"
#include "model/locate.h"
#include "training/head/classifier_start.h"

namespace headlight::text_vectors_test {
namespace {

namespace fs = std::filesystem;

const std::string kConfig = std::string(HEADLIGHT_SOURCE) + "/configs/self-attention.json";

std::vector<TextInput> some_texts() {
  std::vector<TextInput> texts;
  for (int i = 0; i < 200; ++i) {
    TextInput text;
    for (int j = 0; j <= i % 7; ++j) text.text += (i + j) % 3 == 0 ? "good " : "the film ";
    texts.push_back(text);
  }
  return texts;
}

/// All vectors in the file after encoding what it lacks; `kept` is how many it had.
std::vector<float> vectors_of(const Model& model, const std::string& path, bool resume,
                              std::size_t& kept) {
  const TextReader reader(model, {});
  std::vector<LabelledRow> rows;
  for (const TextInput& text : some_texts()) {
    rows.emplace_back().set_windows(reader.read(text).windows);
    rows.back().input = text;
  }
  std::vector<const LabelledRow*> pointers;
  for (const LabelledRow& row : rows) pointers.push_back(&row);
  VectorFile file(path, "origin", model.description.encoded_size(), resume);
  kept = file.count();
  encode_texts(model, std::span(pointers).subspan(kept), 2,
               [&](const LabelledRow& /*row*/, auto vector) { file.add(vector); });
  std::vector<float> all;
  keep_rows(file.map(), all);
  return all;
}

TEST_CASE("the vectors of a run that was killed are kept, and the rest is the same") {
  const TemporaryFolder folder;
  init_model(kConfig, folder / "toy", 0, /*force=*/true);
  ClassifierStart start(load_model(locate_model(folder / "toy", "")));
  const std::string path = folder / "vectors";
  std::size_t kept = 0;
  const std::vector<float> all = vectors_of(start.model(), path, /*resume=*/false, kept);
  CHECK(kept == 0);
  const std::size_t d = start.width();
  REQUIRE(all.size() == 200 * d);
  const std::size_t record = d * sizeof(float) + 32;  // with its checksum
  fs::resize_file(path, fs::file_size(path) - 49 * record - 3);
  CHECK(vectors_of(start.model(), path, /*resume=*/true, kept) == all);
  CHECK(kept == 150);
  CHECK(vectors_of(start.model(), path, /*resume=*/false, kept) == all);
  CHECK(kept == 0);
}

TEST_CASE("vectors are found by their texts, whatever a killed run left of them") {
  const TemporaryFolder folder;
  std::vector<LabelledRow> rows(5);
  rows[0].input.text = rows[3].input.text = "good";
  rows[1].input = {"good", "", {}};
  rows[2].input = {"good", "bad", {}};
  rows[4].input.text = "bad";
  const RowPointers all = pointers_to({&rows});
  const auto vector_of = [&](const LabelledRow& row) {
    return std::vector<float>{static_cast<float>(row.input.text.size()),
                              row.input.pair ? static_cast<float>(row.input.pair->size()) : -1.0F};
  };
  const auto complete = [&](std::size_t expected) {
    KeptVectors kept(folder / "kept", "origin", 2);
    const RowPointers missing = kept.missing(all);
    CHECK(missing.size() == expected);
    for (const LabelledRow* row : missing) kept.add(row->input, vector_of(*row));
    kept.open_added();
    for (const LabelledRow& row : rows) {
      const auto found = kept.find(row.input);
      CHECK(std::vector<float>(found.begin(), found.end()) == vector_of(row));
    }
  };
  complete(4);
  complete(0);
  const std::string whole = folder.read("kept");
  constexpr std::size_t kHeader = 64;
  constexpr std::size_t kEntry = 2 * sizeof(float) + 32 + 32;
  REQUIRE(whole.size() == kHeader + 4 * kEntry);
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    const std::size_t left = size < kHeader ? 0 : (size - kHeader) / kEntry;
    folder.write("kept", whole.substr(0, size));  // killed there
    complete(4 - left);
    CHECK(folder.read("kept") == whole);
    if (size < kHeader) continue;
    std::string damaged = whole;
    damaged[size] = static_cast<char>(damaged[size] ^ 1);
    folder.write("kept", damaged);
    complete(4 - left);
    CHECK(folder.read("kept") == whole);
  }
}

TEST_CASE("a file of other vectors, or of none, is refused and stays as it is") {
  const TemporaryFolder folder;
  {
    KeptVectors kept(folder / "kept", "one", 4);
    kept.add({"a", {}, {}}, std::vector<float>(4, 1.0F));
    kept.open_added();
  }
  const std::string whole = folder.read("kept");
  CHECK(error_of([&] {
          KeptVectors(folder / "kept", "other", 4);
        }).find("has vectors of another encoder") != std::string::npos);
  CHECK_THROWS_AS(KeptVectors(folder / "kept", "one", 5), Error);
  CHECK(folder.read("kept") == whole);
  folder.write("notes", "not vectors");
  CHECK(error_of([&] {
          KeptVectors(folder / "notes", "one", 4);
        }).find("has no vectors that headlight wrote") != std::string::npos);
  CHECK(folder.read("notes") == "not vectors");
}

TEST_CASE("vectors are kept up to the first bit that is not as it was written") {
  const TemporaryFolder folder;
  const std::vector<std::vector<float>> vectors = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const auto write = [&](std::size_t from) {
    VectorFile file(folder / "vectors", "origin", 3, /*resume=*/true);
    CHECK(file.count() == from);
    for (std::size_t i = from; i < vectors.size(); ++i) file.add(vectors[i]);
    const ConstMatrix all = file.map();
    REQUIRE(all.rows == vectors.size());
    for (std::size_t i = 0; i < vectors.size(); ++i) CHECK(all.row(i)[1] == vectors[i][1]);
  };
  write(0);
  const std::string whole = folder.read("vectors");
  const std::size_t header = 64;
  const std::size_t record = (whole.size() - header) / vectors.size();
  for (const std::size_t byte :
       {std::size_t{0}, record - 1, record, record + 11, 2 * record, 3 * record - 1}) {
    CAPTURE(byte);
    std::string damaged = whole;
    damaged[header + byte] = static_cast<char>(damaged[header + byte] ^ 1);
    for (const std::string& left : {damaged, whole.substr(0, header + byte)}) {  // or killed there
      folder.write("vectors", left);
      write(byte / record);
      CHECK(folder.read("vectors") == whole);
    }
  }
}

TEST_CASE("vectors of another origin are not continued") {
  const TemporaryFolder folder;
  { const VectorFile file(folder / "vectors", "one", 4, /*resume=*/true); }
  CHECK_THROWS_AS(VectorFile(folder / "vectors", "other", 4, /*resume=*/true), Error);
  CHECK_THROWS_AS(VectorFile(folder / "vectors", "one", 5, /*resume=*/true), Error);
  CHECK(VectorFile(folder / "vectors", "one", 4, /*resume=*/true).count() == 0);
  CHECK(VectorFile(folder / "vectors", "other", 4, /*resume=*/false).count() == 0);
}

}  // namespace
}  // namespace headlight::text_vectors_test
