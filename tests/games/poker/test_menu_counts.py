"""Menus of bet sizes against the documented rules of solvers: nodes counted by hand, lines by a twin."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import NamedTuple

from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.games.counting.betting_counts import count_betting
from treeplex.games.poker.bet_sizes import Sizes, Thresholds
from treeplex.games.poker.betting import ROUND_OVER, Betting
from treeplex.games.poker.size_menus import size_menu

F = Fraction


class Rules(NamedTuple):
    """A spot in whole chips, both players alike."""

    pot: int
    stack: int
    streets: int = 1
    bets: str = ""
    raises: str = ""
    donks: str | None = None
    add: Fraction = F(0)
    force: Fraction = F(0)
    merge: Fraction = F(0)
    most: int | None = None


def betting(rules: Rules) -> Betting:
    donks = None if rules.donks is None else size_menu("donks", rules.donks)
    menu = Sizes(size_menu("bets", rules.bets), size_menu("raises", rules.raises), donks)
    return Betting(
        first=(0,) * rules.streets,
        invested=(F(rules.pot, 2), F(rules.pot, 2)),
        stacks=(F(rules.stack), F(rules.stack)),
        raise_sizes=None,
        max_raises=(rules.most,) * rules.streets,
        sizes=((menu, menu),) * rules.streets,
        thresholds=Thresholds(rules.add, rules.force, rules.merge),
        chip=F(1),
    )


def lines(rules: Betting) -> Iterator[tuple[str, int]]:
    """Yield each line with who acts after it: 0, 1 or less than 0 for nobody."""
    todo = [rules.root()]
    while todo:
        state = todo.pop()
        if state.player == ROUND_OVER:
            todo.append(rules.next_round(state))
            continue
        yield state.line, max(state.player, -1)
        todo.extend(after for _, after in rules.legal(state))


class Spot(NamedTuple):
    """The twin's node: chips of this street, as solvers count them."""

    street: int
    pot: int
    """Chips in the pot when the street began."""
    stack: int
    """Chips behind each player then."""
    put: tuple[int, int]
    """Chips that each player has put in on this street."""
    raises: int
    """Bets and raises on this street."""
    oop_called: bool
    """Whether the last action of the street before was a call by the first player."""


def rounded(amount: float | Fraction) -> int:
    return floor(F(amount) + F(1, 2))


def amounts(rules: Rules, spot: Spot, player: int) -> list[int]:
    """Return what a player may bet or raise to on this street, smallest first."""
    faced, own = spot.put[1 - player], spot.put[player]
    pot, left = spot.pot + 2 * faced, rules.streets - spot.street
    if rules.most is not None and spot.raises >= rules.most:
        return []
    if faced:
        menu = rules.raises
    elif player == 0 and spot.oop_called and rules.donks is not None:
        menu = rules.donks
    else:
        menu = rules.bets
    found = [one for size in menu.split(", ") if size for one in amount(size, spot, faced, pot, left)]
    if F(spot.stack - faced, pot) <= rules.add:
        found.append(spot.stack)
    least = faced + max(1, faced - own)
    clamped = [min(max(one, least), spot.stack) for one in found]
    forced = [
        spot.stack if F(spot.stack - one, spot.pot + 2 * one) <= rules.force else one for one in clamped
    ]
    return merged(sorted(set(forced)), faced, pot, rules.merge)


def amount(size: str, spot: Spot, faced: int, pot: int, left: int) -> list[int]:
    """Return the one amount on this street that a size stands for, nothing for a multiple of no bet."""
    if size == "a":
        return [spot.stack]
    if size.endswith("x"):
        return [rounded(faced * F(size[:-1]))] if faced else []
    if size.endswith("c"):
        return [faced + int(size[:-1])]
    if "e" not in size:
        return [faced + rounded(pot * F(size[:-1]) / 100)]
    number, cap = size.split("e")
    bets = max((int(number) if number else left) - max(spot.raises - 1, 0), 1)
    share = ((1 + 2 * (spot.stack - faced) / pot) ** (1 / bets) - 1) / 2
    return [faced + min(rounded(pot * share), rounded(pot * F(cap[:-1]) / 100) if cap else 10**9)]


def merged(found: list[int], faced: int, pot: int, threshold: Fraction) -> list[int]:
    """Return the largest of some amounts, the largest that is not close to it, and so on."""
    kept = []
    while found:
        highest = 100 * F(found[-1] - faced, pot)
        kept.append(found.pop())
        found = [one for one in found if (100 + highest) / (100 + 100 * F(one - faced, pot)) >= 1 + threshold]
    return kept[::-1]


def twin_lines(rules: Rules) -> Iterator[tuple[str, int]]:
    yield from walk(rules, Spot(0, rules.pot, rules.stack, (0, 0), 0, False), 0, "")


def walk(rules: Rules, spot: Spot, player: int, line: str) -> Iterator[tuple[str, int]]:
    """Yield the lines from a decision of the twin on, as ``lines`` does."""
    yield line, player
    mine, theirs = spot.put[player], spot.put[1 - player]
    earlier = rules.stack - spot.stack
    if theirs > mine:
        yield line + "f", -1
        yield from after_street(rules, spot, max(spot.put), player == 0, line + "c")
    elif player == 0:
        yield from walk(rules, spot, 1, line + "c")
    else:
        yield from after_street(rules, spot, 0, False, line + "c")
    if theirs == spot.stack:
        return
    for one in amounts(rules, spot, player):
        put = (one, spot.put[1]) if player == 0 else (spot.put[0], one)
        bet = spot._replace(put=put, raises=spot.raises + 1)
        yield from walk(rules, bet, 1 - player, f"{line}r{earlier + one}")


def after_street(
    rules: Rules, spot: Spot, called: int, oop_called: bool, line: str
) -> Iterator[tuple[str, int]]:
    left = rules.streets - spot.street - 1
    pot, stack = spot.pot + 2 * called, spot.stack - called
    if left and stack:
        yield from walk(rules, Spot(spot.street + 1, pot, stack, (0, 0), 0, oop_called), 0, line + "/")
    else:
        yield line + "/" * left, -1


def counts(found: Mapping[str, int]) -> tuple[int, int]:
    """Return the number of decisions and of leaves."""
    ended = sum(1 for player in found.values() if player < 0)
    return len(found) - ended, ended


BY_HAND = [
    # One chain of bets after the first player's bet, one after his check: 33, 99, 297, 300 (all-in).
    (Rules(100, 300, bets="33%", raises="3x"), 2 + 2 * 4, 1 + 2 * 8),
    # 3x a bet of 150 is 450, beyond the stack: 150, 300.
    (Rules(100, 300, bets="150%", raises="3x"), 2 + 2 * 2, 1 + 2 * 4),
    # 1.5x a bet of 40 is lifted to the least raise, 80; 1.5x of 80 to 120, and so on by 40 up to 200.
    (Rules(100, 200, bets="40%", raises="1.5x"), 2 + 2 * 5, 1 + 2 * 10),
    # 50 chips, each raise by 100 more: 50, 150, 250, 350, 400.
    (Rules(100, 400, bets="50c", raises="100c"), 2 + 2 * 5, 1 + 2 * 10),
    # A raise by 20 chips is lifted to the least raise: 50, 100, 150, 200.
    (Rules(100, 200, bets="50c", raises="20c"), 2 + 2 * 4, 1 + 2 * 8),
    (Rules(100, 200, bets="50c", raises="20c", most=2), 2 + 2 * 2, 1 + 2 * 4),
    # 2x is no opening bet: 50 alone opens.
    (Rules(100, 200, bets="2x, 50%", raises=""), 2 + 2 * 1, 1 + 2 * 2),
    # All-in joins the menu where it is at most 1 pot: 50 or 100, and a raise of 50 to 100.
    (Rules(100, 100, bets="50%", add=F(1)), 2 + 2 * 3, 1 + 2 * 6),
    (Rules(100, 101, bets="50%", add=F(1)), 2 + 2 * 2, 1 + 2 * 4),  # not as an opening bet, but as a raise
    (Rules(100, 100, add=F(1)), 2 + 2 * 1, 1 + 2 * 2),  # also where a menu is empty
    # After a called bet of 50, 50 chips in a pot of 200 remain: forced all-in from a quarter on.
    (Rules(100, 100, bets="50%", force=F(1, 4)), 2 + 2 * 1, 1 + 2 * 2),
    (Rules(100, 100, bets="50%", raises="a", force=F(1, 4) - F(1, 1000)), 2 + 2 * 2, 1 + 2 * 4),
    # (100 + 100) / (100 + 60) = 1.25, then (100 + 60) / (100 + 50) = 1.07: 50 goes, 60 and 100 stay.
    (Rules(100, 900, bets="50%, 60%, 100%", merge=F(1, 5)), 2 + 2 * 2, 1 + 2 * 4),
    # 175 / 140 = 1.25 is not below 1 + 1/4.
    (Rules(100, 900, bets="40%, 75%", merge=F(1, 4)), 2 + 2 * 2, 1 + 2 * 4),
    (Rules(100, 900, bets="40%, 75%", merge=F(1, 4) + F(1, 1000)), 2 + 2 * 1, 1 + 2 * 2),
    # All-in of 120 swallows the bet of 110: 220 / 210 < 1.1.
    (Rules(100, 120, bets="110%, a", merge=F(1, 10)), 2 + 2 * 1, 1 + 2 * 2),
    # Two streets. The turn ends in three ways, check and check or a called bet of either; rivers as above.
    (Rules(100, 900, 2, bets="50%"), 4 + 3 * 4, 2 + 3 * 5),
    # A donk bet may be of two sizes after a check and a called bet: two decisions more there, four leaves.
    (Rules(100, 900, 2, bets="50%", donks="25%, 50%"), 4 + 3 * 4 + 1, 2 + 3 * 5 + 2),
    # Without a size, it is no bet, and one decision and two leaves less.
    (Rules(100, 900, 2, bets="50%", donks=""), 4 + 3 * 4 - 1, 2 + 3 * 5 - 2),
    # Geometric bets over two streets: 100 into 100, then 300 into 300; 400 into 100 if the turn is checked.
    (Rules(100, 400, 2, bets="e"), 4 + 3 * 4, 2 + 3 * 5),
]


@over(BY_HAND)
def test_nodes_counted_by_hand(rules: Rules, decisions: int, leaves: int) -> None:
    game = betting(rules)
    assert counts(dict(lines(game))) == (decisions, leaves)
    assert counts(dict(twin_lines(rules))) == (decisions, leaves)
    merged_count = count_betting(game).rounds
    assert sum(sum(one.decisions) for one in merged_count) == decisions
    assert sum(one.folds + one.showdowns for one in merged_count) == leaves


BUILT = [
    (Rules(100, 950, 3, "33%, e", "3x", "20%", F(3, 2), F(3, 20), F(1, 10)), [16, 132, 609]),
    (Rules(180, 910, 3, "52%, a", "45%"), [12, 56, 164]),
    (Rules(60, 400, 3, "20c, 3e", "3x", "e40%, 10c"), [18, 201, 1946]),
    (Rules(37, 215, 3, "e, 120%", "2.5x, 50%", "", F(2), F(1, 3)), [24, 91, 148]),
    (Rules(200, 900, 2, "60%, e, a", "2.5x", "50%", F(3, 2), F(3, 20), F(1, 10)), [18, 57]),
    (Rules(50, 1000, 1, "25%, 50%, 75%, 100%, 150%", "2.2x, 3.5x, a", None, F(1), F(1, 5), F(1, 5)), [118]),
    (Rules(500, 2000, 2, "30%, 70%, 120%", "60%, 2e", None, F(0), F(1, 10)), [32, 208]),
]
"""Decisions on each street of the trees that postflop-solver itself builds (commit 9d1509f)."""


@over(BUILT)
def test_trees_are_as_large_as_those_of_postflop_solver(rules: Rules, decisions: list[int]) -> None:
    found = Counter(line.count("/") for line, player in lines(betting(rules)) if player >= 0)
    assert [found[street] for street in range(rules.streets)] == decisions


WORDS = ["33%", "100%", "12.5%", "2x", "2.5x", "7c", "40c", "e", "2e", "3e80%", "e30%", "a"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=3).map(", ".join)
OPENINGS = TEXTS.filter(lambda text: not text or any(not word.endswith("x") for word in text.split(", ")))


@given(
    st.builds(
        Rules,
        pot=st.integers(1, 60),
        stack=st.integers(1, 150),
        streets=st.integers(1, 3),
        bets=OPENINGS,
        raises=TEXTS,
        donks=st.none() | OPENINGS,
        add=st.sampled_from([F(0), F(1, 2), F(3)]),
        force=st.sampled_from([F(0), F(1, 10), F(1)]),
        merge=st.sampled_from([F(0), F(1, 10), F(1, 2)]),
        most=st.integers(0, 2),
    )
)
@example(Rules(55, 910, 3, "50%, 2e", "60%, 3e150%", None, F(1), F(1, 10), F(1, 10), 3))
@example(Rules(37, 215, 3, "e, 120%", "2.2x, 50%", "", F(2), F(1, 3), F(0), 4))
def test_any_tree_is_that_of_the_twin(rules: Rules) -> None:
    assert dict(lines(betting(rules))) == dict(twin_lines(rules))


def labels(rules: Betting, line: str) -> list[str]:
    return [label for label, _ in rules.legal(rules.at(line))]


def test_a_donk_bet_is_into_the_aggressor_of_the_street_before() -> None:
    rules = betting(Rules(100, 5000, 3, bets="50%", raises="100%", donks="20%"))
    assert labels(rules, "") == ["c", "r50"]  # nobody has bet before
    assert labels(rules, "cr50c/") == ["c", "r90"]
    assert labels(rules, "cr50c/c") == ["c", "r150"]  # the other player
    assert labels(rules, "r50r250c/") == ["c", "r370"]  # called the raise
    assert labels(rules, "r50c/") == ["c", "r150"]  # was the aggressor
    assert labels(rules, "cr50r250c/") == ["c", "r550"]
    assert labels(rules, "cc/") == ["c", "r50"]
    assert labels(rules, "cr50c/cc/") == ["c", "r150"]  # on the street before nobody bet
    assert labels(rules, "cr50c/cr150c/") == ["c", "r230"]


def test_a_multiple_is_of_the_chips_of_its_street() -> None:
    rules = betting(Rules(100, 5000, 2, bets="50%", raises="3x"))
    assert labels(rules, "r50c/r150")[-1] == "r350"  # 100 on the river: to 300 there
    assert labels(rules, "r50c/r150r350")[-1] == "r950"


def test_a_subgame_may_have_menus_that_look_further_back() -> None:
    plain = betting(Rules(100, 5000, 2, bets="50%", raises="50%"))
    typed = betting(Rules(100, 5000, 2, bets="50%", raises="3x", donks="25%"))
    raised, called = plain.at("cr50c/r150"), plain.at("cr50c/")
    assert labels(replace(typed, start=raised), "cr50c/r150") == ["f", "c", "r350"]
    assert labels(replace(typed, start=called), "cr50c/") == ["c", "r100"]


def whole_hand(**menus: str) -> Betting:
    sizes = {key: size_menu(key, text) for key, text in menus.items()}
    menu = Sizes(sizes["bets"], sizes["raises"], sizes.get("donks"))
    chips = (F(98), F(99))
    return Betting((1, 0), (F(2), F(1)), chips, None, (None,) * 2, ((menu, menu),) * 2, min_bet=F(2))


def test_blinds_are_bets_to_multiply_but_make_nobody_the_aggressor() -> None:
    rules = whole_hand(bets="50%, 4x", raises="2.5x, 3c", donks="25%")
    assert labels(rules, "") == ["f", "c", "r5"]  # to 2.5 and, by 3 chips, to 5
    assert labels(rules, "c") == ["c", "r4", "r8"]  # the big blind's option: 4 blinds, half the pot
    assert labels(rules, "r5") == ["f", "c", "r8", "r12.5"]
    assert labels(rules, "cc/") == ["c", "r4"]  # a limp; at least the big blind
    assert labels(rules, "r5c/") == ["c", "r7.5"]  # the big blind called
    assert labels(rules, "cr8c/") == ["c", "r16"]  # the big blind raised


def test_chips_round_multiples_and_amounts() -> None:
    rules = betting(Rules(75, 1000, bets="1.5c, 50%", raises="2.5x"))
    assert labels(rules, "") == ["c", "r2", "r38"]
    assert labels(rules, "r38") == ["f", "c", "r95"]


def test_a_pot_of_nothing_has_chips_and_all_in() -> None:
    rules = betting(Rules(0, 50, bets="50%, e, 5c, a", raises="2x", add=F(9), force=F(1, 9), merge=F(1, 10)))
    assert labels(rules, "") == ["c", "r1", "r5", "r50"]  # at least one chip
    assert labels(rules, "r5") == ["f", "c", "r10", "r50"]
