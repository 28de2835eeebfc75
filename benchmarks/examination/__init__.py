"""Right and wrong solvers in plain Python, and what ``examine`` says of each on each game."""
