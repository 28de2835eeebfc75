"""Rules of games: what can happen and what it pays."""

# The repository's own folder would be loaded as a second copy, with classes of its own.
if __name__ != "treeplex.games":
    raise ImportError("games is a part of treeplex: import treeplex.games")
