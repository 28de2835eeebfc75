"""Action abstractions: a poker game with fewer bet sizes inside one with more."""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from treeplex.gadgets.off_tree.translation import check_alike, raise_sizes
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.profile import Profile, transferred
from treeplex.seqform.forms.sequence_form import SequenceForm, Support


@dataclass(frozen=True)
class Abstraction:
    """A game with few bet sizes and the same game with more.

    Attributes
    ----------
    small, full : PokerGame
        Alike but for stacks and menus, every size of ``small`` in ``full``.

    Raises
    ------
    ValueError
        If they are not alike.
    """

    small: PokerGame
    full: PokerGame

    def __post_init__(self) -> None:
        check_alike(self.small, self.full)
        fewer, more = self.small.betting.sizes or (), self.full.betting.sizes or ()
        for few, many in zip(chain.from_iterable(fewer), chain.from_iterable(more), strict=False):
            parts = ((few.bets, many.bets), (few.raises, many.raises), (few.donk_bets, many.donk_bets))
            if not all(set(part) <= set(whole) for part, whole in parts):
                raise BadInputError(
                    f"every size of {self.small.name} must be among those of {self.full.name}"
                )

    def missing(self, form: SequenceForm) -> Support:
        """Return which sequences of each player in the full game's form end in a raise that ``small`` lacks.

        On a line that the small game has, what it does not offer there; after a raise that it lacks, later
        raises are compared by their size, with the menu of the round and the player.
        """
        masks = []
        for player, treeplex in enumerate(form.treeplexes):
            mask = np.zeros(treeplex.n_sequences, dtype=np.bool_)
            lines: dict[str, set[str]] = {}
            for i in range(treeplex.n_infosets):
                line = treeplex.infosets[i].rpartition(":")[2]
                if line not in lines:
                    lines[line] = self._lacking(line, player)
                for s in range(treeplex.begin[i], treeplex.end[i]):
                    mask[s] = treeplex.actions[s] in lines[line]
            masks.append(mask)
        return masks[0], masks[1]

    def _lacking(self, line: str, player: int) -> set[str]:
        menus = self.small.betting.sizes
        if menus is None:
            raise BadInputError(f"an abstraction needs a menu of bet sizes, {self.small.name} has none")
        point, sizes = self.full.point(line), raise_sizes(self.full, line)
        try:
            return sizes.keys() - self.small.point(line).moves.keys()
        except ValueError:  # the small game's betting does not go there
            menu = menus[point.betting.round][player]
            return {label for label, size in sizes.items() if size not in menu.all_sizes}

    def embedded(self, profile: Profile, form: SequenceForm) -> Profile:
        """Return a profile of the small game as one of the full game's form.

        Missing raises have probability zero; play after them is uniform, and only a placeholder.
        """
        x, y = (
            transferred(small, played, whole, whole.uniform())
            for small, played, whole in zip(
                profile.treeplexes, profile.behaviour, form.treeplexes, strict=True
            )
        )
        return Profile(form.treeplexes, (x, y))
