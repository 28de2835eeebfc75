"""Estimators of strength judged: right ones, planted faults, and what is no estimator."""

import json

import pytest

import treeplex as tp
from tests.helpers.commands import printed
from treeplex.examples import estimators

GAMES = ["coin_toss", "kuhn_poker"]
PLANTED = {
    "aivat": ("unbiased", ""),
    "payoffs": ("unbiased", ""),
    "sign_reversed": ("noisy", "corrections of chance take out luck of slope -1, where 1 is right"),
    "opponent_as_if_known": ("biased", "the correction of player 1 (unknown) is wrong: its mean is"),
    "card_removal_forgotten": ("biased", "the payoff that it starts from is wrong: its mean is"),
    "mean_subtracted": ("dependent", "an estimate depends on the other hands"),
    "fitted_to_the_hands": ("biased", "an estimate depends on the other hands"),
}


@pytest.mark.seconds(5)
@pytest.mark.parametrize("name", PLANTED)
def test_verdicts_and_what_is_wrong(name) -> None:
    verdict, said = PLANTED[name]
    found = tp.examine_estimator(f"treeplex.examples.estimators:{name}", GAMES)
    assert found.verdict == verdict
    assert said in str(found)
    json.dumps(found.as_json())


def test_corrections_of_right_estimators_have_slope_one() -> None:
    found = tp.examine_estimator(estimators.aivat, GAMES)
    slopes = [slope.slope for row in found.rows for slope in row.slopes]
    assert slopes == pytest.approx([1.0] * len(slopes), abs=1e-9)
    assert len(slopes) > 10
    assert [row.ratio for row in found.rows] == pytest.approx([row.reference for row in found.rows], abs=1e-9)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda setting, hands: [0.0], "an estimator must return 8 estimates here, got 1"),
        (lambda setting, hands: ["x"] * len(hands), "an estimate must be a number or its parts, got 'x'"),
        (lambda setting, hands: [[0.0] * 9] * len(hands), "must be a finite number or"),
        (lambda setting, hands: [float("nan")] * len(hands), "must be a finite number or"),
        (lambda setting, hands: setting.strategy(0, "nowhere"), "player 0 has no infoset 'nowhere'"),
        (lambda setting, hands: setting.value(("no",)), "there is no history 'no'"),
        (lambda setting, hands: ["1.5"] * len(hands), "an estimate must be a number or its parts, got '1.5'"),
        (lambda setting, hands: [1j] * len(hands), "an estimate must be a number or its parts, got"),
        (
            lambda setting, hands: dict.fromkeys(range(len(hands)), 0.0),
            "must return a list of estimates, got",
        ),
        (lambda setting, hands: None, "an estimator must return a list of estimates, got none"),
    ],
)
def test_what_is_no_estimator_is_refused_in_one_line(answer, said) -> None:
    with pytest.raises(tp.BadInputError) as raised:
        tp.examine_estimator(answer, ["coin_toss"])
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_estimates_at_random_are_refused() -> None:
    numbers = iter(range(10**6))
    with pytest.raises(tp.BadInputError, match="must give the same estimates again"):
        tp.examine_estimator(lambda setting, hands: [float(next(numbers)) for _ in hands], ["coin_toss"])


def test_dependence_is_not_lost_where_pairs_are_too_many() -> None:
    """On Kuhn poker estimates are payoffs; on a larger game they depend on the others."""

    def large_ones(setting, hands):
        wide = setting.game.name != "kuhn_poker"
        mean = sum(float(hand.payoff) for hand in hands) / len(hands)
        return [float(hand.payoff) + (mean if wide else 0.0) for hand in hands]

    found = tp.examine_estimator(large_ones, ["kuhn_poker", "leduc_poker(ranks=2,raises=1)"])
    assert found.verdict == "dependent"
    assert found.unjudged == tuple(
        f"leduc_poker(ranks=2,raises=1), {kind} values" for kind in ("exact", "random")
    )


@pytest.mark.parametrize("error", [SystemExit(3), RuntimeError("no"), KeyError("x")])
def test_what_an_estimator_raises_is_one_line(error) -> None:
    def raising(setting, hands):
        raise error

    with pytest.raises(tp.BadInputError, match="the estimator, on coin_toss, exact values: "):
        tp.examine_estimator(raising, ["coin_toss"])


def test_what_is_not_known_is_not_told() -> None:
    def spy(setting, hands):
        for player in (0, 1):
            if player not in setting.known:
                with pytest.raises(tp.BadInputError, match="strategy is not known here"):
                    setting.strategy(player, "any")
        return [hand.payoff for hand in hands]

    assert tp.examine_estimator(spy, ["coin_toss"]).verdict == "unbiased"


def test_the_command_says_it_with_its_exit_code(capsys, complaint) -> None:
    words = ("--games", "coin_toss", "--json")
    right = json.loads(
        printed(capsys, "examine", "--estimator", "treeplex.examples.estimators:aivat", *words)
    )
    assert right["verdict"] == "unbiased"
    assert {len(right["trials"]), right["trials"][0]["hands"]} == {8}
    name = "treeplex.examples.estimators:sign_reversed"
    wrong = json.loads(printed(capsys, "examine", "--estimator", name, *words, code=1))
    assert wrong["verdict"] == "noisy"
    assert "takes a solver or --estimator" in complaint("examine", "a:b", "--estimator", name)
    assert "examine needs a solver" in complaint("examine")
    assert "are for solvers" in complaint("examine", "--estimator", name, "--seconds", "3")
    assert "at most 20,000 histories" in complaint(
        "examine", "--estimator", name, "--games", "liars_dice(faces=5)"
    )
    assert "depend on other hands" in complaint(
        "examine",
        "--estimator",
        name.replace("sign_reversed", "mean_subtracted"),
        "--games",
        "leduc_poker(ranks=2)",
    )
