"""A strategy of an abstraction made to play the full game: what both functions of it prepare and report."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from treeplex.core.problem import GameLike
from treeplex.core.progress import Progress
from treeplex.core.result import COUNTS
from treeplex.gadgets.nested.moves import OffTreeTop, off_tree_levels, off_tree_tops, states_after
from treeplex.gadgets.solving.joint import joint_optimum
from treeplex.gadgets.translation.abstraction import Abstraction
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, Support
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.store.completion import Completed, check_missing
from treeplex.store.strategy_like import StrategyLike
from treeplex.subgames.abstractions import AbstractionLike, abstraction_of, game_with_menus
from treeplex.subgames.inputs import distance_to_value, enumerated, make_blueprint


@dataclass(frozen=True, kw_only=True)
class OffTreeResult:
    """A defender's strategy of an abstraction in the full game, and what off-tree moves gain against it.

    Attributes
    ----------
    game, abstraction : str
        The names of the full game and of the one with fewer bet sizes.
    unit : str
    method : str
        ``translation``, or the gadget that answers off-tree moves.
    approach : str or None
        ``inexpensive`` or ``expensive``; None for translation.
    defender : int
    tops : tuple of OffTreeTop
        For every off-tree move of the opponent and each of its infosets, where chance and the strategy come.
    exploitability_before, exploitability_after, exploitability_joint : float
        The defender's distance from the full game's value, in its unit: of the blueprint, uniform after
        off-tree moves; of ``profile``; of the best strategy that differs from the blueprint only there.
    value : Certificate
        The proved interval for the full game's value that they are measured from.
    profile : Profile
        On the full game.
    seconds : float
        Wall time of answering or translating alone.
    parameters : mapping
        What was asked for.
    """

    game: str
    abstraction: str
    unit: str
    method: str
    approach: str | None
    defender: int
    tops: tuple[OffTreeTop, ...]
    exploitability_before: float
    exploitability_after: float
    exploitability_joint: float
    value: Certificate
    profile: Profile
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no off-tree move is met."""
        return min((top.margin for top in self.tops), default=None)

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "abstraction": self.abstraction,
            "method": self.method,
            "approach": self.approach,
            "defender": self.defender,
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "exploitability_joint": self.exploitability_joint,
            **{key: self.parameters[key] for key in COUNTS if self.parameters.get(key)},
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Prepared:
    """A full game, an abstraction of it, and a blueprint for the abstraction.

    Attributes
    ----------
    abstraction : Abstraction
    game : NumberedTree
        The full game.
    small : SequenceForm
        The abstraction's.
    value : Certificate
        Of the full game.
    blueprint : Completed
        On the abstraction.
    start : Profile
        The blueprint on the full game: missing moves have probability zero, play after them is uniform.
    missing : pair of (S,) bool
        Which of each player's sequences in the full game end in a move that the abstraction lacks.
    """

    abstraction: Abstraction
    game: NumberedTree
    small: SequenceForm
    value: Certificate
    blueprint: Completed[Profile]
    start: Profile
    missing: Support

    def distance(self, defender: int, strategy: Profile) -> float:
        """Return how far the defender's part of a profile of the full game is from its value."""
        return distance_to_value(self.game.form, self.value, defender, strategy)

    def joint(self, defender: int) -> float:
        """Return the least distance of a strategy that differs from ``start`` only after off-tree moves."""
        opponent, states = 1 - defender, PublicStates.of(self.game.tree)
        moves = self.missing[opponent]
        first = moves & (off_tree_levels(self.game, opponent, moves) == 1)
        pieces = (
            cut(states, self.game, [name], defender)
            for name in states_after(self.game, states, opponent, first)
        )
        subgames = [s for s in (Subgame.of(piece, self.start) for piece in pieces) if s.live.any()]
        if not subgames:
            return self.distance(defender, self.start)
        best = self.start.exchanged(defender, joint_optimum(subgames).behaviour)
        return self.distance(defender, best)

    def judged(
        self, defender: int, profile: Profile, method: str, approach: str | None, seconds: float
    ) -> OffTreeResult:
        """Return the report on a profile of the full game."""
        return OffTreeResult(
            game=self.abstraction.full.name,
            abstraction=self.abstraction.small.name,
            unit=self.abstraction.full.unit,
            method=method,
            approach=approach,
            defender=defender,
            tops=off_tree_tops(self.game, defender, profile, self.missing),
            exploitability_before=self.distance(defender, self.start),
            exploitability_after=self.distance(defender, profile),
            exploitability_joint=self.joint(defender),
            value=self.value,
            profile=profile,
            seconds=seconds,
            parameters=self.blueprint.counts,
        )


def prepare(
    game: GameLike, abstraction: AbstractionLike, blueprint: StrategyLike, missing: str, tell: Progress
) -> Prepared:
    """Enumerate and solve both games and embed the blueprint; parameters as for :func:`treeplex.nested`.

    Raises
    ------
    ValueError
        If a game is no poker game with a menu of bet sizes, is too large or locks hands, the abstraction is
        none of the game, or the blueprint does not fit it.
    """
    check_missing(missing)
    full = game_with_menus(game)
    small = abstraction_of(full, abstraction)
    pair = Abstraction(small, full)
    tell("enumerating both games", float("inf"))
    whole, form = enumerated(full), enumerated(small).form
    lacking = pair.missing(whole.form)
    tell("solving both games", float("inf"))
    value = solve_lp(whole.form).certificate
    given = make_blueprint(small, form, blueprint, solve_lp(form).profile, missing)
    start = pair.embedded(given.strategy, whole.form)
    return Prepared(pair, whole, form, value, given, start, lacking)
