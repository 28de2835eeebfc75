"""Where subgames begin, and with what weight the opponent enters them; derived."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import comb

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import KEPT, enumerated
from treeplex.bench.theorems.solved_instances import FIGURE_4_GAME, SMALL_LEDUC, instances, of_case, parts
from treeplex.bench.theorems.solved_subgames import subgames
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_subgames.board_cases import LEDUC, RIVER, TURN
from treeplex.bench.theorems_on_subgames.board_pieces import blueprint, factored
from treeplex.gadgets.gadget import UndefinedError
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.gadgets.published_gadgets import Unsafe
from treeplex.games.base.protocol import CHANCE
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.cut import weighted
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.subgames.inputs import places_of
from treeplex.subgames.nested_on_boards import AnsweredBet, CurrentPlay, answer_bet
from treeplex.subgames.solve_on_boards import BoardLimits

SOURCE = "derived"


def _come(piece: Subgame, *, theirs: bool) -> Floats:
    """Return the probability that play comes to each top, (T,); without the opponent's part if not theirs."""
    cut, game = piece.cut, piece.cut.game
    plans = [*piece.blueprint.plans]
    if not theirs:
        plans[cut.opponent] = np.ones_like(plans[cut.opponent])
    first, second = (plans[p][game.last[p][cut.roots]] for p in (0, 1))
    return weighted(cut.root_top, game.tree.chance_floats[cut.roots] * first * second, len(cut.tops))


def _entered(come: Callable[[Subgame], Floats]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of the tops that unsafe solving deals, beside those to which play comes."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, _ = parts(instance)
        for piece in subgames(spec, seat, start):
            wanted, name = come(piece), piece.cut.name
            try:
                (entry,) = Unsafe().root(piece).entries
            except UndefinedError:
                yield Comparison(0.0, float((wanted > 0.0).sum()), at=f"tops of {name}")
                continue
            dealt = np.where(entry.at >= 0, entry.weight * piece.reach, 0.0)
            yield Comparison(float((entry.at >= 0).sum()), float((wanted > 0.0).sum()), at=f"tops of {name}")
            yield Comparison(float(dealt.sum()), float(wanted.sum()), at=f"weight of {name}")

    return measure


def _with_pure(effort: Effort) -> Iterator[Instance]:
    for start in ("pure:1", "pure:2"):
        for spec in (SMALL_LEDUC, FIGURE_4_GAME):
            yield from (of_case((spec, seat, start), "unsafe") for seat in (0, 1))
    yield from instances(effort, ("unsafe",), quick=6, full=100)


UNSAFE_TOPS = Theorem(
    name="unsafe-tops",
    plain=(
        "Unsafe solving deals the tops that chance and both blueprints reach, and no others: those that the "
        "opponent's own blueprint never reaches weigh nothing, and where it never comes there is no game."
    ),
    tex=r"\{t : t \text{ is dealt}\} = \{t : \pi^{\sigma}(t) > 0\}",
    source="Ganzfried and Sandholm 2015; the form derived",
    relation="==",
    instances=_with_pure,
    measure=_entered(partial(_come, theirs=True)),
    twin=Twin(
        "It deals the tops that chance and the defender reach.", _entered(partial(_come, theirs=False))
    ),
)


def _first_histories(spec: str, defender: int, decides: frozenset[int]) -> set[str]:
    """Return the public states of histories right after a deal, or a decision, that follows a decision.

    Each history is looked at by itself, by the moves that lead to it; decisions are those of ``decides``.
    """
    tree = enumerated(spec).tree
    states = PublicStates.of(tree)
    dealt, decided = set[int](), set[int]()
    for node in range(1, tree.n_nodes):
        movers, above = list[int](), int(tree.parent[node])
        while above >= 0:
            movers.insert(0, int(tree.player[above]))
            above = int(tree.parent[above])
        acted = [k for k, mover in enumerate(movers) if mover in decides]
        deals = [k for k, mover in enumerate(movers) if acted and mover == CHANCE and k > acted[0]]
        if acted and acted[0] == len(movers) - 1:
            decided.add(int(states.state[node]))
        if deals and deals[0] == len(movers) - 1:
            dealt.add(int(states.state[node]))
    for first in (dealt, decided):
        names = {states.names[k] for k in first if _decides_in(states, k, defender)}
        if names:
            return names
    return set()


def _decides_in(states: PublicStates, state: int, defender: int) -> bool:
    """Return whether a player acts at a history of a public state or at one below."""
    tree = states.tree
    for node in np.flatnonzero(tree.player == defender).tolist():
        above = node
        while above >= 0:
            if states.state[above] == state:
                return True
            above = int(tree.parent[above])
    return False


def _first_lines(game: PokerGame, defender: int, decides: frozenset[int]) -> set[tuple[str, int]]:
    """Return the lines of a game's rules at which subgames on boards begin, and their board cards dealt."""
    dealt, decided = set[tuple[str, int]](), set[tuple[str, int]]()

    def acts(line: str) -> bool:
        point = game.point(line)
        return point.player == defender or any(acts(after) for after in point.nexts)

    def walk(line: str, *, after: bool, n_board: int) -> None:
        point = game.point(line)
        if point.player >= 0 and after and acts(line):
            if point.n_board > n_board:
                dealt.add((line, point.n_board - n_board))
                return
            if not any(line.startswith(one) for one, _ in decided):
                decided.add((line, 0))
        for following in point.nexts:
            walk(following, after=after or point.player in decides, n_board=n_board)

    walk(game.first_line, after=False, n_board=game.point(game.first_line).n_board)
    return dealt or decided


def _places(decides: frozenset[int]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of the usual places, beside those found move by move."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, choice = instance.game, instance.seat, instance.choice
        assert seat is not None
        if choice == "histories":
            try:
                found = {*PublicStates.of(enumerated(spec).tree).first_subgames(seat)}
            except ValueError:
                found = set()
            walked = _first_histories(spec, seat, decides)
            yield Comparison(float(len(found)), float(len(found | walked)), at="found")
            yield Comparison(float(len(walked)), float(len(found | walked)), at="walked")
            return
        tree = factored(spec)
        stands_for: dict[str, float] = {}
        for place in places_of(tree, seat, "all"):
            line, board, ways = tree.betting.line[place.node], place.board.image, 1.0
            while board > 0:
                ways, board = ways * float(tree.boards.ways[board]), int(tree.boards.parent[board])
            stands_for[line] = stands_for.get(line, 0.0) + ways
        left = tree.game.ranks * tree.game.suits - len(tree.game.board)
        lines = {line: float(comb(left, n)) for line, n in _first_lines(tree.game, seat, decides)}
        for line in sorted({*stands_for, *lines}):
            yield Comparison(stands_for.get(line, 0.0), lines.get(line, 0.0), at=f"boards after {line!r}")

    return measure


SECOND_FIRST = "turn_holdem(ranks=4,suits=2,raises=[1,1,1])"
"""Player 1 acts first before the deal."""


def _where_subgames_begin(effort: Effort) -> Iterator[Instance]:
    on_boards = effort.choose(
        (LEDUC, RIVER, TURN, SECOND_FIRST), ("flop_holdem(ranks=5,suits=2,raises=[2,1])",)
    )
    enumerated_games = effort.choose(
        ("kuhn_poker", "coin_toss", SMALL_LEDUC), ("goofspiel(cards=3)", "liars_dice(faces=3)")
    )
    for seat in (0, 1):
        for spec in on_boards:
            yield Instance(spec, 0, seat, "boards")
        for spec in enumerated_games:
            yield Instance(spec, 0, seat, "histories")
        for seed in effort.seeds(quick=6, full=60):
            yield Instance(f"random_game(seed={seed},depth=5,actions=3)", seed, seat, "histories")


FIRST_PLACES = Theorem(
    name="first-places",
    plain=(
        "The usual subgames begin right after the first deal that follows a decision, whoever made it and "
        "whoever acts then, or after the first decision where no deal does, wherever the defender decides."
    ),
    tex=r"\{S\} = \{s : \text{the first deal after a decision of either player leads to } s\}",
    source=SOURCE,
    relation="==",
    instances=_where_subgames_begin,
    measure=_places(frozenset((0, 1))),
    tolerance=0.0,
    twin=Twin(
        "They begin right after the first deal that follows one of player 1's.", _places(frozenset((1,)))
    ),
)


RANGES = '["AA:0.5,KK,JJ,KQ:0.75","AA,KK:0.25,KJ,QJ:0.5"]'
NESTED = f"ranks=4,suits=3,stack=100,bets=[1],raises=[1],max_raises=4,ranges={RANGES}"
NESTED_RIVER = f'small_holdem(board="As Kh Qs Jh Jd",{NESTED})'
NESTED_TURN = f'small_holdem(board="As Kh Qs Jh",{NESTED})'
TWO_BETS: tuple[tuple[str, int, str], ...] = (
    (NESTED_RIVER, 0, "c r1.25 cr1.25r5.75 r16"),
    (NESTED_RIVER, 1, "- r0.75 r0.75r4.25 r12"),
    (NESTED_TURN, 1, "- r1.25 r1.25c/cr5.75 r16"),
)
"""A game, the defender, and after each other: the line before the opponent's first bet beside the menus, a
hyphen for none, that bet, the line before the second one, and that bet."""
ITERATIONS = 20


@lru_cache(KEPT)
def _answered(
    spec: str, seed: int, defender: int, choice: str
) -> tuple[AnsweredBet, tuple[AnsweredBet, ...]]:
    """Return the answer to a first bet beside the menus, and those to a second one, on every board."""
    line, label, then, again = choice.split(" ")
    way, start = off_tree_method("maxmargin", "expensive"), blueprint(spec, f"random:{seed}")

    def limits(tree: object) -> BoardLimits:
        return BoardLimits(iterations=ITERATIONS)

    place = start.tree.betting.node_of[line.strip("-")], 0
    one = answer_bet(CurrentPlay.of(start, defender), place, label, way, limits)
    tree = one.after.tree
    node = tree.betting.node_of[then]
    boards = np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist()
    return one, tuple(answer_bet(one.after, (node, board), again, way, limits) for board in boards)


def _own_actions(one: AnsweredBet, two: AnsweredBet) -> Iterator[tuple[str, str]]:
    """Yield the public states and actions of the opponent on the way to a second bet, the last one first."""
    tree, opponent = one.solution.strategy.tree, two.before.opponent
    cards = two.before.subtree.tree.game.board
    node = tree.betting.node_of[two.before.subtree.tree.betting.line[0]]
    while node > 0:
        above = int(tree.betting.parent[node])
        if tree.betting.player[above] == opponent:
            line = tree.betting.line[above]
            action = tree.actions(above)[tree.betting.children[above].tolist().index(node)]
            yield tree.game.public_key(cards[: tree.game.point(line).n_board], line), action
        node = above


def _entering(*, first: bool) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of the reaches with which hands come to a second bet beside the menus.

    They are held against products of the first answer's probabilities, with or without the first bet's own.
    """

    def measure(instance: Instance) -> Iterator[Comparison]:
        assert instance.seat is not None
        one, answers = _answered(instance.game, instance.seed, instance.seat, instance.choice)
        opponent, joiner = one.before.opponent, one.before.game.joiner
        played = {row[1:3]: row[3] for row in one.solution.strategy.rows() if row[0] == opponent}
        came = dict(
            zip(one.before.tops, (one.before.opponent_reach * one.before.chance).tolist(), strict=True)
        )
        for two in answers:
            own = [*_own_actions(one, two)]
            for t, hand in enumerate(two.before.tops):
                reach = came[hand]
                for state, action in own if first else own[:-1]:
                    reach *= played[f"{hand}{joiner}{state}", action]
                found = float(two.before.opponent_reach[t] * two.before.chance[t])
                yield Comparison(found, reach, at=f"{hand} in {two.before.name}")

    return measure


def _two_bets(effort: Effort) -> Iterator[Instance]:
    for seed in (0, *effort.seeds(quick=1, full=5)):
        for spec, seat, choice in TWO_BETS:
            yield Instance(spec, seed, seat, choice)


NESTED_ENTRY = Theorem(
    name="nested-entry",
    plain=(
        "Nested solving, a bet beside the menus answered from before it and then a second one: the hands of "
        "the opponent come to the second with the weights that the answer to the first gives its actions."
    ),
    tex=r"w_h(I_2) = w_h(I_1) \prod_{I_1 \sqsubseteq I \cdot a \sqsubseteq I_2} \sigma^{S_1}(I, a)",
    source="Brown and Sandholm 2017, section 6; the form derived",
    relation="==",
    instances=_two_bets,
    measure=_entering(first=True),
    twin=Twin("They come with the weights that they had before the first bet.", _entering(first=False)),
)

THEOREMS = (FIRST_PLACES, UNSAFE_TOPS, NESTED_ENTRY)
