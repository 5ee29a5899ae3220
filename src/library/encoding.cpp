#include "library/encoding.h"

#include "base/utf8.h"
#include "library/calls.h"
#include "library/options.h"

namespace headlight {

BytePlaces::BytePlaces(const TextInput& input) {
  const auto add = [](const std::string& text, std::vector<std::size_t>& starts) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!continues_character(text[i])) starts.push_back(i);
    }
    starts.push_back(text.size());
  };
  add(input.text, starts_[0]);
  if (input.pair) add(*input.pair, starts_[1]);
}

hl_encoding::Place BytePlaces::of(Sequence sequence, Offset offset) const {
  if (sequence == Sequence::none) return {};
  const auto& starts = starts_.at(sequence == Sequence::first ? 0 : 1);
  return {sequence == Sequence::first ? 1 : 2, starts.at(offset.begin), starts.at(offset.end)};
}

void fill_encoding(const TextInput& input, const Encoding& encoding, hl_encoding& made) {
  const BytePlaces places(input);
  made.ids.assign(encoding.ids.begin(), encoding.ids.end());
  made.tokens = encoding.tokens;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    made.places.push_back(places.of(encoding.sequences[i], encoding.offsets[i]));
  }
}

void fill_words(const TextInput& input, const Encoding& encoding, hl_encoding& made) {
  made.words = words_of(encoding, input.text, input.pair);
  for (std::size_t word = 0; word < made.words.size(); ++word) {
    made.word_numbers.resize(made.words[word].end, static_cast<std::uint32_t>(word));
  }
  made.truncated = encoding.truncated;
}

}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_tokenize(const hl_model* model, const hl_text* text, const hl_run_options* options,
                      hl_encoding** encoding) {
  return make_handle(model, encoding, "encoding", [&](const hl_model& m, hl_encoding& made) {
    const TextInput input = input_of(required(text, "text"));
    ClassifierOptions reading = CallOptions(options, m.model).reading;
    reading.max_length.reset();
    const TextReader reader(m.model, reading);
    const Encoding whole = reader.encode_whole(input);
    fill_encoding(input, whole, made);
    made.unknown = reader.size_of(whole).unknown;
  });
}

size_t hl_encoding_size(const hl_encoding* encoding) {
  return encoding == nullptr ? 0 : encoding->ids.size();
}

const int32_t* hl_encoding_ids(const hl_encoding* encoding) {
  return encoding == nullptr ? nullptr : encoding->ids.data();
}

const char* hl_encoding_token(const hl_encoding* encoding, size_t token) {
  return token < hl_encoding_size(encoding) ? encoding->tokens[token].c_str() : nullptr;
}

int32_t hl_encoding_offsets(const hl_encoding* encoding, size_t token, size_t* begin, size_t* end) {
  return give_place(encoding, token, begin, end);
}

const uint32_t* hl_encoding_words(const hl_encoding* encoding) {
  if (encoding == nullptr || encoding->word_numbers.empty()) return nullptr;
  return encoding->word_numbers.data();
}

size_t hl_encoding_truncated(const hl_encoding* encoding) {
  return encoding == nullptr ? 0 : encoding->truncated;
}

size_t hl_encoding_unknown(const hl_encoding* encoding) {
  return encoding == nullptr ? 0 : encoding->unknown;
}

void hl_encoding_free(hl_encoding* encoding) { free_handle(encoding); }
