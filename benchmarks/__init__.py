"""What the project promises to be fast at, measured: ``make bench`` runs all of it."""
