// Trains, measures and looks through headlight.hpp: train FOLDER
#include <cstdio>
#include <string>
#include <vector>

#include <headlight.hpp>

namespace {

struct Own {};

/// Whether the call throws this.
template <typename Thrown, typename Call>
bool throws(const Call& call) {
  try {
    call();
    return false;
  } catch (const Thrown&) {
    return true;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const headlight::Engine engine(2);
  const std::vector<headlight::Text> texts = {"good film", "bad film",  "a good one",
                                              "a bad one", "very good", "very bad"};
  const std::vector<std::vector<std::string>> labels = {{"a"}, {"b"}, {"a"}, {"b"}, {"a"}, {"b"}};
  headlight::FitOptions options;
  options.train = "static";
  options.dev_texts = {"good", "bad"};
  options.dev_labels = {{"a"}, {"b"}};
  int calls = 0;
  options.progress = [&](double /*done*/, const char* /*phase*/) { return ++calls == 0; };
  const std::string report = engine.fit(texts, labels, argv[1], options);
  headlight::FitOptions failing = options;
  failing.progress = [](double /*done*/, const char* /*phase*/) -> bool { throw Own(); };
  const std::string other = std::string(argv[1]) + "-other";
  if (!throws<Own>([&] { engine.fit(texts, labels, other, failing); })) return 1;
  for (const auto& label : {std::string("a\nb"), std::string("a\0b", 3)}) {
    const std::vector<std::vector<std::string>> bad = {{label}, {"b"}, {"a"}, {"b"}, {"a"}, {"b"}};
    if (!throws<headlight::Failure>([&] { engine.fit(texts, bad, other); })) return 1;
  }
  headlight::Model first("sentiment", engine);
  const headlight::Model second = std::move(first);
  if (!throws<headlight::Failure>([&] { first.classify("a"); })) return 1;
  const headlight::Model model(argv[1], engine);
  const bool measured = model.evaluate(texts, labels).find("\"accuracy\":1,") != std::string::npos;
  const headlight::Model encoder("encoder", engine);
  const auto scores = encoder.rank("a lost card", {"my card is gone", "the weather"});
  const std::string page = encoder.attention_page({"not bad", "bad"});
  const bool listed = engine.models().find("\"encoder\"") != std::string::npos;
  try {
    encoder.entities("a");
    return 1;
  } catch (const headlight::Failure& failure) {
    if (failure.status() != HL_BAD_ARGUMENT) return 1;
  }
  if (!throws<headlight::Failure>([&] { encoder.zero_shot({"a"}, {"x"}); })) return 1;
  const std::string words = model.explanation_page("good");
  std::printf("%s %d %d %d %d %d\n", model.labels()[model.classify("so good").best].c_str(),
              calls > 0, measured, scores[0] > scores[1], listed,
              page.size() > 1000 && words.size() > 1000 && !report.empty());
  return 0;
} catch (const headlight::Failure& failure) {
  std::fprintf(stderr, "train: %s\n", failure.what());
  return 1;
}
