"""Nested subgame solving at the table: a blueprint to a street, then subgames solved as they are met.

Brown and Sandholm, Superhuman AI for heads-up no-limit poker: Libratus beats top professionals (2017), and
Safe and nested subgame solving for imperfect-information games (2017), section 6.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import blake2b

import numpy as np

from treeplex.cfr.boards import factored_cfr
from treeplex.gadgets.off_tree.off_tree import OffTree
from treeplex.gadgets.off_tree.translation import check_alike
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.lines import line_steps
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.games.poker.size_menus import size_text
from treeplex.play.translated import Translated
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.real_boards import boards_to
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.subgames.nested_on_boards import CurrentPlay, answer_bet
from treeplex.subgames.solve_on_boards import QUARTIC, BoardLimits

LEAST_REACH = 2.0**-20
"""The least reach of a hand that may be held, as a part of the likeliest's: each hand has an answer."""
MOST_ROOTS, MOST_ANSWERS = 4, 64
"""Subgames solved on entering the street, and answers to bets, of which solutions are kept."""


@dataclass(frozen=True)
class NestedConfig:
    """How subgames are solved as a hand is played.

    Attributes
    ----------
    street : int
        The street, a number of deals of board cards after the starting board, on which the first subgame is
        solved; at least 1 where there is no starting board.
    iterations : int
        Of discounted CFR in each subgame.
    way : OffTree
        How bets that the menus lack are answered.
    menus : PokerGame, optional
        The game whose sizes the subgames have; the blueprint's unless given.
    shaken : float
        By what part of them, up or down, sizes that are fractions of the pot are changed at most, all of a
        hand alike, so that an opponent meets new ones; 0.08 in Libratus. By how much follows from the public
        state at which the first subgame begins.
    """

    street: int
    iterations: int
    way: OffTree
    menus: PokerGame | None = None
    shaken: float = 0.0


@dataclass
class Nested:
    """Plays a blueprint up to a street, and subgames solved from there on.

    On entering the street the subgame to the end of the hand is solved unsafely: both players come with the
    hands that their blueprint brings, by Bayes from what is played and never from actions drawn; the pot is
    the real one. Inside, a bet of the opponent that the menus lack is answered by a subgame behind a
    gadget, whose alternatives are the values of the last solution, and so on. All is computed from the
    public state alone, so that the same state is played alike whoever asks, when and how often.

    Attributes
    ----------
    trunk : Translated
        The blueprint in the game that is played.
    config : NestedConfig
    """

    trunk: Translated
    config: NestedConfig
    _roots: dict[tuple[str, Cards], CurrentPlay] = field(default_factory=dict, repr=False)
    _answers: dict[tuple[str, Cards], CurrentPlay] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        streets = sum(1 for n in self.game.board_cards if n)
        least = 0 if self.game.board else 1
        if not least <= self.config.street <= streets:
            raise BadInputError(
                f"subgames are solved from a street between {least} and {streets} of {self.game.name} on, "
                f"got {self.config.street}"
            )
        if self.config.menus is not None and self.config.menus != self.game:
            check_alike(self.config.menus, self.game)
        self._check_sizes()

    @property
    def game(self) -> PokerGame:
        """The game that is played."""
        return self.trunk.game

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return what hands do at a betting line on a board, (hands, actions), as ``HandPlay`` does.

        After a bet of the player's own that its menus lack, which it never makes, it is the blueprint's play.

        Raises
        ------
        ValueError
            If the game lacks a size of the menus.
        """
        root = self._entry(line)
        if root is None:
            return self.trunk.play(line, board, hands)
        point = self.game.point(line)
        current = self._current(root, line, board, point.player)
        if current is None:
            return self.trunk.play(line, board, hands)
        tree = current.tree
        node, place = tree.betting.node_of[line], self._place(current, board)
        there = tree.boards.hands[point.player]
        dealt = there.cards[there.hand[there.on(place)]]
        found = current.strategy.at(point.player, node, place)
        at = {tuple(sorted(hand)): k for k, hand in enumerate(dealt.tolist())}
        rows = found[[at[tuple(sorted(hand))] for hand in hands.tolist()]]
        moves = [*point.moves]
        played = np.zeros((len(hands), len(moves)))
        for k, action in enumerate(tree.actions(node)):
            if action not in moves:
                raise BadInputError(
                    f"{self.game.name} at {line!r} lacks {action}, which the subgame's menus have; it needs "
                    "every size of theirs"
                )
            played[:, moves.index(action)] += rows[:, k]
        return played

    def _entry(self, line: str) -> str | None:
        """Return the line at which the first subgame on the way to a line begins; None before that street."""
        game = self.game
        for here in (*(before for before, _, _ in line_steps(game, line)), line):
            point = game.point(here)
            street = sum(1 for n in game.board_cards[: point.betting.round + 1] if n)
            if point.player != CHANCE and street >= self.config.street:
                return here
        return None

    def _current(self, root: str, line: str, board: Cards, defender: int) -> CurrentPlay | None:
        """Return the last subgame on the way to a line; None after an own bet that its menus lack."""
        current = self._root(root, board, defender)
        for here, action, after in line_steps(self.game, line, root):
            if action and action not in current.tree.actions(current.tree.betting.node_of[here]):
                if self.game.point(here).player == defender:
                    return None
                current = self._answer(current, here, action, after, board)
        return current

    def _root(self, line: str, board: Cards, defender: int) -> CurrentPlay:
        dealt = board[: self.game.point(line).n_board]
        if (line, dealt) not in self._roots:
            if len(self._roots) >= MOST_ROOTS:
                del self._roots[next(iter(self._roots))]
            self._roots[line, dealt] = self._entered(line, dealt)
        found = self._roots[line, dealt]
        return replace(found, defender=defender, gifts=np.zeros(len(found.reaches[1 - defender])))

    def _entered(self, line: str, board: Cards) -> CurrentPlay:
        """Return the subgame at a line on a board, solved for both players."""
        hands = [tuple(hand) for hand in self.trunk.hands.tolist()]
        off = ~np.isin(self.trunk.hands, board).any(axis=1)
        ranges = []
        for player, reach in enumerate(self.trunk.reaches(line, board)):
            dealt = off * np.array([float(self.game.reach[player].get(hand, 0)) for hand in hands])
            # Where the blueprint never goes, all hands are as likely as they are dealt.
            weight = dealt * reach if (dealt * reach).any() else dealt
            kept = np.where(dealt > 0, np.maximum(weight / weight.max(), LEAST_REACH), 0.0)
            pairs = zip(hands, kept.tolist(), strict=True)
            ranges.append({hand: Fraction(share) for hand, share in pairs if share})
        menus = replace(self._menus_of, betting=self._menus(line, board))
        subgame = subgame_of(menus, self.game.point(line).betting, board)
        game = replace(subgame, ranges=(ranges[0], ranges[1]))
        tree = FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game, isomorphism=False))
        engine = factored_cfr.prepare(tree, QUARTIC)
        state = engine.advance(engine.start(), self.config.iterations)
        return CurrentPlay.of(engine.strategy(state), 0)

    @property
    def _menus_of(self) -> PokerGame:
        """The game whose sizes the subgames have."""
        return self.trunk.few if self.config.menus is None else self.config.menus

    def _check_sizes(self) -> None:
        """Refuse sizes of the subgames that the game lacks; ``ValueError`` names the first."""
        mine, menus = self.game.betting.sizes, self._menus_of
        if mine is None:  # every whole number of chips, or the one size of limit games
            return
        if menus.betting.sizes is None:
            raise BadInputError(f"the game that is played needs the menus of {menus.name}, which has none")
        for number, (few, many) in enumerate(zip(menus.betting.sizes, mine, strict=True)):
            if sum(1 for n in self.game.board_cards[: number + 1] if n) < self.config.street:
                continue
            for one, other in zip(few, many, strict=True):
                for kind in ("bets", "raises", "donk_bets"):
                    lacking = [size for size in getattr(one, kind) if size not in getattr(other, kind)]
                    if lacking:
                        raise BadInputError(
                            "the game that is played needs every size of the subgames: "
                            f"{self.game.name} lacks {size_text(lacking[0])}, one of the "
                            f"{kind.replace('_', ' ')} of {menus.name}"
                        )

    def _menus(self, line: str, board: Cards) -> Betting:
        """Return the betting of the subgame at a public state in the game that is played, in its chips."""
        mine, menus = self.game.betting, self._menus_of.betting
        in_chips = mine.raise_sizes is None and mine.sizes is None and menus.sizes is not None
        sizes, shaken = menus.sizes, self.config.shaken
        if sizes is not None and shaken:
            factor = shaken_by(shaken, f"{line}|{self.game.deck.text(board)}")
            sizes = tuple((_scaled(first, factor), _scaled(second, factor)) for first, second in sizes)
        return replace(menus, sizes=sizes, stacks=mine.stacks, chip=Fraction(1) if in_chips else menus.chip)

    def _answer(self, current: CurrentPlay, here: str, action: str, after: str, board: Cards) -> CurrentPlay:
        """Return the subgame after a bet that its menus lack, solved behind the gadget."""
        key = after, board[: self.game.point(here).n_board]
        if key not in self._answers:
            if len(self._answers) >= MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]
            place = current.tree.betting.node_of[here], self._place(current, key[1])
            answered = answer_bet(current, place, action, self.config.way, self._limits)
            self._answers[key] = answered.after
        return self._answers[key]

    def _limits(self, _: FactoredTree) -> BoardLimits:
        return BoardLimits(iterations=self.config.iterations)

    def _place(self, current: CurrentPlay, board: Cards) -> int:
        """Return the number of a board in the tree of a subgame."""
        return boards_to(current.tree.game, current.tree.boards, board)[-1].image


def shaken_by(most: float, state: str) -> Fraction:
    """Return the factor of sizes at a public state, in thousandths: even over states within ``most`` of 1."""
    digest = blake2b(state.encode(), digest_size=8).digest()
    return 1 + Fraction(round(1000 * most * (2 * int.from_bytes(digest, "little") / 2**64 - 1)), 1000)


def _scaled(menu: Sizes, factor: Fraction) -> Sizes:
    """Return a menu whose fractions of the pot are multiplied; other sizes stay."""
    bets, raises, donks = (
        None if sizes is None else tuple(one * factor if isinstance(one, Fraction) else one for one in sizes)
        for sizes in (menu.bets, menu.raises, menu.donks)
    )
    assert bets is not None
    assert raises is not None
    return Sizes(bets, raises, donks)
