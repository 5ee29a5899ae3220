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

}  // namespace headlight
