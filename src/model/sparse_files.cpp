#include "model/sparse_files.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/json.h"
#include "model/safetensors.h"

namespace headlight {
namespace {

/// One more than the last byte of the names in a dictionary, and rows, are 32-bit numbers.
constexpr std::size_t kMostRows = std::size_t{1} << 31U;
constexpr std::size_t kLongestNgram = 1000;

template <typename Number>
bool all_finite(std::span<const Number> numbers) {
  constexpr std::size_t kLanes = 8;
  std::array<Number, kLanes> sums{};  // 0 · x is NaN unless x is finite
  std::size_t i = 0;
  for (; i + kLanes <= numbers.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += 0 * numbers[i + lane];
  }
  for (; i < numbers.size(); ++i) sums[0] += 0 * numbers[i];
  return std::ranges::all_of(sums, [](Number sum) { return sum == 0; });
}

/// The tensors of the file, each taken once.
class SparseTensors {
 public:
  explicit SparseTensors(const std::string& path)
      : path_(path), file_(std::make_shared<const MappedFile>(path)) {
    for (auto& entry : parse_safetensors(file_->bytes(), path)) {
      tensors_.emplace(entry.name, entry);
    }
  }

  /// `shape` has a 0 where any size will do.
  template <typename Number>
  std::span<const Number> take(const std::string& name, const char* dtype, const Shape& shape) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) refuse(name, "is missing; expected " + expected(dtype, shape));
    const SafetensorsEntry entry = found->second;
    tensors_.erase(found);
    const bool fits =
        entry.dtype == dtype &&
        std::ranges::equal(entry.shape, shape, [](auto a, auto b) { return b == 0 || a == b; });
    if (!fits) {
      refuse(name, "found " + expected(entry.dtype, entry.shape) + ", expected " +
                       expected(dtype, shape));
    }
    const auto* const numbers = reinterpret_cast<const Number*>(entry.bytes.data());
    if (std::bit_cast<std::uintptr_t>(numbers) % sizeof(Number) != 0) {
      refuse(name, "is not aligned; import the model again");
    }
    return {numbers, entry.bytes.size() / sizeof(Number)};
  }
  std::span<const double> doubles(const std::string& name, const Shape& shape) {
    return numbers<double>(name, "F64", shape);
  }
  template <typename Number>
  std::span<const Number> numbers(const std::string& name, const char* dtype, const Shape& shape) {
    const auto numbers = take<Number>(name, dtype, shape);
    if (!all_finite(numbers)) refuse(name, "has a number that is not finite");
    return numbers;
  }
  bool is_narrow(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found != tensors_.end() && found->second.dtype == "F32";
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const {
    throw Error(path_, "tensor " + shortened(name) + ": " + why);
  }
  void refuse_rest() const {
    if (!tensors_.empty()) refuse(tensors_.begin()->first, "is unknown");
  }

  const std::string& path() const { return path_; }
  std::size_t bytes() const { return file_->bytes().size(); }
  std::shared_ptr<const void> memory() const { return file_; }

 private:
  static std::string expected(const std::string& dtype, const Shape& shape) {
    return dtype + ' ' + to_string(shape);
  }

  std::string path_;
  std::shared_ptr<const MappedFile> file_;
  std::map<std::string, SafetensorsEntry> tensors_;
};

/// `idf` is the name of the tensor, and `size` its length.
SparseSteps read_steps(Fields& fields, SparseTensors& tensors, const std::string& idf,
                       std::size_t size) {
  SparseSteps steps;
  if (fields.find("steps") == nullptr) return steps;
  for (const std::string& name : fields.strings("steps")) {
    const auto step = value_of(name, kSparseStepWords);
    if (!step) {
      fields.fail("steps", "words of " + joined(kSparseStepWords, ", ", &Word<SparseStep>::name));
    }
    steps.steps.push_back(*step);
  }
  const auto times = std::ranges::count(steps.steps, SparseStep::idf);
  if (times > 1) fields.fail("steps", "idf once");
  if (times == 1) steps.idf = tensors.doubles(idf, {size});
  return steps;
}

AnalyzerSettings read_analyzer(Fields& fields) {
  AnalyzerSettings read;
  read.analyzer = fields.choice_or("analyzer", Analyzer::words, kAnalyzerWords);
  const std::vector<std::size_t> range = fields.sizes("ngram_range", 1);
  if (range.size() != 2 || range[1] > kLongestNgram) {
    fields.fail("ngram_range", "two numbers from 1 to " + std::to_string(kLongestNgram));
  }
  read.least = range[0];
  read.most = range[1];
  read.lowercase = fields.flag_or("lowercase", true);
  if (fields.find_value("strip_accents") != nullptr) {
    read.accents = fields.choice_or("strip_accents", Accents::keep, kAccentsWords);
  }
  read.shortest_word = fields.size_or("shortest_word", 2, 1);
  if (const auto pattern = fields.nullable_string_or("pattern", {})) {
    try {
      read.pattern = std::make_shared<const Pattern>(Pattern::of_expression(*pattern));
      find_words(*read.pattern, U" ");
    } catch (const Error& error) {
      fields.complain("pattern", error.what());
    }
  }
  if (fields.find("stop_words") != nullptr) {
    for (std::string& word : fields.strings("stop_words")) read.stop_words.insert(std::move(word));
  }
  return read;
}

/// The rows of the weights that begin at `first`.
SparseFeatures read_features(const Json& json, const ModelPlace& place, std::size_t number,
                             std::size_t first, SparseTensors& tensors) {
  const std::string name = "dictionaries." + std::to_string(number);
  Fields fields(json, place.config, name);
  SparseFeatures read;
  read.first = first;
  read.analyzer = read_analyzer(fields);
  if (fields.find("buckets") != nullptr) {
    read.buckets = static_cast<std::uint32_t>(fields.required_size("buckets", 1));
    read.alternate_sign = fields.flag_or("alternate_sign", true);
  } else {
    const auto hashes = tensors.take<std::uint32_t>(name + ".hashes", "U32", {0});
    const auto ends = tensors.take<std::uint32_t>(name + ".ends", "U32", {hashes.size()});
    const auto terms = tensors.take<char>(name + ".terms", "U8", {0});
    read.dictionary = SparseDictionary(hashes, ends, {terms.data(), terms.size()}, tensors.path());
  }
  if (first + read.size() > kMostRows) fields.complain("buckets", "too many features in all");
  read.steps = read_steps(fields, tensors, name + ".idf", read.size());
  read.steps.scale = fields.number_or("scale", 1.0);
  fields.refuse_unknown();
  return read;
}

/// Isotonic calibration: the points of all curves one after another.
std::vector<SparseCurve> read_curves(SparseTensors& tensors, std::size_t count) {
  const auto ends = tensors.take<std::uint32_t>("calibration.ends", "U32", {count});
  const auto x = tensors.doubles("calibration.x", {0});
  const auto y = tensors.doubles("calibration.y", {x.size()});
  std::vector<SparseCurve> curves;
  std::size_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end <= begin || end > x.size()) tensors.refuse("calibration.ends", "expected rising ends");
    curves.push_back({x.subspan(begin, end - begin), y.subspan(begin, end - begin)});
    if (!std::ranges::is_sorted(curves.back().x)) {
      tensors.refuse("calibration.x", "expected rising numbers");
    }
    begin = end;
  }
  return curves;
}

SparseHead read_head(Fields& fields, SparseTensors& tensors, const Description& description,
                     std::size_t rows) {
  SparseHead head;
  head.labels = description.labels.size();
  head.each_label = description.problem_type == ProblemType::multi_label;
  head.output = fields.choice_or("output", SparseOutput::none, kSparseOutputWords);
  head.folds = fields.size_or("folds", 1, 1, 1000);
  head.columns = head.labels;
  if (head.labels == 2 && !head.each_label && fields.flag_or("one_column", false)) head.columns = 1;
  const Shape shape = {rows, head.folds * head.columns};
  if (tensors.is_narrow("weights")) {
    head.narrow = tensors.numbers<float>("weights", "F32", shape);
  } else {
    head.weights = tensors.doubles("weights", shape);
  }
  head.bias = tensors.doubles("bias", {head.folds * head.columns});
  const std::size_t all = head.folds * head.labels;
  const std::string calibration = fields.string_or("calibration", "none");
  if (calibration == "isotonic") {
    head.curves = read_curves(tensors, all);
  } else if (calibration == "linear") {
    head.slopes = tensors.doubles("calibration.slopes", {all});
    head.offsets = tensors.doubles("calibration.offsets", {all});
  } else if (calibration != "none") {
    fields.fail("calibration", "linear or isotonic");
  }
  return head;
}

}  // namespace

bool is_sparse_config(const Json& config) {
  return config.is_object() && config.value("model_type", Json()) == kSparseFamily;
}

Description describe_sparse(const Json& config, const std::string& where) {
  Fields fields(config, where);
  Description found;
  found.max_positions = UINT32_MAX;  // no limit
  found.labels = fields.strings("id2label");
  std::vector<std::string> sorted = found.labels;
  std::ranges::sort(sorted);
  if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end()) {
    fields.fail("id2label", "different names of labels");
  }
  found.problem_type =
      fields.choice_or("problem_type", ProblemType::single_label, kProblemTypeWords);
  if (found.problem_type == ProblemType::regression) {
    fields.fail("problem_type", "one of the types of classification");
  }
  found.adds_features = true;
  const bool is_curve = fields.string_or("calibration", "none") == "isotonic";
  if (fields.string_or("output", "none") == "none" && !is_curve) {
    found.score_activation = ScoreActivation::none;
  } else {
    found.score_activation = found.problem_type == ProblemType::multi_label
                                 ? ScoreActivation::sigmoid
                                 : ScoreActivation::softmax;
  }
  return found;
}

std::shared_ptr<const SparseModel> load_sparse(const Json& config, const ModelPlace& place,
                                               const Description& description) {
  Fields fields(config, place.config);
  for (const char* known : {"model_type", "id2label", "problem_type"}) fields.find(known);
  if (place.weights.empty()) throw Error(place.path, "has no model.safetensors beside its config");
  SparseTensors tensors(place.weights);
  const Json& dictionaries = fields.required("dictionaries");
  if (!dictionaries.is_array() || dictionaries.empty()) fields.fail("dictionaries", "a list");
  std::vector<SparseFeatures> features;
  std::size_t rows = 0;
  for (const Json& each : dictionaries) {
    features.push_back(read_features(each, place, features.size(), rows, tensors));
    rows += features.back().size();
  }
  SparseSteps steps = read_steps(fields, tensors, "idf", rows);
  SparseHead head = read_head(fields, tensors, description, rows);
  fields.refuse_unknown();
  tensors.refuse_rest();
  return std::make_shared<const SparseModel>(std::move(features), std::move(steps), std::move(head),
                                             tensors.memory(), tensors.bytes());
}

std::string sparse_config(const Description& description, const SparseModel& model) {
  nlohmann::ordered_json config;
  config["model_type"] = kSparseFamily;
  config["id2label"] = description.labels;
  config["problem_type"] = word_for(description.problem_type, kProblemTypeWords);
  for (const SparseFeatures& features : model.features()) {
    nlohmann::ordered_json each;
    each["analyzer"] = word_for(features.analyzer.analyzer, kAnalyzerWords);
    each["ngram_range"] = {features.analyzer.least, features.analyzer.most};
    for (const SparseStep step : features.steps.steps) {
      each["steps"].push_back(word_for(step, kSparseStepWords));
    }
    config["dictionaries"].push_back(each);
  }
  config["output"] = word_for(model.head().output, kSparseOutputWords);
  if (model.head().columns < model.head().labels) config["one_column"] = true;
  return config.dump(2) + '\n';
}

std::vector<SafetensorsEntry> sparse_tensors(const SparseModel& model) {
  const SparseHead& head = model.head();
  const auto bytes = [](const auto& numbers) { return std::as_bytes(std::span(numbers)); };
  std::vector<SafetensorsEntry> wide = {{"bias", "F64", {head.bias.size()}, bytes(head.bias)}};
  std::vector<SafetensorsEntry> rest = {
      {"weights", "F32", {head.narrow.size() / head.columns, head.columns}, bytes(head.narrow)}};
  std::vector<SafetensorsEntry> terms;
  for (const SparseFeatures& features : model.features()) {
    const std::string name = "dictionaries." + std::to_string(terms.size());
    const SparseDictionary& of = features.dictionary;
    wide.push_back({name + ".idf", "F64", {of.size()}, bytes(features.steps.idf)});
    rest.push_back({name + ".hashes", "U32", {of.size()}, bytes(of.hashes())});
    rest.push_back({name + ".ends", "U32", {of.size()}, bytes(of.ends())});
    terms.push_back({name + ".terms", "U8", {of.terms().size()}, bytes(of.terms())});
  }
  for (const auto* const others : {&rest, &terms}) {
    wide.insert(wide.end(), others->begin(), others->end());
  }
  return wide;
}

}  // namespace headlight
