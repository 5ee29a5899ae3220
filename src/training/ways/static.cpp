// --train static: a model without layers, of the rows alone or of an encoder.

#include <array>

#include "base/error.h"
#include "training/static/static_trainer.h"
#include "training/ways/student_training.h"
#include "training/ways/ways.h"

namespace headlight {
namespace {

/// Throws Error if the model has no n-grams, or weights besides its vectors and the last layer.
void check_static(const Description& model, const std::string& where) {
  if (!model.ngrams) {
    throw Error(where, "has no ngram_sizes, which --train static needs",
                "leave out -m, or use --train all");
  }
  struct Field {
    const char* name;
    const char* expected;
    bool is_other;
  };
  const EmbeddingDescription& embedding = model.embedding;
  const std::array<Field, 9> fields = {{
      {"position_embedding_type", R"("none")", embedding.positions != PositionKind::none},
      {"type_vocab_size", "0", embedding.type_vocab_size > 0},
      {"embedding_scale", "1", embedding.scale != 1.0F},
      {"embedding_layer_norm", "false", embedding.layer_norm},
      {"embedding_projection", "false", embedding.projection},
      {"final_norm", "false", model.final_norm},
      {"normalize", "false", model.normalize},
      {"head_dense_act", "null", model.head_dense.has_value()},
      {"label_ngram_sizes", "null", model.label_ngrams.has_value()},
  }};
  for (const Field& field : fields) {
    if (!field.is_other) continue;
    throw Error(where,
                std::string(field.name) + " must be " + field.expected +
                    " for --train static, which trains only vectors and a last layer",
                "use --train all");
  }
}

std::shared_ptr<Training> begin_static(FitStart start, const StaticSettings& settings) {
  if (start.model) return std::make_shared<StudentTraining>(*std::move(start.model), settings);
  const bool is_own = start.bare.config.empty();
  FreshModel fresh =
      is_own ? FreshModel({"static", "static.json", "static.json", "", ""}, {}, kStaticConfig)
             : FreshModel(start.bare, {});
  fresh.model().description.reads_windows = false;
  check_static(fresh.model().description, start.bare.config);
  return std::make_shared<StaticTraining>(std::move(fresh), settings,
                                          StaticTraining::Choices{is_own, is_own});
}

Offer offer_static(const Model& /*start*/, const TrainingSize& size, double /*seconds*/) {
  constexpr double kTrainings = 3.0;  // of word pieces, of words, and of the best on all rows
  constexpr double kTokens = 1.5e6;   // a second, with their n-grams
  constexpr double kRows = 60e3;      // scored a second
  const auto epochs = static_cast<double>(static_options(size.rows).epochs);
  return {{kTrainings * epochs * static_cast<double>(size.tokens) / kTokens, kRows}};
}

}  // namespace

const char* const kStaticConfig = R"({
  "model_type": "headlight",
  "vocab_size": 15000,
  "hidden_size": 64,
  "num_hidden_layers": 0,
  "num_attention_heads": 1,
  "position_embedding_type": "none",
  "max_position_embeddings": 65536,
  "ngram_sizes": [2],
  "ngram_buckets": 131072,
  "classifier_bias": false,
  "tokenizer": {"type": "wordpiece", "lowercase": true}
}
)";

Way static_way(const StaticSettings& settings) {
  const auto way = std::make_shared<TrainingWay>();
  way->word = "static";
  way->help =
      "a small, fast model of words and pairs of words, made in seconds from the rows "
      "alone, or with -m from the vectors that an encoder gives its tokens";
  way->takes = {.teacher = true};
  way->teacher = settings.teacher;
  way->begin = [=](FitStart start, const auto& /*run*/) {
    return begin_static(std::move(start), settings);
  };
  way->offer = offer_static;
  way->learns_words = true;
  return way;
}

}  // namespace headlight
