"""A strategy for each player: what people store, play and exchange."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from seqform.treeplex import Floats, Treeplex


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

    @property
    def plans(self) -> tuple[Floats, Floats]:
        """The realization plans x (S0,) and y (S1,)."""
        x, y = (t.plan(b) for t, b in zip(self.treeplexes, self.behaviour, strict=True))
        return x, y

    def exchanged(self, player: int, behaviour: Floats) -> "Profile":
        """Return the profile with one player's behaviour (S,) exchanged."""
        other = self.behaviour[1 - player]
        return Profile(self.treeplexes, (behaviour, other) if player == 0 else (other, behaviour))

    def table(self) -> pd.DataFrame:
        """Return one row an action: columns player, infoset, action, probability."""
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
