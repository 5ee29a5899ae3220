#include "text/files/tokenizer_classes.h"

#include <algorithm>

#include "base/error.h"

namespace headlight {
namespace {

using Kind = TokenizerClass::Kind;

constexpr TokenizerClass kBert = {
    Kind::bert, {nullptr, nullptr, "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}, false};
constexpr TokenizerClass kMpnet = {
    Kind::mpnet, {"<s>", "</s>", "[UNK]", "</s>", "<pad>", "<s>", "<mask>"}, true};
constexpr TokenizerClass kRoberta = {
    Kind::roberta, {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}, false};
constexpr TokenizerClass kSentencePiece = {
    Kind::as_given, {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}, true};
constexpr TokenizerClass kAlbert = {
    Kind::as_given, {"[CLS]", "[SEP]", "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]"}, true};
constexpr TokenizerClass kT5 = {
    Kind::as_given, {nullptr, "</s>", "<unk>", nullptr, "<pad>", nullptr, nullptr}, false};
constexpr const char* kEnd = "<|endoftext|>";
constexpr TokenizerClass kGpt2 = {
    Kind::gpt2, {kEnd, kEnd, kEnd, nullptr, nullptr, nullptr, nullptr}, false};
constexpr TokenizerClass kQwen2 = {
    Kind::qwen2, {nullptr, kEnd, kEnd, nullptr, kEnd, nullptr, nullptr}, false};
constexpr TokenizerClass kGemma = {
    Kind::as_given, {"<bos>", "<eos>", "<unk>", nullptr, "<pad>", nullptr, "<mask>"}, false};

constexpr TokenizerClass kDebertaV2 = {
    Kind::as_given, {"[CLS]", "[SEP]", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}, false};
constexpr TokenizerClass kDeberta = {Kind::deberta, kDebertaV2.specials, false};

struct NamedClass {
  std::string_view name;
  TokenizerClass what;
};

constexpr std::array<NamedClass, 23> kClasses = {{
    {"BertTokenizer", kBert},
    {"DistilBertTokenizer", kBert},
    {"ElectraTokenizer", kBert},
    {"MobileBertTokenizer", kBert},
    {"ConvBertTokenizer", kBert},
    {"SqueezeBertTokenizer", kBert},
    {"LayoutLMTokenizer", kBert},
    {"MPNetTokenizer", kMpnet},
    {"RobertaTokenizer", kRoberta},
    {"BartTokenizer", kRoberta},
    {"LongformerTokenizer", kRoberta},
    {"XLMRobertaTokenizer", kSentencePiece},
    {"CamembertTokenizer", kSentencePiece},
    {"AlbertTokenizer", kAlbert},
    {"DebertaTokenizer", kDeberta},
    {"DebertaV2Tokenizer", kDebertaV2},
    {"RemBertTokenizer", kAlbert},
    {"MBartTokenizer", kSentencePiece},
    {"MBart50Tokenizer", kSentencePiece},
    {"T5Tokenizer", kT5},
    {"GPT2Tokenizer", kGpt2},
    {"Qwen2Tokenizer", kQwen2},
    {"GemmaTokenizer", kGemma},
}};

// Implemented in Python, with their own word lists and segmenters.
constexpr std::array<std::string_view, 4> kPythonOnly = {
    "BertJapaneseTokenizer", "BertweetTokenizer", "PhobertTokenizer", "FlaubertTokenizer"};

}  // namespace

TokenizerClass find_tokenizer_class(std::string_view name, const std::string& where) {
  if (name.ends_with("Fast")) name.remove_suffix(4);
  if (std::find(kPythonOnly.begin(), kPythonOnly.end(), name) != kPythonOnly.end()) {
    throw Error(where, "tokenizer_class: \"" + std::string(name) +
                           "\" is not supported: it uses custom code instead of a tokenizer.json");
  }
  for (const NamedClass& known : kClasses) {
    if (known.name == name) return known.what;
  }
  return {};
}

}  // namespace headlight
