// heads TEXT: for each word, the head of the last layer that attends most from it to another word.
#include <cstdio>

#include <headlight.hpp>

int main(int argc, char** argv) try {
  const headlight::Model model("sentiment");
  const auto attention = model.attention(argc > 1 ? argv[1] : "not bad at all");
  const auto tokens = attention.tokens();
  const std::size_t last = model.layers() - 1;
  for (std::size_t from = 0; from < tokens.size(); ++from) {
    std::size_t head = 0, to = from;
    float most = 0;
    for (std::size_t h = 0; h < model.heads(last); ++h) {
      const float* row = attention.weights(last, h) + from * tokens.size();  // sums to 1
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        const bool is_special = tokens[t].place.sequence == 0;
        if (t != from && !is_special && row[t] > most) head = h, to = t, most = row[t];
      }
    }
    if (tokens[from].place.sequence == 0 || to == from) continue;
    std::printf("head %zu: %s -> %s %.7f\n", head, tokens[from].token.c_str(),
                tokens[to].token.c_str(), most);
  }
} catch (const headlight::Failure& failure) {
  std::fprintf(stderr, "heads: %s\n", failure.what());
  return 1;
}
