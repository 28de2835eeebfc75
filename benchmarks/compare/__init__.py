"""The benchmarks of two checkouts side by side."""
