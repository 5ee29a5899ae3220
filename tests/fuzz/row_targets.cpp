// Rows and words that are read from a descriptor.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/compression.h"
#include "base/error.h"
#include "base/utf8.h"
#include "classifier/classifier.h"
#include "classifier/embedder.h"
#include "classifier/small_models.h"
#include "fuzz/memory_file.h"
#include "fuzz/targets.h"
#include "inside/ablated_classifier.h"
#include "model/sentence_modules.h"
#include "rows/listed_rows.h"
#include "rows/predict.h"
#include "rows/row_reader.h"
#include "rows/row_sources.h"
#include "rows/row_spool.h"
#include "rows/scoring.h"
#include "rows/word_reader.h"
#include "text/unicode/character_classes.h"

namespace headlight::fuzz {
namespace {

RowReading reading_of(unsigned char choices) {
  RowReading reading;
  reading.format = static_cast<RowFormat>(choices & 3U);
  reading.header = (choices & 4U) == 0;
  reading.keep = (choices & 8U) != 0;
  reading.tagged = (choices & 16U) != 0 && reading.format == RowFormat::jsonl;
  if ((choices & 32U) != 0) {
    reading.fields.pair = is_table(reading.format) && !reading.header ? "2" : "pair";
    reading.null = "NA";
    reading.prepend = "query: ";
  }
  if (is_table(reading.format) && !reading.header) reading.fields.text = {"1"};
  return reading;
}

std::vector<std::string> texts_of(std::string_view bytes, const RowReading& reading) {
  const MemoryFile file(bytes);
  std::vector<std::string> texts;
  try {
    RowReader reader(file.descriptor(), "rows", reading);
    while (true) {
      require(reader.ready(), "a file is always ready");
      const auto row = reader.next();
      if (!row) break;
      require(!reader.found_nothing() && reader.position() <= bytes.size(),
              "a row was read from the file");
      require(!find_bad_utf8(row->input.text), "a text is UTF-8");
      texts.push_back(row->id.text + '\0' + row->input.text + '\0' + row->error);
    }
  } catch (const TextError&) {
    throw std::logic_error("a row throws");
  } catch (const Error&) {
    texts.clear();
  }
  return texts;
}

/// A lexicon, and the ways to score rows with it.
struct Scorers {
  explicit Scorers(bool ids) : classifier(model, options(ids)), embedder(model, modules, {}) {}

  static ClassifierOptions options(bool ids) {
    ClassifierOptions options;
    options.ids = ids;
    return options;
  }

  TemporaryFolder folder;
  Model model = lexicon_model(folder);
  SentenceModules modules = read_sentence_modules(model, TokenPooling::mean);
  Classifier classifier;
  AblatedClassifier ablated{classifier, {}};
  Embedder embedder;
};

/// What `batch` does, in short: rows are read ahead, kept for a second pass, and scored.
template <typename Result>
std::vector<ScoredRow<Result>> scored(std::string_view bytes, const RowReading& reading, bool ids,
                                      const RowPace& pace, const ScoreTexts<Result>& score) {
  const MemoryFile file(bytes);
  try {
    RowReader reader(file.descriptor(), "rows", reading);
    RowsAhead ahead(reader, 3);
    TypedIdRows source(ahead, ids);
    constexpr std::size_t kLittle = 256;
    RowSpool spool(pace.threads == 1 ? kLittle : RowSpool::kMemory);
    std::size_t rows = 0;
    for (auto row = source.next(); row; row = source.next(), ++rows) spool.add(std::move(*row));
    require(ahead.ready() && spool.size() == rows, "all rows are kept");
    return collected(pace, spool, score);
  } catch (const Error&) {
    return {};
  }
}

/// Rows that are passed over are those that would be read.
void check_passed_over(std::string_view bytes, const RowReading& reading,
                       const std::vector<ScoredRow<Prediction>>& rows) {
  constexpr std::size_t kPassed = 5;
  if (rows.size() <= kPassed) return;
  const MemoryFile file(bytes);
  RowReader reader(file.descriptor(), "rows", reading);
  RowsAhead ahead(reader, 3, &reader);
  ahead.pass_over(kPassed);
  const auto next = ahead.next();
  require(next && name_of(*next) == name_of(rows[kPassed].row) &&
              next->error == rows[kPassed].row.error,
          "the next row follows");
}

/// Rows, their errors and their logits.
template <typename Result>
void require_same(const std::vector<ScoredRow<Prediction>>& rows,
                  const std::vector<ScoredRow<Result>>& others) {
  const auto is_same = [](const auto& a, const auto& b) {
    return name_of(a.row) == name_of(b.row) && a.result.error == b.result.error &&
           a.result.logits == b.result.logits;
  };
  require(std::equal(rows.begin(), rows.end(), others.begin(), others.end(), is_same),
          "each way to score gives the same rows");
}

/// Compressed rows are those of the file, and one that says of itself that it is compressed is read
/// or refused.
void check_compressed(std::string_view data, RowReading reading,
                      const std::vector<std::string>& rows) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    reading.compression = compression;
    require(texts_of(compressed_member(compression, data), reading) == rows,
            "compressed rows are the same");
    texts_of(data, reading);
  }
}

}  // namespace

void run_rows(std::string_view data) {
  if (data.empty()) return;
  const auto choices = static_cast<unsigned char>(data.front());
  RowReading reading = reading_of(choices);
  data.remove_prefix(1);
  const std::vector<std::string> whole = texts_of(data, reading);
  if ((choices & 64U) != 0) check_compressed(data, reading, whole);
  std::vector<std::string> joined(whole.size());
  constexpr std::size_t kShards = 3;
  for (std::size_t shard = 0; shard < kShards && !whole.empty(); ++shard) {
    reading.selection.shard = shard;
    reading.selection.shards = kShards;
    const std::vector<std::string> part = texts_of(data, reading);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (shard + i * kShards < joined.size()) joined[shard + i * kShards] = part[i];
    }
  }
  require(joined == whole, "the rows of the shards are those of the file");
}

void run_scoring(std::string_view data) {
  if (data.empty()) return;
  const auto choices = static_cast<unsigned char>(data.front());
  RowReading reading = reading_of(choices);
  const bool ids = (choices & 64U) != 0;
  reading.needs_label = (choices & 128U) != 0;
  data.remove_prefix(1);
  static const Scorers of_texts(/*ids=*/false);
  static const Scorers of_ids(/*ids=*/true);
  const Scorers& scorers = ids ? of_ids : of_texts;
  const ScoreTexts<Prediction> plain = predict_with(scorers.classifier);
  const auto rows = scored(data, reading, ids, {1}, plain);
  for (const auto& [row, result] : rows) {
    require(result.error.empty() != result.logits.empty(), "a row has logits or an error");
  }
  if (!ids) check_passed_over(data, reading, rows);
  require_same(rows, scored(data, reading, ids, {2}, plain));
  const ScoreTexts<AblatedPrediction> ablate = [&](auto texts, ScoringScratch& scratch) {
    return scorers.ablated.classify(texts, scratch, is_interrupted);
  };
  require_same(rows, scored(data, reading, ids, {1}, ablate));
  require_same(rows,
               scored(data, reading, ids, {1, 1}, predict_with_attention(scorers.classifier)));
  const ScoreTexts<EmbeddedText> embed = [&](auto texts, ScoringScratch& scratch) {
    return scorers.embedder.embed(texts, scratch, is_interrupted);
  };
  for (const auto& [row, result] : scored(data, reading, ids, {1}, embed)) {
    require(result.error.empty() == (result.vector.size() == scorers.embedder.width()),
            "a row has a vector or an error");
  }
}

void run_words(std::string_view data) {
  const MemoryFile file(data);
  ByteSource source(file.descriptor(), "words");
  WordReader reader(source);
  std::string words;
  std::string word;
  std::size_t texts = 0;
  try {
    while (true) {
      require(reader.ready(), "a file is always ready");
      const auto status = reader.next(word);
      if (status == WordReader::Status::end) break;
      if (status == WordReader::Status::word) words += word;
      if (status == WordReader::Status::new_text) ++texts;
    }
  } catch (const Error&) {
    return;  // a file that is not text
  }
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const auto lines = std::count(data.begin(), data.end(), '\n');
  if (data.starts_with(kMark)) data.remove_prefix(kMark.size());
  std::string expected;
  for (std::size_t at = 0; at < data.size();) {
    const auto decoded = decode_utf8(data, at);
    const std::size_t bytes = decoded ? decoded->bytes : 1;
    if (!decoded || !is_white_space(decoded->code_point)) expected += data.substr(at, bytes);
    at += bytes;
  }
  require(words == expected, "the words are the stream without its white space");
  require(texts == static_cast<std::size_t>(lines), "each newline begins a text");
}

}  // namespace headlight::fuzz
