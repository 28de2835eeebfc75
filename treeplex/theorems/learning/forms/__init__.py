"""Theorems on regret minimisation in other forms of a game: public trees, betting times boards, trunks."""
