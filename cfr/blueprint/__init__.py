"""External-sampling Monte Carlo CFR with a card abstraction, on flat tables by betting line and bucket."""
