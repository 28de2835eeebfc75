"""Ranges at a node as texts: read back to the same floats, and subgames solved with them."""

import json
from functools import cache

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.files.split_store import RecordedRun
from treeplex.games.cards.cards import cards_text, parse_cards
from treeplex.games.cards.ranges import parse_range
from treeplex.pictures.node_view import compatible
from treeplex.seqform.forms.profile import Profile
from treeplex.views.ranges import NodeRanges, range_text

TURN = 'small_holdem(board="As Qh Ts 9h",ranks=6,stack=4)'
FLOP = 'small_holdem(board="As Kh Qs",ranks=6)'
LIMIT = "limit_holdem(ranks=5,suits=2,raises=[1,1,1,0],flops=2)"
SUBGAME = 'limit_holdem_subgame(board="{}",line="{}",ranks=5,suits=2,raises=[1,1,1,0],{})'
WHOLE_DECK = [(low, high) for high in range(52) for low in range(high)]


@cache
def problem_of(spec):
    return tp.load(spec)


@cache
def solved(spec, **options):
    return tp.solve(problem_of(spec), **options)


@cache
def random_profile(spec):
    treeplexes, random = problem_of(spec).form.treeplexes, np.random.default_rng(1)
    first, second = (t.behaviour(t.plan(random.random(t.n_sequences))) for t in treeplexes)
    return Profile(treeplexes, (first, second))


@pytest.fixture
def command(capsys):

    def call(*arguments):
        capsys.readouterr()
        code = run(["show", *map(str, arguments)])
        out, err = capsys.readouterr()
        assert (code, err.count("Traceback")) == (SUCCESS, 0)
        return out

    return call


def weights_of(ranges):
    """Return each player's weights as a text gives them, by hand."""
    return [{hand: float(weight) for hand, weight in parse_range(text).items()} for text in ranges.texts]


def together(ranges):
    """Return the weight of all pairs of hands that can be held together."""
    first, second = ranges.weights
    return float(first @ compatible(*ranges.hands) @ second)


# weights as text


def test_texts_are_read_back_to_the_same_floats():
    """Down to the smallest float; the whole deck's 1,326 hands with 17 digits each fit into an argument."""
    random = np.random.default_rng(1)
    weights = random.random(len(WHOLE_DECK)) * 10.0 ** random.integers(-40, 1, len(WHOLE_DECK))
    weights[:5] = 1e-16, 5e-324, 1.0, 0.0, 1.0000000000000002
    text = range_text(np.array(WHOLE_DECK), weights)
    read = {hand: float(weight) for hand, weight in parse_range(text).items()}
    assert read == {
        hand: min(weight, 1.0)
        for hand, weight in zip(WHOLE_DECK, weights.tolist(), strict=True)
        if weight > 0
    }
    assert text.startswith("AcAd:")
    assert 2 * len(text) < 2**17  # most bytes of an argument on Linux


def test_a_subgame_takes_weights_of_any_size():
    """The least weight is 1e-16 of the largest, and changes what is dealt by no more; every form reads it."""
    spec = 'small_holdem(ranges=["QT:{},AT,KJ:0.25","AQ:0.1234567890123456,KT:1e-16,JT"])'
    values = [
        tp.solve(spec.format(weight), form=form, method="cfr+", iterations=2000)
        for weight in ("1e-16", "0")
        for form in ("tree", "public", "boards")
    ]
    assert max(one.lower for one in values) <= min(one.upper for one in values) + 1e-12
    assert all(one.nash_conv < 1e-3 for one in values)
    weights = weights_of(tp.show(spec.format("1e-16"), map="ranges"))
    assert [min(one.values()) for one in weights] == [1e-16, 1e-16]


# what the texts are of


@over([
        ("", ""), ("c", ""), ("cr2", ""), ("cc/", "Jh"), ("cr2c/c", "9s"),
    ])  # fmt: skip
def test_where_a_player_acts_they_are_the_view(line, board):
    turn, played = problem_of(TURN), random_profile(TURN)
    ranges = tp.show(turn, line, board=board, strategy=played, map="ranges")
    view = tp.show(turn, line, board=board, strategy=played).view
    expected = [(view.hands, view.here), (view.opponent_hands, view.opponent_weight)]
    for read, (hands, weights) in zip(
        weights_of(ranges), expected[:: 1 if view.point.player == 0 else -1], strict=True
    ):
        by_hand = {tuple(hand): w for hand, w in zip(hands.tolist(), weights.tolist(), strict=True) if w > 0}
        assert read == {hand: min(weight, 1.0) for hand, weight in by_hand.items()}


@over([("cc", "cc/"), ("cr2c", "cr2c/"), ("r2c", "r2c/")])
def test_before_cards_they_are_those_after_them_with_the_hands_that_a_card_rules_out(before, after):
    turn, played = problem_of(TURN), random_profile(TURN)
    here = weights_of(tp.show(turn, before, strategy=played, map="ranges"))
    for card in ("Ks", "9s", "Ah"):
        later = weights_of(tp.show(turn, after, strategy=played, board=card, map="ranges"))
        for player in (0, 1):
            live = {h: w for h, w in here[player].items() if parse_cards(card)[0] not in h}
            assert later[player] == live


@over([
        ("small_holdem", ""), ('small_holdem(ranges=["all","KT:0.5,AQ:1e-16"])', ""),
        (SUBGAME.format("AhKsJs", "cc/cc", 'ranges=["all","QT:0.5,KT:1e-16"]'), "cc/cc"),
    ])  # fmt: skip
def test_at_the_start_they_are_as_dealt_and_need_no_strategy(spec, line):
    ranges, game = tp.show(spec, line, map="ranges"), tp.load(spec).game
    for read, dealt in zip(weights_of(ranges), game.reach, strict=True):
        largest = max(dealt.values())
        assert read == {hand: float(weight / largest) for hand, weight in dealt.items()}
    assert "as they are dealt" in ranges.source


@pytest.mark.seconds(12)
def test_a_store_gives_what_its_strategy_gives(tmp_path, command):
    limit = problem_of(LIMIT)
    tp.solve(limit, store=tmp_path / "run", iterations=3, executor="serial")
    whole = RecordedRun.of(tmp_path / "run").strategy().whole()
    for line, board in (
        ("rc/cc", "KhKsTh"),
        ("rc/rc", "KsKhTs"),
        ("cc/cr", "AsJsTh"),
        ("cc/cc/", "KhKsThAs"),
    ):
        stored = tp.show(limit, line, board=board, strategy=tmp_path / "run", map="ranges")
        for one, other in zip(
            weights_of(stored),
            weights_of(tp.show(limit, line, board=board, strategy=whole, map="ranges")),
            strict=True,
        ):
            assert one == pytest.approx(other, rel=1e-12)
    with pytest.raises(ValueError, match="cannot read none"):
        tp.show(limit, line, board=board, strategy=tmp_path / "run", abstraction="none.npz")
    at = ("--node", line, "--board", board, "--map", "ranges")
    assert command(LIMIT, "--strategy", tmp_path / "run", *at) == f"{stored}\n"


# a subgame solved with them


def expected(view):
    """Return player 0's expected payoff at a view with values, and the weight of its pairs of hands."""
    mine = np.nansum(view.joint * (view.values - float(view.point.put)))
    return (mine if view.point.player == 0 else -mine), view.joint.sum()


RIVERS = [("cc/", 2, 4, "Jh"), ("cr2c/", 6, 2, "9s"), ("r2c/", 6, 2, "Kh")]


@pytest.mark.seconds(6)
@over(RIVERS)
def test_a_river_is_worth_what_the_turn_says(line, pot, stack, card):
    """Both are proved to 1e-9, and the line is played often: the values agree to nearly as much."""
    turn, whole = problem_of(TURN), solved(TURN)
    out = tp.show(turn, line, strategy=whole, board=card, map="ranges")
    spec = f'small_holdem(board="AsQhTs9h{card}",ranks=6,pot={pot},stack={stack}'
    won, weight = expected(tp.show(turn, line, strategy=whole, board=card, map="ev").view)
    river = tp.solve(f"{spec},{out})")
    assert together(out) > 1
    assert river.value == pytest.approx(won / weight, abs=1e-6)
    assert abs(tp.solve(f"{spec})").value - river.value) > 1e-3


@over(RIVERS)
def test_a_river_played_as_in_the_turn_pays_the_same(line, pot, stack, card):
    """Of any strategy, which the river's infosets tell apart by what follows the line."""
    turn, played = problem_of(TURN), random_profile(TURN)
    out = tp.show(turn, line, strategy=played, board=card, map="ranges")
    river = tp.load(f'small_holdem(board="AsQhTs9h{card}",ranks=6,pot={pot},stack={stack},{out})')
    behaviours = []
    for whole, part, behaviour in zip(
        turn.form.treeplexes, river.form.treeplexes, played.behaviour, strict=True
    ):
        behaviours.append(np.ones(part.n_sequences))
        for key, begin, end in zip(part.infosets, part.begin, part.end, strict=True):
            board, _, after = key.partition(":")  # bets are counted from the start
            infoset = whole.index[f"{board}:{line}{after if stack == 4 else after.replace('r2', 'r4')}"]
            behaviours[-1][begin:end] = behaviour[whole.begin[infoset] : whole.end[infoset]]
    value = tp.check(river, Profile(river.form.treeplexes, (behaviours[0], behaviours[1]))).value
    won, weight = expected(tp.show(turn, line, strategy=played, board=card, map="ev").view)
    assert value == pytest.approx(won / weight, rel=1e-12)


@pytest.mark.seconds(20)
def test_a_subgame_is_worth_what_the_whole_game_says(tmp_path, command):
    """As far as both certificates allow: who gains G in the whole game gains at most G / P below a flop
    to which the strategy leads with probability P."""
    limit, line, flop = problem_of(LIMIT), "rc/crc", "KhKsTh"
    whole = solved(LIMIT, form="boards", iterations=1000)
    tp.write(whole, tmp_path / "whole.npz")
    at = ["--strategy", tmp_path / "whole.npz", "--node", line, "--board", flop, "--map", "ranges"]
    told = json.loads(command(LIMIT, *at, "--json"))
    ranges = tp.show(limit, line, strategy=whole, board=flop, map="ranges")
    subgame = tp.solve(SUBGAME.format(flop, line, ranges), form="boards", iterations=300)
    assert (told["ranges"], told["line"], told["board"]) == (list(ranges.texts), line, flop)
    game, won, weight = limit.game, 0.0, 0.0
    for turn in sorted({*game.deck.cards} - {*parse_cards(flop)}):
        board = flop + cards_text([turn])
        one = expected(tp.show(limit, f"{line}/", strategy=whole, board=board, map="ev").view)
        won, weight = won + one[0], weight + one[1]
    pairs = 21 * 10  # of hands from the seven cards that a flop leaves
    assert weight == pytest.approx(3 * together(ranges), rel=1e-9)  # three turn cards for each
    flops = dict(game.flops)
    often = flops[parse_cards(flop)] / sum(flops.values()) * together(ranges) / pairs
    low, high = won / weight - whole.gains[1] / often, won / weight + whole.gains[0] / often
    assert high - low < 0.03  # of a pot of 60 chips
    assert subgame.lower <= high
    assert subgame.upper >= low
    assert (
        tp.solve(SUBGAME.format(flop, line, 'ranges=["all","all"]'), form="boards", iterations=50).lower > -1
    )


# refusals


@pytest.mark.seconds(7)
@over([
        (("kuhn_poker", "--node", "c"), "ranges are written of hands of two cards, got kuhn_poker"),
        (("rhode_island",), "ranges are written of hands of two cards, got rhode_island"),
        (("coin_toss",), "poker games only, got coin_toss"),
        ((TURN, "--node", "cx"), "has no betting line 'cx': after 'c' it goes on as"),
        ((LIMIT, "--node", "rc"), "shown after the flop, which was drawn first, got 'rc'"),
        ((LIMIT, "--node", "rc/crc"), "the board at the betting line 'rc/crc' must have 3 cards, got 0"),
        ((TURN, "--node", "cc/cc"), "nobody acts at the betting line 'cc/cc': the hand is over"),
        ((FLOP, "--node", "r2c/"), "ranges are shown where a player acts or has just acted, got 'r2c/'"),
        ((TURN, "--node", "cc", "--board", "Js"), "must have 4 cards, got 5 in 'Js'"),
        ((TURN, "--node", "cc/"), "must have 5 cards, got 4; say which by --board"),
        ((TURN, "--node", "cc/", "--board", "AsKhQsJsTs"), "must begin with AsQhTs9h, got 'AsKhQsJsTs'"),
        ((TURN, "--node", "cc/", "--board", "2s"), "is not in the deck of"),
        (("limit_holdem_subgame", "--node", "rc/crc", "--board", "Kh7s3d"), "must begin with Kh7s2d"),
    ])  # fmt: skip
def test_what_has_no_ranges_is_refused_in_one_line(arguments, says, complaint):
    assert says in complaint("show", *arguments, "--map", "ranges")


def test_ranges_are_text(complaint, tmp_path):
    says = complaint("show", TURN, "--map", "ranges", "--out", tmp_path / "ranges.png")
    assert "--map ranges prints text, and --out writes pictures" in says


@pytest.mark.seconds(3)
def test_a_node_to_which_nobody_comes(complaint, tmp_path):
    """Player 1 always folds to the bet; then no strategy says what it holds after a call."""
    problem = tp.load("small_holdem")
    with (tmp_path / "folds.csv").open("w") as file:
        file.write("player,infoset,action,probability\n")
        for player, treeplex in enumerate(problem.form.treeplexes):
            for s, action in enumerate(treeplex.actions[1:], start=1):
                key = treeplex.infosets[treeplex.infoset_of[s]]
                actions = treeplex.actions[treeplex.begin[treeplex.infoset_of[s]] :]
                file.write(f"{player},{key},{action},{float(action == actions[0])}\n")
    at = ("--strategy", tmp_path / "folds.csv", "--node")
    says = complaint("show", "small_holdem", *at, "r2", "--map", "ranges")
    assert "no range at the betting line 'r2' on AsKhQsJh9s: player 0 never comes there" in says


def test_hands_that_cannot_be_held_together_are_no_ranges():
    aces, other = np.array([[48, 49]]), np.array([[49, 50]])
    with pytest.raises(ValueError, match="no ranges at the betting line 'cc' on KsTh7s: no two hands come"):
        NodeRanges("a game", "KsTh7s", "cc", (aces, other), (np.ones(1), np.ones(1)), "by hand")
