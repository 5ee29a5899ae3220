// What the processor can do beyond the instruction sets that the kernels are compiled for. All are
// false if the instruction set in use is not the one that they extend.
#pragma once

namespace headlight {

/// Dot products of four 8-bit integers: AVX512-VNNI or AVX-VNNI.
bool has_integer_fours();
/// Dot products of two bfloat16 numbers: AVX512-BF16.
bool has_bfloat_pairs();
/// Products of tiles (AMX) of 8-bit integers and of bfloat16 numbers. The first call asks the
/// system for the permission to use them.
bool has_integer_tiles();
bool has_bfloat_tiles();

}  // namespace headlight
