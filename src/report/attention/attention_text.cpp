#include "report/attention/attention_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "inside/strongest.h"
#include "report/attention/head_statistics.h"
#include "report/attention/strongest_tokens.h"
#include "report/formats/colours.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"
#include "text/unicode/columns.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 5> kShades = {"  ", "░░", "▒▒", "▓▓", "██"};
constexpr std::size_t kCell = 2;    // columns, the width of a wide character
constexpr std::size_t kMargin = 1;  // between names and cells
constexpr std::size_t kMapGap = 3;  // between maps
constexpr std::size_t kMostListed = 12;
constexpr std::size_t kScreen = 24;     // lines, of which an overview fills those that are left
constexpr std::size_t kLeastHeads = 6;  // in it, however long the text is
constexpr std::size_t kOther = 4;       // lines: the prediction, two beside the heads, the prompt

unsigned decimals_of(const AttentionLook& look) { return look.digits.value_or(2); }

/// A block of rows [q, w] with the names of its queries.
class Block {
 public:
  /// Of a layer, or of the rollout over all.
  Block(const AttentionView& view, const AttentionLook& look, double most,
        std::optional<std::size_t> layer)
      : units_(layer ? view.keys_of(*layer) : view.choice().units),
        look_(look),
        decimals_(decimals_of(look)),
        scale_{0.0, most},
        title_(std::string("layer 10, head 10").size() + (view.model().decoder ? 10 : 0)) {
    for (const TokenWord& unit : view.queries_of(layer.value_or(view.last_layer()))) {
      queries_.push_back(shown_unit(unit));
      left_ = std::max(left_, width_of(queries_.back()));
    }
  }

  /// A heat map, or lists of at most `most` queries.
  std::string text(std::span<const double> weights, std::size_t most = SIZE_MAX) const {
    return is_map() ? side_by_side({lines(weights)}) : lists(weights, most);
  }

  /// The same of several heads, each with a title; as many maps beside each other as have room.
  std::string texts(const std::vector<std::pair<std::string, std::vector<double>>>& heads) const {
    const std::size_t room = (look_.columns + kMapGap) / (width() + kMapGap);
    std::string text;
    std::vector<std::vector<std::string>> maps;
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const auto& [title, weights] = heads[i];
      if (!is_map()) {
        text += '\n' + title + '\n' + lists(weights, SIZE_MAX);
        continue;
      }
      maps.push_back(lines(weights));
      maps.back().insert(maps.back().begin(), begin_in(title, width()));
      if (maps.size() < room && i + 1 < heads.size()) continue;
      text += '\n' + side_by_side(maps);
      maps.clear();
    }
    return text;
  }

  /// The scale of the shades or colours; empty if there are none.
  std::string legend() const {
    if (look_.numbers || !is_map()) return "";
    std::string text = "\nweights up to " + fixed(scale_.high, decimals_) + ":";
    if (look_.color) {
      constexpr unsigned kSteps = 8;
      text = "\nweights 0 ";
      for (unsigned step = 0; step <= kSteps; ++step) {
        text += painted("  ", scale_.high * step / kSteps);
      }
      return text + " " + fixed(scale_.high, decimals_) + '\n';
    }
    for (std::size_t shade = 1; shade < kShades.size(); ++shade) {
      const double from = (static_cast<double>(shade) - 0.5) / (kShades.size() - 1) * scale_.high;
      text += "  " + std::string(kShades[shade]) + " from " + fixed(from, decimals_);
    }
    return text + '\n';
  }

 private:
  bool is_map() const {
    return !look_.lists && left_ + kMargin + units_.size() * cell_width() <= look_.columns;
  }

  /// Of a map, and of a title that is hardly longer than it.
  std::size_t width() const {
    return std::max(left_ + kMargin + units_.size() * cell_width(), title_);
  }

  static std::string side_by_side(const std::vector<std::vector<std::string>>& maps) {
    std::string text;
    for (std::size_t i = 0; i < maps.front().size(); ++i) {
      std::string line;
      for (const auto& map : maps) line += (line.empty() ? "" : std::string(kMapGap, ' ')) + map[i];
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    }
    return text;
  }

  std::size_t cell_width() const {
    return look_.numbers ? fixed(scale_.high, decimals_).size() + 1 : kCell;
  }

  std::string painted(const std::string& cell, double weight) const {
    return headlight::painted(cell, scale_, weight, look_.terminal);
  }

  std::string cell_of(double weight) const {
    if (look_.numbers) {
      const std::string number = end_in(fixed(weight, decimals_), cell_width());
      return look_.color ? painted(number, weight) : number;
    }
    if (look_.color) return painted("  ", weight);
    const double share = scale_.high > 0.0 ? weight / scale_.high : 0.0;
    const auto shade = static_cast<std::size_t>(std::lround(share * (kShades.size() - 1)));
    return std::string(kShades[std::min(shade, kShades.size() - 1)]);
  }

  /// The names of the keys, vertically above their columns, one letter per line.
  std::vector<std::string> heading() const {
    std::vector<std::vector<std::string>> letters;
    std::size_t height = 0;
    for (const TokenWord& unit : units_) {
      letters.push_back(letters_of(unit));
      height = std::max(height, letters.back().size());
    }
    std::vector<std::string> lines;
    for (std::size_t line = 0; line < height; ++line) {
      std::string row(left_ + kMargin, ' ');
      for (const auto& name : letters) {
        const std::size_t above = height - name.size();
        const std::string letter = line < above ? "" : name[line - above];
        row += look_.numbers ? end_in(letter, cell_width()) : begin_in(letter, cell_width());
      }
      lines.push_back(begin_in(row, width()));
    }
    return lines;
  }

  /// The letters of a name, each with its combining marks.
  static std::vector<std::string> letters_of(const TokenWord& unit) {
    constexpr std::size_t kMost = 8;
    std::vector<std::string> letters;
    for (const char32_t c : to_code_points(printable(unit.text))) {
      const std::u32string letter(1, c);
      if (columns_of(letter) == 0 && !letters.empty()) {
        letters.back() += to_utf8(letter);
      } else {
        letters.push_back(to_utf8(letter));
      }
    }
    if (letters.size() > kMost) {  // in the middle, as cut_to() does
      const auto middle = letters.begin() + kMost / 2;
      *middle = "…";
      letters.erase(middle + 1, letters.end() - (kMost - 1 - kMost / 2));
    }
    return letters;
  }

  /// The heading and the rows of a map, all width() wide.
  std::vector<std::string> lines(std::span<const double> weights) const {
    std::vector<std::string> lines = heading();
    const std::size_t rest = width() - left_ - kMargin - units_.size() * cell_width();
    for (std::size_t row = 0; row < queries_.size(); ++row) {
      std::string line = begin_in(queries_[row], left_ + kMargin);
      for (const double weight : weights.subspan(row * units_.size(), units_.size())) {
        line += cell_of(weight);
      }
      lines.push_back(line + std::string(rest, ' '));
    }
    return lines;
  }

  std::string lists(std::span<const double> weights, std::size_t most) const {
    const std::size_t used = left_ + 2;
    std::string text;
    for (std::size_t row = 0; row < std::min(most, queries_.size()); ++row) {
      text += begin_in(queries_[row], used) +
              strongest_text(weights.subspan(row * units_.size(), units_.size()), units_,
                             look_.columns - std::min(look_.columns, used), decimals_) +
              '\n';
    }
    if (queries_.size() > most) {
      text +=
          "… and " + std::to_string(queries_.size() - most) + " more; use --query to show one\n";
    }
    return text;
  }

  const std::vector<TokenWord>& units_;
  const AttentionLook& look_;
  unsigned decimals_;
  ColourScale scale_;
  std::size_t title_;  // columns of a title, " (decoder)" included
  std::vector<std::string> queries_;
  std::size_t left_ = 0;  // columns of the widest query
};

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

std::string kind_of(const AttentionView& view) {
  return view.choice().weighted ? ", norm-weighted" : "";
}

double greatest(std::span<const double> values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

/// "[SEP]" and its mean weight, or "the previous token" if that has a larger weight.
struct Target {
  std::string name;
  double weight = 0.0;
  bool special = false;
};

Target mostly(const AttentionView& view, const HeadStatistics& head) {
  const std::string unit = view.choice().words ? "word" : "token";
  const std::vector<float> weights = view.weights(head.layer, head.head);
  std::vector<double> keys(view.width(), 0.0);  // the mean over the queries
  for (std::size_t i = 0; i < weights.size(); ++i) {
    keys[i % view.width()] += weights[i] / static_cast<double>(view.rows());
  }
  const std::size_t first = strongest(keys, 1).front();
  const TokenWord& key = view.keys_of(head.layer)[first];
  Target most = {shown_unit(key), keys[first], key.sequence == Sequence::none};
  const auto consider = [&](const std::string& name, double weight) {
    if (weight > most.weight) most = {name, weight};
  };
  consider("itself", head.self);
  consider("the previous " + unit, head.previous);
  consider("the next " + unit, head.next);
  return most;
}

/// A line of a head, over all queries, with unweighted attention.
struct HeadLine {
  std::vector<std::string> cells;
  bool special = false;  // it mostly attends to a special token
  double weight = 0.0;
};

std::vector<HeadLine> lines_of_heads(const AttentionView& view, unsigned decimals) {
  std::vector<HeadLine> lines;
  for (const HeadStatistics& head : view.statistics()) {
    const Target target = mostly(view, head);
    lines.push_back({{layer_label(view.model(), head.layer), std::to_string(head.head), target.name,
                      fixed(target.weight, decimals), fixed(head.entropy, decimals)},
                     target.special,
                     target.weight});
  }
  return lines;
}

/// All heads if `most` is at least their number; else those that attend most strongly, at first to
/// words.
std::string head_lines(const AttentionView& view, unsigned decimals, std::size_t most) {
  std::vector<HeadLine> heads = lines_of_heads(view.over_all_queries(), decimals);
  const std::size_t hidden = heads.size() - std::min(most, heads.size());
  if (hidden > 0) {
    std::ranges::stable_sort(heads, [](const HeadLine& a, const HeadLine& b) {
      return std::pair(a.special, -a.weight) < std::pair(b.special, -b.weight);
    });
    heads.resize(most);
  }
  TextTable table({"layer", "head", "attends to", "weight", "entropy"}, 3);
  for (HeadLine& head : heads) table.add(std::move(head.cells));
  return table.text() + (hidden == 0 ? ""
                                     : "and " + std::to_string(hidden) +
                                           " other heads, weaker or on special tokens; --all "
                                           "shows them\n");
}

std::string heads_text(const AttentionView& view, const AttentionLook& look) {
  const AttentionChoice& choice = view.choice();
  const double most = view.largest_shown();
  std::string text;
  for (const std::size_t layer : choice.layers) {
    const Block block(view, look, most, layer);
    if (text.empty()) text = block.legend();
    std::vector<std::pair<std::string, std::vector<double>>> heads;
    for (const std::size_t head : choice.heads) {
      heads.emplace_back("layer " + layer_label(view.model(), layer) + ", head " +
                             std::to_string(head) + kind_of(view),
                         widened(view.shown(layer, head)));
    }
    text += block.texts(heads);
  }
  return text;
}

}  // namespace

std::string attention_text(const AttentionView& view, const AttentionLook& look) {
  if (!view.choice().rollout) return heads_text(view, look);
  const std::vector<double> rollout = view.rollout();
  const Block block(view, look, greatest(rollout), std::nullopt);
  return block.legend() + "\nrollout over all layers\n" + block.text(rollout) + '\n' +
         strongest_lines(view, look.columns, decimals_of(look));
}

std::string attention_overview(const AttentionView& view, const AttentionLook& look) {
  const std::size_t layers = view.model().layers.size();
  std::string text;
  if (layers > 0) {
    const std::vector<double> mean = widened(view.mean_shown(layers - 1));
    const Block block(view, look, greatest(mean), layers - 1);
    text = block.legend() + "\nlayer " + layer_label(view.model(), layers - 1) +
           ", mean of its heads" + kind_of(view) + '\n' +
           block.text(mean, look.all ? SIZE_MAX : kMostListed);
  }
  std::string pooled = '\n' + strongest_lines(view, look.columns, decimals_of(look));
  if (layers == 0) return pooled;
  const auto used = static_cast<std::size_t>(std::ranges::count(text + pooled, '\n')) + kOther;
  const std::size_t rows = std::max(kLeastHeads, kScreen - std::min(kScreen, used));
  return text + head_lines(view, decimals_of(look), look.all ? SIZE_MAX : rows) + pooled;
}

std::string attention_document(const AttentionView& view, const AttentionLook& look) {
  const std::string verdict = look.verdict + '\n';
  if (look.statistics) {
    const unsigned decimals = look.digits.value_or(4);
    return verdict + head_statistics_text(view.statistics(), decimals) + '\n' +
           strongest_lines(view, look.columns, decimals);
  }
  if (view.choice().rollout || look.heads) return verdict + attention_text(view, look);
  return verdict + attention_overview(view, look);
}

}  // namespace headlight
