#include "training/course/checkpoint.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/output.h"

namespace headlight {
namespace {

constexpr std::size_t kHeaderLength = 8;  // bytes of the header's length
constexpr std::size_t kChecksum = 32;     // hash_of() all before it
constexpr const char* kStartAgain = "use --force to start again";

/// With the version of the format.
std::string checkpoint_begin() { return std::string(kCheckpointMagic) + "2\n"; }

void write_score(JsonWriter& json, std::string_view name,
                 const std::optional<DevelopmentScore>& score) {
  if (!score) return;
  json.key(name).begin_object();
  json.field("name", score->name);
  json.field("score", score->score);
  json.field("loss", score->loss);
  json.end_object();
}

std::optional<DevelopmentScore> read_score(Fields& fields, std::string_view name) {
  const Json* object = fields.find(name);
  if (object == nullptr) return std::nullopt;
  Fields own(*object, fields.where(), fields.path_of(name));
  return DevelopmentScore{own.required_string("name"), own.number_or("score", 0.0),
                          own.number_or("loss", 0.0)};
}

std::string header_of(const Origin& origin, const TrainingState& state, std::size_t numbers) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("origin").raw(to_json(origin));
  json.field("numbers", numbers);
  json.field("step", std::size_t{state.step});
  json.field("epoch", std::size_t{state.epoch});
  json.field("batch", std::size_t{state.batch});
  write_score(json, "latest", state.latest);
  write_score(json, "best", state.best);
  json.field("best_epoch", state.best_epoch);
  json.field("lowest_loss", state.lowest_loss);
  json.field("without_best", std::size_t{state.without_best});
  json.field("loss", state.loss);
  json.field("rows", std::size_t{state.rows});
  json.field("log_bytes", std::size_t{state.log.bytes});
  json.field("log_hash", state.log.hash);
  json.end_object();
  return text;
}

/// `header` is the JSON, which is parsed here.
TrainingState state_of(std::string_view header, const std::string& path, const Origin& origin,
                       std::size_t numbers) {
  const Json json = parse_json(header, path);
  Fields fields(json, path);
  const Origin then = origin_from_json(fields.required("origin").dump(), path);
  if (const std::string change = difference(then, origin); !change.empty()) {
    throw Error(path, "cannot be resumed: it " + change,
                "repeat the command of the stopped run, or use --force to start again");
  }
  TrainingState state;
  const std::size_t found = fields.required_size("numbers", 0);
  if (found != numbers) {
    throw Error(path, "has the state of " + std::to_string(found) + " weights, but the model has " +
                          std::to_string(numbers));
  }
  state.step = fields.required_size("step", 0);
  state.epoch = fields.required_size("epoch", 0);
  state.batch = fields.required_size("batch", 0);
  state.latest = read_score(fields, "latest");
  state.best = read_score(fields, "best");
  state.best_epoch = fields.number_or("best_epoch", 0.0);
  state.lowest_loss = fields.number_or("lowest_loss", 0.0);
  state.without_best = fields.required_size("without_best", 0);
  state.loss = fields.number_or("loss", 0.0);
  state.rows = fields.required_size("rows", 0);
  state.log = {fields.required_size("log_bytes", 0), fields.required_string("log_hash")};
  return state;
}

}  // namespace

void write_checkpoint(const std::string& path, const Origin& origin, const TrainingState& state,
                      const CheckpointBlocks& blocks) {
  const std::string header = header_of(origin, state, blocks.front().size());
  const std::uint64_t length = header.size();
  std::string beginning = checkpoint_begin();
  beginning.append(reinterpret_cast<const char*>(&length), kHeaderLength);
  release_output(path);  // a run writes it many times
  OutputFile file(path, /*force=*/true);
  GrowingHash hash;
  const auto write = [&](std::string_view bytes) {
    hash.add(bytes);
    file.output().write(bytes);
  };
  write(beginning + header);
  for (const std::span<float> block : blocks) {
    write({reinterpret_cast<const char*>(block.data()), block.size_bytes()});
  }
  file.output().write(hash.text());
  file.finish();
}

TrainingState read_checkpoint(const std::string& path, const Origin& origin,
                              const CheckpointBlocks& blocks) {
  const MappedFile file(path);
  release_input(path);  // this run replaces it
  const std::string magic = checkpoint_begin();
  const std::size_t begin = magic.size() + kHeaderLength;
  std::string_view all = file.text();
  const std::string_view checksum = all.substr(all.size() - std::min(all.size(), kChecksum));
  all.remove_suffix(checksum.size());
  std::uint64_t length = 0;
  const bool is_one = all.size() >= begin && all.starts_with(magic) && hash_of(all) == checksum;
  if (is_one) std::memcpy(&length, all.data() + magic.size(), kHeaderLength);
  if (!is_one || length > all.size() - begin) {
    throw Error(path, "is not a complete checkpoint of this headlight, or is damaged", kStartAgain);
  }
  const std::size_t numbers = blocks.front().size();
  TrainingState state = state_of(all.substr(begin, length), path, origin, numbers);
  std::string_view rest = all.substr(begin + length);
  std::size_t expected = 0;
  for (const std::span<float> block : blocks) expected += block.size_bytes();
  if (rest.size() != expected) {
    throw Error(path,
                "has " + std::to_string(rest.size()) + " bytes of numbers, expected " +
                    std::to_string(expected),
                kStartAgain);
  }
  for (const std::span<float> block : blocks) {
    std::memcpy(block.data(), rest.data(), block.size_bytes());
    rest.remove_prefix(block.size_bytes());
  }
  return state;
}

void check_state(const std::string& path, const TrainingState& state, const EpochBatches& batches,
                 std::size_t epochs, bool is_scored) {
  const auto check = [&](bool is_possible, const std::string& name) {
    if (!is_possible) throw Error(path, "has an impossible " + name, kStartAgain);
  };
  check(state.epoch <= epochs, "epoch");
  check(state.batch < (state.epoch < epochs ? batches.size() : 1), "batch");
  const std::uint64_t done =
      state.epoch * batches.rows_before(batches.size()) + batches.rows_before(state.batch);
  check(state.step >= state.epoch + state.batch && state.step <= done, "step");
  check(state.rows <= done, "number of rows");
  check(state.without_best <= state.step, "number of scores");
  check(state.latest.has_value() == is_scored && state.best.has_value() == is_scored, "score");
  check(state.best_epoch >= 0.0 && state.best_epoch <= static_cast<double>(epochs), "best epoch");
}

}  // namespace headlight
