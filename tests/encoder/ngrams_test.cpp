// Models of n-grams against the naive float64 mean over a text's tokens and n-grams.
#include "encoder/ngrams.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/temporary_folder.h"
#include "close_to.h"
#include "encoder/forward.h"
#include "encoder/sentence_vectors.h"
#include "encoder/stream.h"
#include "encoder/trace.h"
#include "model/families/native_writer.h"
#include "model/families/written_weights.h"
#include "model/init.h"
#include "model/model.h"
#include "model/safetensors.h"

namespace headlight::ngrams_test {
namespace {

/// Ids 0 to 3 are [UNK], [CLS], [SEP] and [MASK]; the tokenizer inserts 1 and 2.
constexpr TokenId kFirstWord = 4;

struct Sizes {
  std::size_t words, d, buckets, seed;
  std::string ngrams;  // as JSON
  std::string more;    // fields
};

std::string config_of(const Sizes& sizes) {
  const std::size_t vocabulary = kFirstWord + sizes.words;
  std::string words;
  for (std::size_t i = 0; i < sizes.words; ++i) words += ", \"w" + std::to_string(i) + '"';
  return R"({"model_type": "headlight", "vocab_size": )" + std::to_string(vocabulary) +
         R"(, "hidden_size": )" + std::to_string(sizes.d) +
         R"(, "num_hidden_layers": 0, "num_attention_heads": 1, "position_embedding_type": "none",
            "id2label": ["a", "b", "c"], "ngram_sizes": )" +
         sizes.ngrams + R"(, "ngram_buckets": )" + std::to_string(sizes.buckets) +
         R"(, "ngram_seed": )" + std::to_string(sizes.seed) + sizes.more +
         R"(, "tokenizer": {"vocabulary": ["[UNK]", "[CLS]", "[SEP]", "[MASK]")" + words + "]}}";
}

Model made_model(const TemporaryFolder& folder, const Sizes& sizes) {
  init_model(folder.write("config.json", config_of(sizes)), folder / "model", 3, /*force=*/true);
  return load_model(locate_model(folder / "model", ""));
}

std::vector<double> row_of(const Table& table, std::size_t row) {
  std::vector<float> values(table.cols);
  table.read(row, values);
  return {values.begin(), values.end()};
}

std::size_t naive_bucket(const std::vector<TokenId>& ids, const NgramDescription& ngrams) {
  std::string bytes;
  for (const TokenId id : ids) {
    for (const unsigned shift : {0U, 8U, 16U, 24U}) bytes += static_cast<char>(id >> shift & 255U);
  }
  return short_hash_of(bytes, ngrams.seed) % ngrams.buckets;
}

/// The buckets of a text: segments between special tokens or of another type are looked at alone.
std::vector<std::size_t> naive_buckets(const std::vector<TokenId>& ids,
                                       const std::vector<TokenId>& types,
                                       const NgramDescription& ngrams) {
  std::vector<std::vector<TokenId>> segments(1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0 && types[i] != types[i - 1]) segments.emplace_back();
    if (ids[i] == 1 || ids[i] == 2) {
      segments.emplace_back();
    } else {
      segments.back().push_back(ids[i]);
    }
  }
  std::vector<std::size_t> buckets;
  for (const std::size_t n : ngrams.sizes) {
    for (const auto& segment : segments) {
      for (auto first = segment.begin(); segment.end() - first >= std::ptrdiff_t(n); ++first) {
        buckets.push_back(naive_bucket({first, first + std::ptrdiff_t(n)}, ngrams));
      }
    }
  }
  return buckets;
}

/// The vector of one text.
std::vector<double> naive_vector(const Model& model, const std::vector<TokenId>& ids,
                                 const std::vector<TokenId>& types) {
  const EmbeddingWeights& weights = model.weights.embeddings;
  std::vector<double> sum(model.description.hidden_size);
  double count = 0.0;
  const auto add_vector = [&](const std::vector<double>& vector) {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += vector[j];
    count += 1.0;
  };
  for (const TokenId id : ids) {
    if (id != 1 && id != 2) add_vector(row_of(weights.token, id));
  }
  for (const std::size_t bucket : naive_buckets(ids, types, *model.description.ngrams)) {
    add_vector(row_of(weights.ngrams, bucket));
  }
  for (double& value : sum) value /= count > 0.0 ? count : 1.0;
  return sum;
}

/// Logits of the texts by the naive vectors, one text after another.
std::vector<double> naive_logits(const Model& model, const Batch& batch) {
  const Linear& classifier = *model.weights.classifier;
  std::vector<double> logits;
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const auto ids = batch.ids_of(text);
    const auto types = batch.type_ids().subspan(batch.starts()[text], ids.size());
    const auto z = naive_vector(model, {ids.begin(), ids.end()}, {types.begin(), types.end()});
    for (std::size_t c = 0; c < classifier.out(); ++c) {
      const std::vector<double> row = row_of(classifier.weight, c);
      double logit = classifier.bias[c];
      for (std::size_t j = 0; j < z.size(); ++j) logit += z[j] * row[j];
      logits.push_back(logit);
    }
  }
  return logits;
}

/// Texts of any length, some without a word, some with special tokens inside, some pairs.
Batch random_batch(std::size_t words, std::mt19937_64& random) {
  Batch batch;
  for (std::size_t text = 0; text < 1 + random() % 5; ++text) {
    std::vector<TokenId> ids = {1};
    std::vector<TokenId> types = {0};
    const bool is_pair = random() % 3 == 0;
    for (std::size_t part = 0; part < (is_pair ? 2 : 1); ++part) {
      for (std::size_t i = random() % 9; i > 0; --i) {
        const bool is_special = random() % 12 == 0;
        ids.push_back(is_special ? static_cast<TokenId>(random() % kFirstWord)
                                 : static_cast<TokenId>(kFirstWord + random() % words));
      }
      if (random() % 4 != 0) ids.push_back(2);  // a pair may have no token between its texts
      types.resize(ids.size(), static_cast<TokenId>(part));
    }
    batch.add(ids, types);
  }
  return batch;
}

const std::array<Sizes, 5> kSizes = {{
    {5, 1, 1, 0, "[2]", ""},
    {3, 7, 3, 9, "[2, 3]", ""},
    {20, 16, 50, 123456789, "[3]", ""},
    {9, 33, 1000, 1, "[2, 4, 16]", R"(, "embedding_layer_norm": true, "hidden_act": "gelu")"},
    {6, 5, 64, 0, "[2, 3]", R"(, "embedding_size": 3)"},
}};

TEST_CASE("a text is the mean of its tokens and its n-grams, without special tokens") {
  std::mt19937_64 random(1);
  for (const Sizes& sizes : kSizes) {
    const TemporaryFolder folder;
    const Model model = made_model(folder, sizes);
    CAPTURE(sizes.ngrams);
    CHECK(model.description.ngrams->special == std::vector<TokenId>{1, 2});
    CHECK(model.weights.embeddings.ngrams.rows == sizes.buckets);
    if (!sizes.more.empty()) continue;  // loads; the naive mean knows neither norm nor projection
    for (int round = 0; round < 40; ++round) {
      const Batch batch = random_batch(sizes.words, random);
      Scratch scratch;
      std::vector<float> logits;
      keep_rows(forward(model.description, model.weights, {batch, scratch}), logits);
      CHECK(close_to(logits, naive_logits(model, batch), {.absolute = 1e-5, .relative = 1e-5}));
    }
  }
}

TEST_CASE("n-grams of labels add their rows to the logits, divided by the root of their number") {
  std::mt19937_64 random(4);
  for (const std::string layers : {"0", "2"}) {
    const TemporaryFolder folder;
    std::string config = config_of({6, 8, 30, 7, "[1, 2, 5]", R"(, "pooling": "cls")"});
    for (std::size_t at = 0; (at = config.find("\"ngram_", at)) != std::string::npos;) {
      config.replace(at, 1, "\"label_");
    }
    config.replace(config.find("layers\": 0"), 10, "layers\": " + layers);
    init_model(folder.write("config.json", config), folder / "model", 3, /*force=*/true);
    const Model model = load_model(locate_model(folder / "model", ""));
    const NgramDescription& ngrams = *model.description.label_ngrams;
    CHECK(ngrams.special == std::vector<TokenId>{1, 2});
    CHECK(streaming_obstacle(model.description)->find("label_ngram_sizes") != std::string::npos);
    Description without = model.description;
    without.label_ngrams.reset();
    for (int round = 0; round < 40; ++round) {
      const Batch batch = random_batch(6, random);
      Scratch scratch;
      std::vector<float> logits;
      keep_rows(forward(without, model.weights, {batch, scratch}), logits);
      std::vector<double> expected(logits.begin(), logits.end());
      for (std::size_t text = 0; text < batch.texts(); ++text) {
        const auto ids = batch.ids_of(text);
        const auto types = batch.type_ids().subspan(batch.starts()[text], ids.size());
        const auto buckets =
            naive_buckets({ids.begin(), ids.end()}, {types.begin(), types.end()}, ngrams);
        for (const std::size_t bucket : buckets) {
          const std::vector<double> row = row_of(model.weights.label_ngrams, bucket);
          for (std::size_t k = 0; k < 3; ++k) {
            expected[text * 3 + k] += row[k] / std::sqrt(static_cast<double>(buckets.size()));
          }
        }
      }
      logits.clear();
      keep_rows(forward(model.description, model.weights, {batch, scratch}), logits);
      CHECK(close_to(logits, expected, {.absolute = 1e-5, .relative = 1e-5}));
    }
  }
}

TEST_CASE("the bucket of an n-gram is the 64-bit XXH3 of its ids with the seed, modulo buckets") {
  // XXH3_64bits_withSeed of libxxhash 0.8.1 for {5, 6} and {5, 6, 7} with the seed 9
  TextParts parts;
  const std::vector<TokenId> ids = {5, 6, 7};
  const std::vector<TokenId> types(3);
  find_parts({{2, 3}, 1'000'000, 9, {}}, ids, types, parts);
  REQUIRE(parts.ngrams.size() == 3);
  CHECK(parts.ngrams[0].bucket == 11999721915897470367ULL % 1'000'000);
  CHECK(parts.ngrams[2].bucket == 10398124399793807232ULL % 1'000'000);
  CHECK(parts.tokens == std::vector<std::size_t>{0, 1, 2});
  find_parts({{2, 3}, 1'000'000, 9, {6}}, ids, types, parts);
  CHECK(parts.ngrams.empty());
  CHECK(parts.tokens == std::vector<std::size_t>{0, 2});
  find_parts({{2, 3}, 1'000'000, 9, {}}, ids, std::vector<TokenId>{0, 0, 1}, parts);
  CHECK(parts.ngrams.size() == 1);
  // n-grams of characters are counted, and stand between no words
  find_parts({{2}, 1'000'000, 9, {}, 100}, std::vector<TokenId>{100, 5, 101, 102, 6, 103},
             std::vector<TokenId>(6), parts);
  CHECK(parts.tokens.size() == 6);
  REQUIRE(parts.ngrams.size() == 1);
  CHECK(parts.ngrams[0].bucket == 11999721915897470367ULL % 1'000'000);
  CHECK(parts.words == std::vector<std::size_t>{1, 4});
}

TEST_CASE("a text of special tokens alone has the vector 0, so its logits are the biases") {
  const TemporaryFolder folder;
  Model model = made_model(folder, kSizes[1]);
  const std::vector<float> bias = {1.0F, -2.0F, 3.0F};
  model.weights.classifier->bias = bias;
  Batch batch;
  batch.add(std::vector<TokenId>{1, 2}, std::vector<TokenId>{0, 0});
  Scratch scratch;
  std::vector<float> logits;
  keep_rows(forward(model.description, model.weights, {batch, scratch}), logits);
  CHECK(logits == bias);
}

TEST_CASE("the mean of sentence vectors is that of tokens and n-grams; a stream is refused") {
  const TemporaryFolder folder;
  const Model model = made_model(folder, kSizes[1]);
  Batch batch;
  const std::vector<TokenId> ids = {1, 4, 5, 6, 2};
  const std::vector<TokenId> types(5);
  batch.add(ids, types);
  Scratch scratch;
  const std::array modes = {TokenPooling::mean};
  SentencePooling mean;
  mean.modes = modes;
  std::vector<float> vector;
  keep_rows(pooled_vectors(model.description, model.weights, mean, {batch, scratch}), vector);
  CHECK(close_to(vector, naive_vector(model, ids, types), {.absolute = 1e-6, .relative = 1e-5}));
  CHECK(streaming_obstacle(model.description)->find("ngram_sizes") != std::string::npos);
}

TEST_CASE("tables of 8 bits with a scale a row are read row by row, and written as they are") {
  const TemporaryFolder folder;
  const Model model = made_model(folder, kSizes[2]);
  Weights narrow = model.weights;
  const Int8Table token(narrow.embeddings.token);
  const Int8Table ngrams(narrow.embeddings.ngrams);
  narrow.embeddings.token = token.table();
  narrow.embeddings.ngrams = ngrams.table();
  std::filesystem::create_directories(folder / "int8");
  folder.write("int8/config.json", config_of(kSizes[2]));
  std::string bytes;
  write_safetensors([&](std::string_view more) { bytes += more; },
                    native_tensors(model.description, narrow, "").entries);
  folder.write("int8/model.safetensors", bytes);
  const Model read = load_model(locate_model(folder / "int8", ""));
  CHECK(read.weights.embeddings.ngrams.format == NumberFormat::i8);
  CHECK(bytes.size() < 20'000);
  std::mt19937_64 random(2);
  const Batch batch = random_batch(kSizes[2].words, random);
  Scratch scratch;
  std::vector<float> expected;
  std::vector<float> found;
  keep_rows(forward(model.description, narrow, {batch, scratch}), expected);
  keep_rows(forward(read.description, read.weights, {batch, scratch}), found);
  CHECK(found == expected);
  for (std::size_t i = 0; i < 50; ++i) {
    const std::vector<double> exact = row_of(model.weights.embeddings.ngrams, i);
    const std::vector<double> rounded = row_of(read.weights.embeddings.ngrams, i);
    for (std::size_t j = 0; j < exact.size(); ++j) {
      CHECK(std::abs(rounded[j] - exact[j]) <= 0.5001 * double{ngrams.scales[i]});
    }
  }
  CHECK(native_config_of(read.description, "")["ngram_sizes"].dump() == "[3]");
}

}  // namespace
}  // namespace headlight::ngrams_test
