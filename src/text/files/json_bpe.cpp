#include "text/files/json_bpe.h"

#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/files/json_vocabulary.h"

namespace headlight {
namespace {

const char* const kTwoTokens = "two tokens separated by a space";

struct TokenPair {
  std::string left;
  std::string right;
};

/// The two parts around the only space, or nullopt.
std::optional<TokenPair> pair_of(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view right = line.substr(blank + 1);
  if (right.find(' ') != std::string_view::npos) return std::nullopt;
  return TokenPair{std::string(line.substr(0, blank)), std::string(right)};
}

/// The reference skips such lines anywhere.
bool is_version(std::string_view line) { return line.starts_with("#version"); }

/// Looks up the tokens of merges, one merge at a time.
class MergeFinder {
 public:
  /// The first `prefix_bytes` of the right token are removed when it is appended to the left one.
  MergeFinder(const Vocabulary& vocabulary, std::size_t prefix_bytes, std::string where)
      : vocabulary_(vocabulary), prefix_bytes_(prefix_bytes), where_(std::move(where)) {}

  /// `at` is the place in the file: "line 3".
  BPE::Merge find(const TokenPair& pair, const std::string& at) const {
    if (pair.right.size() < prefix_bytes_) {
      throw Error(where_, at + ": " + excerpt(Json(pair.right)) +
                              " is shorter than continuing_subword_prefix");
    }
    return {id(pair.left, at), id(pair.right, at),
            id(pair.left + pair.right.substr(prefix_bytes_), at)};
  }

 private:
  TokenId id(const std::string& token, const std::string& at) const {
    if (const auto found = vocabulary_.id(token)) return *found;
    throw Error(where_, at + ": " + excerpt(Json(token)) + " is not in the vocabulary");
  }

  const Vocabulary& vocabulary_;
  std::size_t prefix_bytes_;
  std::string where_;
};

/// `"a b"`, or `["a", "b"]`, which allows spaces in tokens. All items have the form of the first.
std::optional<TokenPair> read_pair(const Json& item, bool is_line) {
  if (is_line) return item.is_string() ? pair_of(item.get<std::string>()) : std::nullopt;
  const bool is_pair =
      item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string();
  if (!is_pair) return std::nullopt;
  return TokenPair{item[0].get<std::string>(), item[1].get<std::string>()};
}

std::vector<BPE::Merge> read_merges(Fields& model, const MergeFinder& finder) {
  const Json& list = model.required("merges");
  if (!list.is_array()) model.fail("merges", "a list");
  const bool are_lines = !list.empty() && list[0].is_string();
  std::vector<BPE::Merge> merges;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& item = list[i];
    if (are_lines && item.is_string() && is_version(item.get<std::string>())) continue;
    const std::string at = model.path_of("merges") + "[" + std::to_string(i) + "]";
    const auto pair = read_pair(item, are_lines);
    if (!pair) {
      throw Error(model.where(), at + ": found " + excerpt(item) + ", expected " +
                                     (are_lines ? kTwoTokens : "a list of two tokens"));
    }
    merges.push_back(finder.find(*pair, at));
  }
  return merges;
}

std::vector<BPE::Merge> read_merges_file(const std::string& path, const MergeFinder& finder) {
  const MappedFile file(path);
  std::string_view rest = file.text();
  if (const auto bad = find_bad_utf8(rest)) {
    throw Error(path, "not valid UTF-8 at byte " + std::to_string(*bad));
  }
  std::vector<BPE::Merge> merges;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.ends_with('\r') && end != std::string_view::npos) line.remove_suffix(1);
    if (is_version(line)) continue;
    const std::string at = "line " + std::to_string(number);
    const auto pair = pair_of(line);
    if (!pair) {
      throw Error(path, at + ": found " + excerpt(Json(line)) + ", expected " + kTwoTokens);
    }
    merges.push_back(finder.find(*pair, at));
  }
  return merges;
}

bool read_flag(Fields& model, const std::string& name) {
  return model.find_value(name) != nullptr && model.flag_or(name, false);
}

BPE::Options read_options(Fields& model) {
  if (model.find_value("dropout") != nullptr && model.number_or("dropout", 0) != 0) {
    model.fail("dropout", "0 or null, because a text must always give the same tokens");
  }
  BPE::Options options;
  options.unk_token = model.nullable_string_or("unk_token", std::nullopt);
  options.continuing_subword_prefix =
      model.nullable_string_or("continuing_subword_prefix", "").value_or("");
  options.end_of_word_suffix = model.nullable_string_or("end_of_word_suffix", "").value_or("");
  options.fuse_unk = read_flag(model, "fuse_unk");
  options.byte_fallback = read_flag(model, "byte_fallback");
  options.ignore_merges = read_flag(model, "ignore_merges");
  return options;
}

}  // namespace

std::unique_ptr<const WordModel> read_bpe(Fields& model, std::optional<Vocabulary> vocabulary) {
  BPE::Options options = read_options(model);
  if (!vocabulary) {
    vocabulary = read_token_ids(model.required("vocab"), model.where(), model.path_of("vocab"));
  }
  const auto merges = read_merges(
      model, MergeFinder(*vocabulary, options.continuing_subword_prefix.size(), model.where()));
  return std::make_unique<BPE>(std::move(*vocabulary), merges, std::move(options));
}

std::unique_ptr<const WordModel> read_bpe_files(const std::string& vocab_json,
                                                const std::string& merges_txt,
                                                BPE::Options options) {
  Vocabulary vocabulary = read_token_ids(read_json_file(vocab_json), vocab_json, "");
  const auto merges = read_merges_file(
      merges_txt, MergeFinder(vocabulary, options.continuing_subword_prefix.size(), merges_txt));
  return std::make_unique<BPE>(std::move(vocabulary), merges, std::move(options));
}

}  // namespace headlight
