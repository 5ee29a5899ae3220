// Coefficients, the lowest power first. Made by scripts/make polynomials. Do not edit.
#pragma once

// clang-format off
namespace headlight::polynomials {

inline constexpr float kLog2OfE = 1.44269502F;
// ln 2 = high + low; high has 15 bits, so that its products with exponents are exact
inline constexpr float kLn2High = 0.693145752F;
inline constexpr float kLn2Low = 1.42860677e-6F;

// exp(r) ≈ 1 + r + r²·P(r), |r| ≤ ln(2)/2, relative error 2^-28.25
inline constexpr float kExp[] = {0.49999994F, 0.166665211F, 0.0416682735F, 0.00836868584F, 0.00138201378F};

// tanh(x) ≈ x + x³·P(x²), |x| ≤ 0.625, relative error 2^-27.72
inline constexpr float kTanh[] = {-0.333332807F, 0.133314118F, -0.0537374355F, 0.020632321F, -0.00569802988F};

// Φ(-t)·exp(t²/2)·(t + scale) ≈ P(t / (t + scale) - middle), 0 ≤ t ≤ end, relative error 2^-26.55
inline constexpr float kTailScale = 3.5F;
inline constexpr float kTailMiddle = 0.34375F;
inline constexpr float kTailEnd = 14.5F;
inline constexpr float kTail[] = {0.955642879F, -1.59692967F, 1.72811496F, -1.03807199F, 0.0540676787F, 0.346991837F, -0.0784108788F, -0.148372039F, 0.0288408455F, 0.0558778159F};

// t·Φ(-t) ≈ t·P(t), 0 ≤ t ≤ end, error 2^-12.29
inline constexpr float kCoarseEnd = 4.0F;
inline constexpr float kCoarseTail[] = {0.500214338F, -0.389954567F, -0.0438407995F, 0.140586644F, -0.0577622876F, 0.00995341223F, -0.000644935353F};

}  // namespace headlight::polynomials
