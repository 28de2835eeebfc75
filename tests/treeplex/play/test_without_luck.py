"""Hands of a match less luck: right in the mean, far less noisy, and left out where nothing can be known."""

import json

import pytest

import treeplex as tp
from treeplex.games.base.errors import BadInputError
from treeplex.play import without_luck as module
from treeplex.play.agents import entrant_of
from treeplex.play.without_luck import expected_values, without_luck
from treeplex.seqform.certify.aivat import reaches


class Secretive:
    """Plays evenly, and tells nobody its plan."""

    def act(self, view, draw):
        return view.actions[int(draw * len(view.actions))]


def mean_of(game, first, second, seat, estimates):
    """Return the mean of A's estimates over all hands, as each is played."""
    problem = tp.load(game)
    numbered = problem.enumerated
    agents = [entrant_of(problem, one) for one in ((first, second) if seat == 0 else (second, first))]
    plans = tuple(module._plan(numbered, p, one) for p, one in enumerate(agents))
    odds = reaches(numbered, plans)
    moves = module.moves_of(numbered)
    played = [leaf for leaf in numbered.tree.leaves.tolist() if odds[leaf] > 0.0]
    return sum(odds[leaf] * estimates[moves[leaf]] for leaf in played)


@pytest.mark.seconds(2)
@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker(ranks=2,raises=1)"])
def test_the_mean_over_all_hands_is_what_is_won(game) -> None:
    solved = tp.solve(game, "cfr+", iterations=20)
    problem = tp.load(game)
    uniform = entrant_of(problem, "uniform")
    first = entrant_of(problem, solved)
    won = expected_values(problem, (first, uniform))
    for second in (uniform, entrant_of(problem, Secretive())):
        found = without_luck(problem, (first, second))
        for seat in (0, 1):
            mean = mean_of(game, solved, "uniform", seat, found.estimates[seat])
            assert mean == pytest.approx(won[seat], abs=1e-12)


@pytest.mark.seconds(3)
def test_intervals_are_narrower_and_hold_the_value() -> None:
    solved = tp.solve("leduc_poker", "cfr+", iterations=200)
    open_ = tp.match(solved, "uniform", "leduc_poker", hands=400)
    hidden = tp.match(solved, Secretive(), "leduc_poker", hands=400)
    assert [one.name for one in hidden.estimates] == ["naive", "aivat"]
    assert hidden.exact is None
    assert open_.exact is not None
    naive, less = hidden.estimates
    assert less.standard_error < 0.5 * naive.standard_error
    assert open_.best.standard_error < less.standard_error
    low, high = less.anytime
    assert low < open_.exact < high


def test_there_is_none_without_a_plan_or_for_a_large_game(monkeypatch) -> None:
    hidden = tp.match(Secretive(), Secretive(), "kuhn_poker", hands=4)
    assert [one.name for one in hidden.estimates] == ["naive"]
    monkeypatch.setattr(module, "MOST_HISTORIES", 20)
    found = tp.match("uniform", "uniform", "kuhn_poker", hands=4)
    assert [one.name for one in found.estimates] == ["naive"]


LARGE = "flop_holdem(ranks=5,suits=3,raises=[1,1])"
"""Too large to be walked, and small enough for hundreds of hands."""


@pytest.mark.seconds(4)
def test_large_holdem_is_estimated_as_it_is_played_by_any_number_of_processes_and_kept(tmp_path) -> None:
    words = {"hands": 24, "duplicate": True, "aivat": True, "seed": 3}
    whole = tp.match("uniform", "always-call", LARGE, **words)
    assert [one.name for one in whole.estimates] == ["naive", "duplicate", "aivat"]
    assert whole.exact is None
    assert whole.best.standard_error < 0.3 * whole.estimates[1].standard_error
    assert tp.match("uniform", "always-call", LARGE, **words, streams=2).estimates == whole.estimates
    half = {**words, "hands": 10}
    tp.match("uniform", "always-call", LARGE, **half, out=tmp_path / "m")
    kept = [json.loads(line) for line in (tmp_path / "m" / "hands.jsonl").read_text().splitlines()]
    assert all(isinstance(line["less_luck"], float) for line in kept)
    assert tp.match("uniform", "always-call", LARGE, **words, out=tmp_path / "m").estimates == whole.estimates
    plain = tp.match("uniform", "always-call", LARGE, hands=24, duplicate=True, seed=3)
    assert plain.estimates == whole.estimates[:2]


@pytest.mark.seconds(3)
def test_hands_that_were_kept_without_estimates_get_them(tmp_path) -> None:
    words = {"hands": 6, "seed": 3}
    tp.match("uniform", "uniform", LARGE, **words, out=tmp_path / "m")
    found = tp.match("uniform", "uniform", LARGE, **words, aivat=True, out=tmp_path / "m")
    assert found.estimates == tp.match("uniform", "uniform", LARGE, **words, aivat=True).estimates


@pytest.mark.seconds(3)
def test_a_match_that_was_kept_with_estimates_goes_on_without_them(tmp_path) -> None:
    words = {"hands": 4, "seed": 3}
    tp.match("uniform", "uniform", LARGE, **words, aivat=True, out=tmp_path / "m")
    words["hands"] = 6
    found = tp.match("uniform", "uniform", LARGE, **words, out=tmp_path / "m")
    assert found.estimates == tp.match("uniform", "uniform", LARGE, **words).estimates
    found = tp.match("uniform", "uniform", LARGE, **words, aivat=True, out=tmp_path / "m")
    assert found.estimates == tp.match("uniform", "uniform", LARGE, **words, aivat=True).estimates


@pytest.mark.seconds(3)
def test_kept_estimates_are_numbers_up_to_the_rounding_of_another_machine(tmp_path) -> None:
    words = {"hands": 4, "seed": 3, "aivat": True, "out": tmp_path / "m"}
    whole = tp.match("uniform", "uniform", LARGE, **words)
    path = tmp_path / "m" / "hands.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    known = lines[0]["less_luck"]

    def kept(number: int, estimate: object) -> None:
        lines[number]["less_luck"] = estimate
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    kept(0, known * (1 + 1e-14) + 1e-14)
    found = tp.match("uniform", "uniform", LARGE, **words)
    assert found.estimates[1].mean == pytest.approx(whole.estimates[1].mean)
    kept(0, known + 1e-3)
    with pytest.raises(BadInputError, match="hand 0 otherwise"):
        tp.match("uniform", "uniform", LARGE, **words)
    kept(0, known)
    for wrong in (float("nan"), float("inf"), -float("inf"), 1e300, 5, True, "x", [], {}):
        kept(1, wrong)
        with pytest.raises(BadInputError, match="line 2: less_luck must be a number"):
            tp.match("uniform", "uniform", LARGE, **words)


@pytest.mark.seconds(3)
def test_one_plan_is_enough_and_its_estimates_are_right_in_the_mean() -> None:
    found = tp.match("always-call", Secretive(), LARGE, hands=150, aivat=True)
    naive, less = found.estimates
    assert less.standard_error < naive.standard_error
    assert abs(less.mean - naive.mean) < 3.5 * naive.standard_error


@pytest.mark.seconds(3)
def test_what_is_too_large_by_its_deals_alone_is_estimated_where_that_is_asked_for(monkeypatch) -> None:
    # Histories at which cards come are counted only as a game is walked.
    monkeypatch.setattr(module, "MOST_HISTORIES", 20)
    spot = (
        "small_holdem(board='As Kh Qs Js',ranks=5,suits=2,bets=[1],max_raises=1,stack=40,"
        "ranges=['JhTs,AhKs','JhTh,AhTs'])"
    )
    found = tp.match("uniform", "uniform", spot, hands=10, aivat=True)
    assert [one.name for one in found.estimates] == ["naive", "aivat"]
    with pytest.raises(BadInputError, match="one player at least must be known"):
        tp.match(Secretive(), Secretive(), "kuhn_poker", hands=2, aivat=True)


def test_what_cannot_be_estimated_is_refused() -> None:
    with pytest.raises(BadInputError, match="one player at least must be known"):
        tp.match(Secretive(), Secretive(), LARGE, hands=2, aivat=True)
    with pytest.raises(BadInputError, match="such estimates are of hold'em"):
        tp.match("uniform", "uniform", "rhode_island", hands=2, aivat=True)
    found = tp.match("uniform", "uniform", "kuhn_poker", hands=4, aivat=True)
    assert found.estimates == tp.match("uniform", "uniform", "kuhn_poker", hands=4).estimates
