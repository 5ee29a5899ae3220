// A text word by word, against the classifier on each of its beginnings.
#include "classifier/word_stream.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "model/init.h"

namespace headlight::word_stream_test {
namespace {

/// A random causal encoder over pieces, "[CLS] A [SEP]"; at most 9 tokens.
Model piece_model(const TemporaryFolder& folder, const std::string& fields) {
  const std::string config = folder.write("pieces.json", R"({"model_type": "headlight",
      "vocab_size": 8, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
      "max_position_embeddings": 9, "id2label": ["a", "b"], "tokenizer": {"vocabulary":
      ["[UNK]", "[CLS]", "[SEP]", "good", "##ness", "bad", "not", "."]})" +
                                                             fields + "}");
  init_model(config, folder / "pieces", 3, true);
  return load_model(locate_model(folder / "pieces", ""));
}

/// Ids of the words so far, as a person would type them: [CLS] and no [SEP].
const std::vector<std::string> kWords = {"not", "goodness.", "bad", "good"};
const std::vector<std::string> kIds = {"1 6", "1 6 3 4 7", "1 6 3 4 7 5", "1 6 3 4 7 5 3"};

std::vector<float> logits_of_ids(const Model& model, const std::string& ids) {
  const TextInput input = typed_ids(ids);
  ScoringScratch scratch;
  return Classifier(model, {}).classify({&input, 1}, scratch).at(0).logits;
}

TEST_CASE("after each word the verdict is that of the words so far, [SEP] not put in") {
  const TemporaryFolder folder;
  for (const char* pooling : {"mean", "last", "max", "cls", "label_attention"}) {
    CAPTURE(pooling);
    const Model model = piece_model(
        folder, R"(, "attention_mask": "causal", "pooling": ")" + std::string(pooling) + '"');
    const Classifier classifier(model, {});
    WordStream stream(classifier);
    for (std::size_t i = 0; i < kWords.size(); ++i) {
      const Prediction prediction = stream.add(kWords[i]);
      CHECK(prediction.error == "");
      CHECK(prediction.logits == logits_of_ids(model, kIds[i]));
    }
    stream.clear();
    CHECK(stream.add("not").logits == logits_of_ids(model, kIds[0]));
    CHECK(stream.add("goodness.").logits == logits_of_ids(model, kIds[1]));
  }
}

TEST_CASE("a word past the model's length has an error, and so have all after it") {
  const TemporaryFolder folder;
  const Model model = piece_model(folder, R"(, "attention_mask": "causal")");
  const Classifier classifier(model, {});
  WordStream stream(classifier);
  for (const auto& word : kWords) CHECK(stream.add(word).error == "");
  CHECK(stream.add("bad").error == "");  // 8 tokens
  CHECK(stream.add("goodness").error == "has 10 tokens, more than the 9 that can be read");
  CHECK(stream.add("bad").error == "has 10 tokens, more than the 9 that can be read");
  stream.clear();
  CHECK(stream.add("bad").error == "");
}

TEST_CASE("a word that cannot be scored is left out") {
  const TemporaryFolder folder;
  const Model model = piece_model(folder, R"(, "attention_mask": "causal")");
  const Classifier classifier(model, {});
  WordStream stream(classifier);
  CHECK(stream.add("not").error == "");
  CHECK(stream.add("\xFF").error.find("UTF-8") != std::string::npos);
  CHECK(stream.add("goodness.").logits == logits_of_ids(model, kIds[1]));
}

TEST_CASE("models that cannot be streamed are refused with the reason") {
  struct Row {
    const char* fields;
    const char* reason;
  };
  const Row rows[] = {{"", "bidirectional"},
                      {R"(, "attention_mask": "causal", "pad_to_length": 9)", "pad_to_length"}};
  for (const Row& row : rows) {
    const TemporaryFolder folder;
    const Model model = piece_model(folder, row.fields);
    const Classifier classifier(model, {});
    const std::string error = error_of([&] { WordStream stream(classifier); });
    CAPTURE(error);
    CHECK(error.find(row.reason) != std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::word_stream_test
