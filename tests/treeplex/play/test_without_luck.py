"""Hands of a match less luck: right in the mean, far less noisy, and left out where nothing can be known."""

import pytest

import treeplex as tp
from treeplex.play import without_luck as module
from treeplex.play.agents import entrant_of
from treeplex.play.expected import expected_values
from treeplex.play.without_luck import without_luck
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
    won = expected_values(problem.game, (first, uniform))
    for second in (uniform, entrant_of(problem, Secretive())):
        found = without_luck(problem.game, (first, second))
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
