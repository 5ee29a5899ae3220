// Measures of rankings, as in trec_eval.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "metrics/measure.h"

namespace headlight {

struct Answer {
  float score = 0.0F;
  double relevance = 0.0;  // not above 0: it does not answer the query
};
/// The answers to each query.
using Rankings = std::map<std::string, std::vector<Answer>>;

/// Of the k answers with the highest scores, equal ones in the order given: their number and means
/// over the queries, at least one, with 95 % confidence intervals. Without a relevant answer, those
/// of a query are 0.
std::vector<Measure> ranking_measures(const Rankings& rankings, std::size_t k);

}  // namespace headlight
