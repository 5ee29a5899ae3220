// What \p{L} and its kin match in a pattern. Each release of Oniguruma has its own Unicode, and the
// one that is installed need not be the reference's.
#pragma once

namespace headlight {

/// Gives Oniguruma, once it is initialized, the reference's classes for \p{L}, \p{Lu}, …, \p{Z}:
/// all general categories, but for the parts of P, S, Z and C. Returns its status.
int define_properties();

}  // namespace headlight
