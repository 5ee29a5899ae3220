// The relative scores of disentangled attention (He et al. 2021, "DeBERTa", §3.1). For a head with
// the scores q_i · k_j of its queries and keys,
//
//   content to position   adds q_i · K_c,  c = column(i - j)
//   position to content   adds k_j · Q_c
//
// K and Q [2s, e] are the projected relative embeddings. The products of queries and K are one
// table [m, columns] for a block of queries, those of Q and keys a table for a small block of
// scores. No table has more columns than the block has distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "math/matrix.h"
#include "math/products.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// What the scores of one layer add. Without tables, nothing.
struct RelativeScores {
  const RelativeTables* tables = nullptr;
  /// [2r - 1], r ≥ n: number r - 1 + j - i is column(i - j) for a query at i and a key at j
  /// (PositionTables::relative_columns).
  std::span<const std::uint32_t> columns = {};
};

/// One head of them.
struct RelativeHead {
  Panels keys;          // K [e, 2s]; without data: none
  ConstMatrix queries;  // Q [2s, e]; empty: none
  std::span<const std::uint32_t> columns;
};

/// Head k, whose queries are the columns of H from `first` on.
RelativeHead relative_head(const HeadsDescription& heads, std::size_t k, std::size_t first,
                           const RelativeScores& scores);

/// Scores of m queries in a row and n keys in a row.
struct ScoreBlock {
  ConstMatrix query;      // [m, e]
  Panels keys;            // [e, n]
  std::size_t position;   // of the first query
  std::size_t first_key;  // position of the first key
  Matrix scores;          // [m, n]: q · k, not scaled
};

/// Adds the relative scores of the head. A score has the same bits in every block.
void add_relative_scores(const RelativeHead& head, const ScoreBlock& block);

}  // namespace headlight
