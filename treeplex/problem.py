"""A game made ready for every solver: its sequence form, and its public tree where it has one."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from treeplex.games.inputs.reading import complaint
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import TERMINAL, Game
from treeplex.games.specs.specs import load_game
from treeplex.seqform.certify.exact_certificate import ExactPlan
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import DENSE_HANDS, sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import NumberedTree, number_tree
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.reductions.differences import sparsified
from treeplex.seqform.reductions.forced import Unforced, without_forced_moves
from treeplex.seqform.reductions.hand_classes import MergedTree, merge_hands
from treeplex.seqform.reductions.locked import Locked, locked_form
from treeplex.seqform.trees.game_tree import GameTree, TooManyHistoriesError, build_tree
from treeplex.seqform.trees.public_compiler import TooLargeError, compile_public, machine_memory
from treeplex.seqform.trees.public_tree import PublicTree

ENTRY_BYTES = 150
"""What an entry of a payoff costs at most while a sequence form is built, measured on rivers and turns."""
MOST_PAID = 10**300
"""Sums of payoffs as large are still in the range of floats."""
MOST_HISTORIES = 2_000_000
"""Poker games are enumerated history by history up to so many."""


@dataclass(frozen=True)
class Problem:
    """A game, and the forms in which solvers and certificates see it.

    Attributes
    ----------
    game : Game
    tree : PublicTree or None
        A poker game's betting and boards; None for games that are walked history by history.
    form : SequenceForm
        The game that is played, which every certificate judges; locked hands have no infosets in it.
    pot : Fraction or None
        The pot of a spot, of which each player counts half as invested; None elsewhere.
    walked : NumberedTree or None
        The histories that ``form`` was made from, if it was and they are few enough to be kept.
    locked : Locked or None
        What ``form`` was made from where hands are locked.
    """

    game: Game[Any]
    tree: PublicTree | None
    form: SequenceForm
    pot: Fraction | None
    walked: NumberedTree | None = None
    locked: Locked | None = None

    @property
    def note(self) -> str:
        """What the game says of its payoffs, in a sentence; empty where it says nothing."""
        return str(getattr(self.game, "note", ""))

    @property
    def constant(self) -> Fraction:
        """What both players' payoffs add up to where the game comes from; 0 where it says nothing."""
        return Fraction(getattr(self.game, "constant", 0))

    @property
    def whole(self) -> SequenceForm:
        """The form of strategy files, which has the infosets of locked hands too."""
        return self.form if self.locked is None else self.locked.whole

    @property
    def vector_tree(self) -> PublicTree | None:
        """The public tree for minimisers that run on it; None where hands are locked, which they ignore."""
        return self.tree if self.locked is None else None

    def complete(self, profile: Profile) -> Profile:
        """Return a profile of ``form`` as one of ``whole``: locked hands play what is locked."""
        return profile if self.locked is None else self.locked.lift(profile)

    def played(self, profile: Profile) -> Profile:
        """Return a profile of ``whole`` as one of ``form``.

        Raises
        ------
        ValueError
            If the profile plays something else than what is locked.
        """
        return profile if self.locked is None else self.locked.restrict(profile)

    @cached_property
    def spread(self) -> float:
        """The largest payoff less the smallest; a showdown may go either way."""
        if self.tree is None:
            tree = self.trunk.tree
            payoffs = [int(payoff) for payoff in tree.payoff[tree.leaves]]
            return (max(payoffs) - min(payoffs)) / tree.payoff_den
        leaves = self.tree.nodes_of(TERMINAL)
        stakes = [(int(self.tree.stake[n]), bool(self.tree.showdown[n])) for n in leaves]
        most = max(abs(stake) if either else stake for stake, either in stakes)
        least = min(-abs(stake) if either else stake for stake, either in stakes)
        return (most - least) / self.tree.stake_den

    @cached_property
    def is_enumerable(self) -> bool:
        """Whether the game has few enough histories to be walked."""
        try:
            return bool(self.trunk)
        except TooManyHistoriesError:
            return False

    @cached_property
    def trunk(self) -> NumberedTree:
        """The game history by history, in a numbering of its own where there is a public tree.

        Raises
        ------
        treeplex.seqform.trees.game_tree.TooManyHistoriesError
            If the game has more than ``MOST_HISTORIES`` histories.
        """
        if self.walked is not None:
            return self.walked
        if self.tree is None:  # it was walked, and is not walked again to find out the same
            raise TooManyHistoriesError(f"{self.game.name} has more than {MOST_HISTORIES:,} histories")
        _check_histories(self.tree)
        return number_tree(build_tree(self.game, max_nodes=MOST_HISTORIES))

    @cached_property
    def merged(self) -> MergedTree | None:
        """The public tree with indistinguishable hands merged; None where that changes nothing."""
        if self.tree is None:
            return None
        merged = merge_hands(self.tree)
        fewer = any(len(m) < len(h) for m, h in zip(merged.tree.hands, self.tree.hands, strict=True))
        return merged if fewer else None

    @cached_property
    def _merged_form(self) -> Locked | None:
        return None if self.merged is None else locked_form(self.merged.tree)

    @cached_property
    def _unforced(self) -> Unforced:
        return without_forced_moves(self.form if self._merged_form is None else self._merged_form.form)

    @cached_property
    def small_form(self) -> SequenceForm:
        """What linear programs are written for: hands merged, no forced moves, similar rows written once."""
        return sparsified(self._unforced.form)

    def lift(self, profile: Profile) -> Profile:
        """Return a profile of ``small_form`` as one of ``form``: all hands of a class play alike."""
        whole = self._unforced.lift(profile)
        x, y = (b[s] for b, s in zip(whole.behaviour, self._merged_sequences, strict=True))
        return Profile(self.form.treeplexes, (x, y))

    def lift_exactly(self, plans: tuple[ExactPlan, ExactPlan]) -> tuple[ExactPlan, ExactPlan]:
        """Return exact plans of ``small_form`` as plans of ``form``."""
        x, y = (
            ExactPlan(p.num[to[s]], p.den)
            for p, to, s in zip(plans, self._unforced.sequence, self._merged_sequences, strict=True)
        )
        return x, y

    @cached_property
    def _merged_sequences(self) -> tuple[Index, Index]:
        if self._merged_form is None or self.merged is None or self.tree is None:
            n0, n1 = (t.n_sequences for t in self.form.treeplexes)
            return np.arange(n0), np.arange(n1)
        classes = self.merged.sequences(self.tree, 0), self.merged.sequences(self.tree, 1)
        if self.locked is None:
            return classes
        first, second = (
            to[of_class[kept]]
            for to, of_class, kept in zip(self._merged_form.sequence, classes, self.locked.kept, strict=True)
        )
        return first, second


def load(spec: str | Game[Any], *, bets: str | None = None, raises: str | None = None) -> Problem:
    """Make a game ready: from a spec, a file's path or any object that satisfies ``Game``.

    Poker games are compiled through their public tree; all others are walked.

    Parameters
    ----------
    spec : str or Game
        Such as ``leduc_poker(ranks=5)`` or ``examples/river.toml``.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.

    Raises
    ------
    ValueError
        If the spec is unknown or malformed, or the game is not one that can be solved here.
    """
    game = load_game(spec, bets=bets, raises=raises) if isinstance(spec, str) else spec
    if not isinstance(game, PokerGame):
        walked = number_tree(build_tree(game))
        _check_payoffs(game.name, walked.form)
        kept = walked if walked.tree.n_nodes <= MOST_HISTORIES else None
        return Problem(game, None, walked.form, None, kept)
    memory = 3 * machine_memory() // 4
    # A sequence form takes many times its tree, so a tree of an eighth of the memory is hopeless already.
    try:
        tree = compile_public(game, memory_limit=memory // 8)
    except TooLargeError as error:
        raise ValueError(complaint(f"{error}; treeplex streets takes larger games")) from None
    _check_memory(tree, memory)
    pot = sum(game.betting.invested, Fraction(0)) if game.board else None
    form = sequence_form(tree)
    _check_payoffs(game.name, form)
    locked = locked_form(tree, form) if tree.locks else None
    return Problem(game, tree, form if locked is None else locked.form, pot, locked=locked)


def walk(game: Game[Any], most: int) -> GameTree:
    """Walk a game of at most so many histories; too many deals of hands are refused before they are listed.

    Raises
    ------
    treeplex.seqform.trees.game_tree.TooManyHistoriesError
        If there are more.
    """
    if isinstance(game, PokerGame):
        first, second = game.reach
        deals = (hand for hand in map(set, first) for other in second if hand.isdisjoint(other))
        if next(islice(deals, most - 1, None), None) is not None:
            raise TooManyHistoriesError(f"{game.name} has more than {most:,} histories")
    return build_tree(game, max_nodes=most)


def _check_payoffs(name: str, form: SequenceForm) -> None:
    """Refuse payoffs that floats cannot hold, or not add up."""
    for part in (form.payoff.base, form.payoff.left):
        # Integers of 64 bits are small enough.
        if part.num.dtype == object and np.abs(part.num).max(initial=0) > MOST_PAID * part.den:
            text = f"{name}: payoffs and chips must be below 1e300, in the range of floats, got more"
            raise ValueError(complaint(text))


def _check_histories(tree: PublicTree) -> None:
    """Refuse a tree that has too many histories, all pairs of living hands counted, before any walk."""
    hands = np.array([[int(alive.sum()) for alive in deal.alive] for deal in tree.deals], dtype=np.float64)
    histories = float(hands.prod(axis=1)[tree.deal].sum())
    if histories > MOST_HISTORIES:
        raise TooManyHistoriesError(
            f"{tree.name} has about {histories:,.0f} histories, and at most {MOST_HISTORIES:,} are enumerated"
        )


def _check_memory(tree: PublicTree, memory: int) -> None:
    """Refuse a tree whose sequence form would not fit, by an estimate made before anything is built."""
    leaves = len(tree.nodes_of(TERMINAL))
    hands = [len(h) for h in tree.hands]
    entries = leaves * (9 * max(hands) if max(hands) > DENSE_HANDS else hands[0] * hands[1])
    if entries * ENTRY_BYTES > memory:
        raise ValueError(
            f"{tree.name}: the sequence form would take about {entries * ENTRY_BYTES / 2**30:.1f} GiB, "
            f"more than {memory / 2**30:.1f} GiB (three quarters of this machine's memory)"
        )
