// The formulas of the specification on single numbers of float64, one function each.
#pragma once

#include <string>
#include <vector>

#include "reference/tensors.h"

namespace headlight::reference {

/// act(x) for the name of an activation in a config.
double activate(const std::string& name, double x);

/// Every name that activate knows.
const std::vector<std::string>& activation_names();

double sigmoid(double x);

/// MPNet's buckets, for a query at i and a key at j.
inline constexpr std::size_t kBuckets = 32;
std::size_t relative_bucket(std::size_t i, std::size_t j);

/// P(position) of d numbers: P[2k] = sin(position / 10000^(2k/d)), P[2k+1] = cos of the same.
Vector sinusoidal(std::size_t position, std::size_t d);

}  // namespace headlight::reference
