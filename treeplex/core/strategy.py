"""The protocol of strategies, and certificates of profiles and of strategies on boards.

Average strategies of the infosets that a sampled run met, by key.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeAlias, overload, runtime_checkable

from treeplex.core.problem import Problem
from treeplex.games.base.display import Block, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_certificate import FactoredCertificate, certify_factored
from treeplex.seqform.certify.certificate import Certificate, certify, certify_exactly
from treeplex.seqform.forms.profile import MOST_SHOWN, Profile, Row, strategy_table


@runtime_checkable
class Strategy(Protocol):
    """Both players' behaviour by infoset and action.

    ``Profile`` (a table of all infosets), ``FactoredStrategy`` (on betting times boards) and
    ``SampledStrategy`` (the infosets that a sampled run met) are strategies.
    """

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely a player takes each action at an infoset.

        Raises
        ------
        ValueError
            If the strategy has no such infoset of that player.
        """

    def rows(self) -> Iterator[Row]:
        """Yield player, infoset, action and probability: one row an action, an infoset's rows together."""


Judged: TypeAlias = Profile | FactoredStrategy
"""Strategies of all infosets, which can be certified."""


@overload
def certificate_of(
    problem: Problem, strategy: FactoredStrategy, *, exact: bool = False
) -> FactoredCertificate: ...


@overload
def certificate_of(problem: Problem, strategy: Profile, *, exact: bool = False) -> Certificate: ...


def certificate_of(problem: Problem, strategy: Judged, *, exact: bool = False) -> Certificate:
    """Prove an interval for a game's value from a strategy, without any solver.

    A profile is judged by best responses on the sequence form, a strategy on boards on every real board.

    Parameters
    ----------
    problem : Problem
    strategy : Profile or FactoredStrategy
        A profile of ``problem.whole``.
    exact : bool
        In rationals; for profiles.

    Raises
    ------
    ValueError
        If the strategy is not one for both players of the game, plays something else than what is locked, or
        is on boards and is to be judged exactly.
    """
    if isinstance(strategy, FactoredStrategy):
        if exact:
            raise BadInputError("exact certificates are for tables, got a strategy on boards")
        return certify_factored(problem.poker("a strategy on boards is of a poker game"), strategy)
    judge = certify_exactly if exact else certify
    return judge(problem.form, problem.played(strategy))


class InfosetTable(Protocol):
    """Average strategies by infoset, as the engines on hash tables return them."""

    def at(self, player: int, key: str) -> Mapping[str, float] | None:
        """Return the strategy of an infoset; None if the run never met it."""

    def items(self, player: int) -> Iterator[tuple[str, Mapping[str, float]]]:
        """Yield a player's infosets and strategies, in the order in which they were met."""


@dataclass(frozen=True, repr=False)
class SampledStrategy(Shown):
    """The average strategy at every infoset that a run met, and at no other.

    Attributes
    ----------
    table : InfosetTable
    """

    table: InfosetTable

    def blocks(self) -> tuple[Block, ...]:
        """Return how the infosets of each player that were met first are played."""
        first = (
            (player, key, play)
            for player in (0, 1)
            for key, play in islice(self.table.items(player), MOST_SHOWN)
        )
        table = strategy_table(self.brief(), first)
        return table, Line(f"at most the first {MOST_SHOWN} of each player; rows() has all")

    def brief(self) -> str:
        """Return what it is a strategy of."""
        return "the infosets that a sampled run met"

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely a player takes each action at an infoset.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the run never met it.
        """
        probabilities = self.table.at(player, infoset)
        if probabilities is None:
            raise BadInputError(f"the run never met player {player}'s infoset {infoset!r}")
        return dict(probabilities)

    def rows(self) -> Iterator[Row]:
        """Yield player, infoset, action and probability, in the order in which infosets were met."""
        for player in (0, 1):
            for key, strategy in self.table.items(player):
                for action, probability in strategy.items():
                    yield player, key, action, probability
