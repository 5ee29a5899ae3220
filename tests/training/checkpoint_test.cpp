#include "training/checkpoint.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/file_guard.h"
#include "base/temporary_folder.h"
#include "training/training_log.h"

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
  state.log_bytes = 1234;
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
  CHECK(state.log_bytes == 1234);
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
  CHECK(!folder.has("state.new"));
}

TEST_CASE("a checkpoint of another run or an incomplete one is refused") {
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
  const std::string whole = content_of(path);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{20}, whole.size() - 4}) {
    folder.write("state", whole.substr(0, bytes));
    CAPTURE(bytes);
    CHECK(error("1") != "");
  }
  folder.write("state", whole);
  CHECK(error("1").empty());
  blocks.weights.push_back(0.0F);
  CHECK(error("1") == path + ": has the state of 3 weights, but the model has 4");
}

TEST_CASE("a log continues where its checkpoint was, and keeps an existing file") {
  const TemporaryFolder folder;
  const std::string path = folder / "log.jsonl";
  const DevelopmentScore score{"accuracy", 0.75, 0.5};
  std::uint64_t bytes = 0;
  {
    TrainingLog log(path, /*force=*/false);
    log.write({10, 0.5, 0.25, 0.001, nullptr});
    bytes = log.bytes();
    log.write({20, 1.0, 0.125, 0.001, nullptr});
  }
  CHECK(error_of([&] { TrainingLog(path, false); }) ==
        path + ": exists already; --force replaces it");
  {
    TrainingLog log(path, bytes);
    log.write({20, 1.0, 0.125, 0.5, &score});
  }
  CHECK(content_of(path) ==
        R"({"step":10,"epoch":0.5,"loss":0.25,"learning_rate":0.001}
{"step":20,"epoch":1,"loss":0.125,"learning_rate":0.5,"development":{"accuracy":0.75,"loss":0.5}}
)");
  CHECK(error_of([&] { TrainingLog(path, std::uint64_t{100'000}); }) ==
        path + ": is not the log of the run to resume: it is shorter than 100000 bytes");
}

}  // namespace
}  // namespace headlight::checkpoint_test
