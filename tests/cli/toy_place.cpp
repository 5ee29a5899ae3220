#include "cli/toy_place.h"

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include <doctest/doctest.h>

#include "cli/refusal.h"

namespace headlight {

ToyPlace::ToyPlace() {
  files_.write_folder("toy", toy_folder());
  files_.write("rows.txt", "good\nbad\n");
  files_.write("plain", "not a model");
}

void ToyPlace::add(const std::string& name, const EditConfig& edit_config,
                   const EditTensors& edit_tensors) const {
  OrderedJson config = toy_config();
  if (edit_config) edit_config(config);
  std::vector<Tensor> tensors = toy_tensors();
  if (edit_tensors) edit_tensors(tensors);
  files_.write_folder(
      name, {{"config.json", config.dump()}, {"model.safetensors", safetensors(tensors)}});
}

void ToyPlace::add_token_labels(const std::string& name) const {
  files_.write(name + "/config.json", R"({"model_type": "headlight", "vocab_size": 3,
      "hidden_size": 3, "num_hidden_layers": 0, "num_attention_heads": 1, "pooling": "none",
      "position_embedding_type": "none", "classifier_bias": false, "max_position_embeddings": 8,
      "id2label": ["O", "B-PER", "I-PER"],
      "tokenizer": {"type": "whitespace", "vocabulary": ["of", "ada", "lovelace"],
                    "unk_token": "of"}})");
  files_.write(name + "/weights.json", R"({"tensors": {
      "embeddings.token.weight": [[9, 0, 0], [0, 9, 0], [0, 0, 9]],
      "classifier.weight": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}})");
}

void ToyPlace::add_attending() const {
  const std::vector<float> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  add("attending", {}, [&](std::vector<Tensor>& tensors) {
    for (const char* name : {"value", "output"}) {
      const std::string full = std::string("layers.0.attention.") + name + ".weight";
      tensor_of(tensors, full) = float_tensor(full, {4, 4}, identity);
    }
  });
}

Command ToyPlace::command(std::vector<std::string> arguments, const std::string& input) const {
  Command command;
  command.arguments = std::move(arguments);
  command.directory = files_.path();
  command.input = input;
  return command;
}

Outcome ToyPlace::run(std::vector<std::string> arguments, const std::string& input) const {
  return headlight::run(command(std::move(arguments), input));
}

std::string ToyPlace::output(std::vector<std::string> arguments, const std::string& input) const {
  arguments.emplace_back("--quiet");
  const Outcome outcome = run(std::move(arguments), input);
  check_sane(outcome);
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "");
  return outcome.out;
}

OrderedJson ToyPlace::json(std::vector<std::string> arguments, const std::string& input) const {
  return OrderedJson::parse(output(std::move(arguments), input));
}

OrderedJson ToyPlace::bare_json(std::vector<std::string> arguments,
                                const std::string& input) const {
  OrderedJson document = json(std::move(arguments), input);
  document.erase("provenance");
  return document;
}

Outcome stop_training(const ToyPlace& place, std::vector<std::string> training) {
  training.insert(training.end(), {"--log", "log"});
  Process process(place.command(std::move(training)));
  for (int i = 0; i < 4000 && place.files().read("log").find("development") == std::string::npos;
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send(SIGINT);
  return process.finish();
}

void use_word_pieces(OrderedJson& config) {
  config["tokenizer"] = {{"vocabulary", {"[UNK]", "[CLS]", "[SEP]", "good", "##ness", "bad"}}};
}

std::string unknown_rows(std::size_t count) {
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < count; ++i) {
    rows += (i % 2 == 0 ? "first" : "second") + std::to_string(i % 5) + " other" +
            std::to_string(i / 10) + (i % 2 == 0 ? ",a\n" : ",b\n");
  }
  return rows;
}

}  // namespace headlight
