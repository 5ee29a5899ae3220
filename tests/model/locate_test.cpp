#include "model/locate.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::locate_test {
namespace {

/// The first bytes of a file of fastText.
constexpr const char* kFasttextBegin = "\xba\x16\x4f\x2f";

/// Stands in a folder, with other models' folders in the environment, while it lives.
class Place {
 public:
  Place(const std::string& folder, const std::string& models)
      : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
    ::setenv("HEADLIGHT_MODELS", models.c_str(), 1);
  }
  ~Place() {
    std::filesystem::current_path(before_);
    ::unsetenv("HEADLIGHT_MODELS");
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::filesystem::path before_;
};

TEST_CASE("the encoder of a sentence-transformers folder is where its first module is") {
  const TemporaryFolder folder;
  folder.write("models/inside/0_Transformer/config.json", "{}");
  folder.write("models/inside/modules.json", R"([{"path": "0_Transformer"}])");
  folder.write("models/beside/config.json", "{}");
  folder.write("models/beside/modules.json", R"([{"path": ""}])");
  folder.write("models/outside/config.json", "{}");
  folder.write("models/outside/modules.json", R"([{"path": "../inside/0_Transformer"}])");
  folder.write("models/broken/config.json", "{}");
  folder.write("models/broken/modules.json", "[");
  const Place place(folder.path(), folder / "models");
  for (const std::string name : {"inside", "beside", "outside", "broken"}) {
    CAPTURE(name);
    const std::string models = folder / "models/";
    const std::string encoder = models + name + (name == "inside" ? "/0_Transformer" : "");
    for (const std::string& given : {name, models + name}) {
      const ModelPlace found = locate_model(given, "");
      CHECK(found.path == models + name);
      CHECK(found.directory == encoder);
      CHECK(found.config == encoder + "/config.json");
      CHECK(found.modules == models + name + "/modules.json");
    }
  }
  CHECK(list_models().size() == 4);
}

TEST_CASE("data lies beside the program, and in the prefix of its folder and of the one above") {
  const TemporaryFolder folder;
  CHECK(data_folders("live", "").empty());
  folder.write("bin/headlight", "");
  folder.write("lib/headlight/libheadlight.so", "");
  CHECK(data_folders("live", folder / "bin").empty());
  folder.write("share/headlight/live/file", "");
  folder.write("share/headlight/models/file", "");
  CHECK(data_folders("live", folder / "bin") == std::vector{folder / "share/headlight/live"});
  CHECK(data_folders("live", folder / "lib/headlight") == data_folders("live", folder / "bin"));
  folder.write("bin/live/file", "");
  CHECK(data_folders("live", folder / "bin") ==
        std::vector{folder / "bin/live", folder / "share/headlight/live"});
  CHECK(model_folders(folder / "bin") == std::vector{folder / "share/headlight/models"});
}

TEST_CASE("a path that exists wins over a name, and folders win in their order") {
  const TemporaryFolder folder;
  folder.write("here/both/config.json", "{}");
  folder.write("first/both/config.json", "{}");
  folder.write("first/name/config.json", "{}");
  folder.write("first/no_model/readme", "");
  folder.write("second/name/config.json", "{}");
  folder.write("second/other/config.json", "{}");
  const std::string first = folder / "first";
  const std::string second = folder / "second";
  const Place place(folder / "here", first + "::" + folder / "absent" + ":" + second + "/");

  struct Row {
    std::string given;
    std::string path;
  };
  const Row rows[] = {
      {"both", "both"},
      {"./both", "./both"},
      {"name", first + "/name"},
      {"other", second + "/other"},
      {second + "/name", second + "/name"},
  };
  for (const auto& [given, path] : rows) {
    CAPTURE(given);
    const ModelPlace found = locate_model(given, "");
    CHECK(found.path == path);
    CHECK(found.config == path + "/config.json");
    CHECK(found.directory == path);
  }

  std::vector<std::string> listed;
  for (const auto& model : list_models()) listed.push_back(model.path);
  const std::vector<std::string> expected = {first + "/both", first + "/name", second + "/other"};
  REQUIRE(listed.size() >= expected.size());  // the program's own folders may hold more
  CHECK(std::equal(expected.begin(), expected.end(), listed.begin()));
}

TEST_CASE("a directory, its config.json and a bare config each name their files") {
  const TemporaryFolder folder;
  for (const char* file :
       {"one/config.json", "one/weights.json", "one/model.safetensors", "index/config.json",
        "index/weights.json", "index/model.safetensors.index.json", "json/config.json",
        "json/weights.json", "none/config.json", "tiny.json", "tiny.weights.json", "two.json",
        "two.weights.json", "two.safetensors", "lone.json", "model.safetensors"}) {
    folder.write(file, "{}");
  }
  const Place place(folder / "one", "");
  const std::string root = folder.path() + "/";
  struct Row {
    std::string given;
    std::string name, config, weights, directory;
  };
  const Row rows[] = {
      {root + "one", "one", root + "one/config.json", root + "one/model.safetensors", root + "one"},
      {root + "one/config.json", "one", root + "one/config.json", root + "one/model.safetensors",
       root + "one"},
      {".", "one", "./config.json", "./model.safetensors", "."},
      {"config.json", "one", "./config.json", "./model.safetensors", "."},
      {root + "index", "index", root + "index/config.json",
       root + "index/model.safetensors.index.json", root + "index"},
      {root + "json", "json", root + "json/config.json", root + "json/weights.json", root + "json"},
      {root + "none", "none", root + "none/config.json", "", root + "none"},
      {root + "tiny.json", "tiny", root + "tiny.json", root + "tiny.weights.json", ""},
      {"../two.json", "two", "../two.json", "../two.safetensors", ""},
      {root + "lone.json", "lone", root + "lone.json", "", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.given);
    const ModelPlace found = locate_model(row.given, "");
    CHECK(found.name == row.name);
    CHECK(found.config == row.config);
    CHECK(found.weights == row.weights);
    CHECK(found.directory == row.directory);
  }
  CHECK(locate_model(root + "one/", "").name == "one");
  CHECK(locate_model(root + "one", "other.safetensors").weights == "other.safetensors");
}

TEST_CASE("an unknown name says where was looked and what is near") {
  const TemporaryFolder folder;
  folder.write("models/sentinel/config.json", "{}");
  const Place place(folder.path(), folder / "models");
  const std::string error = error_of([] { locate_model("sentinal", ""); });
  const std::string begin =
      "no model \"sentinal\": no such path, and no such name in " + folder / "models";
  CHECK(error.substr(0, begin.size()) == begin);
  CHECK(error.find("did you mean sentinel?") != std::string::npos);
  CHECK_FALSE(error_of([] { locate_model("", ""); }).empty());
  CHECK(error_of([] { locate_model("vgg", ""); }).find("`headlight models`") != std::string::npos);
  CHECK(error_of([] {
          locate_model("models/sentinal", "");
        }).find("did you mean models/sentinel?") != std::string::npos);
}

TEST_CASE("a model in the cache of the Hugging Face Hub is found by its name and revision") {
  const TemporaryFolder folder;
  const std::string model = "hub/models--org--name-v1.5/";
  const std::string hash(40, 'a');
  folder.write(model + "refs/main", hash);
  folder.write(model + "refs/pr/1", "bbbb\n");
  folder.write(model + "snapshots/" + hash + "/config.json", "{}");
  folder.write(model + "snapshots/bbbb/config.json", "{}");
  folder.write("hub/models--gpt2/refs/main", "cccc");
  folder.write("org/kept/config.json", "{}");
  folder.write("hub/models--org--kept/snapshots/dddd/config.json", "{}");
  folder.write("hub/models--org--languages/refs/main", "eeee");
  folder.write("hub/models--org--languages/snapshots/eeee/model.bin", kFasttextBegin);
  const Place place(folder.path(), "");
  ::setenv("HF_HOME", folder.path().c_str(), 1);
  const auto folder_of = [](const std::string& given) { return locate_model(given, "").path; };
  const std::string snapshots = folder / (model + "snapshots/");
  CHECK(folder_of("org/name-v1.5") == snapshots + hash);
  CHECK(folder_of("org/name-v1.5@" + hash) == snapshots + hash);
  CHECK(folder_of("org/name-v1.5@pr/1") == snapshots + "bbbb");
  CHECK(locate_model("org/name-v1.5@pr/1", "").name == "name-v1.5");
  CHECK(folder_of("org/kept") == "org/kept");
  CHECK(folder_of("org/languages").ends_with("/eeee/model.bin"));
  CHECK(locate_model("org/languages", "").name == "languages");
  const auto refused = [](const std::string& given) {
    return error_of([&] { locate_model(given, ""); });
  };
  CHECK(refused("org/name-v1.5@v2")
            .find("has no files of the revision v2; use -m "
                  "org/name-v1.5@ and one of main") != std::string::npos);
  CHECK(refused("gpt2").find("has no files of the revision main") != std::string::npos);
  CHECK(refused("org/name-v1.5@../../x").find("no model") == 0);
  CHECK(refused("else/other").find("`hf download else/other --local-dir other`") !=
        std::string::npos);
  ::setenv("HF_HUB_CACHE", "/nowhere", 1);
  CHECK(refused("org/name-v1.5").find("no model \"org/name-v1.5\"") == 0);
  ::unsetenv("HF_HUB_CACHE");
  ::unsetenv("HF_HOME");
}

TEST_CASE("an adapter is found by its name, and without its base hides no other model") {
  const TemporaryFolder folder;
  folder.write("base/config.json", "{}");
  folder.write("models/adapted/adapter_config.json",
               R"({"base_model_name_or_path": "../../base"})");
  folder.write("models/alone/adapter_config.json", R"({"base_model_name_or_path": "no/such"})");
  folder.write("models/whole/config.json", "{}");
  const Place place(folder.path(), folder / "models");
  const ModelPlace adapted = locate_model("adapted", "");
  CHECK(adapted.name == "adapted");
  CHECK(adapted.path == folder / "models/adapted");
  CHECK(adapted.adapter == folder / "models/adapted/adapter_config.json");
  CHECK(std::filesystem::equivalent(adapted.directory, folder / "base"));
  CHECK(locate_model("whole", "").path == folder / "models/whole");
  CHECK(list_models().size() == 3);
  CHECK(error_of([] { locate_model("alone", ""); }).find("no folder \"no/such\"") !=
        std::string::npos);
}

TEST_CASE("what is not a model says what to use instead") {
  const TemporaryFolder folder;
  for (const char* file :
       {"one/config.json", "one/model.safetensors", "one/tokenizer.json", "one/vocab.txt",
        "zoo/a/config.json", "zoo/b/config.json", "zoo/notes.txt",
        "models--org--name/snapshots/0f3a/config.json", "tiny.json", "tiny.weights.json",
        "lone.safetensors", "lone.gguf", "free.txt"}) {
    folder.write(file, "{}");
  }
  folder.write("languages/lid.bin", kFasttextBegin);
  const Place place(folder.path(), "");
  struct Row {
    std::string given;
    std::string error;
  };
  const std::string takes =
      "-m takes a folder with config.json and model.safetensors, or a config with its weights "
      "beside it";
  const Row rows[] = {
      {"one/model.safetensors",
       "one/model.safetensors: is a file of weights, not a model; use the model's folder: -m one"},
      {"one/tokenizer.json",
       "one/tokenizer.json: is not the config of a model; use the model's folder: -m one"},
      {"one/vocab.txt",
       "one/vocab.txt: is not the config of a model; use the model's folder: -m one"},
      {"tiny.weights.json",
       "tiny.weights.json: is a file of weights, not a model; use the model's config: -m "
       "tiny.json"},
      {"lone.safetensors", "lone.safetensors: is a file of weights, not a model; " + takes},
      {"lone.gguf",
       "lone.gguf: is a GGUF file, expected safetensors or weights.json; use the original "
       "checkpoint with its model.safetensors"},
      {"zoo",
       "zoo: is not a model, it has no config.json; use one of the models below it: -m zoo/a, "
       "zoo/b"},
      {"models--org--name",
       "models--org--name: is not a model, it has no config.json; use the model below it: -m "
       "models--org--name/snapshots/0f3a"},
      {"languages",
       "languages: is not a model, it has no config.json; use the model below it: -m "
       "languages/lid.bin"},
      {"free.txt", ""},  // refused when it is read
      {"org/name-v1.5",
       "no model \"org/name-v1.5\": no such path, and headlight downloads nothing; to get it from "
       "the Hugging Face Hub, run `hf download org/name-v1.5 --local-dir name-v1.5`, then use -m "
       "./name-v1.5"},
      {"bert-base-uncased",
       "no model \"bert-base-uncased\": no such path, and headlight downloads nothing; to get it "
       "from the Hugging Face Hub, run `hf download bert-base-uncased --local-dir "
       "bert-base-uncased`, then use -m ./bert-base-uncased"},
  };
  for (const auto& [given, error] : rows) {
    CAPTURE(given);
    CHECK(error_of([&, model = given] { locate_model(model, ""); }) == error);
  }
  const std::string page =
      error_of([] { locate_model("https://huggingface.co/org/name/tree/main", ""); });
  CHECK(page.find("`hf download org/name --local-dir name`") != std::string::npos);
  for (const char* path : {"zoo/missing", "./missing", "/missing/model", "a/b/c", "org/"}) {
    CAPTURE(path);
    CHECK(error_of([&] { locate_model(path, ""); }).find("hf download") == std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::locate_test
