// Learns a dictionary of words or n-grams from texts, with the inverse document frequency of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sparse/analyzer.h"
#include "sparse/dictionary.h"

namespace headlight {

/// A dictionary that owns its memory, in the order of hashes.
struct LearnedTerms {
  std::vector<std::uint32_t> hashes;  // [V]
  std::vector<std::uint32_t> ends;    // [V] in `terms`
  std::string terms;
  std::vector<double> idf;  // [V] ln((1 + n) / (1 + texts with the term)) + 1, for n texts

  SparseDictionary dictionary() const { return {hashes, ends, terms, "the dictionary"}; }
};

class TermCounting {
 public:
  explicit TermCounting(AnalyzerSettings settings) : settings_(std::move(settings)) {}

  /// Throws TextError for a text that cannot be read. Memory is limited: of more than four million
  /// different terms, the rarest are forgotten.
  void read(std::string_view text);
  /// All terms; of more than `most` those of several texts, and of these the ones of the most
  /// texts.
  LearnedTerms learn(std::size_t most) const;

 private:
  struct Term {
    std::uint32_t hash;
    std::uint32_t size;    // in bytes
    std::uint64_t begin;   // in bytes_
    std::uint32_t texts;   // with the term
    std::uint32_t latest;  // of them, from 1
  };

  std::string_view bytes_of(const Term& term) const {
    return std::string_view(bytes_).substr(term.begin, term.size);
  }
  void count(std::string_view term);
  void place(std::uint32_t number);
  /// Those of fewer texts than the rarest that fit into half of the memory.
  void forget_rarest();

  AnalyzerSettings settings_;
  AnalyzerScratch scratch_;
  std::uint32_t texts_ = 0;
  std::string bytes_;                  // of all terms
  std::vector<Term> terms_;            // in the order in which they came
  std::vector<std::uint32_t> places_;  // a hash table: 1 + number of a term, or 0
};

}  // namespace headlight
