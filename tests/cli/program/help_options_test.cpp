// Every option that a help lists is taken by its command and changes what the command does.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/help_page.h"
#include "cli/live_program.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "report/formats/npy.h"

namespace headlight::help_options_test {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

const std::string kGolden = std::string(HEADLIGHT_TEST_DATA) + "/golden/";
const std::string kTypes = "-m " + kGolden + "published/bert-three-labels ";
const std::string kPrompts = "-m " + kGolden + "sentences/prompt-not-pooled";

/// How a command is run without the option: options by name, then the rest.
struct Base {
  std::string options;
  std::string rest;
};

const std::map<std::string, Base> kBases = {
    {"classify", {"-m toy", "good|bad good good"}},
    {"batch", {"-m toy", "rows.txt"}},
    {"embed", {"-m toy --format jsonl", "rows.txt"}},
    {"rank", {"-m toy --label positive", "good|rows.txt"}},
    {"evaluate", {"-m toy", "rows.jsonl"}},
    {"fit", {"-m toy -o made", "fit.csv"}},
    {"check", {"-m toy -o doubtful.csv", "some-wrong.csv"}},
    {"attention", {"-m toy", "good bad good"}},
    {"explain", {"-m toy", "good bad good"}},
    {"stream", {"-m causal", ""}},
    {"tokenize", {"-m toy", "good bad good"}},
    {"inspect", {"-m toy", ""}},
    {"init", {"-o made", "toy"}},
    {"export", {"-m encoder --layout sentence-transformers -o made", ""}},
    {"models", {"", ""}},
    {"completion", {"", "bash"}},
    {"help", {"", ""}},
};

/// Some options change nothing that a short run shows: taking them without an error is all.
enum class Shows : std::uint8_t { a_change, nothing };

struct OptionCase {
  std::string commands;  // empty: all that have no row of their own
  std::string option;    // with a value
  std::string beside;    // options that both runs have
  std::string rest;      // instead of that of the base
  Shows shows = Shows::a_change;
};

const std::vector<OptionCase> kOptions = {
    {"", "--help", "", "", Shows::nothing},
    {"", "--version", "", "", Shows::nothing},
    {"help", "--long", "", "fit"},
    {"", "--quiet", "-m warned", ""},
    {"inspect", "--cite", "", ""},
    {"init models", "--quiet", "", ""},
    {"", "--verbose", "", ""},
    {"", "--color always", "--format text", ""},
    {"", "--model pieces", "", ""},
    {"evaluate", "--model pieces", "--format json", ""},
    {"stream", "--model pieces-causal", "", ""},
    {"export", "--model intent", "", ""},
    {"", "--weights toy/model.safetensors", "-m bare.json", ""},
    {"stream", "--weights toy/model.safetensors", "-m bare-causal.json", ""},
    {"", "--activation sigmoid", "", ""},
    {"", "--threads 2", "-v", ""},
    {"", "--precision int8", "-v", ""},
    {"batch", "--then causal --keep-above 1", "", ""},
    {"batch", "--keep-above 1", "--then causal --keep-above 0", ""},
    {"batch", "--agree 20% --then causal", "", ""},
    {"evaluate", "--then causal", "", ""},
    {"evaluate", "--write", "--then causal", ""},
    {"", "--kernels openblas", "-v", ""},
    {"", "--progress always", "", "", Shows::nothing},
    {"", "--resume", "-o new.jsonl", "", Shows::nothing},
    {"", "--accept-build", "--resume -o new.jsonl", "", Shows::nothing},
    {"batch", "--file-field source", "", ""},
    {"batch", "--errors bad.jsonl", "-o new.jsonl", "", Shows::nothing},
    {"classify batch evaluate", "--among alarm,timer", "-m intent", ""},
    {"batch", "--append", "--resume -o new.jsonl", "", Shows::nothing},
    {"", "--row-errors-ok", "", "broken.jsonl"},
    {"", "--on-error stop", "", "broken.jsonl"},
    {"", "--max-errors 0", "", "broken.jsonl"},
    {"", "--summary counts.json", "", ""},

    {"", "--format json", "", ""},
    {"batch", "--format csv", "", ""},
    {"embed", "--format npy", "-o vectors", ""},
    {"stream", "--format text", "", ""},
    {"", "--output new", "", ""},
    {"", "--force", "-o old", ""},
    {"init export", "--force", "-o toy", ""},
    {"init", "--list", "!--output", ""},
    {"init", "--json", "", ""},
    {"", "--ascii", "-m umlaut --format json", ""},
    {"batch", "--ascii", "-m umlaut", ""},
    {"stream", "--ascii", "-m umlaut", ""},
    {"evaluate", "--ascii", "-m umlaut --format json", "umlaut.jsonl"},
    {"embed", "--ascii", "--format jsonl", "umlaut.jsonl"},
    {"tokenize", "--ascii", "--format json", "schön"},
    {"models", "--ascii", "--format json", ""},
    {"models", "--names", "", ""},

    {"", "--pair bad", "", ""},
    {"classify", "--pair bad", "", "good"},
    {"", "--plain-text", "-m pieces", "good [SEP] bad"},
    {"batch embed evaluate", "--plain-text", "-m pieces", "special.jsonl"},
    {"stream", "--plain-text", "-m pieces-causal", ""},
    {"", "--max-length 2", "", ""},
    {"", "--long error", "--max-length 2", ""},
    {"", "--stride 1", "--long window --max-length 2", ""},
    {"classify", "--stride 1", "--long window --max-length 2", "good bad good"},
    {"evaluate", "--stride 1", "--long window --max-length 2 --format json", ""},
    {"", "--ids", "", "1 1"},
    {"batch embed evaluate", "--ids", "", "ids.jsonl"},
    {"stream", "--ids", "", ""},
    {"", "--type-ids 0,1,1", kTypes + "--ids --format json", "1 2 3"},

    {"", "--input-format jsonl", "", "rows"},
    {"", "--delimiter ;", "", "semicolons.csv"},
    {"", "--escape b", "", "rows.csv"},
    {"", "--text body", "", "rows.csv"},
    {"", "--pair-text body", "", "rows.csv"},
    {"", "--id body", "", "rows.csv"},
    {"evaluate", "--id body", "--errors wrong.jsonl", "rows.csv"},
    {"", "--no-header", "", "bare.csv"},
    {"evaluate", "--no-header", "--text 1 --label 2", "bare.csv"},
    {"", "--null bad", "", "rows.csv"},
    {"", "--missing error", "", "gaps.csv"},
    {"evaluate", "--missing error", "-m pieces", "gaps.csv"},
    {"", "--prepend bad", "", ""},
    {"", "--skip 1", "", ""},
    {"", "--limit 1", "", ""},
    {"", "--shard 0/2", "", ""},
    {"", "--label gold", "", "gold.csv"},
    {"batch", "--label-map positive=good", "", ""},
    {"", "--label-map 1=positive,2=negative", "", "numbers.csv"},
    {"", "--label-numbers", "--label-map 2=negative", "numbers.csv"},

    {"rank", "--quiet", "", ""},
    {"rank", "--row-errors-ok", "", "good|broken.jsonl"},
    {"rank", "--on-error stop", "", "good|broken.jsonl"},
    {"rank", "--max-errors 0", "", "good|broken.jsonl"},
    {"rank", "--ascii", "--format jsonl", "good|umlaut.jsonl"},
    {"rank", "--plain-text", "-m pieces", "good|special.jsonl"},
    {"rank", "--stride 1", "--long window --max-length 3", ""},
    {"rank", "--input-format jsonl", "", "good|rows"},
    {"rank", "--delimiter ;", "", "good|semicolons.csv"},
    {"rank", "--escape b", "", "good|rows.csv"},
    {"rank", "--text body", "", "good|rows.csv"},
    {"rank", "--id body", "", "good|rows.csv"},
    {"rank", "--no-header", "", "good|bare.csv"},
    {"rank", "--null bad", "", "good|rows.csv"},
    {"rank", "--missing error", "", "good|gaps.csv"},
    {"rank", "--queries asked.jsonl", "", "|"},
    {"rank", "--query body", "--queries asked.jsonl", "|"},
    {"rank", "--relevance grade", "--queries asked.jsonl", "|"},
    {"rank", "--label negative", "", ""},
    {"rank", "--top-k 1", "", ""},
    {"rank", "--all", "", ""},
    {"rank", "--pooling max", "!--label -k 1", ""},

    {"fit", "--quiet", "", ""},
    {"fit", "--model pieces", "", ""},
    {"fit", "--output new", "", ""},
    {"fit", "--force", "-o toy", ""},
    {"fit", "--progress always", "", "", Shows::nothing},
    {"fit", "--resume", "", "", Shows::nothing},
    {"fit", "--accept-build", "--resume", "", Shows::nothing},
    {"fit", "--row-errors-ok", "", "broken.csv"},
    {"fit", "--input-format csv", "", "fit"},
    {"fit", "--delimiter ;", "", "fit-semicolons.csv"},
    {"fit", "--escape b", "", ""},
    {"fit", "--text body", "", ""},
    {"fit", "--pair-text body", "", ""},
    {"fit", "--label other", "", ""},
    {"fit", "--no-header", "--text 1 --label 3", ""},
    {"fit", "--null bad", "", ""},
    {"fit", "--prepend bad", "", ""},
    {"fit", "--skip 4", "", ""},
    {"fit", "--limit 40", "", ""},
    {"fit", "--shard 0/2", "", ""},
    {"fit", "--long window", "", ""},
    {"fit", "--vectors kept.vectors", "", ""},
    {"fit", "--numbers-of toy", "", ""},
    {"fit", "--dev dev.csv", "", ""},
    {"fit", "--dev-share 0.3", "", ""},
    {"fit", "--card-field language=en", "", ""},
    {"fit", "--license mit", "", ""},
    {"export", "--layout bert", "", "", Shows::nothing},
    {"fit", "--regression", "--label score", ""},
    {"fit", "--train all", "", ""},
    {"fit", "--minutes 0", "", ""},
    {"fit", "--train contrastive", "", ""},
    {"fit", "--store int8", "-m pairs.json --train static", ""},
    {"fit", "--class-weights balanced", "--train head --label other", ""},
    {"fit", "--seed 7", "--train all", ""},
    {"fit", "--penalty 3", "--train head", ""},
    {"fit", "--epochs 1", "--train all", ""},
    {"fit", "--learning-rate 0.5", "--train all", ""},
    {"fit", "--batch-tokens 30", "--train all", ""},
    {"fit", "--dropout 0.5", "--train all", ""},
    {"fit", "--label-smoothing 0.2", "--train all", ""},
    {"fit", "--teacher-logits logits", "--train all", "taught.jsonl"},
    {"fit", "--temperature 5", "--train all --teacher-logits logits", "taught.jsonl"},
    {"fit", "--teacher-share 0.1", "--train all --teacher-logits logits", "taught.jsonl"},
    {"fit", "--teacher-vectors vectors.npy", "--train all --label label", ""},
    {"fit", "--store f16", "--train all", ""},
    {"fit", "--keep-state last", "--train all", ""},
    {"fit", "--vocabulary-size 3", "-m wordless.json --train all", ""},
    {"fit", "--keep-layers 1", kTypes + "--train all", ""},
    {"fit", "--feed-forward-size 3", kTypes + "--train all", ""},
    {"fit", "--log log.jsonl", "--train head", ""},
    {"fit", "--film film.html", "-m bare.json --train all", "", Shows::nothing},
    {"fit", "--merge-labels", "", "", Shows::nothing},
    {"fit", "--apply checked.csv", "", "", Shows::nothing},
    {"evaluate", "--at 1,2", "", ""},
    {"fit check", "--label-map positive=good", "", ""},
    {"", "--label-names positive,negative", "", "", Shows::nothing},
    {"", "--label-separator ;", "--single-label", "", Shows::nothing},
    {"", "--single-label", "", "", Shows::nothing},
    {"", "--ignore-label other", "", "", Shows::nothing},
    {"explain", "--label-names positive,negative", "-m fitted --rows fit.csv", "", Shows::nothing},
    {"explain", "--label-separator ;", "--single-label -m fitted --rows fit.csv", "",
     Shows::nothing},
    {"explain", "--single-label", "-m fitted --rows fit.csv", "", Shows::nothing},
    {"explain", "--ignore-label other", "-m fitted --rows fit.csv", "", Shows::nothing},
    {"fit", "--problems problems.jsonl", "", "", Shows::nothing},
    {"check", "--output new.csv", "", ""},
    {"check", "--force", "-o fit.csv", ""},
    {"check", "--row-errors-ok", "", "broken.csv"},
    {"check", "--text body", "", ""},
    {"check", "--pair-text body", "", ""},
    {"check", "--long window", "", "", Shows::nothing},
    {"check", "--vectors kept.vectors", "", ""},
    {"check", "--class-weights balanced", "--label other", ""},
    {"check", "--merge-labels", "", "", Shows::nothing},
    {"check", "--id body", "", "some-wrong.csv"},
    {"check", "--column-prefix our_", "", "some-wrong.csv"},

    {"", "--zero-shot good,bad", "-m nli", ""},
    {"evaluate", "--zero-shot good,bad", "-m nli", "named.jsonl"},
    {"", "--template bad~{}", "-m nli --zero-shot good,bad --format json", ""},
    {"batch", "--template bad~{}", "-m nli --zero-shot good,bad", ""},
    {"evaluate", "--template bad~{}", "-m nli --zero-shot good,bad --format json", "named.jsonl"},
    {"", "--multi-label", "-m nli --zero-shot good,bad", ""},
    {"evaluate", "--multi-label", "-m nli --zero-shot good,bad", "named.jsonl"},
    {"", "--entailment contradiction", "-m nli --zero-shot good,bad --template {}", ""},
    {"evaluate", "--entailment contradiction",
     "-m nli --zero-shot good,bad --template {} --format json", "named.jsonl"},

    {"", "--top-k 2", "", ""},
    {"explain", "--top-k 1", "", ""},
    {"explain", "--towards negative", "", "good good movie"},
    {"", "--threshold 0.01", "", ""},
    {"", "--logits", "", ""},
    {"stream", "--logits", "--format text", ""},
    {"", "--aggregate none", "-m names", "ada lovelace"},
    {"batch", "--aggregate none", "-m names", "names.txt"},
    {"evaluate", "--aggregate first", "-m names", "names.jsonl", Shows::nothing},
    {"", "--probabilities", "", ""},
    {"", "--echo-text", "", ""},
    {"", "--keep", "--column-prefix our_", "rows.csv"},
    {"", "--column-prefix our_", "--format csv", ""},
    {"", "--no-output-header", "--format csv", ""},
    {"", "--pooling max", "", ""},
    {"", "--prompt passage", kPrompts, ""},
    {"", "--half", "--format npy -o vectors", ""},

    {"", "--layers 0", "", "", Shows::nothing},
    {"attention", "--all", "-m sentiment", ""},
    {"", "--title Heads", "--format svg", ""},
    {"inspect", "--title Mask", "--mask --format svg", ""},
    {"", "--head-names heads.txt", "--format svg", ""},
    {"", "--scale max", "-m sentiment --layers 1 --heads 0 --format svg", ""},
    {"attention", "--layers 0", "-m sentiment --format json", ""},
    {"", "--heads 0", "--format json", ""},
    {"", "--query 0", "--format json", ""},
    {"", "--words", "-m pieces --format json", "goodness bad"},
    {"", "--weight norm", "--format json", ""},
    {"", "--rollout", "", ""},
    {"", "--stats", "", ""},
    {"", "--digits 1", "--format json", "good bad movie"},
    {"", "--numbers", "", ""},
    {"", "--hidden vectors.npy", "", ""},
    {"", "--activations", "", ""},
    {"", "--compare causal", "--activations", ""},
    {"", "--difference", "-m sentiment --format html", "good bad|good good"},
    {"", "--live", "--format html", ""},
    {"", "--store f32", "--live -o page.html", ""},
    {"", "--order 2", "", ""},
    {"", "--unit token", "-m pieces", "goodness bad"},
    {"", "--method gradient", "", ""},
    {"", "--samples 4", "-m sentiment --method shapley", "good bad good bad movie good"},
    {"explain", "--seed 7", "-m sentiment --method shapley --samples 4", "not bad at all is it"},
    {"", "--flip", "", ""},
    {"", "--faithfulness", "", ""},
    {"", "--input rows.txt", "", "|"},
    {"explain", "--input-format jsonl", "--input rows", "|"},
    {"explain", "--delimiter ;", "--input semicolons.csv", "|"},
    {"explain", "--escape b", "--input rows.csv", "|"},
    {"explain", "--text body", "--input rows.csv", "|"},
    {"explain", "--pair-text body", "--input rows.csv", "|"},
    {"explain", "--id body", "--input rows.csv", "|"},
    {"explain", "--no-header", "--input bare.csv", "|"},
    {"explain", "--null bad", "--input rows.csv", "|"},
    {"explain", "--missing error", "--input gaps.csv", "|"},
    {"explain", "--prepend bad", "--input rows.txt", "|"},
    {"explain", "--skip 1", "--input rows.txt", "|"},
    {"explain", "--limit 1", "--input rows.txt", "|"},
    {"explain", "--shard 0/2", "--input rows.txt", "|"},
    {"explain", "--resume", "--input twice.txt -o new.jsonl", "|", Shows::nothing},
    {"explain", "--accept-build", "--resume --input twice.txt -o new.jsonl", "|", Shows::nothing},
    {"explain", "--row-errors-ok", "--input rows.txt", "|"},
    {"explain", "--on-error stop", "--input rows.txt", "|"},
    {"explain", "--max-errors 0", "--input rows.txt", "|"},
    {"attention", "--input rows.txt", "--stats --format jsonl", "|"},
    {"attention", "--input-format jsonl", "--stats --input rows", "|"},
    {"attention", "--delimiter ;", "--stats --input semicolons.csv", "|"},
    {"attention", "--escape b", "--stats --input rows.csv", "|"},
    {"attention", "--text body", "--stats --input rows.csv", "|"},
    {"attention", "--pair-text body", "--stats --input rows.csv", "|"},
    {"attention", "--id body", "--stats --input rows.csv", "|"},
    {"attention", "--no-header", "--stats --input bare.csv", "|"},
    {"attention", "--null bad", "--stats --input rows.csv", "|"},
    {"attention", "--missing error", "--stats --input gaps.csv", "|"},
    {"attention", "--prepend bad", "--stats --input rows.txt", "|"},
    {"attention", "--skip 1", "--stats --input rows.txt", "|"},
    {"attention", "--limit 1", "--stats --input rows.txt", "|"},
    {"attention", "--shard 0/2", "--stats --input rows.txt", "|"},
    {"attention", "--resume", "--stats --input twice.txt -o new.jsonl", "|", Shows::nothing},
    {"attention", "--accept-build", "--stats --resume --input twice.txt -o new.jsonl", "|",
     Shows::nothing},
    {"attention", "--row-errors-ok", "--stats --input broken.jsonl", "|"},
    {"attention", "--on-error stop", "--stats --input broken.jsonl", "|"},
    {"attention", "--max-errors 0", "--stats --input broken.jsonl", "|"},
    {"explain", "--rows fit.csv", "-m fitted", ""},
    {"explain", "--label label", "-m fitted --rows fit.csv", "", Shows::nothing},
    {"explain", "--label-map 1=positive,2=negative", "--input numbers.csv --label label", "|"},
    {"explain", "--label-numbers", "--label-map 2=negative --input numbers.csv --label label", "|"},
    {"explain", "--summary words.json", "--input rows.txt -o new.jsonl", "|"},
    {"", "--verdicts", "-m sentiment", "not bad at all"},
    {"", "--steps", "", ""},
    {"", "--head 2.5", "-m sentiment --steps", ""},
    {"", "--patch not~good~at~all", "-m sentiment", "not bad at all"},

    {"", "--html page.html", "", ""},
    {"", "--errors wrong.jsonl", "", ""},
    {"", "--attention-stats", "", ""},
    {"", "--fit-temperature", "", "many.jsonl"},
    {"", "--fit-thresholds", "-m several", ""},
    {"", "--by label", "", ""},
    {"evaluate", "--compare causal", "", ""},
    {"", "--ablate heads", "", ""},
    {"attention", "--ablate 1.10,2.3", "-m sentiment", ""},
    {"", "--attribute heads", "", ""},

    {"", "--positions", "-m sentiment --format svg", ""},
    {"", "--mask", "--format svg", ""},
    {"", "--length 4", "--mask --format svg", ""},
    {"", "--dimensions 0", "-m sentiment --positions --format svg", ""},
    {"", "--seed 7", "", ""},
};

/// ~ stands for a blank inside a word.
Arguments words_of(const std::string& text, char between = ' ') {
  Arguments words;
  std::istringstream parts(text);
  for (std::string word; std::getline(parts, word, between);) {
    std::ranges::replace(word, '~', ' ');
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

std::string long_name(const std::string& option) {
  const std::map<std::string, std::string> names = {
      {"-m", "--model"}, {"-o", "--output"}, {"-v", "--verbose"}};
  const auto found = names.find(option);
  return found == names.end() ? option : found->second;
}

/// Options in order; a later one replaces an earlier one of the same name.
/// "!--label" takes one away.
Arguments merged(const std::string& options) {
  std::vector<Arguments> kept;
  for (const std::string& word : words_of(options)) {
    if (word.starts_with('!')) {
      std::erase_if(kept, [&](const auto& option) { return option.front() == word.substr(1); });
      continue;
    }
    if (!word.starts_with('-')) {
      kept.back().push_back(word);
      continue;
    }
    const std::string name = long_name(word);
    std::erase_if(kept, [&](const Arguments& option) { return option.front() == name; });
    kept.push_back({name});
  }
  Arguments arguments;
  for (const Arguments& option : kept) {
    arguments.insert(arguments.end(), option.begin(), option.end());
  }
  return arguments;
}

const OptionCase* case_of(const std::string& command, const std::string& option) {
  const OptionCase* found = nullptr;
  for (const OptionCase& row : kOptions) {
    if (words_of(row.option).front() != option) continue;
    const Arguments commands = words_of(row.commands);
    if (std::ranges::count(commands, command)) return &row;
    if (commands.empty()) found = &row;
  }
  return found;
}

void use_umlauts(OrderedJson& config) { config["id2label"] = {"schön", "böse"}; }
void make_causal(OrderedJson& config) { config["attention_mask"] = "causal"; }

void add_models(const ToyPlace& place) {
  place.add("causal", make_causal);
  place.add("umlaut", [](OrderedJson& config) {
    use_umlauts(config);
    make_causal(config);
  });
  place.add("pieces", use_word_pieces);
  place.add("pieces-causal", [](OrderedJson& config) {
    use_word_pieces(config);
    make_causal(config);
  });
  place.add("nli", [](OrderedJson& config) {
    config["id2label"] = {"contradiction", "entailment"};
  });
  place.add("several",
            [](OrderedJson& config) { config["problem_type"] = "multi_label_classification"; });
  OrderedJson config = toy_config();
  place.files().write("bare.json", config.dump());
  OrderedJson wordless = config;
  wordless["tokenizer"].erase("vocabulary");
  place.files().write("wordless.json", wordless.dump());
  wordless["num_hidden_layers"] = 0;
  wordless["ngram_sizes"] = {2};
  wordless["ngram_buckets"] = 9;
  place.files().write("pairs.json", wordless.dump());
  make_causal(config);
  place.files().write("bare-causal.json", config.dump());
  place.add_token_labels("names");
}

/// A published model with a tensor too many, which is worth a note.
void add_warned_model(const TemporaryFolder& files) {
  fs::copy(kGolden + "published/gpt2-three-labels", files / "warned");
  const std::string file = files.read("warned/model.safetensors");
  OrderedJson header = OrderedJson::parse(header_of(file));
  const std::string data = data_of(file);
  header["extra.weight"] = {
      {"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {data.size(), data.size() + 4}}};
  files.write("warned/model.safetensors", safetensors(header.dump(), data + std::string(4, '0')));
  files.write("broken/config.json", "{");
}

void add_rows(const TemporaryFolder& files) {
  const std::string rows =
      "{\"text\": \"good bad good\", \"label\": \"positive\"}\n"
      "{\"text\": \"bad\", \"label\": \"positive\"}\n";
  files.write("rows.txt", "good bad good\nbad\n");
  files.write("twice.txt", "good bad good\nbad good\n");
  files.write("rows.jsonl", rows);
  files.write("rows", rows);
  files.write("broken.jsonl", rows + "{\n");
  files.write("rows.csv", "text,body,label\ngood good bad,bad,positive\nbad,good,positive\n");
  files.write("semicolons.csv", "text;label\ngood bad;positive\nbad;negative\n");
  files.write("gaps.csv", "text,label\ngood bad,positive\n,negative\n");
  files.write("bare.csv", "text,label\ngood,positive\nbad,negative\n");
  files.write("gold.csv", "text,label,gold\ngood,negative,positive\nbad,negative,negative\n");
  files.write("numbers.csv", "text,label\ngood,1\nbad,2\n");
  files.write("umlaut.jsonl", R"({"id": "ö", "text": "good", "label": "schön"})"
                              "\n");
  files.write(
      "named.jsonl",
      "{\"text\": \"good\", \"label\": \"good\"}\n{\"text\": \"bad\", \"label\": \"bad\"}\n");
  files.write("special.jsonl", R"({"text": "good [SEP] [SEP]", "label": "positive"})"
                               "\n");
  files.write("ids.jsonl", R"({"text": "2 2", "label": "positive"})"
                           "\n");
  files.write("asked.jsonl",
              R"({"query": "good", "body": "a", "text": "bad", "label": 2, "grade": 0})"
              "\n"
              R"({"query": "good", "body": "b", "text": "good", "label": 1, "grade": 1})"
              "\n");
  files.write("names.txt", "ada lovelace\n");
  files.write("names.jsonl", R"({"words": ["ada", "lovelace"], "tags": ["B-PER", "I-PER"]})"
                             "\n");
  std::string many;
  for (int i = 0; i < 20; ++i) {
    many += R"({"text": ")" + std::string(i % 4 == 0 ? "bad" : "good") + R"(", "label": ")" +
            (i % 5 == 0 ? "negative" : "positive") + "\"}\n";
  }
  files.write("many.jsonl", many);
  files.write("heads.txt", "0.0 first\n");
  files.write("old", "");
}

/// Rows to train on: all texts of 4 or 5 words of two.
void add_training_rows(const TemporaryFolder& files) {
  std::string rows = "text,body,label,other,score\n";
  std::string taught;
  for (unsigned number = 16; number < 64; ++number) {
    std::string text;
    std::string body;
    for (unsigned bits = number; bits > 1; bits /= 2) {
      text += bits % 2 == 0 ? "good " : "bad ";
      body += bits % 4 == 0 ? "bad " : "good ";
    }
    body += std::to_string(number);
    const std::string label = number % 2 == 0 ? "positive" : "negative";
    rows += text + ',' + body + ',' + label + ',' + (number % 5 == 0 ? "rare" : "usual") + ',' +
            std::to_string(number) + '\n';
    taught += R"({"text": ")" + text + R"(", "label": ")" + label +
              R"(", "logits": {"negative": 0.5, "positive": 1}})" + '\n';
  }
  files.write("fit.csv", rows);
  files.write("fit", rows);
  files.write("checked.csv", "label,checked\n");
  files.write("some-wrong.csv", rows + "good good good good good,64,positive,usual,64\n");
  files.write("broken.csv", rows + "good,good\n");
  files.write("taught.jsonl", taught);
  constexpr std::size_t kRows = 48;
  constexpr std::size_t kHidden = 4;  // of the toy
  std::vector<float> vectors;
  for (std::size_t i = 0; i < kRows * kHidden; ++i) vectors.push_back(i % 3 == 0 ? 1.0F : 0.0F);
  const std::vector<std::size_t> shape = {kRows, kHidden};
  files.write("vectors.npy", npy_array(shape, vectors));
  files.write("dev.csv", "text,label\ngood good,positive\nbad bad,negative\ngood,positive\n");
  std::ranges::replace(rows, ',', ';');
  files.write("fit-semicolons.csv", rows);
}

/// All that a run leaves: status, outputs, and each file by name.
struct Trace {
  Outcome outcome;
  std::map<std::string, std::string> files;
};

Trace traced(const std::string& command, const std::string& options, const std::string& rest) {
  const ToyPlace place;
  add_models(place);
  add_warned_model(place.files());
  add_rows(place.files());
  add_training_rows(place.files());
  if (command == "explain")
    place.run({"fit", "fit.csv", "-m", "toy", "--train", "head", "-o", "fitted"});
  Arguments arguments = {command};
  for (const std::string& argument : merged(options)) arguments.push_back(argument);
  for (const std::string& argument : words_of(rest, '|')) arguments.push_back(argument);
  Command line = place.command(arguments, "good bad [SEP] 1 good\n");
  line.environment = {"HEADLIGHT_MODELS=."};
  line.program = live_program();
  Trace trace{run(line), {}};
  for (const auto& entry : fs::recursive_directory_iterator(place.files().path())) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), place.files().path()).string();
    trace.files[name] = content_of(entry.path().string());
  }
  return trace;
}

void check_option(const std::string& command, const HelpOption& option) {
  CAPTURE(option.name);
  const auto base = kBases.find(command);
  const OptionCase* row = case_of(command, option.name);
  const bool is_known = base != kBases.end() && row != nullptr;
  CHECK_MESSAGE(is_known, "add a row to the tables above");
  if (!is_known) return;
  const Arguments words = words_of(row->option);
  CHECK((words.size() > 1) == !option.value.empty());
  const std::string options = base->second.options + " " + row->beside;
  const std::string rest = row->rest.empty() ? base->second.rest : row->rest;
  const Trace before = traced(command, options, rest);
  const Trace after = traced(command, options + " " + row->option, rest);
  CAPTURE(before.outcome.err);
  CAPTURE(after.outcome.err);
  check_sane(after.outcome);
  CHECK(after.outcome.status != 2);
  if (row->shows == Shows::nothing) {
    CHECK(after.outcome.status == 0);
    return;
  }
  const bool differs = before.outcome.status != after.outcome.status ||
                       before.outcome.out != after.outcome.out ||
                       before.outcome.err != after.outcome.err || before.files != after.files;
  CHECK(differs);
}

TEST_CASE("each option that a help lists is taken by its command and honoured") {
  for (const std::string& command : listed_commands()) {
    CAPTURE(command);
    const HelpPage page = help_page_of(command);
    CHECK_FALSE(page.options.empty());
    for (const HelpOption& option : page.options) check_option(command, option);
  }
}

/// All READMEs, recipes and scripts, and the task page.
std::string texts_with_uses() {
  const fs::path source = HEADLIGHT_SOURCE;
  const Arguments endings = {"", ".md", ".py", ".sh", ".txt"};
  std::string texts = content_of((source / "README.md").string());
  for (const char* folder : {"apps", "configs", "scripts"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
      const bool is_text = std::ranges::count(endings, entry.path().extension().string()) > 0;
      if (is_text && entry.is_regular_file()) texts += content_of(entry.path().string());
    }
  }
  return texts;
}

TEST_CASE("each option has a use in a README, a recipe, a script or the task page") {
  const std::string texts = texts_with_uses();
  const auto has_use = [&](const std::string& name) {
    for (std::size_t at = texts.find(name); at != std::string::npos;
         at = texts.find(name, at + 1)) {
      const auto next = static_cast<unsigned char>(texts[at + name.size()]);
      if (std::isalnum(next) == 0 && next != '-') return true;
    }
    return false;
  };
  for (const std::string& command : listed_commands()) {
    for (const HelpOption& option : help_page_of(command).options) {
      CHECK_MESSAGE(has_use(option.name), option.name << " of " << command);
    }
  }
}

}  // namespace
}  // namespace headlight::help_options_test
