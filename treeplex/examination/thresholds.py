"""Thresholds of verdicts, and the schedule of what solvers are asked for."""

EXACT = 1e-5
"""A solver whose certificate is at most this part of the game's scale wide is right, whatever it is."""
ARRIVED = 1e-4
"""A solver that falls with its iterations has arrived once its certificate is this narrow, in parts of the
scale; what stays above is stuck at a bias. Floats of 32 bits and rounded tables stay below."""
FINGERPRINTED = 12
"""Strategies after 1 to so many iterations are compared with those of known methods."""
LATER = 64
"""A solver that returns one strategy after 1, 2 and so many iterations does not iterate."""
MATCHED_ITERATIONS = 256
"""Where a solver is recognised as a known method, as many iterations show that it goes on as it began."""
STUCK_ITERATIONS = 4096
"""After so many iterations a solver that is stuck, and was compared with known methods, is asked no more."""
FALLING = 0.8
"""A series whose last width is less than this part of that after a quarter of the iterations still falls."""
SETTLED = 0.25
"""A solver without fingerprint is asked for no more once it has come within this part of what it must reach,
and falls: narrower widths of a method that samples take sixteen times the time for a quarter."""
MOST_LOSSES = 5
"""Infosets that a report names: those where most is lost."""
