"""Sizes of poker games: published figures, naive walks, and what the compilers really build."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.core.loading import load
from treeplex.games.base import reporting
from treeplex.games.base.number_texts import count_text
from treeplex.games.cards.cards import Deck
from treeplex.games.counting.betting_counts import _merged_states, count_betting
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, Sizes
from treeplex.games.poker.named import leduc_poker, small_holdem
from treeplex.seqform.programs.sequence_program import sequence_program
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.views.size import size

ACPC_2009 = "no_limit_holdem(stack=400,blinds=[2,1])"
COMPILED = [
    "kuhn_poker",
    "kuhn_poker(ranks=20)",
    "leduc_poker",
    "leduc_poker(suits_visible=true)",
    "leduc_poker(ranks=3,suits=3,raises=1)",
    "leduc_poker(ranks=4,suits=1)",
    "leduc_poker(ranks=14,suits=1,raises=0)",
    "no_limit_leduc",
    "no_limit_leduc(stack=9,bets=[1/2,1,a],max_raises=[2,2])",
    "no_limit_leduc(stack=1)",
    "rhode_island(ranks=3,suits=2,raises=1)",
    "rhode_island(ranks=4,suits=1,raises=1)",
    "flop_holdem(ranks=4,suits=2,raises=[1,0])",
    "small_holdem",
    "small_holdem(stack=0)",
    'small_holdem(ranges=["AQ,KJ","TT,AA"])',
    'small_holdem(board="As Kh Qs Jh",ranks=7,ranges=["JT,QJ,KT","KQ,TT"],bets=[1,a],raises=[a])',
    'small_holdem(board="As Kh Qs",ranks=6,ranges=["TsTh","9s9h,JsTh"],bets=[1/2,a])',
    'small_holdem(board="As Kh Qs",ranks=5,ranges=["TsTh","JsJh,AhKs"])',
]
FLOP_CARDS = [card for card in Deck(5, 2, False).cards if card not in small_holdem("As Kh Qs", 5).board]


def test_decision_nodes_of_limit_holdem_by_street():
    rounds = game_sizes(load_game("limit_holdem")).rounds
    assert [sum(one.decisions) for one in rounds] == [8, 70, 630, 5_670]
    assert [one.n_board for one in rounds] == [0, 3, 4, 5]


# betting


def walked(betting):
    """Return decisions and actions of each player, folds and showdowns for each round, line by line."""
    rounds = [[[0, 0], [0, 0], 0, 0] for _ in range(betting.n_rounds)]

    def walk(state, last):
        if state.player == ROUND_OVER:
            walk(betting.next_round(state), last)
        elif state.player == HAND_OVER:
            rounds[last][2 if state.folded >= 0 else 3] += 1
        else:
            children = betting.legal(state)
            rounds[state.round][0][state.player] += 1
            rounds[state.round][1][state.player] += len(children)
            for _, child in children:
                walk(child, state.round)

    walk(betting.root(), 0)
    return [(tuple(d), tuple(a), folds, showdowns) for d, a, folds, showdowns in rounds]


def as_tuples(rounds):
    return [(one.decisions, one.actions, one.folds, one.showdowns) for one in rounds]


@st.composite
def whole_chip_bettings(draw, rounds=2, most=7):
    chips = st.integers(0, most) | st.fractions(0, most, max_denominator=3)
    each = st.tuples(*[st.integers(0, 1)] * rounds)
    return Betting(
        first=draw(each),
        invested=draw(
            st.tuples(st.integers(0, 3) | st.fractions(0, 3, max_denominator=3), st.integers(0, 3))
        ),
        stacks=draw(st.tuples(chips, chips)),
        raise_sizes=None,
        max_raises=draw(st.tuples(*[st.none() | st.integers(0, 3)] * rounds)),
        min_bet=draw(
            st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)])
        ),
    )


@st.composite
def menu_bettings(draw):
    sizes = st.lists(st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(2), "a"]), max_size=2).map(tuple)
    menu = st.builds(Sizes, sizes, sizes)
    blind = draw(st.integers(0, 2))
    return Betting(
        first=draw(st.tuples(st.integers(0, 1), st.integers(0, 1))),
        invested=(Fraction(2), Fraction(blind)),
        stacks=draw(st.tuples(st.integers(0, 9), st.integers(0, 9))),
        raise_sizes=None,
        max_raises=draw(st.tuples(st.integers(0, 3), st.integers(0, 2))),
        sizes=((draw(menu), draw(menu)), (draw(menu), draw(menu))),
        chip=draw(st.none() | st.just(Fraction(1))),
    )


@st.composite
def limit_bettings(draw):
    return Betting(
        first=draw(st.tuples(st.integers(0, 1), st.integers(0, 1))),
        invested=draw(st.tuples(st.integers(0, 2), st.integers(0, 2))),
        stacks=draw(st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))),
        raise_sizes=draw(st.tuples(st.integers(1, 3), st.integers(1, 3))),
        max_raises=draw(st.tuples(st.integers(0, 3), st.integers(0, 3))),
    )


@given(whole_chip_bettings() | menu_bettings() | limit_bettings())
def test_betting_lines_are_those_of_a_walk(betting):
    assert as_tuples(count_betting(betting).rounds) == walked(betting)


@settings(max_examples=25)
@given(whole_chip_bettings(rounds=3, most=16))
def test_partitions_agree_with_merged_states(betting):
    assert count_betting(betting).rounds == tuple(_merged_states(betting))


@over(
    [
        "stack=12,blinds=[2,1]",
        "stack=9,blinds=[3/2,1]",
        "stack=8,blinds=[1/2,1/4]",
        "stack=25/3,blinds=[4/3,1/2],max_raises=2",
        "stack=13.5,blinds=[2,0.5],max_raises=0",
        "stack=17,blinds=[3,3],max_raises=1",
    ]
)
def test_partitions_agree_with_merged_states_for_any_blinds(keys):
    betting = load_game(f"no_limit_holdem({keys})").betting
    counts = count_betting(betting)
    assert (counts.method, counts.rounds) == ("partitions", tuple(_merged_states(betting)))


def test_partitions_are_for_raises_to_whole_chips():
    method = {spec: count_betting(load_game(spec).betting).method for spec in (ACPC_2009, "limit_holdem")}
    assert method == {ACPC_2009: "partitions", "limit_holdem": "merged states"}


def test_betting_without_end_is_refused():
    betting = replace(load_game("leduc_poker").betting, max_raises=(2, None))
    with pytest.raises(
        ValueError, match="max_raises must be given for each round where stacks are unlimited"
    ):
        count_betting(betting)


# whole games


def assert_as_compiled(game):
    sizes, form = game_sizes(game), load(game).form
    assert sizes.infosets == form.n_infosets
    assert sizes.sequences == form.n_sequences
    sums = len(form.payoff.link)
    for player in range(2):
        rows, cols = sequence_program(form, player).program.matrix.shape
        assert (sizes.lp_rows[player], sizes.lp_cols[player]) == (rows - sums, cols - sums)


def assert_as_walked(game):
    sizes, tree = game_sizes(game), build_tree(game)
    assert sizes.decision_states == (tree.player >= 0).sum()
    assert sizes.leaf_states == len(tree.leaves)


@pytest.mark.seconds(4)
@over(COMPILED)
def test_games_are_as_big_as_their_forms_and_trees(spec):
    assert_as_compiled(load_game(spec))
    assert_as_walked(load_game(spec))


@pytest.mark.seconds(3)
@settings(max_examples=20)
@given(*[st.lists(st.sampled_from(list(combinations(FLOP_CARDS, 2))), min_size=1, max_size=3)] * 2)
def test_narrow_ranges(first, second):
    assume(any(set(g).isdisjoint(h) for g in first for h in second))
    flop = small_holdem("As Kh Qs", ranks=5)
    game = replace(flop, ranges=(dict.fromkeys(first, Fraction(1)), dict.fromkeys(second, Fraction(1))))
    assert_as_compiled(game)
    assert_as_walked(game)


@settings(max_examples=20)
@given(*[st.sets(st.sampled_from(leduc_poker(ranks=2).deck.cards), min_size=1)] * 2, st.booleans())
def test_ranges_whose_suits_are_not_seen(first, second, board_lies):
    assume(len(first | second) > 1)
    game, ranges = leduc_poker(ranks=2), [{(card,): Fraction(1) for card in one} for one in (first, second)]
    if board_lies:
        board = game.deck.cards[:1]
        assume(any(g != h for g in first - set(board) for h in second - set(board)))
        game = replace(game, board=board, board_cards=(0, 0))
    game = replace(game, ranges=tuple(ranges))
    assert_as_compiled(game)
    assert_as_walked(game)


@pytest.mark.seconds(3)
@over(
    [
        "leduc_poker(suits_visible=true)",
        "rhode_island(ranks=2,suits=3,raises=1)",
        "flop_holdem(ranks=3,suits=3,raises=[1,1])",
    ]
)
def test_canonical_infosets_are_classes_of_real_ones(spec):
    """Rename suits in the keys of all infosets, and count how many keys stay different."""
    game = load_game(spec)
    streets = [game.hole_cards, *filter(None, game.board_cards)]
    for player, treeplex in enumerate(load(spec).form.treeplexes):
        classes = {min(names_of(key, streets, game.suits)) for key in treeplex.infosets}
        assert len(classes) == game_sizes(game).canonical_infosets[player]


def names_of(key, streets, suits):
    """Yield an infoset's key once for each naming of the suits."""
    cards, line = key.split(":")
    cards = re.findall("..", cards.replace("|", ""))
    for names in permutations("shdc"[:suits]):
        after = [card[0] + names["shdc".index(card[1])] for card in cards]
        ends = [sum(streets[: n + 1]) for n in range(len(streets))]
        groups = [tuple(sorted(after[end - size : end])) for size, end in zip(streets, ends, strict=True)]
        yield line, tuple(groups)


def test_a_spot_has_no_canonical_sizes():
    sizes = game_sizes(load_game("small_holdem"))
    assert sizes.canonical_infosets is sizes.canonical_sequences is None
    assert sizes.canonical_lp_rows is sizes.canonical_lp_cols is None


# the command


@pytest.fixture
def treeplex(capsys):

    def call(*arguments):
        code = run(arguments)
        return code, *capsys.readouterr()

    return call


def test_the_table(treeplex):
    code, out, err = treeplex("games", "limit_holdem")
    assert (code, err) == (SUCCESS, "")
    assert re.search(r"^4 +5 +5,670 +9,639 +318,594,551,184,000 +13,768,389,671,400 *$", out, re.MULTILINE)
    assert re.search(r"^all +6,378 +10,206 +319,365,922,522,608 +13,803,249,787,132 *$", out, re.MULTILINE)
    assert "decision states  316,207,058,696,146,800" in out


@over(["limit_holdem", ACPC_2009, "small_holdem"])
def test_the_table_fits_a_narrow_page(spec, treeplex, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = treeplex("games", spec)
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("…") == 0
    assert len(out.splitlines()) == 18 + len(load_game(spec).board_cards)


def test_json_has_every_number_in_full(treeplex):
    code, out, _ = treeplex("games", ACPC_2009, "--json")
    row, sizes = json.loads(out), size(ACPC_2009)
    assert code == SUCCESS
    assert sum(row["infosets"]) == 1389094358906842392181537788403345780331801813952
    for name in set(row) - {"rounds", "seconds"}:
        value = getattr(sizes, name)
        assert row[name] == (list(value) if isinstance(value, tuple) else value), name
    for one, given_ in zip(row["rounds"], sizes.rounds, strict=True):
        for name in one:
            value = getattr(given_, name)
            assert one[name] == (list(value) if isinstance(value, tuple) else value), name


@over(
    [
        ("coin_toss", "sizes are counted for poker games only, got coin_toss"),
        ("kuhn_pokr", "unknown game 'kuhn_pokr'; did you mean kuhn_poker"),
        ("no_limit_holdem(stack=-1)", "stack"),
    ]
)
def test_what_has_no_size_is_refused_in_one_line(spec, says, treeplex):
    code, out, err = treeplex("games", spec)
    assert (code, out, err.count("\n")) == (BAD_INPUT, "", 1)
    assert says in err


def test_progress_is_told_round_by_round(monkeypatch):
    monkeypatch.setattr(reporting, "SECONDS", 0.0)
    told = []
    size("limit_holdem", progress=lambda stage, width: told.append((stage, width)))
    for rounds in (1, 2, 3):
        assert (f"counting betting lines, {rounds} of 4 rounds done", float("inf")) in told
    assert any("moves: 1 so far, limit 250,000" in stage for stage, _ in told)


def test_long_numbers_keep_six_figures():
    assert count_text(0) == "0"
    assert count_text(999_999_999_999_999) == "999,999,999,999,999"
    assert count_text(1_000_000_000_000_000) == "1.00000e+15"
    assert count_text(6_378_123 * 10**100) == "6.37812e+106"
    assert count_text(10**5000) == "1.00000e+5000"
