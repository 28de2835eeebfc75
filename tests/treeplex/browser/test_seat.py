"""Hands played on pages: those of ``play`` and of matches, judged as ``losses`` and ``show`` have it."""

import json
import re
from urllib.parse import quote

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.pages import client, numbers
from tests.helpers.sampled_blueprints import written_blueprint
from treeplex.browser.addresses import MOST_MOVES, Seat
from treeplex.core.loading import ready
from treeplex.pictures.hand_colours import value_text
from treeplex.pictures.hand_grid import ROUNDING
from treeplex.play.agents import Entrant, entrant_of
from treeplex.play.hand import View
from treeplex.play.schedule import Schedule
from treeplex.play.session import Session
from treeplex.play.whole_plan import WholePlan

LEDUC = "leduc_poker(ranks=2,raises=1)"
NAME = "leduc_poker-ranks-2-raises-1"
SUITED = "rhode_island(ranks=2,suits=3,raises=1)"
BOARDS = "rhode_island-ranks-2-suits-3-raises-1-r-npz"
GAMES = {
    f"{NAME}-s-csv": (LEDUC, "s.csv"),
    BOARDS: (SUITED, "r.npz"),
    "goofspiel-g-csv": ("goofspiel", "g.csv"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Strategy files that lose something, one of them on boards and as a table."""
    folder = tmp_path_factory.mktemp("strategies")
    tp.write(tp.solve(LEDUC, "cfr+", iterations=20), folder / "s.csv")
    found = tp.solve(SUITED, "cfr+", iterations=5)
    tp.write(found, folder / "r.csv")
    tp.write(found, folder / "r.npz", game=SUITED)
    tp.write(tp.solve("goofspiel", "cfr", iterations=3), folder / "g.csv")
    return folder


@pytest.fixture(scope="module")
def asked(files):
    """A client of these, and of small games that are solved."""
    sources = [f"{spec}={files / file}" for spec, file in GAMES.values()]
    sources.append(f"{SUITED}={files / 'r.csv'}")
    with client(*sources, LEDUC, "coin_toss", "kuhn_poker", "push_fold(stack=10)") as found:
        yield found


def stated(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()


def chosen(infoset, actions):
    """Return an action that is the same for the same infoset, and not always the first."""
    return actions[sum(infoset.encode()) % len(actions)]


def played(asked, name, **seat):
    """Play a hand to its end by the links of its pages; return the seat's address and what is said there."""
    now = Seat(**seat)
    while not (told := stated(asked.get(now.json(name))))["over"]:
        after = now.after(chosen(told["infoset"], told["actions"]))
        page = asked.get(now.page(name)).text.replace("&amp;", "&")
        assert f'href="{after.page(name)}"' in page
        now = after
    return now, told


class Choosing:
    """The agent that plays as ``chosen``."""

    def act(self, view: View, draw: float) -> str:
        return chosen(view.infoset, view.actions)


@over([*GAMES])
def test_hands_are_those_of_a_match(name, asked, files):
    spec, file = GAMES[name]
    problem = ready(spec)
    entrants = Entrant("choosing", None, Choosing()), entrant_of(problem, files / file)
    schedule = Schedule(problem.game, entrants, duplicate=False, seed=7)
    for number in range(6):
        seat = schedule.seat(number)
        now, told = played(asked, name, seed=7, hand=number + 1, seat=seat)
        hand = schedule.play(number)
        assert told["payoff"] == schedule.winnings(number, hand)
        acted = [one["played"] for one in told["decisions"]]
        assert [*now.moves] == acted
        game, state, own = problem.game, problem.game.root(), []
        for move in hand.moves:
            if game.player(state) == seat:
                own.append((game.infoset(state, seat), move))
            state = game.child(state, move)
        assert own == [(one["infoset"], one["played"]) for one in told["decisions"]]


@pytest.mark.seconds(3)
@over([*GAMES])
def test_hands_and_judgements_are_those_of_play(name, asked, files):
    spec, file = GAMES[name]
    problem = ready(spec)
    entrant = entrant_of(problem, files / file)
    hands = [played(asked, name, seed=3, hand=number + 1, seat=number % 2) for number in range(6)]
    said, lines = [], iter([move for now, _ in hands for move in now.moves])
    session = Session(problem, entrant, lambda: next(lines, None), said.append, hands=6, seed=3)
    session.play()
    judged = [re.search("costs ([^ ]*) ", line) for line in said if line.startswith("  judged")]
    costs = [0.0 if found is None else float(found[1]) for found in judged]
    losses = [one["loss"] for _, told in hands for one in told["decisions"]]
    assert [told["payoff"] for _, told in hands] == session.won
    assert any(loss is not None for loss in losses)
    for cost, loss in zip(costs, losses, strict=True):
        if loss is not None:
            assert cost == (float(f"{loss:.4g}") if loss > 1e-9 else 0.0)


def test_decisions_on_boards_are_those_of_the_table(asked):
    for number in range(1, 5):
        for seat in (0, 1):
            now, told = played(asked, BOARDS, seed=1, hand=number, seat=seat)
            table = stated(asked.get(now.json(BOARDS.replace("npz", "csv"))))
            assert table["payoff"] == told["payoff"]
            for one, other in zip(told["decisions"], table["decisions"], strict=True):
                assert (one["infoset"], one["held"]) == (other["infoset"], other["held"])
                for mine, theirs in zip(one["actions"], other["actions"], strict=True):
                    assert mine["probability"] == pytest.approx(theirs["probability"], abs=1e-9)
                    if mine["value"] is None:  # two cards are to come
                        assert one["public"].startswith(":")
                    else:
                        assert mine["value"] == pytest.approx(theirs["value"], abs=1e-9)


def test_decisions_have_the_numbers_of_show_and_losses(asked, files):
    name = f"{NAME}-s-csv"
    known = {(one.player, one.infoset): one.loss for one in tp.losses(LEDUC, files / "s.csv")}
    problem = tp.load(LEDUC)
    whole = WholePlan.of(problem, entrant_of(problem, files / "s.csv"))
    seen = set()
    for number in range(1, 9):
        for seat in (0, 1):
            _, told = played(asked, name, seed=1, hand=number, seat=seat)
            for one in told["decisions"]:
                board, _, line = one["public"].partition(":")
                shown = stated(asked.get(f"/s/{name}.json?line={line}&board={board}"))
                hand = next(row for row in shown["classes"] if row["hand"] == one["infoset"][0])
                plan = [action["probability"] for action in one["actions"]]
                assert one["held"] == (hand["share"] > ROUNDING)
                if hand["share"] > 0:
                    assert plan == pytest.approx(hand["frequencies"], abs=1e-9)
                values = [action["value"] for action in one["actions"]]
                if values[0] is None:
                    continue
                lost = sum(p * (max(values) - v) for p, v in zip(plan, values, strict=True))
                reach = (
                    own_reach(problem, files, seat, one["infoset"])
                    * whole._reach[seat][whole.numbered.form.treeplexes[seat].index[one["infoset"]]]
                )
                assert lost * reach == pytest.approx(known.get((seat, one["infoset"]), 0.0), abs=1e-12)
                seen.add((seat, one["infoset"]))
    assert len(seen) > 8
    assert any(known.get(one, 0.0) > 0 for one in seen)


def own_reach(problem, files, player, infoset):
    """Return how likely a player's own plan leads to an infoset."""
    profile = tp.check(problem, files / "s.csv").profile
    t = profile.treeplexes[player]
    return float(t.plan(profile.behaviour[player])[t.parent[t.index[infoset]]])


def test_a_value_is_the_mean_of_show_where_the_solution_is_exact(asked):
    for number in range(1, 7):
        _, told = played(asked, NAME, seed=2, hand=number, seat=number % 2)
        for one in told["decisions"]:
            board, _, line = one["public"].partition(":")
            shown = stated(asked.get(f"/s/{NAME}.json?line={line}&board={board}&map=ev"))
            hand = next(row for row in shown["classes"] if row["hand"] == one["infoset"][0])
            values = [(action["probability"], action["value"]) for action in one["actions"]]
            if hand["share"] > 1e-9 and values[0][1] is not None:
                assert sum(p * v for p, v in values) == pytest.approx(hand["value"], abs=1e-9)


@over([NAME, BOARDS, "goofspiel-g-csv", "coin_toss", "kuhn_poker", "push_fold-stack-10"])
def test_a_page_has_the_numbers_of_the_json_and_is_the_same_again(name, asked):
    for seat in (0, 1):
        now, told = played(asked, name, seed=5, hand=2, seat=seat)
        page = asked.get(now.page(name))
        rows = [
            (action["action"], [action["probability"], action["value"]])
            for one in told["decisions"]
            for action in one["actions"]
        ]
        assert [(action, row[:2]) for action, row in numbers(page.text).rows] == rows
        losses = [one["loss"] for one in told["decisions"] if one["loss"] is not None]
        assert numbers(page.text).actions == [loss for loss in losses if value_text(loss, "ev", 8) != "0"]
        for link in re.findall(r'href="(/[^"]*)"', page.text.replace("&amp;", "&")):
            assert asked.get(link).status_code == 200, link
    with client("coin_toss") as other:
        address = "/s/coin_toss/seat?seed=9&hand=4&seat=0&moves=Play"
        assert other.get(address).content == asked.get(address).content


def test_nothing_of_the_opponent_is_told_before_the_end(asked):
    for number in range(1, 12):
        told = stated(asked.get(f"/s/{NAME}/seat.json?hand={number}"))
        assert (told["over"], told["payoff"], told["decisions"]) == (False, None, [])
        assert {*told["told"]} <= {"cards", "board", "betting", "pot"}
        page = asked.get(f"/s/{NAME}/seat?hand={number}").text
        assert "<table" not in page
        assert "seat=1" not in page


def test_seats_are_linked(asked):
    for page in ("/", f"/s/{NAME}?line=c", "/s/coin_toss"):
        text = asked.get(page).text.replace("&amp;", "&")
        name = "coin_toss" if "coin" in page else NAME
        for seat in (0, 1):
            assert f'href="/s/{name}/seat?seed=1&hand=1&seat={seat}"' in text


@over([("a,b", "100%", "c d"), ("é", "x&y=z", "+"), ("a/b", "%2C", "#?")])
def test_an_address_is_written_as_it_is_read(*moves):
    from urllib.parse import parse_qsl

    seat = Seat(3, 4, 1, moves)
    assert Seat.of(parse_qsl(seat.page("x").partition("?")[2])) == seat
    assert Seat(1, 1, 0, ("c", "r100")).page("x") == "/s/x/seat?seed=1&hand=1&seat=0&moves=c,r100"


@over(
    [
        ("?moves=zz", "move 1 must be one of c, r, got 'zz'"),
        ("?moves=c,c,c,c,c,c,c", "the hand is over after"),
        (f"?moves={','.join('c' * (MOST_MOVES + 1))}", "moves must be at most 200 actions, got 201"),
        ("?moves=,", "move 1 must be one of c, r, got ''"),
        ("?moves=%00%1b[31m", "move 1 must be one of c, r, got"),
        ("?moves=%ff%fe", "move 1 must be one of"),
        ("?seat=2", "seat must be an integer from 0 to 1, got '2'"),
        ("?seat=-1", "seat must be an integer"),
        ("?hand=0", "hand must be an integer from 1 to 1000000000, got '0'"),
        (f"?hand={'9' * 3000}", "hand must be an integer"),
        ("?hand=1e3", "hand must be an integer"),
        (f"?hand={quote('٣')}", "hand must be an integer"),
        ("?seed=9223372036854775808", "seed must be an integer from 0 to 9223372036854775807"),
        ("?seed=", "seed must be an integer"),
        ("?seed=1&seed=2", "an address has seed once, got it twice"),
        ("?line=c", "an address has seed, hand, seat, moves, got 'line'"),
    ]
)
def test_what_is_no_seat(query, says, asked):
    for kind in ("seat", "seat.json"):
        answer = asked.get(f"/s/{NAME}/{kind}{query}")
        assert (answer.status_code, answer.text.count("\n")) == (400, 1)
        assert says in answer.text
        assert answer.headers["content-security-policy"] == "default-src 'self'"


def test_there_are_no_seats_of_others(asked):
    assert asked.get("/s/nobody/seat").status_code == 404
    assert asked.get(f"/s/{NAME}/seat/x").status_code == 404
    assert asked.post(f"/s/{NAME}/seat").status_code == 405


@pytest.mark.seconds(6)
def test_a_split_run_has_no_seat(tmp_path):
    spec = "rhode_island(ranks=2,suits=3,raises=1)"
    tp.solve(spec, store=tmp_path / "store", iterations=2, executor="serial")
    with client(str(tmp_path / "store")) as asked:
        (name,) = re.findall(r'<a href="/s/([^"/]*)">', asked.get("/").text)
        assert "/seat" not in asked.get("/").text + asked.get(f"/s/{name}").text
        answer = asked.get(f"/s/{name}/seat")
        assert (answer.status_code, answer.text.count("\n")) == (400, 1)
        assert "hands are played against strategies that are read whole" in answer.text


@pytest.mark.seconds(6)
def test_a_turn_is_judged_on_every_river(tmp_path):
    tp.write(tp.solve("example:turn", iterations=1), tmp_path / "t.npz")
    with client(f"example:turn={tmp_path / 't.npz'}") as asked:
        (name,) = re.findall(r'<a href="/s/([^"/]*)">', asked.get("/").text)
        _, told = played(asked, name, seed=1, hand=1, seat=0)
        assert told["decisions"]
        assert all(one["loss"] is not None for one in told["decisions"])
        fold = [a["value"] for one in told["decisions"] for a in one["actions"] if a["action"] == "f"]
        assert fold == pytest.approx([0.0] * len(fold), abs=1e-9)
        json.dumps(told, allow_nan=False)


# training on a node


def trained(asked, name, place, hand):
    """Return what is asked at a node, and what is said of an action that is chosen there."""
    before = stated(asked.get(f"/s/{name}/train.json?{place}&seed=4&hand={hand}"))
    action = chosen(before["infoset"], before["actions"])
    return before, stated(asked.get(f"/s/{name}/train.json?{place}&seed=4&hand={hand}&action={action}"))


@over([(f"{NAME}-s-csv", "line=c"), (f"{NAME}-s-csv", "line=cc/&board=K"), (BOARDS, "line=cc/&board=As")])
def test_training_has_hands_that_come_and_the_numbers_of_show(name, place, asked):
    shown = stated(asked.get(f"/s/{name}.json?{place}"))
    here = {row["hand"]: row["frequencies"] for row in shown["classes"] if row["share"] > 0}
    drawn = set()
    for hand in range(1, 13):
        before, after = trained(asked, name, place, hand)
        assert (before["decisions"], before["player"]) == ([], shown["player"])
        (one,) = after["decisions"]
        assert before["infoset"] == after["infoset"] == one["infoset"]
        drawn.add(before["told"]["cards"])
        plan = [action["probability"] for action in one["actions"]]
        assert plan == pytest.approx(here[before["told"]["cards"]], abs=1e-9)
        values = {action["action"]: action["value"] for action in one["actions"]}
        assert one["loss"] == max(values.values()) - values[one["played"]]
    assert len(drawn) > 1


def test_a_hand_of_training_is_judged_as_in_a_seat(asked):
    name, found = f"{NAME}-s-csv", {}
    for hand in range(1, 9):
        _, told = trained(asked, name, "line=c", hand)
        found |= {(one["infoset"], one["played"]): one for one in told["decisions"]}
    same = 0
    for number in range(1, 17):
        _, told = played(asked, name, seed=1, hand=number, seat=1)
        for one in told["decisions"]:
            same += found.get((one["infoset"], one["played"])) == one
    assert same


def test_training_hides_the_solution_until_something_is_played(asked):
    before = asked.get(f"/s/{NAME}-s-csv/train?line=c&seed=2&hand=3").text.replace("&amp;", "&")
    assert numbers(before).actions == numbers(before).rows == []
    links = re.findall(r'href="(/s/[^"]*action=[^"]*)"', before)
    assert [link.rpartition("=")[2] for link in links] == ["c", "r"]
    page = asked.get(links[0]).text.replace("&amp;", "&")
    told = stated(asked.get(links[0].replace("/train?", "/train.json?")))
    assert [row[0] for _, row in numbers(page).rows] == [
        one["probability"] for one in told["decisions"][0]["actions"]
    ]
    assert f'href="/s/{NAME}-s-csv/train?line=c&seed=2&hand=4"' in page
    assert f'href="/s/{NAME}-s-csv/train?line=c&seed=1&hand=1"' in asked.get(
        f"/s/{NAME}-s-csv?line=c"
    ).text.replace("&amp;", "&")


def test_push_or_fold_can_be_trained(asked):
    told = stated(asked.get("/s/push_fold-stack-10/train.json?line=push&action=call&hand=5"))
    (one,) = told["decisions"]
    values = {action["action"]: action["value"] for action in one["actions"]}
    assert values["fold"] == pytest.approx(0.0, abs=1e-9)
    assert one["loss"] == max(values.values()) - values["call"]


@over(
    [
        (NAME, "?line=zz", "has no betting line 'zz'"),
        (NAME, "?line=cc/", "must have 1 card, got 0"),
        (NAME, "?line=cc", "nobody acts at the betting line 'cc'"),
        (NAME, "?action=zz", "action must be one of c, r, got 'zz'"),
        (NAME, "?hand=0", "hand must be an integer"),
        (NAME, "?seed=x", "seed must be an integer"),
        (NAME, "?moves=c", "an address has line, board, seed, hand, action, got 'moves'"),
        ("coin_toss", "", "training is on nodes with hands, which coin_toss does not have"),
        (NAME, "?line=c", "no hand comes to the line 'c' under this solution"),
    ]
)
def test_what_cannot_be_trained(name, query, says, asked):
    for kind in ("train", "train.json"):
        answer = asked.get(f"/s/{name}/{kind}{query}")
        assert (answer.status_code, answer.text.count("\n")) == (400, 1)
        assert says in answer.text


def test_a_sampled_blueprint_is_played_and_has_probabilities_alone(tmp_path):
    spec = "leduc_poker(suits_visible=true)"
    strategy, buckets = written_blueprint(tmp_path, spec, (None, 4))
    with client(f"{spec}={strategy}", abstraction=buckets) as asked:
        (name,) = {*re.findall(r'<a href="/s/([^"/]*)">', asked.get("/").text)}
        now, told = played(asked, name, seed=1, hand=2, seat=1)
        page = asked.get(now.page(name)).text
        for one in told["decisions"]:
            assert one["loss"] is None
            assert sum(action["probability"] for action in one["actions"]) == pytest.approx(1.0)
            assert [action["value"] for action in one["actions"]] == [None] * len(one["actions"])
        assert page.count("What it costs is not known here.") == len(told["decisions"]) > 0
        (one,) = stated(asked.get(f"/s/{name}/train.json?line=c&action=c"))["decisions"]
        assert (one["loss"], one["held"]) == (None, True)
