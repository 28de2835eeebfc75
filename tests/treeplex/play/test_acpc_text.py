"""Match states and log lines of the competition's protocol: there and back, as the competition has them."""

from dataclasses import replace
from fractions import Fraction

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.games.formats.acpc import parse_acpc
from treeplex.games.formats.specs import load_game
from treeplex.play.acpc_text import AcpcText, value_text
from treeplex.play.hand import Dealer
from treeplex.play.histories import check_acpc
from treeplex.play.schedule import draws

LIMIT = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 2
numRanks = 5
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
SPECS = (
    "kuhn_poker",
    "leduc_poker",
    "leduc_poker(suits_visible=true)",
    "no_limit_leduc",
    "rhode_island(ranks=3,suits=2)",
    "limit_holdem(ranks=5,suits=2)",
    "no_limit_holdem(ranks=5,suits=2,stack=12,blinds=[2,1])",
    'no_limit_holdem(ranks=5,suits=2,stack=90,blinds=[10,5],bets="75%,a")',
)


def hands_of(game, count, seed=3):
    """Yield hands of uniform players, with all their states."""
    dealer = Dealer(game)
    for number in range(count):
        chance, own = draws(seed, 0, number), draws(seed, 1, number)
        states = []
        hand = dealer.deal(
            chance.__next__,
            lambda view, own=own: view.actions[int(next(own) * len(view.actions))],
            states.append,
        )
        yield number, hand, states


@over(SPECS)
def test_random_hands_go_there_and_back(spec) -> None:
    game = load_game(spec)
    text = AcpcText(game)
    for number, hand, states in hands_of(game, 60):
        line = text.log_line(states[-1], number, ("A", "B"))
        logged = text.read_log_line(line)
        assert (logged.hand, logged.state, logged.names) == (number, states[-1], ("A", "B"))
        assert (logged.values[0], text.moves(logged.state)) == (hand.payoff, hand.moves)
        for state in states:
            if game.player(state) >= 0 or state is states[-1]:
                for position in (0, 1):
                    said = text.match_state(state, position, number)
                    told = text.read_match_state(said)
                    assert text.match_state(told.state, position, number) == said
                    if game.player(state) == position:
                        assert game.infoset(told.state, position) == game.infoset(state, position)
                        labels = game.actions(state)
                        assert [text.label(state.line, text.betting(one)) for one in labels] == [*labels]


def test_positions_and_cards_are_those_of_the_competition() -> None:
    game = parse_acpc(LIMIT, "small.game")
    text, named = AcpcText(game), AcpcText(load_game("limit_holdem(ranks=5,suits=2)"))
    _, _, states = next(hands_of(game, 1))
    first = next(state for state in states if game.player(state) >= 0)
    assert game.player(first) == 1  # the small blind acts first before the flop
    assert text.match_state(first, 0, 7).startswith("MATCHSTATE:0:7::")
    told = "STATE:0:rf:AsKh|QsJh:-10|10:X|Y"  # the big blind folds, and loses it
    assert text.read_log_line(told).values == named.read_log_line(told).values == (-10, 10)
    for spec, hand in {"kuhn_poker": ("As", "Ks"), "leduc_poker": ("Ah", "Qs")}.items():
        small = AcpcText(load_game(spec))
        state = small.read_match_state(f"MATCHSTATE:0:0::{hand[0]}|").state
        assert small.game.infoset(replace_hand(state), 0) == "K:"
        assert small.read_match_state(f"MATCHSTATE:1:0::|{hand[1]}").state.hands[0] == ()


def replace_hand(state):
    return state._replace(hands=(state.hands[0], state.hands[0]))


def test_amounts_are_of_the_whole_hand() -> None:
    text = AcpcText(load_game("no_limit_leduc"))
    assert "r1" in text.game.point("").moves
    assert text.betting("r1") == "r2"  # the ante is in it
    assert text.label("", "r2") == "r1"
    assert text.label("", "r2.0") == "r1"
    assert [text.label("", wrong) for wrong in ("r", "f", "r999", "x", "", "c ", "r-2", "r1/2")] == [None] * 8
    deep = AcpcText(load_game("no_limit_holdem(ranks=5,suits=2,stack=12,blinds=[2,1])"))
    assert deep.read_match_state("MATCHSTATE:0:0:r12c///:AsKs|AhKh/QsQhJs/Jh/Ts").state.line == "r12c///"


@over(["bets=[1/3,a]", "stack=3001/3", "blinds=[100/3,200/3]", "bets=[4/3x,a]", 'bets=["100/3c",a]'])
def test_games_whose_amounts_are_no_decimals_are_refused(key) -> None:
    stack = "" if key.startswith("stack") else ",stack=1000"
    game = load_game(f"no_limit_flop_holdem(ranks=4,suits=2{stack},{key})")
    with pytest.raises(tp.BadInputError, match="not all of its amounts and bet sizes are finite"):
        AcpcText(game)
    with pytest.raises(tp.BadInputError, match="not all of its amounts and bet sizes are finite"):
        check_acpc(game)


def test_amounts_that_are_rounded_to_chips_are_decimals() -> None:
    game = load_game("no_limit_flop_holdem(ranks=4,suits=2,stack=1000,bets=[1/3,a])")
    AcpcText(replace(game, betting=replace(game.betting, chip=Fraction(1, 8))))


def test_cards_are_hidden_until_a_showdown_and_after_a_fold() -> None:
    text = AcpcText(load_game("leduc_poker"))
    seen = set()
    for number, hand, states in hands_of(text.game, 40):
        folded = hand.moves[-1] == "f"
        for state in states[1:]:
            cards = text.match_state(state, 0, number).split(":")[-1].split("/")[0].split("|")
            assert cards[0]
            assert bool(cards[1]) == (state is states[-1] and not folded)
        seen.add(folded)
    assert seen == {True, False}


@over(
    [
        ("MATCHSTATE:2:0::As|", "a match state must be MATCHSTATE:0|1:HAND:BETTING:CARDS"),
        ("MATCHSTATE:0:0::|As", "position 0 must see its own cards"),
        ("MATCHSTATE:0:0::2s|", "1 cards of the deck must stand there, got '2s'"),
        ("MATCHSTATE:0:0::AsAh|", "1 cards of the deck must stand there, got 'AsAh'"),
        ("MATCHSTATE:0:0::As|As", "cards must differ"),
        ("MATCHSTATE:0:0::As|/Kh", "cards must be two hands and 0 deals of the board"),
        ("MATCHSTATE:0:0:rrr:As|", "r is not legal after 'rr'; legal is f, c"),
        ("MATCHSTATE:0:0:c/:As|", "betting must be 'c', got 'c/'"),
        ("MATCHSTATE:0:0:xx:As|", "betting must be '', got 'xx'"),
        ("STATE:0:rf:As|Ks:1|-1:A|B", "a match state must be"),
    ]
)
def test_states_that_are_none(line, says) -> None:
    text = AcpcText(load_game("leduc_poker"))
    with pytest.raises(tp.BadInputError) as error:
        text.read_match_state(line)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@over(
    [
        ("STATE:0:rf:As|Ks:1|-1:A", "a log has lines STATE:HAND:BETTING:CARDS:VALUES:NAMES"),
        ("STATE:0:rf:As|:1|-1:A|B", "a log must have both hands"),
        ("STATE:0:r:As|Ks:1|-1:A|B", "the hand is not over after 'r'"),
        ("STATE:0:rf:As|Ks:2|-2:A|B", "the hand is worth 1|-1, got 2|-2"),
    ]
)
def test_lines_of_logs_that_are_none(line, says) -> None:
    with pytest.raises(tp.BadInputError) as error:
        AcpcText(load_game("leduc_poker")).read_log_line(line)
    assert says in str(error.value)


@over(
    [
        ("coin_toss", "the protocol is of poker games, got"),
        ("example:river", "it begins after the deal"),
        ("kuhn_poker(ranks=14)", "its deck has more than 13 ranks"),
        ("limit_holdem(ranks=4,flops=2)", "its flops are listed"),
    ]
)
def test_games_that_the_protocol_cannot_tell_of(spec, says) -> None:
    with pytest.raises(tp.BadInputError) as error:
        AcpcText.of(load_game(spec))
    assert says in str(error.value)


def test_a_board_before_the_first_round_is_not_told_of() -> None:
    with pytest.raises(tp.BadInputError, match="board cards before the first round"):
        AcpcText.of(replace(load_game("leduc_poker"), board_cards=(1, 0)))


def test_hands_that_a_range_lacks_are_none(tmp_path) -> None:
    page = (ROOT / "examples" / "whole_hand.toml").read_text(encoding="utf-8")
    (tmp_path / "pairs.toml").write_text('ranges = ["22+", "AA"]\n' + page, encoding="utf-8")
    text = AcpcText.of(load_game(str(tmp_path / "pairs.toml")))
    assert text.read_match_state("MATCHSTATE:0:0:c:2s2c|").hand == 0
    for line, says in {
        "MATCHSTATE:0:0:c:3s2c|": "position 0 is never dealt 3s2c",
        "MATCHSTATE:1:0::|KsKc": "position 1 is never dealt KsKc",
    }.items():
        with pytest.raises(tp.BadInputError, match=says):
            text.read_match_state(line)


def test_values_have_six_decimals_at_most() -> None:
    values = {Fraction(10): "10", Fraction(-1, 2): "-0.5", Fraction(1, 3): "0.333333", Fraction(0): "0"}
    assert {value: value_text(value) for value in values} == values
