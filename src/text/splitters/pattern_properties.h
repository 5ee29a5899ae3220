// The characters that \p{L} and similar properties match in a pattern. Each release of Oniguruma
// has its own Unicode version, and the installed one may differ from the reference's.
#pragma once

namespace headlight {

/// Defines the reference's classes for \p{L}, \p{Lu}, …, \p{Z} in Oniguruma: all general categories
/// except the subcategories of P, S, Z and C. Call it after the initialization of Oniguruma.
/// Returns Oniguruma's status.
int define_properties();

}  // namespace headlight
