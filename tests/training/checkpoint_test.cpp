#include "training/course/checkpoint.h"

#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/file_guard.h"
#include "base/hash.h"
#include "base/temporary_folder.h"
#include "training/toy_rows.h"
#include "training/whole/trainer.h"

namespace headlight::checkpoint_test {
namespace {

struct Blocks {
  std::vector<float> weights = {1.0F, -2.5F, 1e-30F};
  std::vector<float> means = {0.1F, 0.2F, 0.3F};

  CheckpointBlocks spans() { return {weights, means}; }
};

Origin origin_of(const std::string& seed) {
  Origin origin;
  origin.program = "1.0";
  origin.options["--seed"] = seed;
  return origin;
}

TrainingState some_state() {
  TrainingState state;
  state.step = 7;
  state.epoch = 2;
  state.batch = 3;
  state.latest = DevelopmentScore{"accuracy", 0.1, 2.0 / 3.0};
  state.best_epoch = 1.25;
  state.loss = 0.1 + 0.2;
  state.rows = 96;
  state.log = {1234, "5678"};
  return state;
}

TEST_CASE("a checkpoint gives back the same state, to the last bit") {
  const TemporaryFolder folder;
  Blocks blocks;
  write_checkpoint(folder / "state", origin_of("1"), some_state(), blocks.spans());
  Blocks read;
  read.weights.assign(3, 0.0F);
  read.means.assign(3, 0.0F);
  const TrainingState state = read_checkpoint(folder / "state", origin_of("1"), read.spans());
  CHECK(read.weights == blocks.weights);
  CHECK(read.means == blocks.means);
  CHECK(state.step == 7);
  CHECK(state.epoch == 2);
  CHECK(state.batch == 3);
  REQUIRE(state.latest);
  CHECK(state.latest->name == "accuracy");
  CHECK(state.latest->loss == 2.0 / 3.0);
  CHECK(!state.best);
  CHECK(state.best_epoch == 1.25);
  CHECK(state.loss == 0.1 + 0.2);
  CHECK(state.rows == 96);
  CHECK(state.log.bytes == 1234);
  CHECK(state.log.hash == "5678");
}

TEST_CASE("a run can replace its checkpoint many times, also after reading it") {
  const TemporaryFolder folder;
  const FileGuard guard;
  const std::string path = folder / "state";
  Blocks blocks;
  for (int i = 0; i < 3; ++i) {
    write_checkpoint(path, origin_of("1"), some_state(), blocks.spans());
    CHECK(read_checkpoint(path, origin_of("1"), blocks.spans()).step == 7);
  }
  CHECK(!folder.has("state.partial"));
}

TEST_CASE("a checkpoint of another run is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "state";
  Blocks blocks;
  write_checkpoint(path, origin_of("1"), some_state(), blocks.spans());
  const auto error = [&](const std::string& seed) {
    return error_of([&] { read_checkpoint(path, origin_of(seed), blocks.spans()); });
  };
  CHECK(error("2") ==
        path +
            ": cannot be resumed: it was written with --seed 1; this run uses --seed "
            "2; repeat the command of the stopped run, or use --force to start again");
  blocks.weights.push_back(0.0F);
  CHECK(error("1") == path + ": has the state of 3 weights, but the model has 4");
}

/// `whole` with a header in which `old` is `fresh`, and the checksum that belongs to it.
std::string with_header(const std::string& whole, const std::string& old,
                        const std::string& fresh) {
  constexpr std::size_t kBegin = 21;
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data() + kBegin, sizeof(length));
  std::string header = whole.substr(kBegin + sizeof(length), length);
  REQUIRE(header.find(old) != std::string::npos);
  header.replace(header.find(old), old.size(), fresh);
  const std::uint64_t now = header.size();
  std::string changed = whole.substr(0, kBegin);
  changed.append(reinterpret_cast<const char*>(&now), sizeof(now));
  changed += header + whole.substr(kBegin + sizeof(length) + length);
  changed.resize(changed.size() - 32);
  return changed + hash_of(changed);
}

TEST_CASE("a checkpoint with any changed or lost byte is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "state";
  Blocks blocks;
  write_checkpoint(path, origin_of("1"), some_state(), blocks.spans());
  const std::string whole = content_of(path);
  const std::string damaged =
      path +
      ": is not a complete checkpoint of this headlight, or is damaged; use --force to start again";
  const auto error = [&](const std::string& content) {
    folder.write("state", content);
    return error_of([&] { read_checkpoint(path, origin_of("1"), blocks.spans()); });
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(i);
    std::string other = whole;
    other[i] = static_cast<char>(other[i] ^ 1);
    CHECK(error(other) == damaged);
    CHECK(error(whole.substr(0, i)) == damaged);
  }
  CHECK(error(whole + "x") == damaged);
  CHECK(error(whole).empty());
}

TEST_CASE("a checkpoint whose header is impossible for the training is refused") {
  const TemporaryFolder folder;
  const auto task = [](const Ids& ids) { return std::vector<std::size_t>{ids.front() % 2}; };
  const LabelledRows rows =
      ToyRows(16, task).train_and_dev(toy_parameters("causal").description(), 100);
  TrainOptions options;
  options.epochs = 2;
  options.batch_tokens = 100;
  options.checkpoint = folder / "state";
  options.log = folder / "log";
  const auto train_until = [&](std::size_t stop) {
    Parameters parameters = toy_parameters("causal");
    std::size_t steps = 0;
    const TrainWatch watch = {[&](const TrainingReport&) { ++steps; },
                              [&] { return steps == stop; }};
    return train(parameters, rows, options, watch).stopped;
  };
  REQUIRE(train_until(3));
  const std::string whole = content_of(options.checkpoint);
  options.resume = true;
  struct Row {
    std::string old;
    std::string fresh;
    std::string reason;
  };
  const std::vector<Row> changes = {
      {R"("batch":3)", R"("batch":99999999)", "has an impossible batch"},
      {R"("epoch":0)", R"("epoch":2)", "has an impossible batch"},
      {R"("epoch":0)", R"("epoch":3)", "has an impossible epoch"},
      {R"("step":3)", R"("step":2000000000)", "has an impossible step"},
      {R"("step":3)", R"("step":2)", "has an impossible step"},
      {R"("step":3)", R"("step":-3)", "step: found -3"},
      {R"("without_best":0)", R"("without_best":77)", "has an impossible number of scores"},
      {R"(,"rows":)", R"(,"rows":1000)", "has an impossible number of rows"},
      {R"("best_epoch":0)", R"("best_epoch":-1)", "has an impossible best epoch"},
      {R"("best":)", R"("other":)", "has an impossible score"},
      {R"("latest":)", R"("other":)", "has an impossible score"},
      {R"("numbers":)", R"("numbers":1)", " weights, but the model has "},
      {R"("log_bytes":0)", R"("log_bytes":5)", "is not the log of the stopped run"}};
  for (const Row& row : changes) {
    CAPTURE(row.fresh);
    folder.write("state", with_header(whole, row.old, row.fresh));
    const std::string line = error_of([&] { train_until(0); });
    CHECK_MESSAGE(line.find(row.reason) != std::string::npos, line);
  }
  folder.write("state", whole);
  CHECK(!train_until(0));
}

}  // namespace
}  // namespace headlight::checkpoint_test
