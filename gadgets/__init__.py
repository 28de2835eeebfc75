"""Subgames solved again: gadgets, margins, nested and depth-limited solving."""

# The repository's own folder would be loaded as a second copy, with classes of its own.
if __name__ != "treeplex.gadgets":
    raise ImportError("gadgets is a part of treeplex: import treeplex.gadgets")
