// What attention reads by position, for the texts of a batch.
#pragma once

#include <cstdint>
#include <span>

#include "encoder/batch.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

struct Scratch;

/// n is the length of the batch's longest text, with the tokens of earlier passes.
struct PositionTables {
  /// For each kind of rotary positions, [m, 2p] with p frequencies: row i has the cosines and then
  /// the sines of the angles at position Batch::first_position() + i.
  std::span<const Matrix> rotary;
  /// Of each relative bias [h, 2n - 1]: column n - 1 + j - i is added to the score of query i and
  /// key j (Raffel et al. 2020, "Exploring the Limits of Transfer Learning", §2.1; MPNet).
  std::span<const Matrix> relative_biases;
  /// [2n - 1]: number n - 1 + j - i is the relative embedding that query i and key j read
  /// (disentangled_attention.h). Empty without relative attention.
  std::span<const std::uint32_t> relative_columns;
};

/// Each of `biases` [r, h] has a number for each bucket of distances. The tables are valid until
/// `scratch` is used for the next batch.
PositionTables position_tables(const Description& model, std::span<const ConstMatrix> biases,
                               const Batch& batch, Scratch& scratch);

}  // namespace headlight
