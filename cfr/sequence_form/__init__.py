"""Full-width regret minimisation on sequence forms."""
