"""What the checks, the makers and the benchmarks share."""
