"""Regret minimisers on sequence forms, public trees, factored trees and by sampling."""

# The repository's own folder would be loaded as a second copy, with classes of its own.
if __name__ != "treeplex.cfr":
    raise ImportError("cfr is a part of treeplex: import treeplex.cfr")
