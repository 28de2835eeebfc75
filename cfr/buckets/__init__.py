"""Full-width regret minimisation with hands tied by bucket over all boards."""
