"""The same methods as linear programs without gadget games: second witnesses."""
