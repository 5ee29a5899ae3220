#include "text/models/token_trie.h"

#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::token_trie_test {

/// The tokens that `text` begins with, by length.
std::map<std::size_t, TokenId> prefixes(const TokenTrie& trie, std::string_view text) {
  std::map<std::size_t, TokenId> found;
  std::optional<TokenTrie::Node> node = TokenTrie::kRoot;
  for (std::size_t length = 0;; ++length) {
    if (const auto token = trie.token(*node)) found[length] = *token;
    if (length == text.size()) return found;
    node = trie.child(*node, text[length]);
    if (!node) return found;
  }
}

TEST_CASE("a trie finds every token that a text begins with") {
  using Found = std::map<std::size_t, TokenId>;
  const TokenTrie trie(Vocabulary(std::vector<std::string>{"a中bc", "a", "a中b", "b", "b", ""}));
  CHECK(prefixes(trie, "a中bd") == Found{{0, 5}, {1, 1}, {5, 2}});
  CHECK(prefixes(trie, "b") == Found{{0, 5}, {1, 4}});
  CHECK(prefixes(trie, "中") == Found{{0, 5}});
  CHECK(prefixes(TokenTrie(Vocabulary(std::vector<std::string>{})), "a").empty());
}

TEST_CASE("a trie of any bytes finds what a std::map finds") {
  std::mt19937 random(5);
  for (const unsigned bytes : {2U, 26U, 256U}) {
    const auto text = [&] {
      std::string made(random() % 7, '\0');
      for (char& byte : made) byte = static_cast<char>(random() % bytes);
      return made;
    };
    std::vector<std::string> tokens(3000);
    std::map<std::string, TokenId> ids;
    for (std::string& token : tokens) {
      token = text();
      ids[token] = static_cast<TokenId>(&token - tokens.data());
    }
    const TokenTrie trie((Vocabulary(tokens)));
    for (int i = 0; i < 3000; ++i) {
      const std::string searched = text() + text();
      std::map<std::size_t, TokenId> expected;
      for (std::size_t length = 0; length <= searched.size(); ++length) {
        const auto token = ids.find(searched.substr(0, length));
        if (token != ids.end()) expected[length] = token->second;
      }
      CHECK(prefixes(trie, searched) == expected);
    }
  }
}

}  // namespace headlight::token_trie_test
