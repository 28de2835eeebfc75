"""Games of OpenSpiel beside our own rules, and its best responses beside our certificates."""

import pickle
import re
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.game_checks import check_promises
from tests.helpers.paths import ROOT
from tests.helpers.profiles import random_profile
from tests.helpers.reference import UNIFORM_NASH_CONV_LIARS_DICE
from treeplex.games.base.reading import exact_chance, exact_payoff
from treeplex.games.counting.references import LEDUC, LIARS_DICE
from treeplex.games.formats.openspiel import MISSING, OpenSpielState, read_openspiel
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.profile import Profile

pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = "openspiel:goofspiel(num_cards=4,imp_info=True,points_order=descending)"
UNIVERSAL_LEDUC = (
    "openspiel:universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,"
    "firstPlayer=1 1,maxRaises=2 2,numSuits=2,numRanks=3,numHoleCards=1,numBoardCards=0 1)"
)
BATTLESHIP = "openspiel:battleship(board_width=2,board_height=1,ship_sizes=[1],ship_values=[1.0],num_shots=1)"
SMALL = [
    "openspiel:kuhn_poker",
    "openspiel:matrix_rps",
    "openspiel:coordinated_mp",
    "openspiel:dark_hex(num_rows=2,num_cols=2)",
    "openspiel:go_fish(players=2,ranks=2,suits=2,initial_cards=1)",
    "openspiel:goofspiel(num_cards=3)",
    "openspiel:liars_dice(dice_sides=3)",
    "openspiel:misere(game=kuhn_poker())",
    "openspiel:oshi_zumo(coins=3,size=1,horizon=3)",
    GOOFSPIEL,
]
CONSTANT_SUM = """EFG 2 R "constant" { "A" "B" }
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "L" "R" } 0
t "" 1 "" { 4, 1 }
t "" 2 "" { 1, 4 }
p "" 2 1 "" { "L" "R" } 0
t "" 3 "" { 2, 3 }
t "" 4 "" { 3, 2 }
"""


def uniform(form) -> Profile:
    x, y = (t.uniform() for t in form.treeplexes)
    return Profile(form.treeplexes, (x, y))


@pytest.fixture(scope="module")
def kuhn():
    return tp.load("openspiel:kuhn_poker")


@over(SMALL)
def test_small_games_keep_their_promises(spec: str) -> None:
    check_promises(load_game(spec))


@over([*SMALL, UNIVERSAL_LEDUC])
def test_the_name_of_a_game_is_its_spec(spec: str) -> None:
    game = load_game(spec)
    assert load_game(game.name) == game
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.actions(again.root()) == game.actions(game.root())


@pytest.mark.seconds(4)
@over(
    [
        ("openspiel:kuhn_poker", Fraction(-1, 18)),
        ("openspiel:leduc_poker", LEDUC),
        (UNIVERSAL_LEDUC, LEDUC),
        ("openspiel:liars_dice(dice_sides=4)", Fraction(1, 16)),
        (GOOFSPIEL, 0),
        ("openspiel:matrix_rps", 0),
        ("openspiel:matrix_mp", 0),
        ("openspiel:normal_form_extensive_game(game=kuhn_poker())", Fraction(-1, 18)),
        ("openspiel:oshi_zumo(coins=4,size=1,horizon=4)", 0),
        ("openspiel:blotto(coins=5,fields=3)", 0),
        ("openspiel:coordinated_mp", 0),
        ("openspiel:connect_four(rows=3,columns=3,x_in_row=3)", 0),
        # Black answers on the edge; a chain needs the short side alone.
        ("openspiel:hex(num_cols=2,num_rows=2)", 1),
        # The sum of the piles in binary is nought, and taking the last object loses.
        ("openspiel:nim(pile_sizes=1;2;3)", -1),
        # One of two squares each: 1/2 to sink first, else half as much for the other.
        (BATTLESHIP, Fraction(1, 4)),
    ]
)
def test_values(spec: str, value: Fraction) -> None:
    check_value(spec, value)


def check_value(spec: str, value: Fraction) -> None:
    solved = tp.solve(spec, exact=True)
    assert solved.certificate.lower == solved.certificate.upper == solved.exact_value == value


def check_uniform_play(spec: str, expected: float) -> None:
    problem = tp.load(spec)
    profile = tp.from_policy(pyspiel.UniformRandomPolicy(problem.game.spiel), problem)
    for b, t in zip(profile.behaviour, profile.treeplexes, strict=True):
        np.testing.assert_allclose(b, t.uniform(), rtol=1e-15, atol=0)
    ours = tp.check(problem, profile).nash_conv
    assert ours == pytest.approx(float(expected), abs=1e-9)
    policy = pyspiel.TabularPolicy(tp.to_dict(profile))
    assert ours == pytest.approx(pyspiel.nash_conv(problem.game.spiel, policy, True), abs=1e-9)


@pytest.mark.seconds(18)
def test_liars_dice_of_six_faces() -> None:
    check_value("openspiel:liars_dice(numdice=1)", LIARS_DICE)
    check_uniform_play("openspiel:liars_dice", UNIFORM_NASH_CONV_LIARS_DICE)


@pytest.mark.seconds(3)
@over([*SMALL, "openspiel:leduc_poker"])
def test_random_play_is_as_exploitable_as_openspiel_says(spec: str) -> None:
    problem = tp.load(spec)
    profile = random_profile(problem.form, 0)
    policy = pyspiel.TabularPolicy(tp.to_dict(profile))
    theirs = pyspiel.nash_conv(problem.game.spiel, policy, True)
    assert tp.check(problem, profile).nash_conv == pytest.approx(theirs, abs=1e-9)


@over(SMALL)
def test_policies_and_dictionaries_come_back(spec: str) -> None:
    problem = tp.load(spec)
    profile = random_profile(problem.form, 1)
    table = tp.to_dict(profile)
    tabular = tp.to_tabular_policy(profile, problem.game)
    for again in (
        tp.from_policy(tabular, problem),
        tp.from_policy(pyspiel.TabularPolicy(table), problem),
        tp.from_dict(table, problem),
        tp.from_dict(tabular.to_dict(), problem),
        tp.from_dict({key: dict(row) for key, row in table.items()}, problem),
        tp.from_dict(pickle.loads(pickle.dumps(table)), problem),
        tp.from_dict(tp.to_dict(profile, 0) | tp.to_dict(profile, 1), problem),
    ):
        for a, b in zip(again.behaviour, profile.behaviour, strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_profile_solved_here_is_an_equilibrium_there(kuhn) -> None:
    profile = tp.solve(kuhn.game, exact=True).profile
    policy = pyspiel.TabularPolicy(tp.to_dict(profile))
    assert pyspiel.nash_conv(kuhn.game.spiel, policy, True) == pytest.approx(0, abs=1e-9)
    assert pickle.loads(pickle.dumps(profile)).behaviour[0].tolist() == profile.behaviour[0].tolist()


def test_python_policies_are_asked(kuhn) -> None:
    from open_spiel.python import policy

    profile = tp.from_policy(policy.FirstActionPolicy(kuhn.game.spiel), kuhn)
    assert tp.to_dict(profile)["0pb"] == [(0, 1.0), (1, 0.0)]
    assert tp.check(kuhn, tp.from_policy(policy.UniformRandomPolicy(kuhn.game.spiel), kuhn)).nash_conv == (
        pytest.approx(11 / 12, abs=1e-12)
    )


@over(["leduc_poker", "coin_toss", "goofspiel", "small_holdem"])
def test_dictionaries_are_for_all_games(spec: str) -> None:
    problem = tp.load(spec)
    profile = random_profile(problem.form, 2)
    merged = tp.to_dict(profile, 0) | tp.to_dict(profile, 1)
    again = tp.from_dict(merged, problem)
    for a, b in zip(again.behaviour, profile.behaviour, strict=True):
        np.testing.assert_array_equal(a, b)


def test_what_a_dictionary_lacks(kuhn) -> None:
    table = tp.to_dict(uniform(kuhn.form))
    gone = {key: row for key, row in table.items() if key != "0pb"}
    with pytest.raises(ValueError, match="player 0's infoset '0pb' is missing"):
        tp.from_dict(gone, kuhn)
    with pytest.raises(ValueError, match="player 0's infoset '0pb': probabilities must sum to 1"):
        tp.from_policy(pyspiel.TabularPolicy(gone), kuhn)
    completed = tp.from_dict(gone, kuhn, missing="uniform")
    assert tp.to_dict(completed) == table
    with pytest.raises(ValueError, match="missing must be"):
        tp.from_dict(gone, kuhn, missing="zero")  # type: ignore[arg-type]


@over(
    [
        ([(0, 0.5), (1, 0.4)], "must sum to 1"),
        ([(0, 0.5), (0, 0.5)], "action 0 twice"),
        ([(0, 0.5), (7, 0.5)], "no action 7; its actions are 0, 1"),
        ([(0, 1.5), (1, -0.5)], "between 0 and 1, got 1.5 for 0"),
        ([(0, float("nan"))], "between 0 and 1, got nan"),
        ([], "must sum to 1"),
        (None, "needs actions and their probabilities, got None"),
        ([(0,), (1,)], r"needs actions and their probabilities, got \[\(0,\), \(1,\)\]"),
        ([(0, "half")], "needs actions and their probabilities"),
    ]
)
def test_bad_rows_are_named(row, said: str, kuhn) -> None:
    table = tp.to_dict(uniform(kuhn.form)) | {"1p": row}
    with pytest.raises(ValueError, match=f"player 1's infoset '1p'.*{said}"):
        tp.from_dict(table, kuhn)


def test_policies_of_other_games_are_refused(kuhn) -> None:
    from open_spiel.python.policy import TabularPolicy

    dice = tp.load("openspiel:liars_dice(dice_sides=3)")
    with pytest.raises(ValueError, match="has no infoset"):
        tp.from_dict(tp.to_dict(uniform(dice.form)), kuhn)
    with pytest.raises(ValueError, match="not of openspiel:kuhn_poker"):
        tp.to_tabular_policy(uniform(dice.form), kuhn.game)
    with pytest.raises(ValueError, match="no answer at"):
        tp.from_policy(TabularPolicy(dice.game.spiel), kuhn)
    with pytest.raises(ValueError, match="such as openspiel:kuhn_poker"):
        tp.from_policy(TabularPolicy(dice.game.spiel), tp.load("kuhn_poker"))
    with pytest.raises(ValueError, match="player must be 0, 1 or None, got 2"):
        tp.to_dict(uniform(dice.form), 2)


def test_a_key_of_both_players_goes_into_no_joint_dictionary() -> None:
    problem = tp.load("matrix_game(payoff=[[1,-1],[-1,1]])")
    profile = uniform(problem.form)
    x, y = profile.treeplexes
    same = type(y)(y.begin, y.end, y.parent, x.infosets, y.actions)
    with pytest.raises(ValueError, match="both players have an infoset 'start'"):
        tp.to_dict(Profile((x, same), profile.behaviour))


@over(
    [
        ("kuhn_pokr", "Unknown game 'kuhn_pokr'. Did you mean kuhn_poker"),
        ("misere(game=kuhn_pokr())", "Unknown game 'kuhn_pokr'"),
        ("kuhn_poker(cards=3)", "Unknown parameter 'cards'. Available parameters are: players"),
        ("kuhn_poker(players=99)", "num_players_ = 99"),
        ("kuhn_poker(", "Missing closing bracket"),
        ("", "name"),
        ("kuhn_poker(players=3)", "two players, got 3"),
        ("blackjack", "two players, got 1"),
        ("mfg_garnet", "mean field"),
        ("first_sealed_auction(players=2)", "zero-sum or constant-sum, got general-sum"),
        ("tiny_hanabi", "zero-sum or constant-sum, got identical"),
        ("zerosum(game=negotiation())", "only sampled"),
        ("breakthrough", "no information_state_string"),
        ("capture_the_flag", "no information_state_string"),
    ]
)
def test_what_is_refused_takes_one_line(text: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=r"^openspiel:") as caught:
        load_game(f"openspiel:{text}")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@over(
    [
        "liars_dice_ir(dice_sides=3)",
        "dark_hex_ir(num_rows=2,num_cols=2)",
        # The hands that are left and who won do not say in which order a player bid.
        "goofspiel(num_cards=4,points_order=descending)",
    ]
)
def test_games_of_imperfect_recall_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has imperfect recall: infoset") as caught:
        tp.load(f"openspiel:{text}")
    assert "\n" not in str(caught.value)


def test_long_plays_are_refused() -> None:
    with pytest.raises(ValueError, match="plays of more than 1,000 moves"):
        tp.load("openspiel:chess")


def test_bets_are_for_other_games() -> None:
    with pytest.raises(ValueError, match="bets are for Libratus endgames"):
        load_game("openspiel:kuhn_poker", bets="1")


def test_without_open_spiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match=r"^openspiel: needs the open_spiel package") as caught:
        load_game("openspiel:kuhn_poker")
    assert str(caught.value) == MISSING


@over(["efg", "nfg"])
def test_constant_sums_are_shifted(kind: str, tmp_path) -> None:
    path = tmp_path / f"constant.{kind}"
    path.write_text(CONSTANT_SUM if kind == "efg" else 'NFG 1 R "c" { "A" "B" } { 2 2 }\n\n4 1 2 3 1 4 3 2\n')
    game = load_game(f"openspiel:{kind}_game(filename={path})")
    assert game.constant == 5
    assert game.note == "OpenSpiel's payoffs add up to 5: player 1 gets 5 less what player 0 gets"
    assert load_game(game.name) == game
    # Mixing the rows 1:3 pays player 0 2.5 against either column.
    assert tp.solve(game, exact=True).exact_value == Fraction(5, 2)


def test_payoffs_that_do_not_sum_are_named(kuhn) -> None:
    game = type(kuhn.game)(kuhn.game.name, kuhn.game.spiel, Fraction(1))
    with pytest.raises(ValueError, match=r"payoffs must sum to 1, got -?\d and -?\d after actions 0, 1, 0"):
        tp.load(game)


def test_a_state_without_information_is_named(kuhn) -> None:
    class Silent:
        def current_player(self) -> int:
            return 0

        def history(self) -> list[int]:
            return [2, 1]

        def information_state_string(self, player: int) -> str:
            raise pyspiel.SpielError("first line\nsecond line")

    said = "player 1 has no information state after actions 2, 1: first line; second line"
    with pytest.raises(ValueError, match=said):
        kuhn.game.infoset(OpenSpielState(Silent()), 1)


def test_idle_players_remember_what_they_did() -> None:
    game = read_openspiel("kuhn_poker")
    assert game.note == ""
    state = game.root()
    assert game.infoset(state, 0) == " [yet to act]"
    for move in ("0", "1"):
        state = game.child(state, move)
    assert (game.infoset(state, 0), game.infoset(state, 1)) == ("0", "1 [yet to act]")
    state = game.child(state, "0")
    assert (game.infoset(state, 0), game.infoset(state, 1)) == ("0p [0 at 0]", "1p")
    assert state == game.child(game.child(game.child(game.root(), "0"), "1"), "0")
    assert len({state, game.child(game.child(game.root(), "0"), "1")}) == 2


@pytest.mark.seconds(3)
@over([0, 1])
def test_subgames_are_those_of_our_own_rules(defender: int) -> None:
    specs = "openspiel:leduc_poker(suit_isomorphism=True)", "leduc_poker"
    a, b = (tp.resolve(spec, defender, method="maxmargin", blueprint="uniform") for spec in specs)
    assert len(a.subgames) == len(b.subgames) == 15
    assert sorted(t.margin for t in a.tops) == pytest.approx(sorted(t.margin for t in b.tops), abs=1e-7)
    assert a.exploitability_before == pytest.approx(b.exploitability_before, abs=1e-9)
    assert a.exploitability_joint == pytest.approx(b.exploitability_joint, abs=1e-9)
    assert a.exploitability_after < a.exploitability_before


@over(
    [
        ([1 / 3, 1 / 3, 1 / 3], ["1/3", "1/3", "1/3"]),
        ([0.1] * 10, ["1/10"] * 10),
        ([1.0], ["1"]),
        ([1 / 52, 51 / 52], ["1/52", "51/52"]),
    ]
)
def test_chance_is_the_fraction_that_was_meant(floats: list[float], exact: list[str]) -> None:
    assert exact_chance(floats) == tuple(map(Fraction, exact))


def test_a_fraction_that_is_only_near_was_not_meant() -> None:
    near = Fraction(200_000, 999_983)
    p = float(near) + 1e-13
    assert exact_payoff(float(near)) == near
    total = Fraction(p) + Fraction(1 - p)
    assert exact_chance([p, 1 - p]) == (Fraction(p) / total, Fraction(1 - p) / total)


@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=20))
def test_any_chance_sums_to_one_exactly(weights: list[float]) -> None:
    floats = [w / sum(weights) for w in weights]
    exact = exact_chance(floats)
    assert sum(exact) == 1
    assert all(float(e) == pytest.approx(p, rel=1e-14) for e, p in zip(exact, floats, strict=True))


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6))
def test_payoffs_are_the_fractions_that_were_meant(numerator: int, denominator: int) -> None:
    assert exact_payoff(numerator / denominator) == Fraction(numerator, denominator)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_other_payoffs_stay_what_they_are(value: float) -> None:
    assert float(exact_payoff(value)) == pytest.approx(value, rel=2.0**-48, abs=0)


@over([[], [0.5], [1.5, -0.5], [float("nan")], [float("inf")]])
def test_bad_chance_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="probabilities must"):
        exact_chance(bad)


def test_bad_payoffs_are_refused() -> None:
    with pytest.raises(ValueError, match="must be finite, got inf"):
        exact_payoff(float("inf"))


def test_the_page_on_openspiel_runs() -> None:
    page = (ROOT / "docs" / "OPENSPIEL.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    exec(example, {})


def test_strategy_files_hold_keys_of_many_lines(tmp_path) -> None:
    problem = tp.load(GOOFSPIEL)
    profile = random_profile(problem.form, 4)
    for suffix in ("csv", "json"):
        tp.write(profile, tmp_path / f"goofspiel.{suffix}")
        again = tp.read(problem, tmp_path / f"goofspiel.{suffix}")
        assert again.behaviour[0] == pytest.approx(profile.behaviour[0], rel=1e-14, abs=0)
