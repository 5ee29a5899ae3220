#include "report/attention/attention_format.h"

#include <algorithm>
#include <array>

#include "report/attention/attention_arrays.h"
#include "report/attention/attention_page.h"
#include "report/attention/attention_picture.h"
#include "report/attention/attention_report.h"
#include "report/attention/attention_text.h"
#include "report/formats/documents.h"
#include "report/formats/npy.h"

namespace headlight {
namespace {

/// A document for each text, as `kRender` makes it.
template <std::string (*kRender)(const AttentionView&, const AttentionLook&),
          DocumentLayout kLayout>
class DocumentWriter : public AttentionWriter {
 public:
  DocumentWriter(Output& output, bool several, bool ascii)
      : documents_(
            output,
            several || kLayout != DocumentLayout::json_array ? kLayout : DocumentLayout::lines,
            ascii) {}

  void add(const AttentionView& view, const AttentionLook& look) override {
    documents_.add(kRender(view, look));
  }
  void add_error(const TextInput& input, const std::string& error) override {
    documents_.add_error(input, error);
  }
  void finish() override { documents_.finish(); }

 private:
  Documents documents_;
};

class NpyFile : public AttentionWriter {
 public:
  NpyFile(Output& output, bool /*several*/, bool /*ascii*/) : output_(output) {}
  void add(const AttentionView& view, const AttentionLook& /*look*/) override {
    write_attention_npy(view, output_);
  }

 private:
  Output& output_;
};

/// All arrays of one text, or of several, whose names begin with the number of the text from 0, as
/// in "0/attention". A text with an error has none.
class NpzFile : public AttentionWriter {
 public:
  NpzFile(Output& output, bool several, bool /*ascii*/)
      : npz_([&output](const std::string& bytes) { output.write(bytes); }), several_(several) {}

  void add(const AttentionView& view, const AttentionLook& /*look*/) override {
    add_attention_arrays(view, several_ ? std::to_string(number_++) + '/' : "", npz_);
  }
  void add_error(const TextInput& /*input*/, const std::string& /*error*/) override { ++number_; }
  void finish() override { npz_.finish(); }

 private:
  NpzWriter npz_;
  bool several_;
  std::size_t number_ = 0;
};

class PageFile : public AttentionWriter {
 public:
  PageFile(Output& output, bool /*several*/, bool /*ascii*/) : output_(output) {}
  void add(const AttentionView& view, const AttentionLook& look) override { page_.add(view, look); }
  void finish() override {
    page_.write([&](std::string_view piece) { output_.write(piece); });
  }

 private:
  Output& output_;
  AttentionPage page_;
};

/// A text with an error has no place in it.
class SvgFile : public AttentionWriter {
 public:
  SvgFile(Output& output, bool /*several*/, bool /*ascii*/) : output_(output) {}
  void add(const AttentionView& view, const AttentionLook& look) override {
    picture_.add(view, look);
  }
  void add_error(const TextInput& /*input*/, const std::string& /*error*/) override {}
  void finish() override { output_.write(picture_.document()); }

 private:
  Output& output_;
  AttentionPicture picture_;
};

template <typename Writer>
std::unique_ptr<AttentionWriter> writer_to(Output& output, bool several, bool ascii) {
  return std::make_unique<Writer>(output, several, ascii);
}

using TextFile = DocumentWriter<attention_document, DocumentLayout::blocks>;
using JsonFile = DocumentWriter<attention_json, DocumentLayout::json_array>;

constexpr std::size_t kMostInAPicture = 16;
constexpr unsigned kAnyView = kTakesQuery | kTakesNorms | kTakesRollout;
constexpr unsigned kAnyNumbers = kAnyView | kTakesStatistics | kTakesDigits;

constexpr std::array kFormats = {
    AttentionFormat{"text", kAnyNumbers | kTakesNumbers, writer_to<TextFile>, SIZE_MAX},
    AttentionFormat{"json", kAnyNumbers, writer_to<JsonFile>, SIZE_MAX, attention_json_size},
    AttentionFormat{"jsonl", kTakesStatistics | kTakesDigits, writer_to<JsonFile>, SIZE_MAX},
    AttentionFormat{"svg", kAnyView | kTakesNumbers, writer_to<SvgFile>, kMostInAPicture},
    AttentionFormat{"npy", kAnyView, writer_to<NpyFile>},
    AttentionFormat{"npz", kAnyView, writer_to<NpzFile>, SIZE_MAX},
    AttentionFormat{"html", 0, writer_to<PageFile>, AttentionPage::kSides}};

}  // namespace

std::span<const AttentionFormat> attention_formats() { return kFormats; }

const AttentionFormat& attention_format(std::string_view name) {
  return *std::ranges::find(kFormats, name, &AttentionFormat::name);
}

}  // namespace headlight
