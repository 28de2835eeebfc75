"""Strategies in games with more sizes, and subgames solved as they are met, against what defines them."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import treeplex as tp
from benchmarks import nested_agents
from treeplex.cfr.boards import factored_cfr
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.gadgets.off_tree.translation import translate
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.play.hand_agents import HandStrategy
from treeplex.play.nested import Nested, NestedConfig, shaken_by
from treeplex.play.translated import ByInfosets, Translated, live_hands
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.forms.profile import Profile
from treeplex.subgames.solve_on_boards import QUARTIC

RULES = "no_limit_flop_holdem(ranks=4,suits=2,bets={},max_raises=[1,2])"
FEW, FULL = RULES.format("[1]"), RULES.format("[0.5,1,2]")
FLOP = "AsKsQh"
ITERATIONS = 20


@cache
def few_sizes():
    """Return the problem of the game with few sizes, and a strategy of it that mixes everywhere."""
    problem = tp.load(FEW)
    rng = np.random.default_rng(3)
    first, second = (_mixed(treeplex, rng) for treeplex in problem.whole.treeplexes)
    return problem, Profile(problem.whole.treeplexes, (first, second))


def _mixed(treeplex, rng):
    behaviour = treeplex.uniform()
    for lo, hi in zip(treeplex.begin, treeplex.end, strict=True):
        behaviour[lo:hi] = rng.dirichlet(np.ones(hi - lo))
    return behaviour


@cache
def translated() -> Translated:
    problem, profile = few_sizes()
    return Translated(tp.load(FULL).game, problem.game, ByInfosets(problem.game, profile))


def nested(iterations=ITERATIONS, gadget="resolve") -> Nested:
    return Nested(translated(), NestedConfig(1, iterations, off_tree_method(gadget)))


class Dice:
    """Plays every hand at random, the same each time."""

    def __init__(self, game, rng):
        self.game, self.rng, self.known = game, rng, {}

    def play(self, line, board, hands):
        n = len(self.game.point(line).moves)
        found = self.known.setdefault((line, board), self.rng.dirichlet(np.ones(n), len(hands)))
        assert len(found) == len(hands)
        return found


def lines(game, n_board):
    """Yield each betting line at which somebody acts with so many board cards."""
    ahead = [game.first_line]
    while ahead:
        line = ahead.pop()
        point = game.point(line)
        if point.player >= 0 and point.n_board == n_board:
            yield line
        ahead += point.nexts


def states(game, street):
    """Yield each betting line at which somebody acts on a street, with a board."""
    board = game.deck.parse(FLOP)[: (0, 3)[street]]
    yield from ((line, board) for line in lines(game, len(board)))


@pytest.mark.seconds(10)
@pytest.mark.parametrize("player", [0, 1])
def test_a_translation_hand_by_hand_is_that_of_plans(player):
    few, profile = few_sizes()
    full = tp.load(FULL)
    whole = translate(few.game, few.whole, profile.behaviour[player], full.game, full.whole, defender=player)
    treeplex = full.whole.treeplexes[player]
    plan = treeplex.plan(whole)
    checked = 0
    for street in (0, 1):
        for line, board in states(full.game, street):
            if full.game.point(line).player != player:
                continue
            hands = live_hands(full.game, board)
            played = translated().play(line, board, hands)
            for hand, row in zip(hands.tolist(), played, strict=True):
                key = f"{full.game.hand_label(tuple(hand))}|{full.game.public_key(board, line)}"
                i = treeplex.index[key]
                if plan[treeplex.parent[i]] > 0:
                    assert row == pytest.approx(whole[treeplex.begin[i] : treeplex.end[i]], abs=1e-12)
                    checked += 1
    assert checked > 400


def test_reaches_are_products_of_what_is_played():
    game, trunk = translated().game, translated()
    flop, board = game.point("r300c").after, game.deck.parse(FLOP)
    bet = next(label for label in few_sizes()[0].game.point(flop).moves if label != "c")
    reach = [np.ones(len(trunk.hands)), np.ones(len(trunk.hands))]
    live = ~np.isin(trunk.hands, board).any(axis=1)
    for before, action in (("", "r300"), ("r300", "c"), (flop, bet)):
        point = game.point(before)
        dealt = board[: point.n_board]
        may = live if dealt else np.ones(len(live), bool)
        own = np.zeros(len(live))
        own[may] = trunk.play(before, dealt, trunk.hands[may])[:, [*point.moves].index(action)]
        reach[point.player] = reach[point.player] * own
    found = trunk.reaches(flop + bet, board)
    assert found[0][live] == pytest.approx(reach[0][live], abs=1e-12)
    assert found[1][live] == pytest.approx(reach[1][live], abs=1e-12)


def test_on_its_own_game_a_strategy_plays_itself():
    few, profile = few_sizes()
    own = Translated(few.game, few.game, ByInfosets(few.game, profile))
    for line, board in states(few.game, 1):
        hands = live_hands(few.game, board)
        expected = own.strategy.play(line, board, hands)
        assert own.play(line, board, hands) == pytest.approx(expected, abs=1e-15)


def test_a_pot_that_is_all_in_as_it_was_read_is_called():
    full, few = (tp.load(RULES.format(f"{bets},stack=600")).game for bets in ("[0.5,1,2]", "[1]"))
    rng = np.random.default_rng(1)
    trunk = Translated(full, few, Dice(few, rng))
    called = 0
    for line, board in states(full, 1):
        hands = live_hands(full, board)
        played = trunk.play(line, board, hands)
        assert played.sum(axis=1) == pytest.approx(1.0)
        if all(not few.point(one.line).moves for one in trunk.readings(line, board)):
            called += 1
            assert (played[:, [*full.point(line).moves].index("c")] == 1.0).all()
    assert called


def test_games_that_differ_in_more_than_sizes_are_refused():
    few, profile = few_sizes()
    other = tp.load(RULES.format("[1]").replace("[1,2]", "[1,3]")).game
    with pytest.raises(BadInputError, match="sizes and stacks alone"):
        Translated(other, few.game, ByInfosets(few.game, profile))


@pytest.mark.seconds(5)
def test_a_subgame_is_that_of_both_players_hands_by_bayes():
    agent, few = nested(), few_sizes()[0].game
    game, board = agent.game, agent.game.deck.parse(FLOP)
    line = game.point("r300c").after
    hands = live_hands(game, board)
    ranges = []
    for player, (before, action) in ((1, ("", "r300")), (0, ("r300", "c"))):
        column = [*game.point(before).moves].index(action)
        reach = translated().play(before, (), hands)[:, column]
        share = (reach / reach.max()).tolist()
        ranges.append({tuple(h): Fraction(s) for h, s in zip(hands.tolist(), share, strict=True)})
        assert player == game.point(before).player
    subgame = replace(subgame_of(few, game.point(line).betting, board), ranges=(ranges[1], ranges[0]))
    tree = FactoredTree.of(subgame, BettingTree.of(subgame), BoardTree.of(subgame))
    engine = factored_cfr.prepare(tree, QUARTIC)
    solved = ByInfosets(subgame, engine.strategy(engine.advance(engine.start(), ITERATIONS)))
    menu = [[*game.point(line).moves].index(action) for action in subgame.point(line).moves]
    played = agent.play(line, board, hands)
    assert played[:, menu] == pytest.approx(solved.play(line, board, hands), abs=1e-6)
    assert played.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.seconds(5)
def test_the_same_state_is_played_alike_in_any_order():
    first, second = nested(), nested()
    asked = [*states(first.game, 1)]
    hands = live_hands(first.game, asked[0][1])
    found = {line: first.play(line, board, hands) for line, board in asked}
    for line, board in reversed(asked):
        assert (second.play(line, board, hands) == found[line]).all()
        assert found[line].sum(axis=1) == pytest.approx(1.0)
        assert found[line].min() >= 0


@pytest.mark.seconds(10)
@pytest.mark.parametrize("rules", nested_agents.GAMES[:2])
def test_subgames_leave_less_to_win_than_translation(rules):
    problem, trunk = nested_agents.translated(*rules)
    solved = nested_agents.nested(trunk, 100)
    before, after = (nested_agents.nash_conv(problem, one) for one in (trunk, solved))
    assert after < 0.8 * before


def test_two_sizes_that_are_played_by_one_bet_are_both_read() -> None:
    game = "no_limit_flop_holdem(ranks=5,suits=2,bets={},stack=1500,max_raises=[1,1],flops=1)"
    full, few = (tp.load(game.format(bets)).game for bets in ("[0.25,0.5,1,2,a]", "[0.5,2,a]"))
    trunk = Translated(full, few, Dice(few, np.random.default_rng(2)))
    board, both = full.flops[0][0], 0
    for line in lines(full, 3):
        found = trunk.readings(line, board)
        both += sum(one.chance for one in found) > 1.1
        assert trunk.play(line, board, live_hands(full, board)).sum(axis=1) == pytest.approx(1.0)
    assert both


@pytest.mark.seconds(15)
def test_an_agent_solves_subgames_as_it_plays(tmp_path) -> None:
    few, full = (
        f"no_limit_flop_holdem(ranks=5,suits=2,bets=[{bets}],stack=1000,flops=1)"
        for bets in ("1,a", "0.5,1,a")
    )
    path = tmp_path / "few.npz"
    tp.write(tp.solve(few, "cfr+", form="boards", iterations=20).strategy, path)
    agent = f'{path}(game="{few}",nested=flop,iterations=10)'
    found = tp.match(agent, "uniform", full, hands=20, duplicate=True, seed=4)
    again = tp.match(agent, "uniform", full, hands=20, duplicate=True, seed=4)
    assert found == again
    plain = tp.match(f'{path}(game="{few}")', "uniform", full, hands=20, duplicate=True, seed=4)
    assert plain.estimates != found.estimates
    for options, complaint in {
        "nested=preflop": "nested must be flop, turn, river, got 'preflop'",
        "nested=turn": "nested must be flop in no_limit_flop_holdem.*, got turn",
        "nested=flop,iterations=0": "iterations must be an integer from 1 to 1,000,000, got 0",
        "nested=flop,gadget=5": "gadget must be the name of one, got 5",
        "iterations=5": "iterations is for nested",
        "nested=flop,game=kuhn_poker": "of another game",
        "nested=flop,wrong=1": "unknown key 'wrong'",
        "nested=flop,shaken=0.6": "shaken must be from 0 to 0.5, got 0.6",
        "nested=flop,shaken=nan": "shaken must be from 0 to 0.5, got 'nan'",
        "nested=flop,shaken=0.1": "shaken is for games with bets of every whole number of chips, got no_lim",
        "nested=flop,menus=5": "menus must be a text, got 5",
        f'nested=flop,menus="{few.replace("1,a", "1,3,a")}"': "lacks 3, one of the bets of no_limit.*1,3,a",
        'nested=flop,menus="coin_toss"': "menus must be those of a poker game, got coin_toss",
        "shaken=0.1": "shaken is for nested",
    }.items():
        said = options if "game=" in options else f'{options},game="{few}"'
        with pytest.raises(BadInputError, match=complaint):
            tp.match(f"{path}({said})", "uniform", full, hands=2)
    with pytest.raises(BadInputError, match="poker games without locks, got coin_toss"):
        tp.match(f"{path}(nested=flop)", "uniform", "coin_toss", hands=2)


@pytest.mark.seconds(10)
def test_streets_of_spots_are_those_of_their_boards(tmp_path) -> None:
    spot = 'small_holdem(board="As Kh Qs Jh",bets=[1],ranges=["AhKs,TT","AA,KK,9h9s"])'
    path = tmp_path / "spot.csv"
    tp.write(tp.solve(spot, "cfr+", iterations=5).strategy, path)
    for street in ("turn", "river"):
        found = tp.match(f"{path}(nested={street},iterations=5)", "uniform", spot, hands=4, duplicate=True)
        assert found.exact is not None
    with pytest.raises(BadInputError, match=r"nested must be turn or river in small_holdem.*, got flop"):
        tp.match(f"{path}(nested=flop)", "uniform", spot, hands=2)


@pytest.mark.seconds(4)
def test_subgames_have_sizes_of_their_own_where_menus_are_given() -> None:
    trunk, board = translated(), translated().game.deck.parse(FLOP)
    hands = live_hands(trunk.game, board)
    line = next(line for line, _ in states(trunk.game, 1))
    few = Nested(trunk, NestedConfig(1, ITERATIONS, off_tree_method("resolve")))
    full = Nested(trunk, NestedConfig(1, ITERATIONS, off_tree_method("resolve"), trunk.game))
    taken = [
        {
            action
            for action, p in zip(trunk.game.point(line).moves, one.play(line, board, hands).T, strict=True)
            if p.any()
        }
        for one in (few, full)
    ]
    assert taken[0] < taken[1] == {*trunk.game.point(line).moves}
    # In subgames with all sizes no bet is beside the menus: none is answered apart.
    bet = next(after for action, after in trunk.game.point(line).moves.items() if action not in taken[0])
    full.play(bet, board, hands)
    few.play(bet, board, hands)
    assert not full._answers
    assert few._answers
    with pytest.raises(BadInputError, match="sizes and stacks"):
        Nested(trunk, NestedConfig(1, 5, off_tree_method("resolve"), tp.load("limit_holdem").game))


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker(ranks=4,suits=1)", "leduc_poker"])
def test_games_that_hide_suits_are_refused(game, tmp_path) -> None:
    path = tmp_path / "hidden.csv"
    tp.write(tp.solve(game, "cfr+", iterations=2).strategy, path)
    with pytest.raises(BadInputError, match=r"games whose suits are seen, got (kuhn|leduc)_poker"):
        tp.match(f"{path}(nested=flop)", "uniform", game, hands=2)


CHIPS = "no_limit_holdem(ranks=5,suits=2,stack=1000)"


@pytest.mark.seconds(10)
def test_where_any_number_of_chips_is_bet_so_are_menus() -> None:
    full, few = (tp.load(spec).game for spec in (CHIPS, CHIPS.replace("stack", "bets=[0.33,a],stack")))
    trunk = Translated(full, few, Dice(few, np.random.default_rng(1)))
    agent = Nested(trunk, NestedConfig(3, 5, off_tree_method("resolve")))
    board = full.deck.parse("AsAhKsKhQs")
    hands = live_hands(full, board)
    for line in ("r201c/cc/cc/", "r201c/cc/cc/r358", "r201c/cc/cc/r333r700"):
        played = agent.play(line, board, hands)
        taken = [action for action, p in zip(full.point(line).moves, played.T, strict=True) if p.any()]
        assert played.sum(axis=1) == pytest.approx(1.0)
        assert taken
        assert all("." not in action for action in taken)


@pytest.mark.seconds(6)
def test_sizes_are_shaken_from_hand_to_hand_and_alike_in_a_hand() -> None:
    full, few = (tp.load(spec).game for spec in (CHIPS, CHIPS.replace("stack", "bets=[0.5],stack")))
    trunk = Translated(full, few, Dice(few, np.random.default_rng(1)))
    agent = Nested(trunk, NestedConfig(3, 5, off_tree_method("resolve"), shaken=0.08))
    line, taken = "r201c/cc/cc/", set()
    for board in ("AsAhKsKhQs", "AsAhKsKhQh", "AsAhKsQsTh", "KsKhQsQhTs"):
        dealt = full.deck.parse(board)
        hands = live_hands(full, dealt)
        played = agent.play(line, dealt, hands)
        bets = [a for a, p in zip(full.point(line).moves, played.T, strict=True) if p.any() and a != "c"]
        # Half of a pot of 402 chips, times a factor within 8% of one, beside 201 chips that are in.
        factor = shaken_by(0.08, f"{line}|{full.deck.text(dealt)}")
        assert bets == [f"r{int(201 + 201 * factor + Fraction(1, 2))}"]
        assert (agent.play(line, dealt, hands) == played).all()
        taken.add(bets[0])
    assert len(taken) == 4
    factors = [shaken_by(0.08, f"{k}") for k in range(400)]
    assert min(factors) < 0.925 < 1.075 < max(factors)
    assert min(factors) >= 0.92
    assert max(factors) <= 1.08


def test_where_any_number_of_chips_is_bet_few_lines_are_looked_up(monkeypatch) -> None:
    full, few = (tp.load(spec).game for spec in (CHIPS, CHIPS.replace("stack", "bets=[0.5,a],stack")))
    asked, point = set(), type(full).point

    def noted(game, line):
        asked.add(line)
        return point(game, line)

    monkeypatch.setattr(type(full), "point", noted)
    trunk = Translated(full, few, Dice(few, np.random.default_rng(1)))
    assert trunk.play("r250", (), trunk.hands).sum(axis=1) == pytest.approx(1.0)
    assert len(asked) < 20


def test_one_hand_alone_is_asked_where_there_are_many_actions() -> None:
    game, asked = tp.load("no_limit_holdem(stack=1000)").game, []

    class Even:
        def play(self, line, board, hands):
            asked.append(len(hands))
            return np.full((len(hands), n := len(game.point(line).moves)), 1.0 / n)

    strategy = HandStrategy(game, Even())
    odds = strategy.action_probabilities(1, "AsKs|:")
    assert sum(odds.values()) == pytest.approx(1.0)
    assert asked == [1]
