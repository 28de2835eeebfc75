"""The family of full-width regret minimisers as numbers, and its local rules."""
