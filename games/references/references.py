"""All references."""

from treeplex.games.references.poker import POKER
from treeplex.games.references.small import SMALL
from treeplex.games.references.zoo import ZOO

REFERENCES = (*SMALL, *ZOO, *POKER)
"""Games whose exact value is known, in the order of the page of games."""
