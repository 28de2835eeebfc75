"""Linear programs and their proofs, exact arithmetic, best responses to card-blind strategies."""
