"""Sessions: what a person is told and may type, and what its decisions cost, after the hand alone."""

import re

import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.core.loading import load, ready
from treeplex.games.base.errors import BadInputError
from treeplex.play.agents import entrant_of
from treeplex.play.hand import Hand, View
from treeplex.play.poker_hands import PokerHand, advised, spoken, steps_of
from treeplex.play.session import MOST_UNASKED, Session
from treeplex.play.whole_plan import WholePlan
from treeplex.play.wording import Words, chosen
from treeplex.process.interruption import Interruption, heed
from treeplex.seqform.certify.losses import losses
from treeplex.seqform.forms.profile import Profile

DECK = "no_limit_holdem(ranks=3,suits=3,stack=200,bets=[1])"


class OneMove:
    """A game in which player 0 moves once: the first action wins a point, the second loses one."""

    name, unit, labels = "one_move", "points", ("a", "b")

    def root(self):
        return ""

    def player(self, state):
        return -2 if state else 0

    def actions(self, state):
        return self.labels

    def chance(self, state):
        return ()

    def child(self, state, action):
        return action

    def infoset(self, state, player):
        return f"after {state}"

    def public(self, state):
        return state

    def payoff(self, state):
        return (1, -1, 0)[self.labels.index(state)]


def session(game, agent, lines, **options):
    """Return a session on lines, and what it says."""
    problem = ready(game)
    said, ahead = [], iter(lines)
    made = Session(problem, entrant_of(problem, agent), lambda: next(ahead, None), said.append, **options)
    return made, said


def told(game, agent, lines, **options):
    """Return what is said in a session."""
    made, said = session(game, agent, lines, **options)
    made.play()
    return said


def playing_first(game, agent="uniform", **options):
    """Return what is said where the person always takes the first move of the list."""
    made, said = session(game, agent, [], **options)
    made.read = lambda: re.match(r"  moves +(?:\d+: )?(\S+)", said[-1])[1]
    made.play()
    return said


def test_a_hand_of_kuhn_from_the_deal_to_the_judgement() -> None:
    said = told("kuhn_poker", "always-call", ["r"], hands=1, seat="0", seed=1)
    text = "\n".join(said)
    card = re.search(r"cards +([JQK])$", text, re.MULTILINE)[1]
    assert "  moves     1: c check   2: r bet 1" in said
    assert "  pot       2 chips" in said
    assert re.search(
        rf"betting +you bet 1, always-call calls 1\n +showdown +you {card}, always-call [JQK]\n", text
    )
    result = re.search(r"hand 1 is over: you (win|lose) 2 chips", text)
    assert said[-1] == f"1 hand against always-call: you won {2 if result[1] == 'win' else -2:.4f} chips/hand"
    assert f"judged    r at '{card}:': " in text


@over(
    [
        "kuhn_poker",
        "leduc_poker",
        "no_limit_leduc",
        "goofspiel(cards=3)",
        "liars_dice(faces=2)",
        "matrix_game(payoff=[[1,-1],[-1,1]])",
        DECK,
    ]
)
def test_every_game_is_played_to_the_end_and_twice_alike(game) -> None:
    said = [playing_first(game, hands=6, seed=4) for _ in range(2)]
    assert said[0] == said[1]
    assert said[0][-1].startswith("6 hands against uniform: you won ")
    assert sum("is over" in line for line in said[0]) == 6


def test_seats_rotate_or_stay() -> None:
    for seat, expected in (("rotate", "0101"), ("0", "0000"), ("1", "1111")):
        said = playing_first("matrix_game(payoff=[[1,-1],[-1,1]])", hands=4, seat=seat)
        assert "".join(re.findall(r"you are player (\d)", "\n".join(said))) == expected


def test_the_agent_s_cards_are_hidden_but_at_a_showdown() -> None:
    folded = "\n".join(told("kuhn_poker", "always-call", ["c"] * 40, hands=1, seat="1", seed=2))
    assert "showdown" in folded
    problem = load("leduc_poker")
    words = Words(problem.game, "agent")
    won = dict(words.ending(Hand(("Ks|Qs", "r", "f"), 1), 0))
    assert won == {"betting": "you bet 2, agent folds"}
    shown = dict(words.ending(Hand(("Ks|Qs", "c", "c", "Qh", "r", "c"), -5), 0))
    assert shown["showdown"] == "you K, agent Q on Q"
    assert shown["betting"] == "you check, agent checks / you bet 4, agent calls 4"


def test_a_view_gives_cards_board_pot_and_what_is_to_call() -> None:
    game = load("leduc_poker").game
    view = View(game.name, 1, "KQ:crc/r", "Q:crc/r", ("f", "c", "r"))
    rows = dict(Words(game, "agent").situation(view))
    assert rows["cards"] == "K"
    assert rows["board"] == "Q"
    assert rows["pot"] == "10 chips, 4 to call"
    assert rows["betting"] == "agent checks, you bet 2, agent calls 2 / agent bets 4"
    assert Words(game, "agent").moves(view) == "1: f fold   2: c call 4   3: r raise to 11"


def test_many_moves_are_told_by_the_first_and_the_last() -> None:
    game = load("no_limit_holdem(stack=1000)").game
    view = View(game.name, 1, "AsKs|:", ":", tuple(game.point("").moves))
    told = Words(game, "agent").moves(view)
    expected = (
        "1: f fold   2: c call 50   3: r200 raise to 200   4: r201 raise to 201   ...   803: r1000 raise"
    )
    assert told.startswith(expected)
    assert told.endswith("to 1000, all-in")
    assert dict(Words(game, "agent").situation(view))["cards"] == "AsKs"


@over(
    [
        ("c", ("f", "c", "r"), "c"),
        ("2", ("f", "c", "r"), "c"),
        ("ra", ("raise", "rest"), "raise"),
        ("r200", ("r200", "r2000"), "r200"),
        ("1", ("3", "2", "1"), "1"),
        ("٢", ("f", "c"), "c"),
    ]
)
def test_a_move_is_a_label_a_number_or_a_start(typed, actions, action) -> None:
    assert chosen(typed, actions) == action


@over(
    [
        ("x", ("f", "c"), "legal are f, c, got 'x'"),
        ("", ("f", "c"), "legal are f, c, got ''"),
        ("3", ("f", "c"), "legal are f, c, got '3'"),
        ("0", ("f", "c"), "legal are f, c, got '0'"),
        ("r", ("r1", "r2"), "'r' may be any of r1, r2"),
        ("4", ("3", "2", "1"), "legal are 3, 2, 1, got '4'"),
        ("9" * 6000, ("f", "c"), "legal are f, c, got"),
        ("z", tuple(f"r{k}" for k in range(99)), "legal are r0, r1, r2, r3, ..., r98, got 'z'"),
    ]
)
def test_what_is_no_move_is_answered_by_what_is(typed, actions, says) -> None:
    with pytest.raises(BadInputError, match=re.escape(says)):
        chosen(typed, actions)


def test_a_wrong_move_is_asked_again_and_terminals_obey_nothing() -> None:
    said = told("kuhn_poker", "uniform", ["\x1b[31mred", "?", "c"], seat="0")
    assert "legal are c, r, got '\\x1b[31mred'" in said
    assert said.count("  moves     1: c check   2: r bet 1") == 2
    assert not [line for line in said if re.search(r"[\0-\x1f\x7f]", line)]


@over([[], ["q"], ["quit"], ["r", "c", "q"], ["?"]])
def test_it_ends_with_a_summary_wherever_the_lines_end(lines) -> None:
    said = told("kuhn_poker", "uniform", lines, seat="0", seed=3)
    assert re.fullmatch(r"no hand was finished|\d+ hands? against uniform: you won .*", said[-1])


def test_an_action_called_like_a_command_is_an_action() -> None:
    class Letters(OneMove):
        labels = "p", "q", "tab\there\x1b"

    said = told(Letters(), "uniform", ["p", "q", "quit"], seat="0")
    assert [line for line in said if "is over" in line] == [
        "hand 1 is over: you win 1 points",
        "hand 2 is over: you lose 1 points",
    ]
    assert "  moves     1: p   2: q   3: tab here\\x1b" in said


def test_proof_says_the_plan_with_every_hand_and_the_certified_exploitability() -> None:
    lines = ["p", "proof"]
    said = told("kuhn_poker", "uniform", lines, seat="1", seed=1)
    rows = [line.strip() for line in said if line.startswith("  with ")]
    assert rows == [f"with {card}: c 0.5, r 0.5" for card in "KQJ"] * 2
    profile = {
        (p, key): dict.fromkeys(actions, 0.5)
        for p, t in enumerate(load("kuhn_poker").form.treeplexes)
        for key, actions in ((k, t.actions[t.begin[i] : t.end[i]]) for i, k in enumerate(t.infosets))
    }
    exact = tp.check("kuhn_poker", profile).exploitability
    line = next(line for line in said if "exploitability of uniform" in line)
    assert float(line.split()[-2]) == pytest.approx(exact, rel=1e-5)


def test_proof_of_other_games_lists_infosets_of_one_public_state() -> None:
    said = told("goofspiel(cards=3)", "uniform", ["p"], seat="1", seed=1)
    assert any(re.match(r"  with .*: .*0\.333", line) for line in said)
    assert "  uniform has not moved yet" in told("kuhn_poker", "uniform", ["p"], seat="0")


def test_proof_is_the_same_whatever_the_agent_holds() -> None:
    """Nothing that is said before the end depends on the agent's card: sessions differ in it alone."""
    strategy = tp.solve("kuhn_poker", "cfr+", iterations=50).profile
    seen = {}
    for seed in range(1, 40):
        said = told("kuhn_poker", strategy, ["p", "?"], seat="1", seed=seed)
        head = "\n".join(said)
        key = re.search(r"cards +(\w)", head)[1], "bets 1" in head
        assert seen.setdefault(key, said) == said
    assert len(seen) >= 5


def test_proof_does_not_tell_bids_that_are_hidden() -> None:
    seen = {}
    for seed in range(1, 30):
        said = told("goofspiel(cards=3)", "uniform", ["1", "p", "3"], seat="1", seed=seed)
        knows = tuple(line for line in said if "you know" in line)[:2]
        assert seen.setdefault(knows, []) in ([], said[:11])
        seen[knows] = said[:11]
        assert any("uniform moved; its plan there" in line for line in said)
    assert len(seen) >= 2


def test_an_agent_without_a_plan_is_played_and_not_judged() -> None:
    class Calls:
        def act(self, view, draw):
            return "c"

    said = told("kuhn_poker", Calls(), ["p", "c", "c"], hands=1, seat="1")
    text = "\n".join(said)
    assert "Calls played c, and has no plan that is known" in text
    assert "its exploitability is not known" in text
    assert "judged" not in text


def test_decisions_cost_what_losses_say() -> None:
    problem = load("leduc_poker")
    strategy = tp.solve(problem, "cfr+", iterations=20).profile
    whole = WholePlan.of(problem, entrant_of(problem, strategy))
    form = whole.numbered.form
    for player in (0, 1):
        t = form.treeplexes[player]
        for action in ("c", "r", "f"):
            for i, key in enumerate(t.infosets):
                if action not in t.actions[t.begin[i] : t.end[i]] or whole._reach[player][i] <= 0:
                    continue
                behaviour = t.uniform()
                behaviour[t.begin[i] : t.end[i]] = 0.0
                s = int(t.begin[i]) + t.actions[t.begin[i] : t.end[i]].index(action)
                behaviour[s] = 1.0
                parent = int(t.parent[i])
                while parent:  # the player goes there
                    above = int(t.infoset_of[parent])
                    behaviour[t.begin[above] : t.end[above]] = 0.0
                    behaviour[parent] = 1.0
                    parent = int(t.parent[above])
                if i % 29:
                    continue
                other = whole.profile.behaviour[1 - player]
                pair = (behaviour, other) if player == 0 else (other, behaviour)
                found = losses(form, Profile(form.treeplexes, pair))
                expected = sum(one.loss for one in found if (one.player, one.infoset) == (player, key))
                cost = whole.cost(player, key, action)
                assert cost.loss * whole._reach[player][i] == pytest.approx(expected, abs=1e-12)
                assert (cost.best == action) == (cost.loss == 0.0) or cost.loss < 1e-9


def test_costs_of_kuhn_by_hand() -> None:
    """Against who always calls, a bet with the king wins 2 instead of 1, with the jack it loses 1 more."""
    problem = load("kuhn_poker")
    whole = WholePlan.of(problem, entrant_of(problem, "always-call"))
    king, jack = whole.cost(0, "K:", "c"), whole.cost(0, "J:", "r")
    assert (king.loss, king.best) == (pytest.approx(1.0), "r")
    assert (jack.loss, jack.best) == (pytest.approx(1.0), "c")
    assert whole.cost(0, "K:", "r").loss == 0.0
    assert whole.cost(0, "K:cr", "c") is None


def test_hands_without_a_decision_end() -> None:
    made, said = session(OneMove(), "uniform", [], seat="1")
    with pytest.raises(BadInputError, match=f"nothing to decide in {MOST_UNASKED:,} hands"):
        made.play()
    assert said[-1].startswith(f"{MOST_UNASKED:,} hands against uniform")


def test_a_stop_ends_with_the_summary() -> None:
    made, said = session("kuhn_poker", "uniform", [], seat="0")
    lines = iter(["c"] * 4)

    def read():
        try:
            return next(lines)
        except StopIteration:
            raise KeyboardInterrupt from None

    made.read = read
    with pytest.raises(KeyboardInterrupt):
        made.play()
    assert " against uniform: you won " in said[-1]
    interruption = Interruption()
    interruption.request()
    heed(interruption)
    try:
        with pytest.raises(KeyboardInterrupt):
            playing_first("kuhn_poker")
    finally:
        heed(Interruption())


@over(
    [
        ({"hands": 0}, "hands must be an integer from 1"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"seat": "2"}, "seat must be 0, 1 or rotate, got '2'"),
    ]
)
def test_options_out_of_range(options, says) -> None:
    with pytest.raises(BadInputError, match=says):
        session("kuhn_poker", "uniform", [], **options)


def test_words_of_a_no_limit_line() -> None:
    game = load("no_limit_holdem(stack=1000)").game
    steps = [step for step in steps_of(game, "r300c/cr600r1000") if step]
    words = [spoken(game.betting, step) for step in steps]
    assert words == ["raises to 300", "calls 200", "checks", "bets 300", "raises to 1000, all-in"]
    assert advised(game.betting, steps[0]) == "raise to 300"
    with pytest.raises(BadInputError, match="is no betting line"):
        list(steps_of(game, "r300x"))
    with pytest.raises(BadInputError, match="there is no hand"):
        PokerHand.of(game, ("AsKs|QhQd", "c"))


def test_proof_does_not_tell_hands_that_are_locked_from_others() -> None:
    """After a check player 1's hands are locked, 15 kings of 28 hands to a bet: it is told of as any move."""
    made, said = session("example:locked_river", "uniform", ["c", "c", "p", "c"], seat="0", seed=2, hands=3)
    made.play()
    told = said.index("  uniform played r50; its plan there:")
    assert said[told + 1] == "  on average over 28 of 28 hands or infosets: c 0.4643, r50 0.5357, r100 0"
