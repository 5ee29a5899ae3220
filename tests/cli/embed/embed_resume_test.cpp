// Runs of embed that end before their time, and those that continue them: the finished array is the
// one of a run that was never disturbed.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::embed_resume_test {
namespace {

using Clock = std::chrono::steady_clock;
/// Different texts, and rows that cannot be read.
std::string many_rows(std::size_t count) {
  const std::vector<std::string> words = {"good", "bad", "movie", "a", "plot"};
  std::string rows;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 97 == 5) {
      rows += "{\"id\":1}\n";
      continue;
    }
    rows += "{\"text\":\"";
    for (std::size_t n = i; n > 0; n /= 5) rows += words[n % 5] + ' ';
    rows += "\"}\n";
  }
  return rows;
}

struct Scene {
  explicit Scene(std::size_t rows) { place.files().write("rows.jsonl", many_rows(rows)); }

  static Arguments embed(const std::string& out) {
    Arguments arguments = {"embed", "rows.jsonl", "-m", "toy", "-o", out};
    if (out.starts_with("half")) arguments.emplace_back("--half");
    return arguments;
  }
  /// The bytes of a run that nobody disturbs.
  std::string undisturbed(const std::string& out) {
    const auto begin = Clock::now();
    CHECK(place.run(embed(out)).status == 3);
    took = Clock::now() - begin;
    const std::string bytes = place.files().read(out);
    std::filesystem::remove(place.files() / out);
    return bytes;
  }

  ToyPlace place;
  Clock::duration took{};
};

/// What a power cut may do to a file that was being written: its end is lost, between numbers, or
/// is zeros.
void cut_power(const ToyPlace& place, const std::string& name, std::mt19937& random) {
  std::string bytes = place.files().read(name);
  constexpr std::size_t kNumber = sizeof(float);
  const std::size_t lost =
      std::min<std::size_t>(bytes.size(), random() % 750 * kNumber + bytes.size() % kNumber);
  const std::string zeros(random() % 2 * (random() % 5000), '\0');
  place.files().write(name, bytes.substr(0, bytes.size() - lost) + zeros);
}

TEST_CASE("an array whose run is killed at any moment is finished to the same bytes") {
  Scene scene(kSanitized ? 3'000 : 40'000);
  std::mt19937 random(11);
  for (const std::string out : {"whole.npy", "half.npy", "lines.jsonl"}) {
    CAPTURE(out);
    const std::string expected = scene.undisturbed(out);
    const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(scene.took).count();
    std::uniform_int_distribution<long> moment(0, longest);
    std::size_t kills = 0;
    for (int attempt = 0; !scene.place.files().has(out); ++attempt) {
      Process process(scene.place.command(
          with(Scene::embed(out), {"--resume", "--threads", random() % 2 == 0 ? "1" : "2"})));
      if (attempt < 6) {
        std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
        process.send(SIGKILL);
      }
      const Outcome outcome = process.finish();
      if (outcome.signal == 0) {
        CHECK(outcome.complaint() == "");
        CHECK(outcome.status == 3);
        continue;
      }
      ++kills;
      if (random() % 3 == 0 && scene.place.files().has(out + ".partial")) {
        cut_power(scene.place, out + ".partial", random);
      }
    }
    CHECK((scene.place.files().read(out) == expected));
    CHECK_FALSE(scene.place.files().has(out + ".partial"));
    MESSAGE(out << ": " << kills << " kills");
  }
}

TEST_CASE("an array that a full disk stopped keeps its rows, and counts them when it goes on") {
  Scene scene(5'000);
  const std::string expected = scene.undisturbed("out.npy");
  for (const long size : {10'000L, 50'001L}) {
    Command command = scene.place.command(with(Scene::embed("out.npy"), {"--resume"}));
    command.largest_file = size;
    check_last_reason(run(command), 1, "cannot write: File too large|--resume continues");
  }
  const Outcome outcome =
      scene.place.run(with(Scene::embed("out.npy"), {"--resume", "--summary", "counts.json"}));
  CHECK(outcome.err.find("resuming after 3") != std::string::npos);
  CHECK((scene.place.files().read("out.npy") == expected));
  const auto counts = OrderedJson::parse(scene.place.files().read("counts.json"));
  CHECK(counts["rows"] == 5'000);
  CHECK(counts["errors"] == 53);  // 52 without text, and the first without words
  check_last_reason(scene.place.run(with(Scene::embed("out.npy"), {"--resume"})), 3,
                    "53 of 5000 rows could not be scored");
}

TEST_CASE("an array is not continued with other vectors") {
  const ToyPlace place;
  place.files().write("rows.txt", "good\nbad\n\xFF\ngood\n");
  const Arguments first = {"embed", "rows.txt", "-m", "toy", "-o", "out.npy"};
  check_last_reason(place.run(with(first, {"--on-error", "stop"})), 1, "row 2|--resume");
  CHECK(place.files().read("out.npy.partial").size() == 128 + 2 * 4 * sizeof(float));
  const auto refuse = [&](const Arguments& options, const std::string& reason) {
    check_refusal(place.run(with(first, with(options, {"--resume"}))), 1, reason);
  };
  refuse({"--half"}, "without --half; this run uses --half");
  refuse({"--pooling", "max"}, "this run uses --pooling max");
  check_refusal(place.run(first), 1, "out.npy.partial: contains rows of a stopped run");
  CHECK(place.run(with(first, {"--resume"})).status == 3);
  CHECK(place.files().read("out.npy").find("'shape': (4, 4)") != std::string::npos);
}

}  // namespace
}  // namespace headlight::embed_resume_test
