"""CFR-D: regret minimisation on a trunk, with the subgames below it solved in every iteration."""
