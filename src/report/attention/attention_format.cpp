#include "report/attention/attention_format.h"

#include <array>

#include "report/attention/attention_arrays.h"
#include "report/attention/attention_page.h"
#include "report/attention/attention_picture.h"
#include "report/attention/attention_report.h"
#include "report/attention/attention_text.h"

namespace headlight {
namespace {

constexpr unsigned kAnyView = kTakesQuery | kTakesNorms | kTakesRollout;
constexpr unsigned kAnyNumbers = kAnyView | kTakesStatistics | kTakesDigits;

constexpr std::array kFormats = {
    AttentionFormat{"text", write_attention_text, kAnyNumbers | kTakesNumbers, attention_texts},
    AttentionFormat{"json", write_attention_json, kAnyNumbers, attention_json_array,
                    attention_json_size},
    AttentionFormat{"svg", write_attention_picture, kAnyView | kTakesNumbers},
    AttentionFormat{"npy", write_attention_npy, kAnyView},
    AttentionFormat{"npz", write_attention_npz, kAnyView, attention_npz_arrays},
    AttentionFormat{"html", write_attention_page, kTakesWorth, attention_side_by_side, nullptr,
                    AttentionPage::kSides}};

}  // namespace

std::span<const AttentionFormat> attention_formats() { return kFormats; }

}  // namespace headlight
