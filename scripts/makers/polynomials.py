"""Writes src/math/kernels/polynomials.h: the coefficients of exp, tanh and gelu.

    scripts/make polynomials [-o FILE]

Each table is the polynomial with the smallest maximum relative error: Lawson's reweighted least squares (1961) at
Chebyshev nodes. Coefficients are rounded to float32 one by one from the lowest; the others are then fitted again, so
that they compensate for the rounding. Takes half a minute.
"""

import mpmath as mp

from common.command_line import finish, output_path
from common.program import ROOT

OUTPUT = ROOT / "src/math/kernels/polynomials.h"
NODES = 120
ROUNDS = 30
COARSE_END = 4.0  # from there on, t·Φ(-t) < 2e-4 is a constant
TAIL_SCALE, TAIL_MIDDLE, TAIL_END = 3.5, 0.34375, 14.5  # past the end x·Φ(x) is zero

mp.mp.dps = 40


def float32(x, bits=24):
    """x rounded to `bits` significant bits."""
    if not x:
        return x
    unit = mp.mpf(2) ** (mp.floor(mp.log(abs(x), 2)) - bits + 1)
    return mp.nint(x / unit) * unit


def solve(columns, targets, weights):
    """The least squares solution of Σ solution[j] · columns[i][j] ≈ targets[i]."""
    size = len(columns[0])
    matrix, side = mp.zeros(size), mp.zeros(size, 1)
    for column, target, weight in zip(columns, targets, weights):
        for i in range(size):
            side[i] += weight * column[i] * target
            for j in range(size):
                matrix[i, j] += weight * column[i] * column[j]
    return list(mp.lu_solve(matrix, side))


class Fit:
    """A polynomial ≈ function(x) on [low, high], its error measured in `unit(x)`."""

    def __init__(self, function, unit, low, high, degree):
        middle, half = (low + high) / 2, (high - low) / 2
        self.nodes = [middle + half * mp.cos(mp.pi * (2 * k + 1) / (2 * NODES)) for k in range(NODES)]
        self.values = [function(x) for x in self.nodes]
        self.units = [unit(x) for x in self.nodes]
        self.degree = degree

    def errors(self, coefficients):
        return [
            abs(mp.polyval(coefficients[::-1], x) - value) / unit
            for x, value, unit in zip(self.nodes, self.values, self.units)
        ]

    def best(self, fixed):
        """All coefficients, the first ones as they are in `fixed`."""
        free = range(len(fixed), self.degree + 1)
        columns = [[x**i for i in free] for x in self.nodes]
        targets = [value - mp.polyval(fixed[::-1], x) for x, value in zip(self.nodes, self.values)]
        shares = [mp.mpf(1)] * NODES
        found = []
        for _ in range(ROUNDS):
            weights = [share / unit**2 for share, unit in zip(shares, self.units)]
            found.append(fixed + solve(columns, targets, weights))
            shares = [share * error for share, error in zip(shares, self.errors(found[-1]))]
            shares = [share * NODES / sum(shares) for share in shares]
        return min(found, key=lambda coefficients: max(self.errors(coefficients)))

    def rounded(self):
        """Coefficients in float32 and their largest error."""
        fixed = []
        while len(fixed) <= self.degree:
            fixed.append(float32(self.best(fixed)[len(fixed)]))
        return fixed, max(self.errors(fixed))


def exponential():
    half = mp.log(2) / 2 * mp.mpf("1.001")
    return Fit(lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: mp.exp(r) / r**2, -half, half, 4)


def tangent():
    def function(square):
        x = mp.sqrt(square)
        return (mp.tanh(x) / x - 1) / square

    def unit(square):
        x = mp.sqrt(square)
        return mp.tanh(x) / x / square

    return Fit(function, unit, mp.mpf(0), mp.mpf("0.625") ** 2, 4)


def tail():
    def function(u):
        t = TAIL_SCALE * (u + TAIL_MIDDLE) / (1 - u - TAIL_MIDDLE)
        return mp.erfc(t / mp.sqrt(2)) * mp.exp(t * t / 2) / 2 * (t + TAIL_SCALE)

    high = mp.mpf(TAIL_END) / (TAIL_END + TAIL_SCALE) - TAIL_MIDDLE
    return Fit(function, function, -mp.mpf(TAIL_MIDDLE), high, 9)


def coarse_tail():
    """Φ(-t), so that the error of t·Φ(-t) is the smallest, and small for small t."""
    return Fit(
        lambda t: mp.erfc(t / mp.sqrt(2)) / 2,
        lambda t: 1 / max(t, mp.mpf("0.25")),
        mp.mpf(0),
        mp.mpf(COARSE_END),
        6,
    )


def table(name, coefficients):
    numbers = ", ".join(f"{mp.nstr(c, 9)}F" if "." in mp.nstr(c, 9) else f"{mp.nstr(c, 9)}.0F" for c in coefficients)
    return f"inline constexpr float {name}[] = {{{numbers}}};\n"


def number(name, value):
    return f"inline constexpr float {name} = {mp.nstr(value, 9)}F;\n"


def bound(error):
    return f"2^{mp.nstr(mp.log(error, 2), 4)}"


def main():
    output = output_path("make polynomials", __doc__, OUTPUT)
    exp, exp_error = exponential().rounded()
    tanh, tanh_error = tangent().rounded()
    phi, phi_error = tail().rounded()
    coarse, coarse_error = coarse_tail().rounded()
    high = float32(mp.log(2), 15)
    output.write_text(
        "// Coefficients, the lowest power first. Made by scripts/make polynomials. Do not edit.\n"
        "#pragma once\n\n// clang-format off\nnamespace headlight::polynomials {\n\n"
        + number("kLog2OfE", float32(1 / mp.log(2)))
        + "// ln 2 = high + low; high has 15 bits, so that its products with exponents are exact\n"
        + number("kLn2High", high)
        + number("kLn2Low", float32(mp.log(2) - high))
        + f"\n// exp(r) ≈ 1 + r + r²·P(r), |r| ≤ ln(2)/2, relative error {bound(exp_error)}\n"
        + table("kExp", exp)
        + f"\n// tanh(x) ≈ x + x³·P(x²), |x| ≤ 0.625, relative error {bound(tanh_error)}\n"
        + table("kTanh", tanh)
        + "\n// Φ(-t)·exp(t²/2)·(t + scale) ≈ P(t / (t + scale) - middle), 0 ≤ t ≤ end, relative error "
        + f"{bound(phi_error)}\n"
        + number("kTailScale", TAIL_SCALE)
        + number("kTailMiddle", TAIL_MIDDLE)
        + number("kTailEnd", TAIL_END)
        + table("kTail", phi)
        + f"\n// t·Φ(-t) ≈ t·P(t), 0 ≤ t ≤ end, error {bound(coarse_error)}\n"
        + number("kCoarseEnd", COARSE_END)
        + table("kCoarseTail", coarse)
        + "\n}  // namespace headlight::polynomials\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    finish(main)
