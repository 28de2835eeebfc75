"""Random hands beside OpenSpiel's universal_poker: legal actions, payoffs, texts; a mistake is found."""

from dataclasses import replace

import pytest

from benchmarks.acpc_hands import SPECS, Beside, DifferError, compared
from treeplex.games.formats.specs import load_game


def test_hands_are_those_of_universal_poker() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    found = list(compared(Beside, SPECS, 40, 2))
    assert [(spec, hands, says) for spec, hands, _, says in found] == [(spec, 40, "") for spec in SPECS]


def test_another_game_is_found() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game = load_game("leduc_poker")
    beside = Beside(game)
    beside.dealer.game = replace(game, betting=replace(game.betting, max_raises=(1, 2)))
    with pytest.raises(DifferError, match="legal actions"):
        play_all(beside, 40)


def play_all(beside, hands):
    for number in range(hands):
        beside.play(number, 2)
