"""A game and its forms, each built on first use: sizes, public tree, boards, sequence form, histories."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, TypedDict

from treeplex.core.limits import (
    check_boards,
    check_counted_form,
    check_histories,
    check_payoffs,
    check_tables,
    check_tree_form,
)
from treeplex.core.progress import Progress, silent
from treeplex.core.small_form import SmallForm
from treeplex.games.base.display import Block, Rows, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL, Game
from treeplex.games.base.reading import amount_text, complaint
from treeplex.games.counting.game_sizes import GameSizes, game_sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.push_fold import PushFold
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.certificate import GameScale
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm, number_tree
from treeplex.seqform.reductions.hand_classes import MergedTree, merge_hands
from treeplex.seqform.reductions.removed_infosets import Locked, locked_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.memory import machine_memory
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS
from treeplex.seqform.trees.public_tree import PublicTree, TooLargeError, compile_public
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError

MOST_HISTORIES = 2_000_000
"""Most histories of a game that is enumerated."""
MOST_WALKED = 500_000
"""Most histories of a game that is walked before it is played, for a few seconds."""


class GameFacts(TypedDict):
    """Fields of the game that every result repeats."""

    game: str
    unit: str
    pot: Fraction | None
    big_blind: Fraction | None
    note: str


@dataclass(frozen=True, repr=False)
class Problem(Shown):
    """A game and its forms; each is built on first use and cached.

    Attributes
    ----------
    game : Game
    progress : callable
        Called a few times a second with what is being done while a form is built; what it raises ends that.
    """

    game: Game[Any]
    progress: Progress = field(default=silent, repr=False, compare=False)

    def blocks(self) -> tuple[Block, ...]:
        """Return what is known of the game without building a form; sizes where one was built."""
        rows = [("unit", self.game.unit)]
        if self.pot is not None:
            rows.append(("pot", f"{amount_text(self.pot)} {self.game.unit}"))
        if self.big_blind is not None:
            rows.append(("big blind", f"{amount_text(self.big_blind)} {self.game.unit}"))
        if self.facts["note"]:
            rows.append(("note", self.facts["note"]))
        if {"whole", "_walk"} & vars(self).keys():
            rows.append(("infosets", "{:,} and {:,}".format(*self.form.n_infosets)))
            rows.append(("sequences", "{:,} and {:,}".format(*self.form.n_sequences)))
        return (Rows(self.game.name, tuple(rows)),)

    def brief(self) -> str:
        """Return the game."""
        return self.game.name

    def report(self, text: str) -> None:
        """Tell what is being done, in one line."""
        self.progress(text, inf)

    @property
    def facts(self) -> GameFacts:
        """Fields of the game that every result repeats."""
        return GameFacts(
            game=self.game.name,
            unit=self.game.unit,
            pot=self.pot,
            big_blind=self.big_blind,
            note=str(getattr(self.game, "note", "")),
        )

    @property
    def constant(self) -> Fraction:
        """The constant sum of payoffs in the game's source; 0 unless the game has a ``constant``."""
        return Fraction(getattr(self.game, "constant", 0))

    @property
    def pot(self) -> Fraction | None:
        """The pot with which a spot begins, of which each player counts half as invested; None elsewhere."""
        if not isinstance(self.game, PokerGame) or not self.game.board:
            return None
        return sum(self.game.betting.root().put, Fraction(0))

    @property
    def big_blind(self) -> Fraction | None:
        """The big blind of a whole hand with blinds; None elsewhere."""
        if isinstance(self.game, PushFold):
            return Fraction(1)
        if not isinstance(self.game, PokerGame) or self.game.board:
            return None
        small, big = sorted(self.game.betting.invested)
        return None if small == big else Fraction(big)

    @cached_property
    def unit_size(self) -> float:
        """The unit of exploitability: the pot, the big blind, or the largest stake."""
        if self.pot or self.big_blind:
            return float(self.pot or self.big_blind or 0)
        if isinstance(self.game, PokerGame):
            return max(abs(int(stake)) for stake in self.betting.stake) / self.betting.stake_den
        tree = self.enumerated.tree
        return max(abs(int(payoff)) for payoff in tree.payoff[tree.leaves]) / tree.payoff_den

    @property
    def scale(self) -> GameScale:
        """What widths of certificates are measured by."""
        return GameScale(float(self.pot or 0), self.form.stakes)

    @cached_property
    def spread(self) -> float:
        """The largest payoff less the smallest; a showdown may go either way."""
        if self.tree is None:
            return self.enumerated.tree.spread
        leaves = self.tree.nodes_of(TERMINAL)
        stakes = [(int(self.tree.stake[n]), bool(self.tree.showdown[n])) for n in leaves]
        most = max(abs(stake) if either else stake for stake, either in stakes)
        least = min(-abs(stake) if either else stake for stake, either in stakes)
        return (most - least) / self.tree.stake_den

    # poker: counted, as betting, as a public tree, as betting times boards

    @cached_property
    def sizes(self) -> GameSizes:
        """Sizes of a poker game, counted on every real board.

        Raises
        ------
        ValueError
            If the game is no poker game, or its betting is too much to be counted.
        """
        return game_sizes(self.poker("sizes are counted for poker games only"), self.report)

    def can_be_walked(self, most: int) -> bool:
        """Return whether the game may have at most so many histories, at most ``MOST_WALKED``.

        It is known by its walk if there was one, of poker by counting, else by ``least_histories``.
        """
        game = self.game
        if "walked" in vars(self):
            return self.walked is not None and self.walked.tree.n_nodes <= most
        if not isinstance(game, PokerGame):
            return bool(getattr(game, "least_histories", 0) <= most)
        if len(game.reach[0]) * len(game.reach[1]) > 4 * most:  # a whole deck takes long to count
            return False
        try:
            return self.sizes.decision_states + self.sizes.leaf_states <= most
        except BadInputError:  # the betting is too much to be counted
            return False

    @cached_property
    def betting(self) -> BettingTree:
        """The betting of a poker game without any cards; raises what :attr:`boards` does."""
        return BettingTree.of(self.poker("betting trees are of poker games"), report=self.report)

    @cached_property
    def tree(self) -> PublicTree | None:
        """A poker game's betting and boards; None for games that are walked history by history.

        Raises
        ------
        ValueError
            If it would not fit into three quarters of the machine's memory.
        """
        if not isinstance(self.game, PokerGame):
            return None
        try:
            return compile_public(self.game, report=self.report)
        except TooLargeError as error:
            raise BadInputError(complaint(str(error))) from None

    @cached_property
    def merged(self) -> MergedTree | None:
        """The public tree with indistinguishable hands merged; None where that changes nothing."""
        if self.tree is None:
            return None
        merged = merge_hands(self.tree, self.report)
        fewer = any(len(m) < len(h) for m, h in zip(merged.tree.hands, self.tree.hands, strict=True))
        return merged if fewer else None

    @property
    def vector_tree(self) -> PublicTree | None:
        """The public tree for minimisers that run on it; None where hands are locked, which they ignore."""
        return None if self.tree is None or self.tree.locks else self.tree

    def boards(
        self, *, isomorphism: bool = True, entry_bytes: int = 8, memory: int | None = None
    ) -> FactoredTree:
        """Return the two factors of a poker game's public tree, betting lines and boards.

        Parameters
        ----------
        isomorphism : bool
            Whether boards that suits alone tell apart are one.
        entry_bytes : int
            What a solver keeps for each action of each hand on each board.
        memory : int, optional
            Bytes that its tables may take; three quarters of the machine's memory unless given.

        Raises
        ------
        ValueError
            If the game is no poker game of one or two hole cards, or its tables would take more memory,
            which is known before anything is built.
        """
        needs = "this is for poker games of one or two hole cards"
        game = self.poker(needs)
        if game.hole_cards > MAX_HOLE_CARDS:
            raise BadInputError(f"{needs}, got {game.name}")
        limit = machine_memory() * 3 // 4 if memory is None else memory
        if isomorphism not in self._boards:
            check_boards(game, self.sizes, isomorphism=isomorphism, entry_bytes=entry_bytes, memory=limit)
            boards = BoardTree.of(game, isomorphism=isomorphism, report=self.report)
            self._boards[isomorphism] = FactoredTree.of(game, self.betting, boards)
        tree = self._boards[isomorphism]
        check_tables(game.name, tree.n_entries * entry_bytes, limit)
        return tree

    @cached_property
    def _boards(self) -> dict[bool, FactoredTree]:
        return {}

    def poker(self, needs: str) -> PokerGame:
        """Return the rules of a poker game; raises ``ValueError`` for another, and says what needs it."""
        if not isinstance(self.game, PokerGame):
            raise BadInputError(f"{needs}, got {self.game.name}")
        return self.game

    # the sequence form

    @property
    def form(self) -> SequenceForm:
        """The game that is played, which certificates judge; locked hands have no infosets in it.

        Raises
        ------
        ValueError
            If the game breaks the protocol, its payoffs are beyond floats, or the form would not fit into
            three quarters of the machine's memory; large poker games are refused by counting alone.
        """
        return self.whole if self.locked is None else self.locked.form

    @cached_property
    def whole(self) -> SequenceForm:
        """The form of strategy files, which has the infosets of locked hands too; raises as :attr:`form`."""
        if not isinstance(self.game, PokerGame):
            return self._walk[1]
        memory = 3 * machine_memory() // 4
        check_counted_form(self.game, self.sizes, memory)
        assert self.tree is not None
        check_tree_form(self.tree, memory)
        form = sequence_form(self.tree, report=self.report)
        check_payoffs(form)
        return form

    @cached_property
    def locked(self) -> Locked | None:
        """The reduction from :attr:`whole` to :attr:`form` where hands are locked; None where none is."""
        if not isinstance(self.game, PokerGame) or not self.game.locks:
            return None
        whole = self.whole
        assert self.tree is not None
        return locked_form(self.tree, whole) if self.tree.locks else None

    @cached_property
    def walked(self) -> NumberedTree | None:
        """The game history by history; None if it has more than ``MOST_WALKED``, after which no walk goes on.

        Raises
        ------
        ValueError
            If the game breaks the protocol, or its payoffs are beyond floats.
        """
        if "_walk" in vars(self):
            known = self._walk[0]
            return None if known is None or known.tree.n_nodes > MOST_WALKED else known
        if not self.can_be_walked(MOST_WALKED):
            return None
        try:
            found = number_tree(build_tree(self.game, max_nodes=MOST_WALKED, report=self.report))
        except TooManyHistoriesError:
            return None
        check_payoffs(found.form)
        return found

    def walked_up_to(self, most: int) -> NumberedTree | None:
        """Return the game history by history if it has at most so many, at most ``MOST_WALKED``."""
        found = self.walked if self.can_be_walked(most) else None
        return None if found is None or found.tree.n_nodes > most else found

    @cached_property
    def _walk(self) -> tuple[NumberedTree | None, SequenceForm]:
        """The enumerated game, None above ``MOST_HISTORIES``, and its sequence form."""
        walked = vars(self).get("walked")
        if walked is None:
            walked = number_tree(build_tree(self.game, report=self.report))
            check_payoffs(walked.form)
        return walked if walked.tree.n_nodes <= MOST_HISTORIES else None, walked.form

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

    # history by history

    @cached_property
    def enumerated(self) -> NumberedTree:
        """The game history by history, in a numbering of its own where there is a public tree.

        Raises
        ------
        treeplex.seqform.trees.game_tree.TooManyHistoriesError
            If the game has more than ``MOST_HISTORIES`` histories.
        """
        if not isinstance(self.game, PokerGame):
            walked = self._walk[0]
            if walked is None:  # it is not walked again to find out the same
                raise TooManyHistoriesError(f"{self.game.name} has more than {MOST_HISTORIES:,} histories")
            return walked
        assert self.tree is not None
        check_histories(self.tree, MOST_HISTORIES)
        return number_tree(build_tree(self.game, max_nodes=MOST_HISTORIES, report=self.report))

    @cached_property
    def is_enumerable(self) -> bool:
        """Whether the game has few enough histories to be walked."""
        try:
            return bool(self.enumerated)
        except TooManyHistoriesError:
            return False

    @cached_property
    def small(self) -> SmallForm:
        """The reduced sequence form of linear programs, and the lift of its profiles to :attr:`form`."""
        return SmallForm(self.form, self.tree, self.merged, self.locked)
