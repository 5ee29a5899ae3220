#include "base/compression.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::compression_test {
namespace {

const std::vector<Compression> kBoth = {Compression::gzip, Compression::zstd};

/// Fed `piece` bytes at a time, taken `room` at a time.
std::string decompressed(Compression compression, std::string_view bytes, std::size_t piece,
                         std::size_t room) {
  Decompressor decompressor(compression, "f");
  std::string all;
  std::string out(room, '\0');
  while (!bytes.empty()) {
    std::string_view in = bytes.substr(0, piece);
    bytes.remove_prefix(in.size());
    while (true) {
      const std::size_t made = decompressor.read(in, out);
      all.append(out, 0, made);
      if (made == 0 && in.empty()) break;
    }
  }
  decompressor.finish();
  return all;
}

/// Bytes that neither repeat nor are all alike.
std::string noise(std::size_t size) {
  std::string bytes;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>('a' + (state >> 24U) % 20);
  }
  return bytes;
}

TEST_CASE("the ending says how a file is compressed") {
  struct Row {
    std::string_view path;
    Compression compression;
    std::string_view rest;
  };
  for (const auto& [path, compression, rest] : {Row{"a.csv.gz", Compression::gzip, "a.csv"},
                                                {"a.jsonl.zst", Compression::zstd, "a.jsonl"},
                                                {"a.gz.csv", Compression::none, "a.gz.csv"},
                                                {"A.CSV.GZ", Compression::gzip, "A.CSV"},
                                                {"a.Zst", Compression::zstd, "a"},
                                                {"", Compression::none, ""},
                                                {".gz", Compression::gzip, ""}}) {
    CHECK(compression_of(path) == compression);
    CHECK(without_compression(path) == rest);
  }
}

TEST_CASE("members one after another are what they hold one after another") {
  const std::string big = noise(300'000);
  for (const Compression compression : kBoth) {
    const std::string chain = compressed_member(compression, "one\n") +
                              compressed_member(compression, "") +
                              compressed_member(compression, big);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20U}) {
      for (const std::size_t room : {std::size_t{5}, std::size_t{65536}, std::size_t{1} << 20U}) {
        CHECK(decompressed(compression, chain, piece, room) == "one\n" + big);
      }
    }
    CHECK(decompressed(compression, "", 1, 1).empty());
  }
}

TEST_CASE("a member is the same for the same bytes, and says when it is whole") {
  for (const Compression compression : kBoth) {
    const std::string member = compressed_member(compression, noise(1000));
    CHECK(member == compressed_member(compression, noise(1000)));
    Decompressor decompressor(compression, "f");
    std::array<char, 4096> out{};
    CHECK(decompressor.between_members());
    const std::string two = member + member;
    std::string_view in = two;
    CHECK(decompressor.read(in, out) == 1000);
    CHECK(decompressor.between_members());
    CHECK(in.size() == member.size());
    in = in.substr(0, 10);
    decompressor.read(in, out);
    CHECK_FALSE(decompressor.between_members());
  }
  CHECK(compressed_member(Compression::none, "x") == "x");
}

TEST_CASE("what is cut anywhere is said at the end") {
  for (const Compression compression : kBoth) {
    const std::string member = compressed_member(compression, noise(50));
    for (std::size_t size = 1; size < member.size(); ++size) {
      CHECK(error_of([&] { decompressed(compression, member.substr(0, size), 16, 16); }) ==
            "f: the compressed data ends too early; the file may be truncated");
    }
  }
}

TEST_CASE("damage is said, and never read over") {
  for (const Compression compression : kBoth) {
    const std::string text = noise(50);
    const std::string member = compressed_member(compression, text);
    for (std::size_t at = 0; at < member.size(); ++at) {
      std::string damaged = member;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      std::string found;
      if (error_of([&] { found = decompressed(compression, damaged, 16, 16); }).empty()) {
        CHECK(found == text);  // a byte of the header that says nothing about the content
      }
    }
    CHECK(error_of([&] {
            decompressed(compression, "no such thing", 16, 16);
          }).starts_with("f: cannot be decompressed: "));
  }
}

TEST_CASE("zero bytes after gzip are padding, other bytes are not") {
  const std::string member = compressed_member(Compression::gzip, "x");
  const std::string zeros(1000, '\0');
  CHECK(decompressed(Compression::gzip, member + zeros, 64, 64) == "x");
  for (const std::string& bad : {zeros + "y", std::string("y"), zeros + member}) {
    CHECK_FALSE(error_of([&] { decompressed(Compression::gzip, member + bad, 64, 64); }).empty());
  }
}

}  // namespace
}  // namespace headlight::compression_test
