"""Random hands beside pokerkit, where it is installed: actors, legal actions, payoffs; a mistake is found."""

from dataclasses import replace

import pytest

from benchmarks.acpc_hands import DifferError, compared
from benchmarks.pokerkit_hands import SPECS, Beside
from treeplex.games.formats.specs import load_game

pytest.importorskip("pokerkit", reason="pokerkit is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:A card being dealt")


def test_hands_are_those_of_pokerkit() -> None:
    found = list(compared(Beside, SPECS, 20, 2))
    assert [(spec, hands, says) for spec, hands, _, says in found] == [(spec, 20, "") for spec in SPECS]


def test_another_game_is_found() -> None:
    game = load_game("limit_holdem(raises=[4,4,4,4])")
    beside = Beside(replace(game, betting=replace(game.betting, max_raises=(3, 4, 4, 4))))
    with pytest.raises(DifferError, match="legal actions"):
        play_all(beside, 40)


def play_all(beside, hands):
    for number in range(hands):
        beside.play(number, 2)
