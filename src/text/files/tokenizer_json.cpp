#include "text/files/tokenizer_json.h"

#include <utility>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "text/files/json_added_tokens.h"
#include "text/files/plain_vocabulary.h"
#include "text/files/tokenizer_json_parts.h"
#include "text/pipeline/pipeline.h"

namespace headlight {
namespace {

/// The file as JSON and, if it could be taken out of it, the vocabulary.
struct ReadFile {
  Json json;
  std::optional<Vocabulary> vocabulary;
};

ReadFile read_file(const std::string& path) {
  const MappedFile file(path);
  if (auto taken = take_vocabulary(file.text())) {
    try {
      return {parse_json(taken->rest, path), std::move(taken->vocabulary)};
    } catch (const Error&) {
      // The whole file is read again, for the place of the error in it.
    }
  }
  return {parse_json(file.text(), path), std::nullopt};
}

}  // namespace

TokenizerPlan plan_of_file(const std::string& path) {
  TokenizerPlan plan;
  plan.file = path;
  ReadFile read = read_file(path);
  plan.json = std::move(read.json);
  Fields file(plan.json, path);
  const Json nothing;
  const Json* model = file.find("model");
  plan.model =
      read_model({model == nullptr ? nothing : *model, path, "model"}, std::move(read.vocabulary));
  plan.added_tokens = read_added_tokens(file);
  number_added_tokens(plan.added_tokens, *plan.model);
  return plan;
}

Tokenizer make_tokenizer(TokenizerPlan plan) {
  const Json nothing;
  Fields file(plan.json, plan.file);
  const auto component = [&](const std::string& name) {
    const Json* found = file.find(name);
    return Component{found == nullptr ? nothing : *found, plan.file, name};
  };
  auto pipeline = std::make_unique<Tokenizer::Pipeline>();
  read_normalizer(component("normalizer"), pipeline->normalizer);
  read_splitter(component("pre_tokenizer"), pipeline->splitter);
  pipeline->model = std::move(plan.model);
  pipeline->unk_token = std::move(plan.unk_token);
  pipeline->added_tokens =
      std::make_unique<AddedTokens>(std::move(plan.added_tokens), pipeline->normalizer);
  pipeline->check_token_lengths(plan.file);
  pipeline->post_processor = read_post_processor(component("post_processor"));
  if (!plan.inserts) pipeline->post_processor = plain_post_processor();
  if (!plan.segments) pipeline->post_processor.forget_segments();
  pipeline->split_special_tokens = plan.split_special_tokens;
  pipeline->cuts_left = plan.cuts_left;
  pipeline->characters_a_token = plan.characters_a_token;
  pipeline->may_be_empty = !plan.inserts;
  if (plan.leaves_out_unknown && pipeline->unk_token) {
    pipeline->left_out = pipeline->id(*pipeline->unk_token);
  }
  return Tokenizer(std::move(pipeline));
}

Tokenizer read_tokenizer_json(const std::string& path) {
  TokenizerPlan plan = plan_of_file(path);
  plan.unk_token = plan.model->unk_token();
  return make_tokenizer(std::move(plan));
}

}  // namespace headlight
