#include "report/attention/attention_series.h"

#include <cstddef>

#include "base/json_array.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "report/attention/attention_arrays.h"
#include "report/attention/attention_report.h"
#include "report/attention/attention_text.h"
#include "report/formats/npy.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

class TextSeries : public AttentionSeries {
 public:
  explicit TextSeries(Output& output) : output_(output) {}

  void add(const AttentionView& view, const AttentionLook& look) override {
    separate();
    write_attention_text(view, look, output_);
  }
  void add_error(const TextInput& /*input*/, const std::string& error,
                 const AttentionLook& /*look*/) override {
    separate();
    output_.write("error: " + printable(error) + '\n');
  }
  void finish() override {}

 private:
  void separate() {
    if (!first_) output_.write("\n");
    first_ = false;
  }

  Output& output_;
  bool first_ = true;
};

class JsonSeries : public AttentionSeries {
 public:
  explicit JsonSeries(Output& output) : array_(output) {}

  void add(const AttentionView& view, const AttentionLook& look) override {
    array_.add(attention_json(view, look));
  }
  void add_error(const TextInput& input, const std::string& error,
                 const AttentionLook& look) override {
    std::string object;
    JsonWriter json(object, look.ascii);
    write_text_error(json, input, error);
    array_.add(object);
  }
  void finish() override { array_.finish(); }

 private:
  JsonArray array_;
};

class NpzSeries : public AttentionSeries {
 public:
  explicit NpzSeries(Output& output) : npz_(output) {}

  void add(const AttentionView& view, const AttentionLook& /*look*/) override {
    npz_.add(std::to_string(number_++), attention_npy(view));
  }
  void add_error(const TextInput& /*input*/, const std::string& /*error*/,
                 const AttentionLook& /*look*/) override {
    ++number_;
  }
  void finish() override { npz_.finish(); }

 private:
  NpzWriter npz_;
  std::size_t number_ = 0;
};

}  // namespace

std::unique_ptr<AttentionSeries> attention_texts(Output& output) {
  return std::make_unique<TextSeries>(output);
}

std::unique_ptr<AttentionSeries> attention_json_array(Output& output) {
  return std::make_unique<JsonSeries>(output);
}

std::unique_ptr<AttentionSeries> attention_npz_arrays(Output& output) {
  return std::make_unique<NpzSeries>(output);
}

}  // namespace headlight
