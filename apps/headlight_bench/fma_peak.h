// How fast one core can multiply and add: the limit that products are held against.
#pragma once

namespace headlight::bench {

/// FLOP a second of float32 multiply-adds in registers, with the instruction set in use: the best
/// of a few milliseconds from now on. Of "SCALAR" products can do more than this: compilers make
/// vectors of some of their loops.
double fma_peak();

}  // namespace headlight::bench
