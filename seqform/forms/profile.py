"""Profiles: the behaviour of both players at every infoset."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treeplex.seqform.forms.treeplex import Floats, Treeplex

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Profile:
    """Behaviour at every infoset of both players, normalised everywhere, on path or not.

    Attributes
    ----------
    treeplexes : pair of Treeplex
    behaviour : pair of (S,) f64
        The probability of each sequence's last action at its infoset; 1 for the empty sequence. Copied on
        the way in, and read-only.
    """

    treeplexes: tuple[Treeplex, Treeplex]
    behaviour: tuple[Floats, Floats]

    def __post_init__(self) -> None:
        # The certificate's rounding bound is for f64, and a profile must not change under its certificate.
        x, y = (np.array(b, dtype=np.float64) for b in self.behaviour)
        for b in (x, y):
            b.flags.writeable = False
        object.__setattr__(self, "behaviour", (x, y))

    def __reduce__(self) -> tuple[type["Profile"], tuple[object, object]]:
        # Built again rather than restored: pickles of arrays do not keep that they are read-only.
        return Profile, (self.treeplexes, self.behaviour)

    @property
    def plans(self) -> tuple[Floats, Floats]:
        """The realization plans x (S0,) and y (S1,)."""
        x, y = (t.plan(b) for t, b in zip(self.treeplexes, self.behaviour, strict=True))
        return x, y

    def exchanged(self, player: int, behaviour: Floats) -> "Profile":
        """Return the profile with one player's behaviour (S,) exchanged."""
        other = self.behaviour[1 - player]
        return Profile(self.treeplexes, (behaviour, other) if player == 0 else (other, behaviour))

    def numbered_as(self, treeplexes: tuple[Treeplex, Treeplex]) -> "Profile":
        """Return the same strategies in another numbering of the same game, matched by key and action.

        Raises
        ------
        ValueError
            If the infosets and actions are not the same.
        """
        moved = []
        for own, behaviour, other in zip(self.treeplexes, self.behaviour, treeplexes, strict=True):
            played = dict(zip(_names(own), behaviour[1:].tolist(), strict=True))
            wanted = _names(other)
            lacking = next((pair for pair in wanted if pair not in played), None)
            if lacking is not None or len(wanted) != len(played):
                what = (
                    "it has more actions"
                    if lacking is None
                    else f"it has no {lacking[1]!r} at {lacking[0]!r}"
                )
                raise ValueError(f"the profile is of another game: {what}")
            moved.append(np.array([1.0, *(played[pair] for pair in wanted)]))
        return Profile(treeplexes, (moved[0], moved[1]))

    def table(self) -> "pd.DataFrame":
        """Return one row an action: columns player, infoset, action, probability."""
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


def _names(treeplex: Treeplex) -> list[tuple[str, str]]:
    """Return the infoset's key and the action of each sequence but the empty one."""
    keys = (treeplex.infosets[i] for i in treeplex.infoset_of[1:])
    return list(zip(keys, treeplex.actions[1:], strict=True))
