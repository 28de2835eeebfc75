"""Betting rules: menus, limits, whole chips, all-ins, and what they refuse."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.games.base.reading import amount_text
from treeplex.games.poker.bet_sizes import Chips, Geometric, Multiple, Sizes, Thresholds, geometric_total
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, BettingState
from treeplex.games.poker.size_menus import size_menu

F = Fraction
MENU = Sizes((F(1, 2), F(1), "a"), (F(1), "a"))


def spot(pot, stacks, menu=MENU, rounds=1, **other):
    pair = stacks if isinstance(stacks, tuple) else (stacks, stacks)
    return Betting(
        first=(0,) * rounds,
        invested=(F(pot) / 2, F(pot) / 2),
        stacks=(F(pair[0]), F(pair[1])),
        raise_sizes=None,
        max_raises=(other.pop("cap", None),) * rounds,
        sizes=((menu, menu),) * rounds,
        **other,
    )


def whole_chips(blinds=(100, 50), total=20_000, rounds=4, behind=None):
    return Betting(
        first=(1, *(0,) * (rounds - 1)),
        invested=(F(blinds[0]), F(blinds[1])),
        stacks=behind or (F(total - blinds[0]), F(total - blinds[1])),
        raise_sizes=None,
        max_raises=(None,) * rounds,
        min_bet=F(max(blinds)),
    )


def limit(rounds=4):
    caps, bets = (3, 4, 4, 4), (F(10), F(10), F(20), F(20))
    return Betting((1, 0, 0, 0)[:rounds], (F(10), F(5)), None, bets[:rounds], caps[:rounds])


def labels(betting, line=""):
    return [label for label, _ in betting.legal(betting.at(line))]


def states(betting):
    """Yield every state, next rounds included."""
    stack = [betting.root()]
    while stack:
        state = stack.pop()
        yield state
        if state.player == ROUND_OVER:
            stack.append(betting.next_round(state))
        stack.extend(after for _, after in betting.legal(state))


@over([(100, 200, 33), (3750, 18_125, 57), (500, 19_750, 93)])
def test_rivers_have_the_known_numbers_of_nodes(pot, stack, nodes):
    assert sum(1 for _ in states(spot(pot, stack))) == nodes


def test_limit_holdem_has_the_known_decisions_of_each_street():
    decisions = Counter(state.round for state in states(limit()) if state.player >= 0)
    assert decisions == {0: 8, 1: 70, 2: 630, 3: 5670}


def test_labels_of_odd_fractions_can_be_read_back():
    betting = spot(100, 1000, Sizes((F(1, 3),), (F(1),)), rounds=2)
    assert labels(betting) == ["c", "r100/3"]
    state = betting.at("r100/3c/cr800/9c")
    assert state.put == (50 + F(800, 9),) * 2
    assert state.player == HAND_OVER


def test_the_longer_of_two_fitting_labels_is_read():
    betting = spot(10, 100, Sizes((F(1, 2), F(5)), ()))
    assert labels(betting) == ["c", "r5", "r50"]
    assert betting.at("r50c").put == (55, 55)


def geometric_menu(*spelled):
    menu = size_menu("sizes", spelled)
    return Sizes(menu, menu)


@over(
    [
        # capped
        (spot(100, 200, geometric_menu("2e50"), rounds=2), "r50"),
        (spot(100, 200, geometric_menu("2e61.81"), rounds=2), "r61.803"),
        (spot(100, 200, geometric_menu("e33.3%")), "r33.3"),
        (spot(100, 200, geometric_menu("e33.3%"), chip=F(1)), "r33"),
        # rounded to chips
        (spot(100, 200, geometric_menu("e"), rounds=3, chip=F(1)), "r35"),
        (spot(100, 200, geometric_menu("e"), rounds=3, chip=F(5)), "r35"),
        (spot(100, 200, geometric_menu("e"), rounds=3, chip=F(20)), "r40"),
        (spot(100, 200, geometric_menu("e"), rounds=3, chip=F(150)), "r150"),
        # the smaller stack is what they bring in
        (spot(100, (350, 5000), geometric_menu("e"), rounds=3), "r50"),
        # without a pot there is none
        (spot(0, 100, geometric_menu("2e"), rounds=2), None),
    ]
)
def test_geometric_bets_by_hand(betting, bet):
    assert labels(betting) == ["c", *([bet] if bet else [])]


def test_a_raise_of_the_blind_is_the_first():
    betting = Betting(
        (1, 0), (F(2), F(1)), (F(160), F(161)), None, (None,) * 2, ((geometric_menu("4e"),) * 2,) * 2, F(2)
    )
    assert labels(betting) == ["f", "c", "r6"]
    assert labels(betting, "c") == ["c", "r6"]
    # Over three: 6 (162 / 6) ** (1 / 3) = 18; over two: 18 (162 / 18) ** (1 / 2) = 54.
    assert labels(betting, "r6") == ["f", "c", "r18"]
    assert labels(betting, "r6r18") == ["f", "c", "r54"]
    assert labels(betting, "r6r18r54") == ["f", "c", "r162"]
    # On the flop the bet is over four streets, and the first raise too.
    assert labels(betting, "r6c/") == ["c", f"r{amount_text(round(F(6 * 27**0.25), 3))}"]


@given(
    st.fractions(F(1, 100), F(1000), max_denominator=100),
    st.fractions(F(1, 100), F(10_000), max_denominator=100),
    st.integers(2, 5),
    st.sampled_from([F(1), F(1, 1000), F(3, 2), F(1, 7)]),
    st.fractions(F(0), F(1)),
)
def test_geometric_totals_are_the_nearest_that_the_unit_allows(top, behind, bets, unit, share):
    dead = top * share
    total = geometric_total(top, top + behind, bets, unit, dead)
    with localcontext(prec=60):
        growth = (Decimal((top + behind).numerator) / Decimal((top + behind).denominator)) / (
            Decimal(top.numerator) / Decimal(top.denominator)
        )
        aim = F((growth.ln() / bets).exp()) * top
    count = (aim - dead) / unit
    nearest = dead + unit * (count + F(1, 2)).__floor__()
    if abs(count % 1 - F(1, 2)) > F(1, 10**40):
        assert total == max(nearest, top + unit)
    assert total > top


def test_halves_of_geometric_totals_are_rounded_up():
    # 4 (12.25 / 4) ** (1 / 2) = 7, halfway between 6 and 8.
    just_below = F(49, 4) - F(1, 10**30)
    assert geometric_total(F(4), F(49, 4), 2, F(2), F(0)) == 8
    assert geometric_total(F(4), just_below, 2, F(2), F(0)) == 6
    assert geometric_total(F(4), F(49, 4), 2, F(2), F(1)) == 7


def test_caps_are_kept_round_by_round():
    betting = Betting((0, 0, 0), (F(1), F(1)), (F(999), F(999)), None, (1, 2, 0), ((MENU, MENU),) * 3)
    assert labels(betting, "r1") == ["f", "c"]
    assert labels(betting, "cc/r1")[-1] == "r999"
    assert labels(betting, "cc/r1r5") == ["f", "c"]
    assert labels(betting, "cc/cc/") == ["c"]


def test_the_smaller_stack_is_effective():
    betting = spot(100, (70, 200))
    assert labels(betting) == ["c", "r50", "r70"]
    assert labels(betting, "cr70") == ["f", "c"]
    assert betting.at("cr70c").put == (120, 120)


def test_a_spot_without_stacks_is_over_at_once():
    assert spot(100, 0).root().player == HAND_OVER
    assert spot(100, (0, 50), rounds=2).root().player == ROUND_OVER


def test_a_big_blind_with_nothing_behind_ends_the_betting():
    betting = whole_chips((10, 5), behind=(F(0), F(95)), rounds=1)
    assert labels(betting) == ["f", "c"]
    assert betting.at("c").player == HAND_OVER
    assert betting.at("c").put == (10, 10)


def test_a_caller_who_cannot_match_calls_for_less():
    betting = whole_chips((10, 2), behind=(F(90), F(3)), rounds=2)
    assert labels(betting) == ["f", "c"]
    assert betting.at("c").put == (10, 5)
    assert betting.at("c").player == ROUND_OVER


def test_a_small_blind_with_nothing_behind_leaves_no_decision():
    assert whole_chips((10, 2), behind=(F(90), F(0)), rounds=1).root().player == HAND_OVER


def test_whole_chip_raises_start_at_the_big_blind_and_grow_with_the_last_raise():
    betting = whole_chips(total=1000)
    assert labels(betting)[:4] == ["f", "c", "r200", "r201"]
    assert labels(betting)[-1] == "r1000"
    assert len(labels(betting)) == 2 + 801
    assert labels(betting, "r300")[:3] == ["f", "c", "r500"]
    assert labels(betting, "r300c/")[:2] == ["c", "r400"]
    assert labels(betting, "r999") == ["f", "c", "r1000"]


@pytest.mark.seconds(3)
def test_a_published_match_state_is_a_legal_line():
    state = whole_chips().at("r300r900c/r1800r3600r9000c/r20000c/")
    assert state.put == (20_000, 20_000)
    assert state.player == HAND_OVER


def test_whole_chips_of_a_broken_stack_end_with_the_all_in():
    betting = Betting((0,), (F(1), F(1)), (F(5, 2), F(5, 2)), None, (None,), min_bet=F(1))
    assert labels(betting) == ["c", "r2", "r3", "r3.5"]


def test_limit_raises_stop_at_the_stack():
    betting = Betting((0,), (F(1), F(1)), (F(3), F(3)), (F(2),), (None,))
    assert betting.at("rr").put == (3, 4)
    assert labels(betting, "rr") == ["f", "c"]


@given(st.fractions(max_denominator=5000))
def test_amounts_read_back(amount):
    text = amount_text(amount)
    assert Fraction(text) == amount
    is_decimal = (amount * 10**13).denominator == 1  # 2**12 is the highest power below 5000
    assert ("/" in text) != is_decimal


def sizes():
    caps = st.none() | st.fractions(F(1, 10), F(2), max_denominator=10)
    over_streets = st.builds(Geometric, st.none() | st.integers(1, 4), caps)
    pots = st.fractions(F(1, 10), F(3), max_denominator=10)
    others = st.builds(Multiple, pots.map(lambda x: 1 + x)), st.builds(Chips, pots.map(lambda x: 4 * x))
    menu = st.lists(st.one_of(st.just("a"), pots, over_streets, *others), max_size=3).map(tuple)
    bets = menu.map(lambda sizes: (*sizes, F(1)) if only_multiples(sizes) else sizes)
    return st.builds(Sizes, bets, menu, st.none() | bets)


def only_multiples(sizes):
    return bool(sizes) and all(isinstance(size, Multiple) for size in sizes)


@st.composite
def menu_games(draw):
    blinds = draw(st.sampled_from([(2, 1), (2, 2), (0, 3)]))
    stacks = draw(st.tuples(st.integers(0, 30), st.integers(0, 30)))
    return Betting(
        first=(draw(st.integers(0, 1)), 0),
        invested=(F(blinds[0]), F(blinds[1])),
        stacks=(F(stacks[0]), F(stacks[1])),
        raise_sizes=None,
        max_raises=draw(st.tuples(st.integers(0, 3), st.integers(0, 2))),
        sizes=tuple(draw(st.tuples(sizes(), sizes())) for _ in range(2)),
        min_bet=F(draw(st.integers(0, 3))),
        thresholds=draw(st.builds(Thresholds, *(st.sampled_from([F(0), F(1, 2), F(2)]),) * 3)),
        chip=draw(st.sampled_from([None, F(1), F(3, 2)])),
    )


def check_step(betting: Betting, before: BettingState, label: str, after: BettingState) -> None:
    me = before.player
    assert after.line == before.line + label
    assert after.put[1 - me] == before.put[1 - me]
    assert before.put[me] <= after.put[me] <= max(*before.put, betting.effective)
    if label == "f":
        assert before.put[me] < before.put[1 - me]
        assert (after.folded, after.player) == (me, HAND_OVER)
    elif label != "c":
        grown = after.put[me] - max(before.put)
        assert grown > 0
        assert grown >= max(before.last_raise, betting.min_bet) or after.put[me] == betting.effective
        assert after.player == 1 - me
        assert Fraction(label[1:]) + betting.dead_money == after.put[me]


@settings(max_examples=20)
@given(menu_games())
def test_every_step_obeys_the_rules(betting):
    seen = set()
    for state in states(betting):
        assert state.line not in seen
        seen.add(state.line)
        assert betting.at(state.line) == state
        moves = betting.legal(state)
        assert bool(moves) == (state.player >= 0)
        raised = [after.put[state.player] for label, after in moves if label[0] == "r"]
        assert raised == sorted(set(raised))
        for label, after in moves:
            check_step(betting, state, label, after)
        if state.player == HAND_OVER and state.folded < 0:
            caps = betting.cap
            assert state.put[0] == state.put[1] or min(state.put) in caps


def valid(**changes):
    fields = {
        "first": (0,),
        "invested": (F(1), F(1)),
        "stacks": None,
        "raise_sizes": (F(1),),
        "max_raises": (1,),
    }
    return Betting(**(fields | changes))


NO_LIMIT = {"raise_sizes": None, "stacks": (F(5), F(5)), "min_bet": F(1)}


@over(
    [
        ({"first": ()}, "first player"),
        ({"first": (2,)}, "0 or 1"),
        ({"max_raises": (1, 1)}, "max_raises must have 1 entries"),
        ({"raise_sizes": (F(1), F(1))}, "raise_sizes must have 1 entries"),
        ({"raise_sizes": (F(0),)}, "raise_sizes must be positive"),
        ({"invested": (F(-1), F(1))}, "invested .* at least 0"),
        ({"invested": (float("nan"), F(1))}, "invested .* exact"),
        ({"invested": (F(1),)}, "invested"),
        ({"stacks": (F(-1), F(1))}, "stacks .* at least 0"),
        ({"stacks": (float("nan"), F(1))}, "stacks .* exact"),
        ({"stacks": (float("inf"), F(1))}, "stacks .* exact"),
        ({"max_raises": (-1,)}, "max_raises must be integers"),
        ({"max_raises": (1.5,)}, "max_raises must be integers"),
        ({"sizes": ((MENU, MENU),)}, "got both"),
        (dict(NO_LIMIT, stacks=None), "stacks must be given"),
        (dict(NO_LIMIT, min_bet=F(0)), "min_bet must be positive"),
        (dict(NO_LIMIT, min_bet=F(-1)), "min_bet .* at least 0"),
        (dict(NO_LIMIT, chip=F(0)), "chip must be positive"),
        (dict(NO_LIMIT, sizes=((MENU, MENU),) * 2), "sizes must have 1 entries"),
    ]
)
def test_bad_rules_are_refused(changes, message):
    with pytest.raises(ValueError, match=message) as error:
        valid(**changes)
    assert "\n" not in str(error.value)


@over([F(0), F(-1), 0.5, float("nan"), "b", "2e", F(10) ** 200])
def test_bad_sizes_are_refused(size):
    with pytest.raises(ValueError, match="bets must be positive fractions"):
        Sizes((size,), ())
    with pytest.raises(ValueError, match="raises must be positive fractions"):
        Sizes((), (size,))


def test_lines_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="'cx' is no betting line"):
        spot(100, 200).at("cx")
    with pytest.raises(ValueError, match="the round is not over"):
        spot(100, 200, rounds=2).next_round(spot(100, 200).root())
