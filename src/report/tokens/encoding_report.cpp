#include "report/tokens/encoding_report.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

struct Field {
  const char* name;
  void (*write)(JsonWriter&, const Encoding&);
  bool of_ids = false;  // only for tokens, not for words
};

void write_ids(JsonWriter& json, const std::vector<TokenId>& ids) {
  json.array(ids, [&](TokenId id) { id == kNoToken ? json.null() : json.number(std::size_t{id}); });
}

void write_sequence(JsonWriter& json, Sequence sequence) {
  if (sequence == Sequence::none) {
    json.null();
  } else {
    json.number(std::size_t{sequence == Sequence::second ? 1U : 0U});
  }
}

constexpr std::array kFields = {
    Field{"tokens", [](JsonWriter& json, const Encoding& of) { json.strings(of.tokens); }},
    Field{"ids", [](JsonWriter& json, const Encoding& of) { write_ids(json, of.ids); }, true},
    Field{"type_ids", [](JsonWriter& json, const Encoding& of) { write_ids(json, of.type_ids); },
          true},
    Field{"offsets",
          [](JsonWriter& json, const Encoding& of) {
            json.array(of.offsets, [&](const Offset& offset) {
              json.begin_array().number(offset.begin).number(offset.end).end_array();
            });
          }},
    Field{"sequence",
          [](JsonWriter& json, const Encoding& of) {
            json.array(of.sequences, [&](Sequence each) { write_sequence(json, each); });
          }},
};

}  // namespace

void write_encoding(JsonWriter& json, const Encoding& encoding) {
  for (const Field& field : kFields) {
    json.key(field.name);
    field.write(json, encoding);
  }
}

void write_words(JsonWriter& json, const std::vector<TokenWord>& words) {
  Encoding encoding;
  for (const TokenWord& word : words) {
    encoding.tokens.push_back(word.text);
    encoding.offsets.push_back(word.offset);
    encoding.sequences.push_back(word.sequence);
  }
  for (const Field& field : kFields) {
    if (field.of_ids) continue;
    json.key(field.name);
    field.write(json, encoding);
  }
}

std::vector<std::string> encoding_columns() {
  std::vector<std::string> names;
  names.reserve(kFields.size() + 1);
  for (const Field& field : kFields) names.emplace_back(field.name);
  names.emplace_back("error");
  return names;
}

std::vector<Cell> encoding_cells(const Encoding& encoding, const std::string& error) {
  std::vector<Cell> cells(kFields.size() + 1);
  if (!error.empty()) {
    cells.back() = error;
    return cells;
  }
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    JsonWriter json(cells[i].emplace());
    kFields[i].write(json, encoding);
  }
  return cells;
}

std::string encoding_table(const Encoding& encoding) {
  std::size_t width = 0;
  for (const auto& token : encoding.tokens) width = std::max(width, width_of(printable(token)));
  std::string table;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    const std::string token = printable(encoding.tokens[i]);
    const bool has_id = encoding.ids[i] != kNoToken;
    const std::string id = has_id ? std::to_string(encoding.ids[i]) : "-";
    constexpr std::size_t kIdWidth = 7;
    table += begin_in(token, width) +
             std::string(id.size() < kIdWidth ? kIdWidth - id.size() : 1, ' ') + id;
    if (encoding.sequences[i] != Sequence::none) {
      table += "   " + std::to_string(encoding.offsets[i].begin) + "-" +
               std::to_string(encoding.offsets[i].end);
    }
    table += '\n';
  }
  return table;
}

}  // namespace headlight
