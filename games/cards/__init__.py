"""Cards, decks and ranges of hold'em hands."""
