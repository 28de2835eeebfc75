"""Iterations on betting times boards against those on the explicit public tree, and against themselves.

Averages agree until rounding breaks an exact tie, which is where two sound runs may part for good.
Predictions take values as they are, so that predictive variants part on most games with ties: those are
held against each other on games without ties, and elsewhere by what they guarantee.
"""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import cycle, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import gains_after, ran
from tests.helpers.twins.factored import (
    advanced,
    before,
    behaviours,
    compared,
    engine_of,
    explicit_tree,
    factored_tree,
    farthest,
    gains,
    on_explicit,
)
from tests.helpers.twins.public_tree import vector_gains
from treeplex.cfr.boards.board_arrays import BoardArrays
from treeplex.cfr.boards.board_state import LIMITS, FactoredConfig
from treeplex.cfr.boards.workspace import segments_of
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS, Average, Matching
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.betting import Betting
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.trees.public_tree import compile_public

MATCHING = ("cfr+", "cfr", "lcfr", "dcfr", "dcfr+", "hs-dcfr")
PREDICTIVE = ("pcfr+", "pdcfr", "sapcfr+", "pdcfr+", "hs-pcfr+", "hs-pdcfr+")
CLOSE = 5e-5
"""How far averages after few iterations may be apart: regrets are kept to 24 bits."""

TURN = 'small_holdem(board="As Kh Qs Jh",ranks=6,bets=[0.5,1],raises=[1])'
FLOP = 'small_holdem(board="As Ks Qs",ranks=4,suits=3)'
RIVERS = [
    "small_holdem",
    'small_holdem(ranks=5,suits=4,board="As Kh Qs Jh Ts")',
    'small_holdem(ranks=6,suits=3,board="As Ks Qs Js 9s",bets=[0.5,1],raises=[1])',
    'small_holdem(ranges=["KsKh:0.5,AhTs,Th9h","QJ,JT:0.25"])',
]
TURNS = [
    TURN,
    'small_holdem(board="As Ks Qs Js",ranks=5,suits=3)',
    'small_holdem(board="As Ks Qs Js",ranks=5,suits=4)',
    'small_holdem(board="As Kh Qd Jc",ranks=5,suits=4)',
    'small_holdem(board="As Kh Qs Jh",ranks=6,ranges=["AK,QJ:0.5,TT","KQ,JT,99:0.25"])',
    'small_holdem(board="Qs Qh Js Jh",ranks=5,suits=3,ranges=["AsKs,AhKh:0.5,KK","AK,TT:0.25"])',
]
FLOPS = [
    FLOP,
    'small_holdem(board="As Ah Ad",ranks=4,suits=3)',
    'small_holdem(board="As Kh Qs",ranks=5,bets=[1,"a"])',
    'small_holdem(board="As Kh Qs",ranks=4,suits=3,stack=20,bets=["a"])',
    'small_holdem(board="As Kh Qd",ranks=4,suits=3,ranges=["AA,KsJs","KK:0.5,QJ"])',
]
WHOLE = [
    "kuhn_poker",
    "leduc_poker",
    "leduc_poker(suits_visible=true)",
    "leduc_poker(ranks=4,suits=3,suits_visible=true)",
    "rhode_island(ranks=3,suits=3,raises=1)",
    "one_card_flop(ranks=3,suits=3)",
    "flop_holdem(ranks=4,suits=2)",
    "flop_holdem(ranks=5,suits=2,raises=[1,1])",
]
SMALLER, LARGER = [*WHOLE[:4], WHOLE[5]], [WHOLE[4], *WHOLE[6:]]
SLOW = [
    "rhode_island(ranks=3,suits=3)",
    "turn_holdem(ranks=4,suits=2,raises=[1,1,1])",
    "limit_holdem(ranks=5,suits=2,raises=[1,0,1,1])",
    'small_holdem(board="As Kh Qd",ranks=4,suits=4,bets=[1])',
]
TIES = ["no_limit_leduc"]
"""Games on which regrets kept to 24 bits break exact ties that 53 bits keep."""
NO_TIES = ["leduc_poker", "leduc_poker(suits_visible=true)", RIVERS[2]]
AROUND = [RIVERS[1], *TURNS[:2], TURNS[4], FLOP, FLOPS[3], *WHOLE[2:6:2], "flop_holdem(ranks=4,suits=2)"]
"""A river, turns, flops and whole games, for what must hold on all of them."""


def bits(state):
    return [array.tobytes() for tables in state.memories for array in tables]


# --- the same iterations as on the explicit tree ---


SPOTS = RIVERS + TURNS + FLOPS


def check_averages(spec, isomorphism, storage="float32", near=CLOSE):
    for variant, iterations in [("cfr+", 10), ("dcfr", 5)]:
        assert compared(spec, variant, iterations, isomorphism=isomorphism, storage=storage)[0] < near


@pytest.mark.seconds(3)
@over([*product(SPOTS[::2], [True]), *((spec, False) for spec in SPOTS[1::3] if spec in AROUND)])
def test_averages_are_those_on_the_explicit_tree(spec, isomorphism):
    check_averages(spec, isomorphism)


@pytest.mark.seconds(3)
@over([*product(SMALLER, [True, False]), ("flop_holdem(ranks=4,suits=2,raises=[0,1])", True)])
def test_averages_are_those_on_the_explicit_tree_of_whole_games(spec, isomorphism):
    check_averages(spec, isomorphism)


@pytest.mark.seconds(5)
@over(
    [
        *product(SPOTS[1::2], [True]),
        *((spec, False) for spec in SPOTS if spec in AROUND),
        *product(LARGER, [True, False]),
    ]
)
def test_averages_are_those_on_the_explicit_tree_of_more_games(spec, isomorphism):
    check_averages(spec, isomorphism, "float64", 1e-10)


@pytest.mark.seconds(2)
@over([RIVERS[2], TURN, FLOP, "leduc_poker(suits_visible=true)"], MATCHING)
def test_variants_are_those_on_the_explicit_tree(spec, variant):
    assert compared(spec, variant, 10)[0] < CLOSE


@over(NO_TIES, PREDICTIVE)
def test_predictive_variants_are_those_on_the_explicit_tree(spec, variant):
    assert compared(spec, variant, 10)[0] < CLOSE


def check_that_variants_guarantee_as_much_where_ties_are_broken(spec, variant):
    """Ties are broken by rounding, so the strategies differ; what they guarantee must not, by much."""
    _, one, run = compared(spec, variant, 100)
    mine = gains(load_game(spec), one.average, explicit_tree(spec))
    theirs = vector_gains(explicit_tree(spec), run.average)
    assert mine.nash_conv <= 1.5 * theirs.nash_conv + 1e-6
    assert mine.lower <= theirs.upper
    assert theirs.lower <= mine.upper


@pytest.mark.seconds(3)
@over([*zip(AROUND[:-2], cycle(PREDICTIVE), strict=False), *product(TIES, MATCHING + PREDICTIVE)])
def test_variants_guarantee_as_much_where_ties_are_broken(spec, variant):
    check_that_variants_guarantee_as_much_where_ties_are_broken(spec, variant)


@pytest.mark.seconds(18)
@over(AROUND[-2:], PREDICTIVE)
def test_variants_guarantee_as_much_where_ties_are_broken_in_larger_games(spec, variant):
    check_that_variants_guarantee_as_much_where_ties_are_broken(spec, variant)


@pytest.mark.seconds(60)
@over(SLOW, [True, False])
def test_averages_are_those_on_the_explicit_tree_of_larger_games(spec, isomorphism):
    assert compared(spec, "cfr+", 5, isomorphism=isomorphism, storage="float64")[0] < 1e-10


@pytest.mark.seconds(60)
@over(SLOW, ["cfr+"])
def test_variants_guarantee_as_much_in_float32(spec, variant):
    check_that_variants_guarantee_as_much_where_ties_are_broken(spec, variant)


@pytest.mark.seconds(20)
@over(MATCHING)
def test_in_double_precision_nothing_but_rounding_is_left(variant):
    """With tables of float64 runs part in the 12th digit."""
    for spec in AROUND + TIES:
        for isomorphism in (True, False):
            assert compared(spec, variant, 8, isomorphism=isomorphism, storage="float64")[0] < 1e-10


# --- random games ---

ORDER = "AKQJT98765432"


@st.composite
def spots(draw):
    """Draw a river, turn or flop of a small deck, its ranges and its betting."""
    n_board = draw(st.sampled_from([5, 5, 4, 4, 3]))
    suits = draw(st.integers(2, 4))
    ranks = draw(st.integers(-(-9 // suits), {5: 6, 4: 5, 3: 4}[n_board] + (suits == 2)))
    deck = [r + s for r in ORDER[:ranks] for s in "shdc"[:suits]]
    deck = draw(st.permutations(deck))
    board, live = deck[:n_board], deck[n_board:]
    every = [a + b for i, a in enumerate(live) for b in live[:i]]
    weights = st.sampled_from(["", "", ":0.5", ":0.01", ":0.000001"])
    words = st.tuples(st.sampled_from(every), weights).map("".join)
    some = st.lists(words, min_size=1, max_size=12, unique_by=lambda word: word[:4]).map(",".join)
    ranges = [draw(st.one_of(st.just("all"), some)) for _ in (0, 1)]
    size = st.sampled_from(["0.25", "0.5", "1", "3", "a", "2e"])
    bets = draw(st.lists(size, min_size=1, max_size=2, unique=True))
    raises = draw(st.lists(size, max_size=1))
    stack = draw(st.sampled_from(["0", "0.5", "1", "2", "7"]))
    text = ",".join('"' + one + '"' for one in ranges)
    assume(can_be_dealt(*ranges))
    return (
        f'small_holdem(board="{" ".join(board)}",ranks={ranks},suits={suits},stack={stack},'
        f"bets=[{_sizes(bets)}],raises=[{_sizes(raises)}],ranges=[{text}],max_raises=2)"
    )


def can_be_dealt(*ranges):
    first, second = ([{w[:2], w[2:4]} for w in text.split(",")] for text in ranges)
    return "all" in ranges or any(not g & h for g in first for h in second)


def _sizes(words):
    return ",".join(word if word[0].isdigit() and word[-1].isdigit() else f'"{word}"' for word in words)


@pytest.mark.seconds(14)
@settings(max_examples=15)
@given(spots(), st.sampled_from(MATCHING), st.booleans(), st.integers(1, 6))
def test_drawn_spots_are_played_as_on_the_explicit_tree(spec, variant, isomorphism, iterations):
    worst, one, run = compared(spec, variant, iterations, isomorphism=isomorphism, storage="float64")
    # An exact tie may be broken by rounding; then the profiles must guarantee as much.
    if worst >= CLOSE:
        mine = gains(load_game(spec), one.average, explicit_tree(spec))
        assert mine.nash_conv == pytest.approx(
            vector_gains(explicit_tree(spec), run.average).nash_conv, rel=0.2, abs=1e-6
        )


# --- games of other shapes ---


def uneven():
    """Yield a turn with stacks of which one is shorter or empty."""
    base = load_game(TURN)
    for stacks in ((2, 1), (Fraction(1, 3), 5), (3, 0)):
        betting = replace(base.betting, stacks=tuple(map(Fraction, stacks)))
        yield replace(base, betting=betting)


@over(list(uneven()))
def test_uneven_stacks(game):
    tree = compile_public(game)
    for isomorphism in (True, False):
        one = advanced(game, "cfr+", 8, isomorphism=isomorphism)
        assert farthest(game, tree, one, ran(vector_cfr.prepare(tree, before("cfr+")), 8)) < CLOSE


@over(["As Kh Qs Jh 9s", "As Kh Qs Jh", "As Kh Qs"])
def test_without_chips_nobody_decides(board):
    spec = f'small_holdem(board="{board}",ranks=6,suits=2,stack=0)'
    game, tree = load_game(spec), explicit_tree(spec)
    one = advanced(game, "cfr+", 3)
    assert all(len(memory.regret) == 0 for memory in one.state.memories)
    assert behaviours(game, one.average, 0) == behaviours(game, one.average, 1) == {}
    assert gains(game, one.average, tree).nash_conv == pytest.approx(0.0, abs=1e-12)


def test_a_player_without_a_decision():
    """Player 1 is all-in from the start; player 0 may only check."""
    game = replace(load_game(RIVERS[0]), betting=_one_sided())
    tree = compile_public(game)
    one = advanced(game, "cfr+", 4)
    assert farthest(game, tree, one, ran(vector_cfr.prepare(tree, before("cfr+")), 4)) < CLOSE


def _one_sided():
    base = load_game(RIVERS[0]).betting
    return Betting((0,), base.invested, (Fraction(0), Fraction(2)), None, (None,), base.sizes)


def test_where_the_board_plays_no_bet_is_worth_calling_for():
    """All hands tie: checking down is worth nothing, and nobody can be made to lose."""
    spec = 'small_holdem(board="As Ks Qs Js Ts",ranks=7,suits=2)'
    one, tree = advanced(load_game(spec), "cfr+", 300), explicit_tree(spec)
    worth = gains(load_game(spec), one.average, tree)
    assert worth.lower <= 1e-12
    assert worth.upper >= -1e-12
    assert worth.nash_conv < 1e-2


BLOCKING = [
    ("Ah Qd Jd 9d", '["AsKs","QhQs"]'),
    ("Ah Qd Jd 9d", '["KsKh","KsKh,QsQh"]'),
    ("Ah Qd Jd 9d", '["9s9h,KsKh","KsKh"]'),
    ("Ah Qd Jd", '["JsTs","9s8s,JhTh"]'),
    ("Ah Qd Jd 9d", '["JsTs,9s9h","9s8s,JsTs:0.001"]'),
]


@pytest.mark.seconds(3)
@over(BLOCKING)
def test_few_hands_and_hands_that_block_each_other(board, ranges):
    spec = f'small_holdem(board="{board}",ranks=7,suits=3,bets=["a"],ranges={ranges})'
    for variant, isomorphism in (("cfr+", True), ("dcfr", False)):
        assert compared(spec, variant, 10, isomorphism=isomorphism)[0] < CLOSE


# --- boards up to suits ---


@over([TURNS[1], TURNS[2], *FLOPS[:2], "flop_holdem(ranks=4,suits=2)"], ["cfr", "cfr+", "pcfr+"])
def test_hands_that_suits_alone_tell_apart_learn_the_same_bits(spec, variant):
    one = advanced(load_game(spec), variant, 25)
    boards, alike = one.average.tree.boards, 0
    for p in (0, 1):
        hands = boards.hands[p]
        for board in np.flatnonzero(boards.street < boards.street.max()):
            start, end = one.average.tree.base[p][board : board + 2]
            first = hands.first[hands.on(board)].astype(int)
            alike += (first != np.arange(len(first))).sum()
            for table in (one.state.memories[p].regret, one.state.memories[p].total):
                rows = table[start:end].reshape(-1, len(first))
                assert (rows == rows[:, first]).all()
    assert alike > 0


def test_ranges_that_tell_suits_apart_leave_every_board():
    spec = TURNS[5].replace("AsKs,AhKh:0.5", "AsKs,AhKh:0.5,AdKd:0.25")
    one, two = (factored_tree(load_game(spec), iso).boards for iso in (True, False))
    assert one.n_boards == two.n_boards
    assert compared(spec, "cfr+", 10)[0] < CLOSE


# --- the same bits ---


@pytest.mark.seconds(3)
@over([*product([RIVERS[0], TURN, FLOP], ["float32", "int16"]), ("flop_holdem(ranks=4,suits=2)", "int16")])
def test_neither_threads_nor_slices_change_a_bit(spec, storage):
    game = load_game(spec)
    expected = bits(advanced(game, "dcfr", 10, storage=storage).state)
    for threads in (1, 2, 7):
        engine, state = engine_of(game, "dcfr", storage=storage, threads=threads), None
        for part in (5, 1, 4):
            state = iterate(engine, part, state)
        assert state.iterations == 10
        assert bits(state) == expected


def test_groups_of_uneven_subtrees_cover_every_board():
    """The last subtree may be most of the tree."""
    parents = [-1, 0, 1, 0, 3, 0, *[5] * 40]
    zeros = np.zeros(len(parents), np.int64)
    boards = BoardArrays(zeros, np.array(parents), zeros + 1, zeros, zeros, None, None, None, 0)
    groups = segments_of(boards, 32).of(slice(1, -1))
    assert groups.first[0] == 1
    assert groups.last[-1] == len(parents)
    assert (groups.first[1:] == groups.last[:-1]).all()
    assert (groups.first < groups.last).all()


def test_many_iterations_are_those_of_several_chunks():
    engine, state = engine_of(load_game(RIVERS[0]), "pdcfr"), None
    for part in (63, 2, 64, 21):
        state = iterate(engine, part, state)
    assert bits(iterate(engine, 150)) == bits(state)


# --- 16 bits ---


@over([(TURN, "dcfr"), (NO_TIES[1], "cfr")])
def test_sixteen_bits_are_nearly_enough(spec, variant):
    """At first nothing is lost; after 200 iterations what is left to gain is at most about twice as much."""
    game, tree = load_game(spec), explicit_tree(spec)
    for iterations, factor in ((5, 1.01), (20, 1.05), (200, 2.2)):
        floats, ints = (
            gains(game, advanced(game, variant, iterations, storage=s).average, tree)
            for s in ("float32", "int16")
        )
        assert ints.nash_conv <= factor * floats.nash_conv
        assert ints.lower <= floats.upper
        assert floats.lower <= ints.upper
    assert compared(spec, variant, 3, storage="int16")[0] < 0.02


def test_sixteen_bits_use_their_whole_range():
    for tables in advanced(load_game(TURN), "cfr", 30, storage="int16").state.memories:
        assert (tables.regret.dtype, tables.total.dtype) == (np.int16, np.uint16)
        assert tables.total.max() == 65_535
        assert np.abs(tables.regret.astype(int)).max() == 32_767
        assert (tables.regret < 0).any()
        assert (tables.regret_scale >= 0).all()
        assert (tables.total_scale > 0).all()


TINY = "0.0000000000000001"
EXTREME = TURN.replace(")", f',ranges=["AK,QJ:{TINY},TT","KQ,JT:{TINY},99:0.01"])')


@over(["cfr", "cfr+", "pdcfr"], ["float32", "int16"])
def test_extreme_ranges_neither_overflow_nor_mislead(variant, storage):
    game, tree = load_game(EXTREME), explicit_tree(EXTREME)
    one = advanced(game, variant, 100, storage=storage)
    assert all(np.isfinite(array).all() for tables in one.state.memories for array in tables)
    explicit = gains_after(vector_cfr.prepare(tree, before(variant)), 100)
    assert gains(game, one.average, tree).nash_conv <= 1.1 * explicit.nash_conv + 1e-3


@over(["float32", "int16"], ["1/1000000", "1000000", "1000000000000"])
def test_the_size_of_a_chip_changes_next_to_nothing(storage, unit):
    plain = load_game(TURN)
    betting, unit = plain.betting, Fraction(unit)
    invested, stacks = (tuple(unit * chips for chips in two) for two in (betting.invested, betting.stacks))
    scaled = replace(plain, betting=replace(betting, invested=invested, stacks=stacks))
    one, two = (advanced(game, "dcfr", 10, storage=storage) for game in (plain, scaled))
    for p in (0, 1):
        for node in np.flatnonzero(one.average.tree.betting.player == p):
            for board in np.flatnonzero(
                one.average.tree.boards.street == one.average.tree.betting.street[node]
            ):
                x, y = (run.average.at(p, int(node), int(board)) for run in (one, two))
                np.testing.assert_allclose(x, y, rtol=0, atol=CLOSE if storage == "float32" else 0.02)


# --- what is refused ---


def test_numbers_out_of_range_are_refused():
    names = "float32, int16, int32, float64"
    for options, error, message in (
        *(({"threads": n}, ValueError, f"threads must be between 1 and 64, got {n}") for n in (0, 65, -1)),
        *(
            ({"storage": name}, ValueError, f"storage must be one of {names}, got '{name}'")
            for name in ("float16", "int8", "")
        ),
        ({"threads": 1.5}, TypeError, "float"),
    ):
        with pytest.raises(error, match=message):
            engine_of(RIVERS[0], **options)
    engine = engine_of(RIVERS[0])
    for n in (0, -3):
        with pytest.raises(ValueError, match=f"iterations must be at least 1, got {n}"):
            iterate(engine, n)
    with pytest.raises(TypeError, match="float"):
        iterate(engine, 1.5)


@over(
    [
        (VARIANTS["hedge"], "both players must learn by the same regret matching"),
        (VARIANTS["cfr-br"], "both players must learn by the same regret matching"),
        (replace(before("cfr+"), minimisers=(Matching(), Matching(1.5))), "the same regret matching"),
        (replace(before("cfr+"), order="simultaneous"), "updates must alternate"),
        (VARIANTS["cfr+"], "of the plans before them, got alternating"),
        (replace(before("cfr+"), average=Average(1.0, "seen")), "of the plans before them"),
        (replace(before("cfr"), average=Average(np.inf, "before")), "the last plan alone is for cfr.+, got"),
    ]
)
def test_other_variants_are_refused(variant, message):
    with pytest.raises(ValueError, match=message):
        FactoredConfig(variant)


def test_a_state_of_something_else_is_refused():
    state = advanced(load_game(RIVERS[0]), "cfr+", 1).state
    refused = partial(pytest.raises, ValueError)
    with refused(match="the same tree and storage: player 0's regret must be .* int16, got .* float32"):
        iterate(engine_of(RIVERS[0], storage="int16"), 1, state)
    with refused(match="the state must be of the same tree and storage: player 0's regret"):
        iterate(engine_of(TURN), 1, state)
    first, second = state.memories
    for wrong in (
        (first, second._replace(total=second.total[1:])),
        (first, second._replace(gain=np.zeros(1, np.float32))),
        (first, second._replace(total=second.total.astype(np.float64))),
        (first, second._replace(total_scale=second.total_scale[:0])),
    ):
        with refused(match="the state must be of the same tree and storage: player 1's"):
            iterate(engine_of(RIVERS[0]), 1, replace(state, memories=wrong))
    with refused(match="iterations must not be negative, got -1"):
        iterate(engine_of(RIVERS[0]), 1, replace(state, iterations=-1))


# --- where it leads ---


def profile_on(form, tree, strategies, known):
    """Return strategies node by node as a profile of the sequence form."""
    behaviour = []
    for p in (0, 1):
        live = [
            x[tree.deals[tree.deal[n]].alive[p]].ravel()
            for n, x in zip(tree.nodes_of(p).tolist(), strategies[p], strict=True)
        ]
        behaviour.append(np.concatenate([[1.0], *live]))
    return Profile(form.treeplexes, tuple(behaviour))


@pytest.mark.seconds(10)
@over(
    [
        (RIVERS[2], 2e-3),
        (TURN, 2e-3),
        (FLOP, 2e-3),
        (TURNS[5], 2e-3),
        ("leduc_poker(suits_visible=true)", 2e-2),
        ("rhode_island(ranks=2,suits=3,raises=1)", 5e-2),
    ]
)
def test_the_certificate_closes_around_the_value(spec, target):
    game, tree = load_game(spec), explicit_tree(spec)
    form = sequence_form(tree)
    optimum = solve_lp(form).certificate
    assert certify(form, average(full_width.prepare(form, before("cfr+")), 200)).nash_conv <= target
    for storage, most in (("float32", target), ("int16", 2 * target)):
        one = advanced(game, "cfr+", 200, storage=storage)
        strategies, known = on_explicit(game, one.average, tree)
        certificate = certify(form, profile_on(form, tree, strategies, known))
        assert certificate.nash_conv <= most
        assert not certificate.disjoint(optimum)
        assert certificate.nash_conv == pytest.approx(
            vector_gains(tree, tuple(strategies)).nash_conv, abs=1e-6
        )


@pytest.mark.seconds(2)
@over([("float32", 3_532_917), ("int16", 3_532_917), ("float64", None)])
def test_averages_by_the_fifth_power_end_before_they_are_infinite(storage, most):
    """Tables as if all plans so far had been the same and certain: the largest that they can be."""
    engine = engine_of("kuhn_poker", "pdcfr+", storage=storage)
    done = (most or 10**12) - 2
    state, total = replace(engine.start(), iterations=done), engine.config.variant.average.total(done)
    for memory in state.memories:
        memory.total[:] = LIMITS[storage][1] or total
        memory.total_scale[:] = total / LIMITS[storage][1] if LIMITS[storage][1] else 1.0
    state = engine.advance(state, 2)
    for memory in state.memories:
        assert np.isfinite(memory.total).all()
        assert np.isfinite(memory.total_scale).all()
        sums = memory.total.astype(np.float64) * (memory.total_scale[0] if LIMITS[storage][1] else 1.0)
        assert sums.max() == pytest.approx(total, rel=0.01)
    if most is None:
        assert engine.advance(state, 1).iterations == done + 3
        return
    says = rf"at most {most:,} where averages by t\^5 are kept in {storage}, got {most + 1:,}"
    with pytest.raises(ValueError, match=says):
        engine.advance(state, 1)
