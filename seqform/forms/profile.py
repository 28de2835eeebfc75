"""Profiles: the behaviour of both players at every infoset, and what is shown of a strategy.

Shown is how the first infosets of each player are played.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats, Treeplex

if TYPE_CHECKING:
    import pandas as pd


MOST_SHOWN = 12
"""Infosets of each player in a table."""

Played: TypeAlias = tuple[int, str, Mapping[str, float]]
"""A player, an infoset's key, and the probability of each action."""


def strategy_table(title: str, played: Iterable[Played]) -> Columns:
    """Return a row for each infoset."""
    rows = tuple(
        (str(player), infoset, ", ".join(f"{action} {p:.4g}" for action, p in play.items()))
        for player, infoset, play in played
    )
    return Columns(title, ("player", "infoset", "plays"), rows, left=("infoset", "plays"))


Row: TypeAlias = tuple[int, str, str, float]
"""A player, an infoset's key, an action's label and its probability."""


@dataclass(frozen=True, repr=False)
class Profile(Shown):
    """Behaviour at every infoset of both players, normalised everywhere, on path or not.

    Attributes
    ----------
    treeplexes : pair of Treeplex
    behaviour : pair of (S,) f64
        The probability of each sequence's last action at its infoset; 1 for the empty sequence. A read-only
        copy of the argument.
    """

    treeplexes: tuple[Treeplex, Treeplex]
    behaviour: tuple[Floats, Floats]

    def blocks(self) -> tuple[Block, ...]:
        """Return how the first infosets of each player are played."""
        table = strategy_table(f"profile of {self.brief()}", self._first())
        most = max(t.n_infosets for t in self.treeplexes)
        more = (Line(f"the first {MOST_SHOWN} of each player; rows() has all"),) if most > MOST_SHOWN else ()
        return table, *more

    def _first(self) -> Iterator[Played]:
        """Yield the first infosets of each player."""
        for p, (t, b) in enumerate(zip(self.treeplexes, self.behaviour, strict=True)):
            for i in range(min(t.n_infosets, MOST_SHOWN)):
                stretch = slice(t.begin[i], t.end[i])
                play = dict(zip(t.actions[stretch], b[stretch].tolist(), strict=True))
                yield p, t.infosets[i], play

    def brief(self) -> str:
        """Return numbers of infosets."""
        return "{:,} and {:,} infosets".format(*(t.n_infosets for t in self.treeplexes))

    def __post_init__(self) -> None:
        # The certificate's rounding bound is for f64; read-only, so that certificates remain valid.
        x, y = (np.array(b, dtype=np.float64) for b in self.behaviour)
        for b in (x, y):
            b.flags.writeable = False
        object.__setattr__(self, "behaviour", (x, y))

    def __reduce__(self) -> tuple[type["Profile"], tuple[object, object]]:
        # Rebuilt by the constructor: pickles of arrays lose the read-only flag.
        return Profile, (self.treeplexes, self.behaviour)

    @property
    def plans(self) -> tuple[Floats, Floats]:
        """The realization plans x (S0,) and y (S1,)."""
        x, y = (t.plan(b) for t, b in zip(self.treeplexes, self.behaviour, strict=True))
        return x, y

    def exchanged(self, player: int, behaviour: Floats) -> "Profile":
        """Return the profile with one player's behaviour replaced, (S,)."""
        other = self.behaviour[1 - player]
        return Profile(self.treeplexes, (behaviour, other) if player == 0 else (other, behaviour))

    def transfer(
        self, to: tuple[Treeplex, Treeplex], default: "tuple[Floats, Floats] | None" = None
    ) -> "Profile":
        """Return the same strategies on other treeplexes, matched by the infosets' keys and the actions.

        Parameters
        ----------
        to : pair of Treeplex
            Of the same game in another numbering or, with a default, of another game.
        default : pair of (S,) f64, optional
            The behaviour at infosets of ``to`` that the profile does not have. At shared infosets, actions
            that the profile does not have get probability 0; infosets that ``to`` does not have are dropped.

        Raises
        ------
        ValueError
            If there is no default and the infosets and actions are not the same.
        """
        rest = (None, None) if default is None else default
        x, y = map(transferred, self.treeplexes, self.behaviour, to, rest)
        return Profile(to, (x, y))

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at an infoset.

        Raises
        ------
        ValueError
            If the player has no such infoset.
        """
        t = self.treeplexes[player]
        i = t.index.get(infoset)
        if i is None:
            raise BadInputError(f"player {player} has no infoset {infoset!r}")
        stretch = slice(t.begin[i], t.end[i])
        return dict(zip(t.actions[stretch], self.behaviour[player][stretch].tolist(), strict=True))

    def rows(self) -> Iterator[Row]:
        """Yield (player, infoset, action, probability) for each action."""
        for p, (t, b) in enumerate(zip(self.treeplexes, self.behaviour, strict=True)):
            for i, action, probability in zip(
                t.infoset_of[1:].tolist(), t.actions[1:], b[1:].tolist(), strict=True
            ):
                yield p, t.infosets[i], action, probability

    def table(self) -> "pd.DataFrame":
        """Return a data frame with a row for each action: player, infoset, action, probability."""
        import pandas as pd

        parts = [
            pd.DataFrame(
                {
                    "player": p,
                    "infoset": np.array(t.infosets, dtype=object)[t.infoset_of[1:]],
                    "action": np.array(t.actions[1:], dtype=object),
                    "probability": b[1:],
                }
            )
            for p, (t, b) in enumerate(zip(self.treeplexes, self.behaviour, strict=True))
        ]
        return pd.concat(parts, ignore_index=True)


def transferred(own: Treeplex, behaviour: Floats, to: Treeplex, default: Floats | None = None) -> Floats:
    """Return one player's behaviour (S,) on another treeplex, as :meth:`Profile.transfer` does for both."""
    if (own.infosets, own.actions) == (to.infosets, to.actions) and np.array_equal(own.end, to.end):
        return behaviour
    played, wanted = dict(zip(_names(own), behaviour[1:].tolist(), strict=True)), _names(to)
    if default is not None:
        rest = default[1:].tolist()
        moved = [
            played.get(pair, 0.0 if pair[0] in own.index else other)
            for pair, other in zip(wanted, rest, strict=True)
        ]
        return np.array([1.0, *moved])
    lacking = next((pair for pair in wanted if pair not in played), None)
    if lacking is not None:
        raise BadInputError(f"the profile is of another game: it has no {lacking[1]!r} at {lacking[0]!r}")
    if len(wanted) != len(played):
        raise BadInputError("the profile is of another game: it has more actions")
    return np.array([1.0, *(played[pair] for pair in wanted)])


def _names(treeplex: Treeplex) -> list[tuple[str, str]]:
    """Return the infoset's key and the action of each sequence but the empty one."""
    keys = (treeplex.infosets[i] for i in treeplex.infoset_of[1:])
    return list(zip(keys, treeplex.actions[1:], strict=True))
