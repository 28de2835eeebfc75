"""The game of a gadget on boards as a sequence form, so that linear programs solve it with all hands."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from treeplex.gadgets.boards.board_subgame import BoardSubgame
from treeplex.gadgets.boards.gadget_proof import reach_unit
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import Numbering, factored_payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.subgames.drawn import Decisions, DrawnDecisions
from treeplex.seqform.subgames.forest import NOTHING, Forest
from treeplex.seqform.subgames.tops import Entry, RootDecisions
from treeplex.seqform.trees.public_tree import PublicTree, compile_public


@dataclass(frozen=True)
class _Side:
    """One player's side of a gadget's game.

    Attributes
    ----------
    treeplex : Treeplex
        The root decisions with the subgame's decisions below them, once for each entry.
    dealt : Treeplex
        Of the subgame alone, after a deal of the player's hand; see ``Numbering.after_deal``.
    entered : (S dealt, S) csr_array of f64
        The weight with which a sequence of the gadget's game is one of the subgame's.
    """

    treeplex: Treeplex
    dealt: Treeplex
    entered: csr_array


@dataclass(frozen=True)
class GadgetProgram:
    """A gadget's game on boards as a sequence form; rules and payoffs come from the public tree.

    Attributes
    ----------
    subgame : BoardSubgame
    root : RootDecisions
        The opponent's.
    form : SequenceForm
        Payoffs are those of a ``GadgetProof`` divided by ``unit``.
    unit : float
        The most reach with which the opponent can enter.
    sides : pair
        How both players' sequences are made of those of the subgame.
    """

    subgame: BoardSubgame
    root: RootDecisions
    form: SequenceForm
    unit: float
    sides: tuple[_Side, _Side]

    @staticmethod
    def of(subgame: BoardSubgame, root: Decisions, name: str) -> "GadgetProgram":
        """Return the program of a subgame that is entered by the opponent's root decisions.

        Showdowns are running sums over strengths, so that nonzeros are linear in hands.

        Parameters
        ----------
        subgame : BoardSubgame
            Small enough to be compiled to a public tree: a river, or few hands.
        root : RootDecisions
            The opponent's.
        name : str
            The gadget's.

        Raises
        ------
        ValueError
            If amounts are drawn: a program holds no normal distribution.
        """
        if isinstance(root, DrawnDecisions):
            raise BadInputError(f"the program of {name} needs a number of atoms, got all draws")
        tree, unit = compile_public(subgame.game), reach_unit(subgame, root)
        numberings = _numbering(tree, 0), _numbering(tree, 1)
        weight = subgame.own_reach
        own = Entry(np.where(weight > 0.0, 0, -1), weight)
        first, second = (
            _side(tree, subgame, p, numberings[p], NOTHING, (own,))
            if p == subgame.defender
            else _side(tree, subgame, p, numberings[p], root.header, _dealt_by(root, subgame.chance / unit))
            for p in (0, 1)
        )
        payoff = _entered(factored_payoff(tree, numberings), (first, second), float(tree.deals[0].den))
        form = SequenceForm(
            f"{name} on {subgame.name!r} of {subgame.subtree.whole.game.name}",
            tree.unit,
            (first.treeplex, second.treeplex),
            _with_stay(payoff, root.stay[0], root.stay[1] / unit, subgame.opponent),
            tree.stakes,
        )
        return GadgetProgram(subgame, root, form, unit, (first, second))

    def plan(self, profile: Profile) -> Floats:
        """Return the opponent's plan of the root decisions from a solution, (S header,)."""
        return profile.plans[self.subgame.opponent][: self.root.header.n_sequences]

    def strategy(self, profile: Profile) -> FactoredStrategy:
        """Return both players' strategies inside from a solution; the blueprint where nobody comes.

        Copies of the opponent's decisions are averaged by what enters them.

        Raises
        ------
        ValueError
            If the subtree's boards are merged under permutations of suits: a solution need not be the same on
            all of them.
        """
        tree = self.subgame.subtree.tree
        if tree.boards.is_merged:
            raise BadInputError(
                f"a program's strategy is for boards that are not merged, got {tree.game.name}"
            )
        first, second = (
            self._table(p, side.entered @ plan)
            for p, (side, plan) in enumerate(zip(self.sides, profile.plans, strict=True))
        )
        return FactoredStrategy(tree, (first, second))

    def _table(self, player: int, plan: Floats) -> Floats:
        """Return a player's table of weights from its reach of the subgame's sequences, (S dealt,)."""
        tree, dealt = self.subgame.subtree.tree, self.sides[player].dealt
        game, betting, hands = tree.game, tree.betting, tree.boards.hands[player]
        labels = _labels(self.subgame, player)
        table = self.subgame.blueprint.weight[player].astype(np.float64)
        for board in range(tree.boards.n_boards):
            live = [labels[h] for h in hands.hand[hands.on(board)].tolist()]
            acts = (betting.player == player) & (betting.street == tree.boards.street[board])
            for node in np.flatnonzero(acts).tolist():
                key = game.joiner + game.public_key(tree.boards.cards[board], betting.line[node])
                start, n_actions, width = tree.rows(player, node, board)
                rows = table[start : start + n_actions * width].reshape(n_actions, width)
                for h, label in enumerate(live):
                    i = dealt.index.get(label + key)
                    if i is not None and plan[dealt.parent[i]] > 0.0:
                        rows[:, h] = plan[dealt.begin[i] : dealt.end[i]]
        return table


def _numbering(tree: PublicTree, player: int) -> Numbering:
    return Numbering.of(tree, player).after_deal(tree, player)


def _labels(subgame: BoardSubgame, player: int) -> list[str]:
    """Return the label of each of a player's hands in the subtree's range."""
    cards = subgame.subtree.tree.boards.hands[player].cards.tolist()
    return [subgame.game.hand_label(tuple(hand)) for hand in cards]


def _dealt_by(root: RootDecisions, weight: Floats) -> tuple[Entry, ...]:
    """Return the entries of root decisions, each top weighed by chance too."""
    return tuple(Entry(entry.at, entry.weight * weight, entry.suffix) for entry in root.entries)


def _side(
    tree: PublicTree,
    subgame: BoardSubgame,
    player: int,
    numbering: Numbering,
    header: Treeplex,
    entries: Iterable[Entry],
) -> _Side:
    """Return a player's side: the subgame grafted below a header, hand by hand, once for each entry.

    Entries are in the order of the subtree's hands; the public tree's weights are divided out.
    """
    place = {label: h for h, label in enumerate(_labels(subgame, player))}
    hand = np.array([place.get(label, -1) for label in tree.hands[player]])
    dealt, weight = numbering.treeplex, tree.deals[0].weight[player].astype(np.float64)
    below = np.arange(1, dealt.n_infosets)
    forest = Forest.of(dealt, below, dealt.parent[below] - 1, len(hand))
    treeplex, rows, cols, values = header, [], [], []
    for entry in entries:
        at = np.where((hand >= 0) & (weight > 0.0), entry.at[hand], -1)
        scale = np.ones(dealt.n_sequences)
        scale[1 : 1 + len(hand)] = np.divide(
            entry.weight[hand], weight, out=np.zeros(len(hand)), where=at >= 0
        )
        treeplex, to = forest.graft(treeplex, at, entry.suffix)
        used = np.flatnonzero(to >= 0)
        rows.append(1 + used)
        cols.append(to[used])
        values.append(dealt.plan(scale)[1 + used])
    entered = csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))),
        shape=(dealt.n_sequences, treeplex.n_sequences),
    )
    return _Side(treeplex, dealt, entered)


def _entered(payoff: Payoff, sides: tuple[_Side, _Side], den: float) -> Payoff:
    """Return the payoff of the gadget's game, without what root decisions pay, times ``den``."""
    first, second = (side.entered.T.tocsr() for side in sides)
    base = first @ payoff.base.csr @ second.T
    left, right = first @ payoff.left.csr, second @ payoff.right.csr
    # The right factor is brought to order one, and the left one to the size of the payoffs with it.
    largest = float(abs(right).max()) if right.nnz else 1.0
    return Payoff(
        _exact(base * den), _exact(left * (den * largest)), payoff.link, _exact(right * (1.0 / largest))
    )


def _with_stay(payoff: Payoff, at: Index, paid: Floats, opponent: int) -> Payoff:
    """Return the payoff with what the opponent's root decisions pay it at once."""
    base = payoff.base.csr.tocoo()
    here = np.zeros_like(at)
    rows, cols, signed = (at, here, paid) if opponent == 0 else (here, at, -paid)
    together = ExactMatrix.of_floats(
        np.concatenate((base.row, rows)).astype(np.int64),
        np.concatenate((base.col, cols)).astype(np.int64),
        np.concatenate((base.data, signed)),
        payoff.base.shape,
    )
    return Payoff(together, payoff.left, payoff.link, payoff.right)


def _exact(m: csr_array) -> ExactMatrix:
    entries = m.tocoo()
    rows, cols = entries.row.astype(np.int64), entries.col.astype(np.int64)
    return ExactMatrix.of_floats(rows, cols, entries.data, m.shape)
