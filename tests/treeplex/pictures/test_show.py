"""Pictures of strategies at a node: hands added up by classes, in a terminal, a file and as JSON."""

import json
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from rich.console import Console

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.split_strategies import random_strategy
from tests.helpers.twins.factored import factored_tree, invariant_strategy
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import cards_text, parse_cards
from treeplex.games.cards.equity import equities
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.cards.preflop import CLASSES, class_of
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.push_fold import PushFold
from treeplex.pictures.board_view import board_view
from treeplex.pictures.hand_colours import action_styles, frequency_text, scale_of, value_colour, value_text
from treeplex.pictures.hand_grid import hand_grid
from treeplex.pictures.hand_text import letters_each
from treeplex.pictures.node_view import NodeView, compatible
from treeplex.pictures.profile_view import profile_view
from treeplex.pictures.public_node import Chips, find_point
from treeplex.pictures.strategy_view import node_view, point_of
from treeplex.seqform.forms.profile import Profile
from treeplex.views.show import show

RIVER = str(ROOT / "examples" / "river.toml")
BOARD = parse_cards("KsTh7s4d2c")
SMALL_FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
SPOT = """
board = "Ks Th 7s 4d 2c"
pot = 100
stack = 100
ranges = ["AA,QJs:0.5", "KQs,T9s"]
bets = [1.0]
raises = ["a"]
"""


@cache
def problem_of(spec):
    return tp.load(spec)


def random_profile(spec, seed):
    problem, random = problem_of(spec), np.random.default_rng(seed)
    plans = [t.behaviour(t.plan(random.random(t.n_sequences))) for t in problem.form.treeplexes]
    return Profile(problem.form.treeplexes, (plans[0], plans[1]))


@pytest.fixture(scope="module")
def made_by_hand(tmp_path_factory):
    """A strategy file for the river: pairs bet 50, suited hands check, others do either; calls elsewhere."""

    def probability(player, infoset, action):
        hand, line = infoset.split("|")[0], infoset.split(":")[1]
        if (player, line) != (1, "c"):
            return float(action == "c")
        if hand[0] == hand[2]:
            return float(action == "r50")
        if hand[1] == hand[3]:
            return float(action == "c")
        return 0.5 if action in ("c", "r100") else 0.0

    path = tmp_path_factory.mktemp("show") / "river.csv"
    with path.open("w") as file:
        file.write("player,infoset,action,probability\n")
        for player, treeplex in enumerate(problem_of(RIVER).form.treeplexes):
            for s, action in enumerate(treeplex.actions[1:], start=1):
                key = treeplex.infosets[treeplex.infoset_of[s]]
                file.write(f"{player},{key},{action},{probability(player, key, action)}\n")
    return path


@pytest.fixture
def command(capsys):

    def call(*arguments):
        capsys.readouterr()
        code = run(["show", *map(str, arguments)])
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def complains(complaint):
    def call(*arguments, says):
        assert says in complaint("show", *arguments)

    return call


# hands to classes


def view_of(hands, weight, reach, behaviour, line="c", met=None):
    cards = np.array([sorted(parse_cards(hand)) for hand in hands])
    others = np.array([parse_cards("3d3c")])
    return NodeView(
        point=find_point(problem_of(RIVER).game, line, ""),
        hands=cards,
        weight=np.array(weight, float),
        reach=np.array(reach, float),
        behaviour=np.array(behaviour, float),
        opponent_hands=others,
        opponent_weight=np.ones(1),
        met=np.ones(len(hands)) if met is None else np.array(met, float),
    )


def test_classes_are_means_by_weight_and_reach():
    view = view_of(
        ["AsAh", "AdAc", "AcKc", "Ah3d", "6s5s"],
        [1, 0.5, 1, 1, 1],
        [0.5, 1, 1, 1, 0],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0.25, 0.75, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]],
    )
    grid = hand_grid(view, np.array([10.0, 20.0, np.nan, 7.0, 1.0]))
    assert grid.frequencies.shape == (13, 13, 4)
    assert grid.frequencies[0, 0].tolist() == [0.5, 0.5, 0, 0]
    assert (grid.weights[0, 0], grid.shares[0, 0]) == (1.0, 1 / 1.5)
    assert grid.frequencies[0, 1].tolist() == [0.25, 0.75, 0, 0]  # suited above the diagonal
    assert grid.frequencies[11, 0].tolist() == [0, 0, 0, 1]  # offsuit below it: A3o
    assert (grid.labels[0][1], grid.labels[1][0], grid.labels[11][0], grid.labels[12][12]) == (
        "AKs",
        "AKo",
        "A3o",
        "22",
    )
    assert (grid.weights[8, 9], grid.shares[8, 9]) == (0.0, 0.0)  # 65s: held, but never here
    assert np.isnan(grid.frequencies[8, 9]).all()
    assert np.isnan(grid.shares[1, 1])  # KK: not in the range
    assert grid.values[0, 0] == 15.0
    assert grid.values[11, 0] == 7.0
    assert np.isnan([grid.values[0, 1], grid.values[8, 9]]).all()
    assert grid.overall.tolist() == [0.75 / 3, 1.25 / 3, 0, 1 / 3]
    assert grid.overall_value == (5 + 10 + 7) / 2


def test_what_the_opponent_holds_counts_for_the_whole_range():
    behaviour = [[1, 0, 0, 0], [0, 1, 0, 0]]
    grid = hand_grid(view_of(["AsAh", "Ah3d"], [1, 1], [1, 1], behaviour, met=[3, 1]))
    assert grid.overall.tolist() == [0.75, 0.25, 0, 0]
    nobody = hand_grid(view_of(["AsAh"], [1], [0], behaviour[:1]), np.ones(1))
    assert np.isnan(nobody.overall).all()
    assert np.isnan(nobody.overall_value)


def test_hands_that_meet_the_board_are_left_out():
    problem = problem_of(RIVER)
    grid = hand_grid(profile_view(problem, random_profile(RIVER, 1), "", ""))
    live = {cls: 6 if cls[0] == cls[1] else 4 if cls[2] == "s" else 12 for row in grid.labels for cls in row}
    for cls in live:
        for rank in "KT742":
            live[cls] -= {"s": 1, "o": 3}[cls[2]] if cls[2:] and rank in cls else 3 * (cls == 2 * rank)
    live["K7s"] = 3  # both lost cards are spades
    for cls in ("KTo", "K7o", "K4o", "K2o", "T7o", "T4o", "T2o", "74o", "72o", "42o"):
        live[cls] = 7 if cls != "K7o" else 6
    labels = [cls for row in grid.labels for cls in row]
    counted = dict(zip(labels, grid.weights.ravel().tolist(), strict=True))
    assert counted == live
    assert grid.weights.sum() == 1081


@over([
        ("kuhn_poker", "c", "", (("K", "Q", "J"),)),
        ("kuhn_poker(ranks=14)", "", "", (tuple(str(n) for n in range(14, 0, -1)),)),
        ("leduc_poker(suits_visible=true)", "cc/", "Kh", (("Ks", "Qs", "Js"), ("Kh", "Qh", "Jh"))),
        (SMALL_FLOP, "", "", (("AA", "AKs", "AQs", "AJs"), ("AKo", "KK", "KQs", "KJs"),
                              ("AQo", "KQo", "QQ", "QJs"), ("AJo", "KJo", "QJo", "JJ"))),
    ])  # fmt: skip
def test_other_decks_have_other_grids(spec, line, board, labels):
    grid = hand_grid(profile_view(problem_of(spec), random_profile(spec, 2), line, board))
    assert grid.labels == labels
    assert np.nansum(grid.frequencies, axis=2)[grid.weights > 0] == pytest.approx(1)


def test_a_view_is_checked():
    with pytest.raises(ValueError, match="behaviour must be finite and at least 0, got nan"):
        view_of(["AsAh"], [1], [1], [[np.nan, 0, 0, 1]])
    with pytest.raises(ValueError, match=r"reach must have shape \(1,\), got \(2,\)"):
        view_of(["AsAh"], [1], [1, 1], [[1, 0, 0, 0]])
    with pytest.raises(ValueError, match="values must have shape"):
        replace(view_of(["AsAh"], [1], [1], [[1, 0, 0, 0]]), values=np.ones(3))


# a profile at a node, against the game played history by history


def naive_view(spec, profile, line, board):
    """Return by label: own reach, how likely the hand meets another here, and that times its value."""
    problem = problem_of(spec)
    game = problem.game
    point = find_point(game, line, board)
    me = point.player
    played = [
        {(t.infosets[t.infoset_of[s]], t.actions[s]): b[s] for s in range(1, t.n_sequences)}
        for t, b in zip(profile.treeplexes, profile.behaviour, strict=True)
    ]

    def moves(state):
        player = game.player(state)
        if player == CHANCE:
            return [(game.child(state, label), float(p), -1) for label, p in game.chance(state)]
        key = game.infoset(state, player)
        return [(game.child(state, a), played[player][key, a], player) for a in game.actions(state)]

    def value(state):
        if game.player(state) == TERMINAL:
            return float(game.payoff(state)) * (1 if me == 0 else -1)
        return sum(p * value(child) for child, p, _ in moves(state))

    def visit(state, reach):
        if state.hands is not None and game.public(state) == point.key and game.player(state) == me:
            label = game.hand_label(state.hands[me])
            found[label][0] = reach[me]
            found[label][1] += reach[1 - me] * reach[-1]
            found[label][2] += reach[1 - me] * reach[-1] * (value(state) + float(point.put))
        elif game.player(state) != TERMINAL:
            for child, p, who in moves(state):
                visit(child, {**reach, who: reach[who] * p})

    found = defaultdict(lambda: np.zeros(3))
    visit(game.root(), {-1: 1.0, 0: 1.0, 1: 1.0})
    return found, point


@over(
    [
        ("kuhn_poker", "", ""),
        ("kuhn_poker", "cr", ""),
        ("leduc_poker", "cr", ""),
        ("leduc_poker", "crc/r", "K"),
        ("leduc_poker(suits_visible=true)", "rc/cr", "Qh"),
        ("small_holdem", "cr2", ""),
        ('small_holdem(board="As Kh Qs Jh",ranks=5)', "cc/c", "Ts"),
        (
            'small_holdem(board="As Kh Qs Jh",ranks=5,stack=8,ranges=["QT:0.5,AT,KJ:0.25","AQ,KT:0.3,JT"])',
            "cr2c/",
            "AsKhQsJhTs",
        ),
        ("rhode_island(ranks=3,suits=2,raises=1)", "rc/cr", "Kh"),
    ]
)
def test_a_view_is_what_playing_every_history_says(spec, line, board):
    profile = random_profile(spec, 3)
    found, point = naive_view(spec, profile, line, board)
    view = profile_view(problem_of(spec), profile, line, board)
    game = problem_of(spec).game
    labels = [game.hand_label(tuple(hand)) for hand in view.hands.tolist()]
    assert view.point == point
    dealt = np.array([label in found for label in labels])
    assert set(found) <= set(labels)
    naive = np.array([found[label] for label in labels])
    assert view.reach[dealt] == pytest.approx(naive[dealt, 0], rel=1e-12)
    joint = view.weight * view.met
    assert joint / joint.sum() == pytest.approx(naive[:, 1] / naive[:, 1].sum(), rel=1e-12, abs=1e-15)
    assert view.values[dealt] == pytest.approx(naive[dealt, 2] / naive[dealt, 1], rel=1e-9, abs=1e-12)
    assert np.isnan(view.values[~dealt]).all()


@pytest.mark.seconds(3)
def test_the_mean_value_at_the_first_node_is_the_value_of_the_spot():
    problem, profile = problem_of(RIVER), random_profile(RIVER, 4)
    picture = tp.show(problem, strategy=profile, map="ev")
    assert picture.grid.overall_value == pytest.approx(tp.check(problem, profile).ev[0], rel=1e-12)


def test_a_fold_is_worth_nothing():
    problem = problem_of("kuhn_poker")
    x, y = (
        np.array([float(a in ("", "f", "r")) for a in treeplex.actions])
        for treeplex in problem.form.treeplexes
    )
    view = profile_view(problem, Profile(problem.form.treeplexes, (x, y)), "r", "")
    assert view.point.actions == ("f", "c")
    assert view.values.tolist() == [0.0, 0.0, 0.0]


# a street strategy


@cache
def factored_strategies(spec=SMALL_FLOP):
    game = load_game(spec)
    return [invariant_strategy(factored_tree(game, isomorphism), game) for isomorphism in (False, True)]


def sorted_columns(view):
    order = np.lexsort(view.hands.T)
    others = np.lexsort(view.opponent_hands.T)
    columns = (view.hands, view.weight, view.reach, view.behaviour, view.met)
    return [c[order] for c in columns] + [c[others] for c in (view.opponent_hands, view.opponent_weight)]


@over([("", ""), ("r", ""), ("cc/", "AsKhQs"), ("rc/cr", "QhAhJs"), ("rc/r", "KhQsJs")])
def test_factored_strategies_look_like_profiles(line, board):
    """On every board apart the table says so directly; with boards up to suits, hands are renamed."""
    problem = problem_of(SMALL_FLOP)
    whole, folded = factored_strategies()
    assert folded.tree.boards.n_boards < whole.tree.boards.n_boards
    tree, behaviours = whole.tree, []
    for player, treeplex in enumerate(problem.form.treeplexes):
        behaviour, hands = np.ones(treeplex.n_sequences), tree.boards.hands[player]
        for place, cards in enumerate(tree.boards.cards):
            for node in np.flatnonzero(tree.betting.player == player):
                if tree.betting.street[node] != tree.boards.street[place]:
                    continue
                key = problem.game.public_key(cards, tree.betting.line[node])
                played = whole.at(player, node, place)
                for i, hand in enumerate(hands.cards[hands.hand[hands.on(place)]].tolist()):
                    infoset = treeplex.index.get(f"{problem.game.hand_label(tuple(hand))}|{key}")
                    if infoset is not None:
                        behaviour[treeplex.begin[infoset] : treeplex.end[infoset]] = played[i]
        behaviours.append(behaviour)
    profile = Profile(problem.form.treeplexes, (behaviours[0], behaviours[1]))
    wanted = sorted_columns(profile_view(problem, profile, line, board))
    for strategy in (whole, folded):
        view = board_view(problem.game, strategy, line, board)
        for column, other in zip(sorted_columns(view), wanted, strict=True):
            assert column == pytest.approx(other, rel=1e-12)


def test_suits_are_renamed_back():
    """With three suits a renaming is not always its own inverse."""
    spec = "flop_holdem(ranks=3,suits=3,raises=[1,1])"
    game, (whole, folded) = load_game(spec), factored_strategies(spec)
    for cards in combinations(game.deck.cards, 3):
        views = [board_view(game, one, "rc/r", cards_text(cards)) for one in (whole, folded)]
        assert views[0].point == views[1].point
        for column, other in zip(*map(sorted_columns, views), strict=True):
            assert column == pytest.approx(other, rel=1e-12)


def test_a_split_strategy_shows_what_the_whole_one_does():
    """On boards of the trunk and of subgames, also where suits are renamed twice on the way."""
    game = load_game("rhode_island(ranks=3,suits=3,raises=1)")
    split = random_strategy(game, 1, symmetric=True)
    whole, deck = split.whole(), game.deck.cards
    for line, n_cards in (("c", 0), ("rc/r", 1), ("cc/cc/", 2), ("rc/cr", 1), ("cc/rc/cr", 2)):
        for cards in permutations(deck, n_cards):
            if sum(cards) % 3 and n_cards > 1:
                continue
            views = [board_view(game, one, line, cards_text(cards)) for one in (split, whole)]
            for column, other in zip(*map(sorted_columns, views), strict=True):
                assert column == pytest.approx(other, rel=1e-12)


@pytest.mark.seconds(3)
def test_a_factored_strategy_of_another_game_is_refused():
    strategy = factored_strategies()[1]
    assert tp.show(SMALL_FLOP, "cc/", strategy=strategy, board="AsKhQs").grid.labels[0][0] == "AA"
    with pytest.raises(ValueError, match=r"must be those of .*; none stands for AsKhTs"):
        show("flop_holdem(ranks=5,suits=2,raises=[0,1])", "cc/", strategy=strategy, board="AsKhTs")
    with pytest.raises(ValueError, match="of another game: it has no betting line 'rr'"):
        show("flop_holdem(ranks=4,suits=2,raises=[2,1])", "rr", strategy=strategy)


# push or fold


@pytest.mark.seconds(3)
def test_push_or_fold_hand_by_hand():
    """Against all pairs of classes; the mean at the first decision is the value of the game."""
    game = PushFold()
    problem = problem_of(game)
    profile = random_profile(game, 7)
    played = [
        {t.infosets[t.infoset_of[s]]: b[s] for s in range(2, t.n_sequences, 2)}
        for t, b in zip(profile.treeplexes, profile.behaviour, strict=True)
    ]  # how often each class pushes, or calls
    likely, won = np.zeros((2, 169)), np.zeros((2, 169))
    for deal, chance in game.chance(()):
        big, small = deal.split()
        push, call = played[1][f"{small}:"], played[0][f"{big}:push"]
        called, folded = (float(game.payoff((deal, "push", answer))) for answer in ("call", "fold"))
        pushed = call * called + (1 - call) * folded
        cells = CLASSES.index(small), CLASSES.index(big)
        for decision, (cell, reached, worth) in enumerate(
            [(cells[0], 1.0, push * (0.5 - pushed)), (cells[1], push, pushed + 1)]
        ):
            likely[decision, cell] += float(chance) * reached
            won[decision, cell] += float(chance) * reached * worth
    for decision, line in enumerate(("", "push")):
        picture = show(problem, line, strategy=profile, map="ev")
        assert picture.view.point.player == 1 - decision
        assert picture.grid.values.ravel() == pytest.approx(won[decision] / likely[decision], rel=1e-9)
        assert picture.grid.overall_value == pytest.approx(won[decision].sum() / likely[decision].sum())
        joint = np.bincount([class_of(h) for h in picture.view.hands.tolist()], weights=picture.view.joint)
        assert joint / joint.sum() == pytest.approx(likely[decision] / likely[decision].sum(), rel=1e-9)
    value = tp.check(problem, profile).value
    assert show(problem, strategy=profile, map="ev").grid.overall_value == pytest.approx(0.5 - value)
    assert show(problem, strategy=profile, map="equity").grid.overall_value == pytest.approx(0.5)


@pytest.mark.seconds(3)
def test_push_or_fold_has_two_decisions(complains):
    complains("push_fold", "--node", "call", says="it has '' and 'push'")
    complains("push_fold", "--board", "As", says="nothing is decided on a board")


# equity


def test_equities_are_showdowns_counted_one_by_one():
    profile = random_profile(RIVER, 5)
    picture = show(problem_of(RIVER), "c", strategy=profile, map="equity")
    view = picture.view
    mine, theirs = (holdem_strength(BOARD, hands) for hands in (view.hands, view.opponent_hands))
    won = (mine[:, None] > theirs) + 0.5 * (mine[:, None] == theirs)
    weights = compatible(view.hands, view.opponent_hands) * view.opponent_weight
    naive = (won * weights).sum(axis=1) / weights.sum(axis=1)
    assert picture.grid.overall_value == pytest.approx(np.average(naive, weights=view.joint), rel=1e-12)
    pocket_aces = np.flatnonzero((view.hands >= 48).all(axis=1))
    aces = np.average(naive[pocket_aces], weights=view.here[pocket_aces])
    assert picture.grid.values[0, 0] == pytest.approx(aces, rel=1e-12)
    assert "equity in percent" in rendered(picture)


@pytest.mark.parametrize(
    "game", [RIVER, pytest.param("push_fold", marks=pytest.mark.seconds(20))], ids=["river", "push_fold"]
)
def test_equities_at_the_start_need_no_strategy(game):
    """They are those of any strategy: nobody has played yet."""
    bare, view = show(game, map="equity"), node_view(problem_of(game), random_profile(game, 5), "")
    equity = equities(view.point.board, view.hands, view.opponent_hands, view.opponent_weight)
    grid = hand_grid(view, equity)
    np.testing.assert_allclose(bare.grid.values, grid.values, rtol=1e-12)
    assert bare.grid.overall_value == pytest.approx(grid.overall_value, rel=1e-12)
    np.testing.assert_allclose(bare.grid.weights, grid.weights, rtol=1e-12)
    assert bare.title[2] == "both ranges as they are dealt: nobody has played yet"
    given = show(problem_of(game), strategy=random_profile(game, 5), map="equity")
    assert given.title == bare.title
    assert bare.as_json()["overall"] == [None] * len(bare.grid.actions)


def test_equities_of_games_that_are_too_large_to_be_solved():
    picture = show("examples/turn.toml", map="equity")
    assert 0 < np.nanmin(picture.grid.values) < picture.grid.overall_value < 1


def test_equities_after_a_move_say_against_what():
    picture = show(problem_of(RIVER), "c", strategy=random_profile(RIVER, 5), map="equity")
    assert picture.title[2] == "against what player 0 has here; a given strategy"


# what is printed


def rendered(picture, width=100):
    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(picture)
    return capture.get()


def test_a_strategy_file_in_a_terminal(command, made_by_hand):
    code, out, err = command(RIVER, "--node", "c", "--strategy", made_by_hand)
    assert (code, err) == (SUCCESS, "")
    lines = out.splitlines()
    assert lines[0].split() == [RIVER] or "…" in lines[0]
    assert lines[1:5] == [
        "board KsTh7s4d2c, after c: player 1 acts",
        "pot 100 chips, nothing to call; behind: player 0 200, player 1 200",
        f"strategy {made_by_hand}"[:100],
        "",
    ]
    assert lines[5].split()[:3] == ["AA", "AKs", "AQs"]
    assert lines[6].split() == ["111111"] + 12 * ["cccccc"]
    assert lines[7].split()[:2] == ["AKo", "KK"]
    assert lines[8].split()[:3] == ["ccc222", "111111", "cccccc"]
    assert lines[-1].startswith("c check ")
    assert [entry.rsplit(" ", 1)[0] for entry in lines[-1].split("   ")] == [
        "c check",
        "1 bet 50",
        "2 bet 100",
        "3 bet 200",
    ]
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in out


def test_what_is_never_here_is_a_dash(command, made_by_hand):
    code, out, _ = command(RIVER, "--node", "cr50r200", "--strategy", made_by_hand)
    lines = out.splitlines()
    assert code == SUCCESS
    assert lines[5].split()[:2] == ["AA", "AKs"]
    assert lines[6].split() == ["cccccc", *12 * ["-"]]  # pairs alone bet 50
    assert lines[-1] == "f fold -   c call -"  # nobody raises them
    assert "▁ to ▇: the part of the class that comes here (reach); -: none of it" in lines


def test_json_has_every_class_and_no_nan(command, made_by_hand):
    code, out, _ = command(RIVER, "--node", "c", "--strategy", made_by_hand, "--json", "--map", "ev")
    content = json.loads(out)
    assert code == SUCCESS
    assert (content["line"], content["player"], content["board"]) == ("c", 1, "KsTh7s4d2c")
    assert content["actions"] == ["c", "r50", "r100", "r200"]
    classes = {one["hand"]: one for one in content["classes"]}
    assert len(classes) == 169
    assert classes["AKo"]["frequencies"] == [0.5, 0.0, 0.5, 0.0]
    assert classes["KK"]["weight"] == 3.0
    assert content["nash_conv"] is None
    assert content["mean"] is not None


def test_narrow_ranges_leave_grey_cells(command, tmp_path):
    (tmp_path / "spot.toml").write_text(SPOT)
    code, out, _ = command(tmp_path / "spot.toml", "--json")
    content = json.loads(out)
    assert code == SUCCESS
    assert {one["hand"]: one["weight"] for one in content["classes"]} == {"AA": 6.0, "QJs": 2.0}
    assert content["source"] == "solved by lp"
    assert content["nash_conv"] < 1e-6
    out = command(tmp_path / "spot.toml")[1]
    assert "solved by lp, NashConv" in out
    assert "·: not in the range, or not possible with the board" in out
    assert "comes here" not in out  # all of it does


def test_cards_within_the_game(command):
    code, out, _ = command("leduc_poker", "--node", "rc/", "--board", "K")
    assert code == SUCCESS
    assert "board K, after rc/: player 0 acts" in out
    assert "pot 6 chips, nothing to call; stacks are unlimited" in out
    assert out.splitlines()[5].split()[0] == "K"


@over(
    [
        ("kuhn_poker", "cr", 3.0, 1.0, None),
        ("no_limit_leduc", "", 2.0, 0.0, [53.0, 53.0]),
        ("push_fold", "", 1.5, 0.5, [9.0, 9.5]),
        ("push_fold", "push", 11.0, 9.0, [9.0, 0.0]),
    ],
)
def test_pot_and_stacks(spec, line, pot, to_call, behind):
    point = point_of(problem_of(spec), line, "")
    assert point.chips.as_json() == {"pot": pot, "to_call": to_call, "behind": behind}


def test_pot_and_stacks_in_words():
    after = Chips(Fraction(3), None, (Fraction(1, 2), Fraction(0)))
    assert after.text("chips") == "pot 3 chips; behind: player 0 0.5, player 1 0"


def test_as_wide_as_the_console():
    picture = show(problem_of(RIVER), strategy=random_profile(RIVER, 6))
    for width in (30, 77, 80, 200):
        lines = rendered(picture, width).splitlines()
        cells = [line for line in lines if line.startswith(("AA", "AKo"))]
        assert max(map(len, cells)) <= width
        assert len([line for line in lines if line.startswith("AA ")]) == 1


def test_colours_only_where_there_are_any():
    console = Console(width=100, color_system="truecolor", force_terminal=True)
    with console.capture() as capture:
        console.print(show("kuhn_poker", "r"))
    assert "\x1b[" in capture.get()


def test_letters_and_colours_of_actions():
    styles = action_styles(("fold", "call", "raise to 5", "raise to 9"))
    assert [style.letter for style in styles] == ["f", "c", "1", "2"]
    assert styles[2].colour != styles[3].colour
    assert [style.letter for style in action_styles(("check", "bet 1"))] == ["c", "r"]
    assert [s.letter for s in action_styles([f"bet {n}" for n in range(40)])][-5:] == ["+"] * 5
    assert letters_each(np.array([0.5, 0.3, 0.2]), 6) == [3, 2, 1]
    assert letters_each(np.array([1.0, 0.0]), 5) == [5, 0]
    assert value_colour(0.0, 0.0, 1.0) == value_colour(-5.0, 0.0, 1.0)
    assert value_colour(3.0, 3.0, 3.0) == value_colour(0.5, 0.0, 1.0)


def test_numbers():
    assert value_text(0.5214, "equity", 5) == "52.1"
    assert value_text(np.nan, "equity", 5) == "?"
    numbers = {4.4251: "4.425", -123.456: "-123", 12345.6: "12346", -12345.6: "-1e4", 0.0062: "0.006"}
    numbers |= {3e-4: "3e-4", -1e-12: "0", -1.5e10: "-2e10"}
    assert {number: value_text(number, "ev", 5) for number in numbers} == numbers
    assert (frequency_text(0.7496), frequency_text(np.nan)) == ("75.0%", "-")
    assert scale_of(np.array([np.nan, 3.0, 5.0]), "ev") == (3.0, 5.0)
    assert scale_of(np.array([np.nan]), "ev") == (0.0, 1.0)


# pictures in files and notebooks


def texts_of(figure):
    legends = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    titles = [legend.get_title().get_text() for legend in figure.legends]
    bars = [axes.get_xlabel() for axes in figure.axes]
    return " ".join(" ".join([*legends, *titles, *bars]).split())


def test_a_figure_says_what_height_and_grey_are(tmp_path):
    (tmp_path / "spot.toml").write_text(SPOT)
    narrow = texts_of(show(tmp_path / "spot.toml").figure())
    assert "grey: not in the range, or not possible with the board" in narrow
    assert "height" not in narrow
    for map in ("strategy", "ev"):
        partly = texts_of(show("leduc_poker", "cc/", board="K", map=map).figure())
        assert "height of a colour: the part of the cell's hands that comes here (reach)" in partly
        assert "grey" not in partly


@pytest.mark.seconds(2)
def test_values_have_a_colour_bar_with_their_unit():
    chips = show("kuhn_poker", "c", map="ev").figure()
    assert "expected value from here on in chips, a fold 0" in chips.axes[1].get_xlabel()
    values = show("kuhn_poker", "c", map="ev").grid.values
    assert chips.axes[1].get_xlim() == pytest.approx((np.nanmin(values), np.nanmax(values)))
    equity = show(RIVER, map="equity").figure()
    assert equity.axes[1].get_xlim() == (0, 100)
    assert "equity in percent" in equity.axes[1].get_xlabel()
    assert not chips.legends


def test_no_line_of_a_small_figure_is_cut():
    figure = show("leduc_poker", "cc/", board="K").figure()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    boxes = [legend.get_window_extent(renderer) for legend in figure.legends]
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width for box in boxes)


def test_svg_has_its_labels(command, tmp_path):
    (tmp_path / "spot.toml").write_text(SPOT)
    code, out, _ = command(tmp_path / "spot.toml", "--node", "c", "--out", tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert (code, "".join(out.split())) == (SUCCESS, str(tmp_path / "a.svg"))
    for label in ("AKs", "72o", "check", "bet 100", "player 1 acts", "KsTh7s4d2c", "solved by lp"):
        assert label in text


def test_one_picture_is_always_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg"):
        show("kuhn_poker").write(tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_png_and_notebooks(tmp_path):
    for map in ("strategy", "ev"):
        picture = show("kuhn_poker(ranks=4)", "c", map=map)
        picture.write(tmp_path / "a.png")
        assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
        assert picture._repr_png_()[0].startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"a picture must end in \.png or \.svg or \.pdf"):
        picture.write(tmp_path / "a.gif")


# what goes wrong is one line


def test_lines_that_the_game_lacks(complains, tmp_path):
    complains(RIVER, "--node", "cr60", says="after 'c' it goes on as 'cc', 'cr50', 'cr100', 'cr200'")
    complains(RIVER, "--node", "x", says="after '' it goes on as 'c', 'r50', 'r100', 'r200'")
    complains("kuhn_poker", "--node", "ccc", says="'cc' ends the hand")
    complains("kuhn_poker", "--node", "cc", says="nobody acts at the betting line 'cc': the hand is over")
    complains("leduc_poker", "--node", "cc", says="cards come; the line goes on as 'cc/'")
    complains("coin_toss", says="poker games only, got coin_toss")
    complains(
        "kuhn_poker",
        "--map",
        "range",
        says="map must be one of strategy, equity, ev, ranges, buckets, got 'range'",
    )
    complains("kuhn_poker", "--map", "equity", says="equities are for hold'em")
    complains("kuhn_poker", "--out", tmp_path / "a.gif", says="must end in .png or .svg or .pdf")


def test_thousands_of_raises_are_not_all_named():
    with pytest.raises(ValueError, match=r"goes on as 'f', 'c', 'r200', .* and 19,795 more$"):
        find_point(load_game("no_limit_holdem"), "x", "")


def test_boards_that_the_game_lacks(complains):
    complains("leduc_poker", "--node", "cc/", says="must have 1 card, got 0; say which by --board")
    complains("leduc_poker", "--node", "cc/", "--board", "KQ", says="must have 1 card, got 2 in 'KQ'")
    complains("leduc_poker", "--node", "cc/", "--board", "A", says="ranks out of J, Q, K, each at most 2")
    complains("leduc_poker", "--board", "K", says="must have 0 cards, got 1")
    complains(RIVER, "--board", "KsTh7s4d3c", says="must begin with KsTh7s4d2c")
    complains(RIVER, "--board", "Zz", says="is not in the deck of")
    twice = "different cards of the deck of 4 ranks and 2 suits, got As"
    complains(SMALL_FLOP, "--node", "cc/", "--board", "AsAsKs", says=twice)
    turn = 'small_holdem(board="As Kh Qs Jh",ranks=5,ranges=["TT","AhKs"])'
    complains(turn, "--node", "cc/", "--board", "Ts", says="no two hands leave that board possible")


def test_strategies_that_are_none(complains, made_by_hand, tmp_path):
    complains("kuhn_poker", "--strategy", made_by_hand, says="has no infoset")
    complains("kuhn_poker", "--strategy", tmp_path / "none.csv", says="cannot read")
    rows = "player,infoset,action,probability\n0,J:,c,nan\n"
    (tmp_path / "nan.csv").write_text(rows)
    complains("kuhn_poker", "--strategy", tmp_path / "nan.csv", says="between 0 and 1, got 'nan'")
    with pytest.raises(ValueError, match="profile is of another game"):
        show("kuhn_poker", strategy=random_profile("leduc_poker", 1))


@pytest.mark.seconds(3)
def test_large_games_are_not_solved_for_a_picture(complains):
    complains("flop_holdem(ranks=4,suits=2)", says="solve it first and give the strategy")


def test_boards_with_and_without_the_start():
    game = load_game('small_holdem(board="As Kh Qs Jh",ranks=5)')
    points = [find_point(game, "cc/", text) for text in ("Ts", "AsKhQsJhTs", "As Kh Qs Jh Ts")]
    assert points[0] == points[1] == points[2]
    assert points[0].board_text == "AsKhQsJhTs"
    assert cards_text(points[0].board) == "AsKhQsJhTs"
