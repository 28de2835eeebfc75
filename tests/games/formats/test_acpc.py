"""ACPC game files: the four standard games, and what is refused."""

from dataclasses import replace

import pytest

from tests.helpers.acpc_files import KUHN, LEDUC
from tests.helpers.cells import over
from treeplex.games.formats.acpc import parse_acpc, read_acpc
from treeplex.games.poker.named import (
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    rhode_island,
)

LIMIT = """# heads-up limit hold'em
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
NO_LIMIT = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
RHODE_ISLAND = """GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 5 5
raiseSize = 10 20 20
maxRaises = 3 3 3
numSuits = 4
numRanks = 13
numHoleCards = 1
numBoardCards = 0 1 1
END GAMEDEF
"""


@over(
    [
        (LIMIT, limit_holdem()),
        (NO_LIMIT, no_limit_holdem()),
        (KUHN, kuhn_poker()),
        (LEDUC, leduc_poker()),
        (RHODE_ISLAND, rhode_island()),
    ]
)
def test_standard_games_are_those_of_the_zoo(text, game):
    if game == kuhn_poker():
        game = replace(game, suits_visible=False)  # its one suit decides nothing
    assert parse_acpc(text, "game") == replace(game, name="game")


def test_files_are_read_under_their_path(tmp_path):
    path = tmp_path / "kuhn.game"
    path.write_text(KUHN)
    game = read_acpc(path)
    assert game.name == str(path)
    assert game == parse_acpc(KUHN, str(path))


def test_unreadable_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read .*none\.game: No such file"):
        read_acpc(tmp_path / "none.game")
    binary = tmp_path / "binary.game"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is not UTF-8 text"):
        read_acpc(binary)


def test_stacks_count_the_blinds():
    game = parse_acpc(NO_LIMIT.replace("20000 20000", "500 300"), "g")
    assert game.betting.stacks == (400, 250)
    limit = parse_acpc(KUHN.replace("blind", "stack = 3 3\nblind"), "g")
    assert limit.betting.stacks == (2, 2)
    # Without blinds a bet is of one chip at least.
    assert parse_acpc(NO_LIMIT.replace("100 50", "0 0"), "g").betting.min_bet == 1


@over(
    [
        ("numPlayers = 2", "numPlayers = 3", "line 4: numplayers must be 2, got 3"),
        ("numPlayers = 2\n", "", "numplayers is missing"),
        ("numRounds = 4", "numRounds = 5", "line 5: numrounds must be one integer from 1 to 4, got 5"),
        ("numRounds = 4", "numRounds = four", "line 5: numRounds must be integers of at least 0, got 'four'"),
        ("blind = 10 5", "blind = 10", "line 6: blind must be 2 integers, got 10"),
        ("blind = 10 5", "blind = -10 5", "line 6: blind must be integers of at least 0, got '-10 5'"),
        ("blind = 10 5", "blind = nan 5", "line 6: blind must be integers"),
        ("blind = 10 5", "blind =", "line 6: blind must be integers"),
        ("10 10 20 20", "10 10 20", "line 7: raisesize must be 4 integers, got 10 10 20"),
        ("10 10 20 20", "10 10 0 20", "line 7: raisesize must be at least 1 for each round, got 10 10 0 20"),
        ("raiseSize = 10 10 20 20\n", "", "raisesize is missing"),
        ("2 1 1 1", "2 1 1 0", "line 8: firstplayer must be 1 or 2"),
        ("3 4 4 4", "3 4", "line 9: maxraises must be 4 integers"),
        ("numSuits = 4", "numSuits = 5", "line 10: numsuits must be one integer from 1 to 4, got 5"),
        ("numRanks = 13", "numRanks = 0", "line 11: numranks must be one integer from 1 to 13, got 0"),
        ("numRanks = 13", "numRanks = 2", "need 9 cards, but the deck has 8"),
        ("HoleCards = 2", "HoleCards = 4", "line 12: numholecards with 5 board cards belong to no known"),
        ("0 3 1 1", "0 3 1", "line 13: numboardcards must be 4 integers"),
        ("limit\n", "", "one of limit and nolimit must be given, got neither"),
        ("limit\n", "limit\nnolimit\n", "got limit and nolimit"),
        ("limit\n", "nolimit\n", "stack is missing"),
        ("limit\n", "potlimit\n", "line 3: unknown key 'potlimit'; legal keys are"),
        ("limit\n", "limit\nante = 5\n", "line 4: unknown key 'ante'"),
        ("limit\n", "limit\nblind = 1 1\n", "line 7: blind must be given once, but it is on line 4 too"),
        ("limit\n", "limit\nstack = 10 4\n", "line 4: stack must cover the blinds 10 5, got 10 4"),
        ("GAMEDEF\nlimit", "limit\nGAMEDEF", "line 2: a definition must start with GAMEDEF, got 'limit'"),
        ("END GAMEDEF\n", "", "end gamedef is missing"),
        ("END GAMEDEF\n", "END GAMEDEF\nlimit\n", "line 15: nothing may follow END GAMEDEF"),
    ]
)
def test_malformed_definitions_are_refused(old, new, message):
    assert old in LIMIT
    with pytest.raises(ValueError, match=message) as error:
        parse_acpc(LIMIT.replace(old, new, 1), "bad.game")
    assert str(error.value).startswith("bad.game: ")
    assert "\n" not in str(error.value)


def test_an_empty_text_is_refused():
    with pytest.raises(ValueError, match="gamedef is missing"):
        parse_acpc("", "empty")
