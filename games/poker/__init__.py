"""Poker without a board of its own: one definition, betting, bet sizes, rankings, locks."""
