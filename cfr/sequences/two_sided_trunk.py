"""A game split into a trunk and subgames, for both players; subgames are games given both reaches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.subgames.cut import JOINER, Cut, check_disjoint, cut, trunk_leaves, trunk_side, weighted
from treeplex.seqform.subgames.forest import NOTHING, Forest
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.tops import SMALLEST_REACH

Pair = tuple[Floats, Floats]
"""An array for each player."""


class TrunkPart(NamedTuple):
    """One player's decisions in a subgame, those below all of the player's tops under one root.

    treeplex : the infosets, in the order of the whole game.
    sequence : (L,) the player's last sequence at each leaf; 0 where there is none inside.
    top : (L,) the player's top above each leaf.
    amount : (L,) what the player gets at each leaf times the probability that chance plays there.
    """

    treeplex: Treeplex
    sequence: Index
    top: Index
    amount: Floats


@dataclass(frozen=True)
class TwoSidedCut:
    """A cut with the tops of both players.

    Attributes
    ----------
    views : pair of Cut
        ``views[p]`` has player p's tops: its defender is the other player.
    """

    views: tuple[Cut, Cut]

    @property
    def name(self) -> str:
        """The public states at its roots."""
        return self.views[0].name

    @property
    def n_tops(self) -> tuple[int, int]:
        """Number of tops of each player."""
        return len(self.views[0].tops), len(self.views[1].tops)

    @cached_property
    def parts(self) -> tuple[TrunkPart, TrunkPart]:
        """Both players' decisions inside; leaves have the same order in both."""
        first, second = (_part(view) for view in self.views)
        return first, second

    def form(self, reach: Pair) -> SequenceForm:
        """Return the subgame as a game of its own, given both players' reaches.

        Leaves pay as in the whole game times chance and both players' own reaches, unnormalised.

        Parameters
        ----------
        reach : pair of (T,) f64
            Each player's own reach of its tops.
        """
        (first, second), whole = self.parts, self.views[0].game.form
        paid = first.amount * reach[0][first.top] * reach[1][second.top]
        paid[np.abs(paid) < SMALLEST_REACH] = 0.0
        shape = first.treeplex.n_sequences, second.treeplex.n_sequences
        payoff = Payoff.sparse(ExactMatrix.of_floats(first.sequence, second.sequence, paid, shape))
        name = f"{self.name!r} of {whole.name}"
        return SequenceForm(name, whole.unit, (first.treeplex, second.treeplex), payoff, whole.stakes)

    def top_values(self, player: int, reach: Floats, plan: Floats) -> Floats:
        """Return a player's counterfactual best-response values at its tops, (T,), unnormalised.

        The player's own reach of every top is taken as 1.

        Parameters
        ----------
        player : int
        reach : (T',) f64
            The other player's own reach of its tops.
        plan : (S',) f64
            The other player's plan in :meth:`form`.
        """
        own, other = self.parts[player], self.parts[1 - player]
        earned = own.amount * reach[other.top] * plan[other.sequence]
        values = weighted(own.top, np.where(own.sequence == 0, earned, 0.0), self.n_tops[player])
        response = own.treeplex.best_response(weighted(own.sequence, earned, own.treeplex.n_sequences))
        forest = self.views[player].other
        first = forest.parent < len(values)  # infosets right below a top
        return values + weighted(forest.parent[first], response.value[first], len(values))


def _part(view: Cut) -> TrunkPart:
    forest, z = view.other, view.leaves
    top = view.root_top[z.root]
    treeplex, to = forest.graft(NOTHING, np.zeros(forest.n_entries, dtype=np.int64))
    return TrunkPart(treeplex, to[forest.local(z.other, top)], top, z.amount)


@dataclass(frozen=True)
class TwoSidedTrunk:
    """The part of a game above disjoint cuts.

    Attributes
    ----------
    game : NumberedTree
        The whole game.
    cuts : tuple of TwoSidedCut
    infosets : pair of (I,) int64
        Which of each player's infosets in the whole game are in the trunk.
    form : SequenceForm
        Both players' trunk treeplexes, and the leaves outside all cuts.
    entry : pair of (T,) int64
        The player's last sequence in the trunk before each of its tops, cut after cut.
    """

    game: NumberedTree
    cuts: tuple[TwoSidedCut, ...]
    infosets: tuple[Index, Index]
    form: SequenceForm
    entry: tuple[Index, Index]

    @staticmethod
    def of(game: NumberedTree, at: Sequence[str] | None = None) -> "TwoSidedTrunk":
        """Cut a game.

        Parameters
        ----------
        game : NumberedTree
        at : sequence of str, optional
            Public states at which subgames begin; ``K:cc/ | Q:cc/`` is one subgame that begins at either, and
            an empty sequence leaves the game whole. Unless given, right after the first chance move that
            follows a decision (:meth:`PublicStates.first_subgames` of both players).

        Raises
        ------
        ValueError
            If a name is no public state, subgames overlap or cut an infoset, a player forgets where one
            begins, or there is no usual place to cut.
        """
        states = PublicStates.of(game.tree)
        names = _first_subgames(states) if at is None else at
        unions = [[name] if name in states.index else name.split(JOINER) for name in names]
        cuts = tuple(
            TwoSidedCut((cut(states, game, union, 1), cut(states, game, union, 0))) for union in unions
        )
        first_views = [c.views[0] for c in cuts]
        check_disjoint(first_views)
        first, second = (trunk_side(game, first_views, p) for p in (0, 1))
        to = first.sequences, second.sequences
        payoff = _payoff(game, trunk_leaves(game, first_views), to)
        form = replace(game.form, treeplexes=(first.treeplex, second.treeplex), payoff=payoff)
        entry = _entry(cuts, 0, to[0]), _entry(cuts, 1, to[1])
        return TwoSidedTrunk(game, cuts, (first.infosets, second.infosets), form, entry)

    @cached_property
    def begins(self) -> tuple[Index, Index]:
        """Where each cut's tops begin among all of each player's, (K + 1,)."""
        first, second = (
            np.concatenate(([0], np.cumsum([c.n_tops[p] for c in self.cuts], dtype=np.int64))) for p in (0, 1)
        )
        return first, second

    def tops(self, player: int, k: int) -> slice:
        """Return which of a player's tops are those of cut k."""
        return slice(int(self.begins[player][k]), int(self.begins[player][k + 1]))

    def largest_values(self, player: int, plan: Floats) -> Floats:
        """Return bounds on the sizes of a player's counterfactual values at its tops, (T,).

        Parameters
        ----------
        player : int
        plan : (S',) f64
            The other player's plan on the trunk.
        """
        bounds = [np.zeros(0)]
        for k, piece in enumerate(self.cuts):
            own, other = piece.parts[player], piece.parts[1 - player]
            reach = plan[self.entry[1 - player][self.tops(1 - player, k)]]
            bounds.append(weighted(own.top, np.abs(own.amount) * reach[other.top], piece.n_tops[player]))
        return np.concatenate(bounds)

    def whole(self, profile: Profile) -> Profile:
        """Return a profile of the trunk as one of the whole game, uniform in the subgames."""
        behaviour = []
        for t, infosets, b in zip(self.game.form.treeplexes, self.infosets, profile.behaviour, strict=True):
            spread = t.uniform()
            spread[Forest.of(t, infosets, np.zeros_like(infosets), 1).sequences] = b[1:]
            behaviour.append(spread)
        return Profile(self.game.form.treeplexes, (behaviour[0], behaviour[1]))


def _first_subgames(states: PublicStates) -> tuple[str, ...]:
    """Return the default cut: the highest public states at which either player still decides."""
    found: dict[str, None] = {}
    for player in (0, 1):
        try:
            found |= dict.fromkeys(states.first_subgames(player))
        except ValueError:
            continue
    if not found:
        raise BadInputError(f"{states.tree.name}: nobody decides after the first decision")
    highest = states.roots(tuple(found))
    return tuple(name for name in found if np.isin(states.roots([name]), highest).any())


def _entry(cuts: Sequence[TwoSidedCut], player: int, sequences: Index) -> Index:
    """Return the player's last sequence in the trunk before each of its tops, cut after cut."""
    entry = [sequences[c.views[player].entry] for c in cuts]
    return np.concatenate([np.zeros(0, dtype=np.int64), *entry])


def _payoff(game: NumberedTree, z: Index, to: tuple[Index, Index]) -> Payoff:
    """Return the payoff at some leaves, exactly."""
    tree = game.tree
    rows, cols = (to[p][game.last[p][z]] for p in (0, 1))
    shape = int(to[0].max()) + 1, int(to[1].max()) + 1
    amount = tree.chance[z] * tree.payoff[z]
    return Payoff.sparse(ExactMatrix.of(rows, cols, amount, tree.chance_den * tree.payoff_den, shape))
