"""Goofspiel: sizes of the literature, and twins that know nothing of histories or keys."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

from tests.helpers.cells import over
from tests.helpers.game_checks import (
    check_knowledge,
    check_promises,
    check_refusals,
    check_sizes,
    exact_value,
    played,
    walk,
)
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.goofspiel import Goofspiel, goofspiel
from treeplex.seqform.trees.game_tree import build_tree

ORDERS = ("descending", "ascending", "random")
INFORMATION = ("winner", "bids")
SCORING = ("win_loss", "points")
VARIANTS = [goofspiel(3, *words) for words in product(ORDERS, INFORMATION, SCORING)]


@over([*VARIANTS, goofspiel(2), goofspiel(4)])
def test_goofspiel_keeps_the_promises_of_games(game: Goofspiel) -> None:
    check_promises(game)


@over(
    [
        (goofspiel(2), 7, 4, 1, 3, 2),
        (goofspiel(3), 67, 36, 8, 18, 26),
        (goofspiel(4), 1_077, 576, 81, 175, 464),
        (goofspiel(5), 26_931, 14_400, 1_062, 2_284, None),
        # With both bids shown, a player meets each own bid and each of the other's: 1 + 9, 1 + 16 + 16 * 9.
        (goofspiel(3, information="bids"), 67, 36, 10, 22, 26),
        (goofspiel(4, information="bids"), 1_077, 576, 161, 341, 464),
    ]
)
def test_sizes(
    game: Goofspiel, histories: int, leaves: int, infosets: int, sequences: int, nnz: int | None
) -> None:
    check_sizes(game, (histories, leaves), (infosets,) * 2, (sequences,) * 2, nnz)


@over([*VARIANTS, goofspiel(4, "ascending", "winner", "points")])
def test_leaves_are_all_ways_to_play_out_both_hands(game: Goofspiel) -> None:
    """A twin that plays the forced last cards too: every order of both hands and of the prizes."""
    cards = range(1, game.cards + 1)
    fixed = {"descending": [tuple(cards[::-1])], "ascending": [tuple(cards)]}
    twin = {}
    for prizes in fixed.get(game.order, list(permutations(cards))):
        for first, second in product(permutations(cards), repeat=2):
            points = [0, 0]
            for prize, a, b in zip(prizes, first, second, strict=True):
                if a != b:
                    points[a < b] += prize
            gap = points[0] - points[1]
            drawn = [prizes] if game.order == "random" else []
            history = tuple(card for turn in zip(*drawn, first, second, strict=True) for card in turn)
            unplayed = history[: -len(drawn) - 2]
            twin[unplayed] = gap if game.scoring == "points" else (gap > 0) - (gap < 0)
    leaves = {state: game.payoff(state) for state, _ in walk(game) if game.player(state) == TERMINAL}
    assert leaves == twin


@over(VARIANTS)
def test_players_know_their_bids_the_prizes_and_what_was_revealed(game: Goofspiel) -> None:
    """Keys part histories exactly as what a player has observed does, written down apart."""
    width = 3 if game.order == "random" else 2

    def observed(state: tuple[int, ...], player: int) -> tuple[Any, ...]:
        seen: list[Any] = []
        for place, card in enumerate(state):
            who = place % width - (width - 2)
            seen.append(card if who in (CHANCE, player) else None)
            if who == 1:
                mine, theirs = state[place - 1], card
                seen.append(
                    (mine, theirs) if game.information == "bids" else (mine > theirs) - (mine < theirs)
                )
        return tuple(seen)

    check_knowledge(game, observed)


def test_chance_draws_each_remaining_prize_alike() -> None:
    game = goofspiel(4, "random")
    assert game.chance(()) == [(str(card), Fraction(1, 4)) for card in (1, 2, 3, 4)]
    state = played(game, 3, 1, 1)
    assert game.chance(state) == [(str(card), Fraction(1, 3)) for card in (1, 2, 4)]
    tree = build_tree(game)
    # Each pair of bidding orders plays once for each of the prizes' 24 orders.
    assert {Fraction(int(tree.chance[leaf]), tree.chance_den) for leaf in tree.leaves} == {Fraction(1, 24)}
    assert len(tree.leaves) == 24 * 24 * 24


def test_keys_are_readable() -> None:
    hidden, shown, drawn = goofspiel(4), goofspiel(4, information="bids"), goofspiel(4, "random")
    line = (3, 2, 1, 1, 4)
    assert [hidden.infoset(line, p) for p in (0, 1)] == ["3>?/1=?/4", "?>2/?=1/?"]
    assert hidden.public(line) == "?>?/?=?/?"
    assert [shown.infoset(line, p) for p in (0, 1)] == ["3>2/1=1/4", "3>2/1=1/?"]
    assert shown.public(line) == "3>2/1=1/?"
    line = (2, 1, 4, 3, 2)
    assert [drawn.infoset(line, p) for p in (0, 1)] == ["2:1<?/3:2", "2:?<4/3:?"]
    assert drawn.public(line[:4]) == "2:?<?/3:"
    assert hidden.infoset((), 0) == hidden.public(()) == "start"


@over(
    [
        *(goofspiel(*keys) for keys in product((3, 4), ORDERS[:2], INFORMATION, SCORING)),
        *(goofspiel(3, "random", information) for information in INFORMATION),
    ]
)
def test_the_value_is_zero_exactly(game: Goofspiel) -> None:
    assert exact_value(game) == 0


def test_names() -> None:
    assert goofspiel().name == "goofspiel"
    game = goofspiel(5, "random", "bids", "points")
    assert game.name == "goofspiel(cards=5,order=random,information=bids,payoff=points)"
    assert game.unit == "points"
    assert goofspiel().unit == "wins"
    for game in VARIANTS:
        assert load_game(game.name) == game


def test_bad_parameters() -> None:
    check_refusals(
        goofspiel,
        [
            ({"cards": 1}, "goofspiel: cards must be an integer from 2 to 13, got 1"),
            ({"cards": 14}, "cards must be an integer from 2 to 13, got 14"),
            ({"order": "shuffled"}, "order must be one of descending, ascending, random, got 'shuffled'"),
            ({"information": "all"}, "information must be one of winner, bids, got 'all'"),
            ({"payoff": ["points"]}, r"payoff must be one of win_loss, points, got \['points'\]"),
        ],
    )
