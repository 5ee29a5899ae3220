// The vectors of labelled rows, in a file that a stopped run leaves for the next one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/engine.h"
#include "model/model.h"
#include "training/head/text_vectors.h"
#include "training/rows/labelled_rows.h"
#include "training/watch.h"

namespace headlight {

/// Identifies the vectors: the files of the encoder, `cut`, what is left out of it, and the texts
/// in their order.
std::string origin_of_vectors(const Model& model, const Engine& engine, const RowPointers& rows,
                              const std::string& cut);

/// Adds the vectors that `file` lacks, and drops those after them. Returns false if a signal
/// stopped the work, which was said with `hint`, how to continue.
bool encode_rows(const Model& model, const RowPointers& rows, std::size_t threads, VectorFile& file,
                 FitWatch& watch, const std::string& hint = "use --resume to continue");
/// The same with those of the file `kept_vectors`, if one is named, which gets the vectors that
/// they lack.
bool encode_rows(const std::string& kept_vectors, const Model& model, const Engine& engine,
                 const RowPointers& rows, VectorFile& file, FitWatch& watch);

}  // namespace headlight
