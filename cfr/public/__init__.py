"""Full-width regret minimisation on public trees, hands as vectors."""
