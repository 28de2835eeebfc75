"""Full-width regret minimisation on betting lines times boards."""
