"""Equities of hold'em hands: the printed ones, those of all boards dealt, and those against ranges."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from random import Random

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_in_papers.figures import Figure, listed, measured
from treeplex.games.cards.cards import Cards, cards_text, parse_cards
from treeplex.games.cards.equity import equities
from treeplex.games.cards.evaluator import evaluate_batch
from treeplex.games.cards.preflop import CLASSES, class_hands, equity

EQUITIES = (
    Figure("AA against KK", lambda: float(equity("AA", "KK").equity), "0.819461"),
    Figure("JTs against 22", lambda: float(equity("JTs", "22").equity), "0.538384"),
    Figure("AKs against AKo", lambda: float(equity("AKs", "AKo").equity), "0.524921"),
    Figure("AA against any hand", lambda: float(equity("AA", "random").equity), "0.852037"),
    Figure("32o against any hand", lambda: float(equity("32o", "random").equity), "0.323032"),
    Figure("any hand against itself", lambda: float(equity("random", "random").equity), "0.500000"),
)
WINS = (Figure("AA against KK", lambda: float(equity("AA", "KK").win), "0.819461"),)

PREFLOP_EQUITIES = Theorem(
    name="preflop-equities",
    plain="Equities before the flop, wins and half the ties, are the printed ones, by the counts kept for "
    "each two classes of hands.",
    tex=r"e = P(\text{win}) + \tfrac12 P(\text{tie})",
    source="Tables of hold'em equities in general use, six digits",
    relation="==",
    instances=listed(EQUITIES),
    measure=measured(EQUITIES),
    tolerance=0.5,
    twin=Twin("They count wins alone.", measured(WINS), listed(WINS)),
)


def _classes(effort: Effort) -> Iterator[Instance]:
    few = [label for label in CLASSES if label[-1] != "o"]
    for seed in effort.seeds(quick=1, full=5):
        yield Instance(seed=seed, choice=" against ".join(Random(seed).sample(few, 2)))


def _aces(effort: Effort) -> Iterator[Instance]:
    yield Instance(choice="AA against KK")


def _dealt(instance: Instance) -> list[Fraction]:
    """Return the equity of each hand of one class against each of the other that shares no card with it."""
    held, others = (class_hands()[CLASSES.index(label)] for label in instance.choice.split(" against "))
    pairs = ((g, h) for g, h in product(held, others) if not {*g} & {*h})
    return [equity(_hand(g), _hand(h)).equity for g, h in pairs]


def _hand(hand: Cards) -> str:
    return cards_text(hand).replace(" ", "")


def _kept(instance: Instance) -> Fraction:
    return equity(*instance.choice.split(" against ")).equity


def _all_dealt(instance: Instance) -> Iterator[Comparison]:
    found = _dealt(instance)
    yield Comparison(_kept(instance), sum(found) / len(found))


def _one_dealt(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(_kept(instance), _dealt(instance)[0])


DEALT_EQUITIES = Theorem(
    name="preflop-equities-by-dealing",
    plain="The equity of a pair or of suited cards against another such class, from the counts kept, is the "
    "mean over all their hands that share no card, each two shown on all 1,712,304 boards.",
    tex=r"e(C, D) = \frac1n \sum_{g \in C, h \in D, g \cap h = \emptyset} e(g, h)",
    source="Counted by enumeration",
    relation="==",
    instances=_classes,
    measure=_all_dealt,
    tolerance=0.0,
    twin=Twin("One hand of each class stands for all of them.", _one_dealt, _aces),
)


def _boards(effort: Effort) -> Iterator[Instance]:
    for board in effort.choose(("As Kd 7h 7c", "9s Ts Js 2d 3h"), ("As Kd 7h", "2s 3s 4s 5d")):
        for seed in effort.seeds(quick=1, full=3):
            yield Instance(seed=seed, choice=board)


def _range(instance: Instance) -> tuple[Cards, list[Cards], list[int]]:
    """Return a board, and thirteen random hands beside it with weights from 1 to 3."""
    board, rng = parse_cards(instance.choice), Random(instance.seed)
    left = [card for card in range(52) if card not in board]
    hands: list[Cards] = [*rng.sample(list(combinations(left, 2)), 11)]
    spare = [card for card in left if card not in {*hands[0], *hands[1]}]
    hands += [(hands[0][0], spare[0]), (spare[1], hands[1][1])]  # these share cards
    return board, hands, [rng.randrange(1, 4) for _ in hands]


def _one_by_one(instance: Instance, weighted: bool) -> Iterator[Comparison]:
    """Compare equities against a range with those over all pairs of hands and all boards to come."""
    board, hands, weights = _range(instance)
    found = equities(board, hands, hands, weights)
    for hand, value in zip(hands, found.tolist(), strict=True):
        won = met = Fraction(0)
        for other, weight in zip(hands, weights, strict=True):
            if not set(hand) & set(other):
                share, boards = _won(hand, other, board)
                times = weight if weighted else 1
                won, met = won + times * share, met + times * boards
        if met:
            yield Comparison(value, won / met, at=cards_text(hand))


def _won(hand: Cards, other: Cards, board: Cards) -> tuple[Fraction, int]:
    """Return the boards to come that a hand wins, a tie as one half, and how many there are."""
    left = [card for card in range(52) if card not in {*hand, *other, *board}]
    boards = [(*board, *rest) for rest in combinations(left, 5 - len(board))]
    mine, theirs = (evaluate_batch([(*held, *full) for full in boards]) for held in (hand, other))
    return Fraction(int((mine > theirs).sum())) + Fraction(int((mine == theirs).sum()), 2), len(boards)


def _by_weights(instance: Instance) -> Iterator[Comparison]:
    yield from _one_by_one(instance, weighted=True)


def _by_numbers(instance: Instance) -> Iterator[Comparison]:
    yield from _one_by_one(instance, weighted=False)


RANGE_EQUITIES = Theorem(
    name="equities-by-enumeration",
    plain="A hand's equity against a range is its share of wins, and half of ties, over all opposing hands "
    "that share no card with it and all boards to come.",
    tex=r"e(g) = \frac{\sum_{h \cap g = \emptyset} w_h \sum_b (1_{g>h} + \frac12 1_{g=h})}"
    r"{\sum_{h \cap g = \emptyset} w_h \sum_b 1}",
    source="Counted by enumeration",
    relation="==",
    instances=_boards,
    measure=_by_weights,
    tolerance=1e-12,
    twin=Twin("All hands of the range count alike, whatever their weights.", _by_numbers),
)

THEOREMS = (PREFLOP_EQUITIES, DEALT_EQUITIES, RANGE_EQUITIES)
