"""Cards, decks and ranges; strengths, equities and numbers of hands."""
