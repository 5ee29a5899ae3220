// How a view of attention is formatted.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "report/formats/colours.h"

namespace headlight {

/// The names of heads, by layer and head.
using HeadNames = std::map<std::pair<std::size_t, std::size_t>, std::string>;

/// Each format uses the fields that apply to it.
struct AttentionLook {
  std::string verdict;             // the prediction as text
  std::size_t columns = 80;        // terminal width, at least 40
  bool color = false;              // for a terminal
  TerminalColours terminal;        // if `color`
  bool ascii = false;              // JSON with ASCII characters only
  bool heads = false;              // show the chosen heads instead of an overview
  bool all = false;                // an overview of all heads and queries, however long
  bool lists = false;              // list each query's strongest keys even if a heat map would fit
  bool numbers = false;            // print weights in the cells of a heat map
  std::string title = {};          // above a picture; empty: none
  HeadNames head_names;            // shown beside their numbers in pictures
  bool own_scales = false;         // each map of a picture from its smallest to its largest weight
  bool difference = false;         // of two texts or models; a page computes it of its two sides
  bool statistics = false;         // statistics of the heads instead of their weights
  std::optional<unsigned> digits;  // number of decimals
  /// Called by formats that take long, with the number of layers that are done; may be empty.
  std::function<void(std::size_t done, std::size_t layers)> progress;
};

}  // namespace headlight
