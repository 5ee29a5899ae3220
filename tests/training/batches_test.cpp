#include "training/course/batches.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::batches_test {
namespace {

const std::vector<std::size_t> kLengths = {3, 9, 1, 4, 4, 30, 2, 7, 5, 6, 1, 8};

std::vector<std::vector<std::uint32_t>> all_of(const EpochBatches& batches) {
  std::vector<std::vector<std::uint32_t>> all;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    all.emplace_back(batches.rows(i).begin(), batches.rows(i).end());
  }
  return all;
}

TEST_CASE("an epoch has each row once, in full batches that do not exceed the tokens") {
  for (const std::uint64_t epoch : {0U, 1U, 2U, 3U}) {
    const EpochBatches batches(kLengths, 16, 7, epoch);
    std::multiset<std::uint32_t> seen;
    std::size_t before = 0;
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const auto rows = batches.rows(i);
      std::size_t tokens = 0;
      for (const std::uint32_t row : rows) tokens += kLengths[row];
      CHECK((tokens <= 16 || rows.size() == 1));
      if (i + 1 < batches.size()) CHECK(tokens + kLengths[batches.rows(i + 1)[0]] > 16);
      CHECK(batches.rows_before(i) == before);
      before += rows.size();
      seen.insert(rows.begin(), rows.end());
    }
    CHECK(batches.rows_before(batches.size()) == kLengths.size());
    CHECK(seen.size() == kLengths.size());
    CHECK(std::set<std::uint32_t>(seen.begin(), seen.end()).size() == kLengths.size());
  }
}

TEST_CASE("up to four rows of a label stand together, each row once") {
  const std::vector<std::size_t> lengths(23, 1);
  std::vector<std::uint32_t> labels(23, 7);
  for (std::size_t i = 0; i < 9; ++i) labels[2 * i] = 1;
  const EpochBatches batches(lengths, 100, 3, 1, labels);
  REQUIRE(batches.size() == 1);
  const auto rows = batches.rows(0);
  CHECK(std::set<std::uint32_t>(rows.begin(), rows.end()).size() == 23);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    changes += labels[rows[i]] == labels[rows[i - 1]] ? 0 : 1;
  }
  CHECK(changes <= 6);  // of 3 groups and 4 groups
  CHECK(all_of(EpochBatches(lengths, 5, 3, 1, labels)) !=
        all_of(EpochBatches(lengths, 5, 3, 2, labels)));
}

TEST_CASE("the order depends on the seed and the epoch, and on nothing else") {
  const auto first = all_of(EpochBatches(kLengths, 16, 1, 0));
  CHECK(first == all_of(EpochBatches(kLengths, 16, 1, 0)));
  CHECK(first != all_of(EpochBatches(kLengths, 16, 1, 1)));
  CHECK(first != all_of(EpochBatches(kLengths, 16, 2, 0)));
}

TEST_CASE("the order is the same on every machine") {
  const EpochBatches batches(std::vector<std::size_t>(8, 1), 100, 0, 0);
  REQUIRE(batches.size() == 1);
  std::string order;
  for (const std::uint32_t row : batches.rows(0)) order += std::to_string(row);
  CHECK(order == "07561324");
}

TEST_CASE("without rows there are no batches") { CHECK(EpochBatches({}, 16, 0, 0).size() == 0); }

TEST_CASE("few rows have small batches") {
  CHECK(usual_batch_tokens(std::vector<std::size_t>(100, 10)) == 256);
  CHECK(usual_batch_tokens(std::vector<std::size_t>(10'000, 20)) == 1000);
  CHECK(usual_batch_tokens(std::vector<std::size_t>(1'000'000, 20)) == 4096);
}

}  // namespace
}  // namespace headlight::batches_test
