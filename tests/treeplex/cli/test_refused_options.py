"""Options that have no effect, and numbers and files out of range: refused in one line."""

import pytest

from tests.helpers.cells import over
from tests.helpers.complaints import INTERNALS

SMALL = "leduc_poker(ranks=2)"
GADGET = ("gadget", SMALL, "--defender", 1, "--at", "all", "--blueprint", "uniform")
DEPTH = ("depth-limited", SMALL, "--defender", 1, "--at", "all")
THEORY = ("theory", "kuhn_poker", "--iterations", 9)
TABLE = ("solve", "kuhn_poker", "--method", "mccfr-external", "--form", "table", "--iterations", 9)
DRAWN = ("draw", "coin_toss", "--at", "all", "--defender", 1)
DIGITS = "9" * 5000


@pytest.fixture
def refused(complaint):
    """Return the one line by which a command refuses its arguments, in words of its own."""

    def call(*arguments):
        said = complaint(*arguments)
        assert not INTERNALS.search(said), said
        return said

    return call


@over(
    [
        ((*THEORY, "--method", "cfr", "--seed", 3), "seed is not for the theory of cfr, got 3"),
        ((*THEORY, "--method", "cfr", "--p", 0.1), "p is not for the theory of cfr, got 0.1"),
        ((*THEORY, "--method", "cfr", "--every", 3), "every is for the regret log that --out writes, got 3"),
        ((*THEORY, "--method", "mccfr-external", "--every", 3), "every is not for the theory of mccfr-ext"),
        ((*THEORY, "--method", "mccfr-external", "--average", "linear"), "average is not for the theory of"),
        ((*TABLE, "--trace", "trace.csv"), "a trace is of certificates, and nothing certifies"),
        ((*TABLE, "--target", 1), "a target is for what can be certified"),
        (("solve", "kuhn_poker", "--method", "lp", "--trace", "t.csv"), "got method lp"),
        (("solve", "kuhn_poker", "--method", "lp", "--checkpoint", "c.npz"), "checkpoint is for regret min"),
        (
            ("solve", "kuhn_poker", "--method", "lp", "--set", "isomorphism=no"),
            "isomorphism is for regret min",
        ),
        ((*DRAWN, "--gadget", "resolve", "--depth", 3), "the game of a gadget is drawn whole, got depth 3"),
        ((*GADGET, "--method", "resolve", "--scale", 2), "scale is not for the method resolve, got 2.0"),
    ]
)
def test_options_without_an_effect(arguments, says, refused):
    assert says in refused(*arguments)


@over(["check kuhn_poker no.csv", "solve kuhn_poker"], ["0", "-1", "nan", "inf", "-inf", "1e-400"])
def test_targets(command, value, refused):
    said = refused(*command.split(), "--target", value)
    assert f"target must be a NashConv above 0 and finite, got {float(value)}" in said


@over(
    [
        ((*GADGET, "--method", "reach-resolve", "--scale"), "scale must be between 0 and 1e+06, got"),
        ((*DEPTH, "--tolerance"), "tolerance must be at least 0 and finite, got"),
        ((*DEPTH, "--continuations", "biased", "--factor"), "factor must be at least 0 and finite, got"),
        ((*THEORY, "--method", "mccfr-external", "--p"), "p must be above 0 and below 1, got"),
    ]
)
def test_numbers_out_of_range(arguments, says, refused):
    for value in ("-1", "nan", "inf", "1e400"):
        assert says in refused(*arguments, value)


@over(["-1", "nan", "inf", "1e400"])
def test_settings_out_of_range(value, refused):
    said = refused(*GADGET, "--method", "distributional", "--set", f"deviation={value}")
    assert "deviation must be between 0 and 1e+100, got" in said


@over(
    [
        "draw kuhn_poker",
        "draw coin_toss --at all",
        f"gadget {SMALL} --at all --method resolve --blueprint uniform",
        f"depth-limited {SMALL} --at all",
        "answer no_limit_leduc --by nested --abstraction 1",
        "answer no_limit_leduc --by translation --abstraction 1",
    ],
    ["2", "-1", str(10**30)],
)
def test_defenders(command, value, refused):
    assert f"defender must be 0 or 1, got {value}" in refused(*command.split(), "--defender", value)


def test_players(refused):
    assert "player must be 0 or 1, got 2" in refused("export", "kuhn_poker", "--player", 2, "--format", "lp")


@over(
    [
        *(f"kuhn_poker(ranks={DIGITS})", f"coin_toss(heads={DIGITS})", f"coin_toss(heads=1/{DIGITS})"),
        *(f"coin_toss(heads=1.{DIGITS})", f"coin_toss(heads={DIGITS}/3)", f"kuhn_poker(ranks=1e{DIGITS})"),
        *(f"random_game(seed=-{DIGITS})", f"no_limit_leduc(bets=[3e{DIGITS}%])", "a" * 5000),
    ],
    ["solve", "games", "draw"],
)
def test_numbers_of_thousands_of_digits_in_specs(spec, command, refused):
    assert len(refused(command, spec)) < 600


@over([DIGITS, f"-{DIGITS}", f"1_{DIGITS}", f"0x{DIGITS}", f"1.{DIGITS}"])
def test_numbers_of_thousands_of_digits_in_toml(digits, refused, tmp_path):
    path = tmp_path / "deep.toml"
    path.write_text(
        f'board = "Ks Th 7s 4d 2c"\npot = {digits}\nstack = 1\nranges = ["AA", "KK"]\nbets = []\n'
    )
    assert "deep.toml: " in refused("solve", path)


def test_numbers_of_thousands_of_digits_in_other_files(refused, tmp_path):
    game = tmp_path / "deep.game"
    game.write_text(f"GAMEDEF\nlimit\nnumPlayers = {DIGITS}\n")
    assert "deep.game: a number must have at most 4,000 digits, got 9999999999…9999" in refused("solve", game)
    table = tmp_path / "deep.json"
    table.write_text(f'[{{"player": 0, "infoset": "K:", "action": "c", "probability": {DIGITS}}}]')
    assert "a number must have at most 4,000 digits" in refused("check", "kuhn_poker", table)
    says = refused(*GADGET[:-1], f"cfr+:{DIGITS}", "--method", "resolve")
    assert "cfr+:N needs N between 1 and 10,000,000 iterations" in says


@over(["toml", "efg", "game", "csv", "json", "npz"])
def test_files_that_are_none(suffix, refused, tmp_path):
    directory, binary = tmp_path / f"directory.{suffix}", tmp_path / f"binary.{suffix}"
    directory.mkdir()
    binary.write_bytes(bytes(range(256)))
    for path in (directory, binary, tmp_path / ("a" * 300 + f".{suffix}"), binary / f"x.{suffix}"):
        games = suffix in ("toml", "efg", "game")
        assert refused("solve", path) if games else refused("check", "kuhn_poker", path)


def test_traces_that_are_none(refused, tmp_path):
    path = tmp_path / "binary.csv"
    path.write_bytes(b"game,\xff\n")
    assert "binary.csv is no trace: it is no text in UTF-8" in refused("plot", path)


@over([":X", "../x:X", "x:", "a b:X", "x.:X"])
def test_gadgets_that_are_no_name(name, refused):
    assert f"must be module:Name, got {name!r}" in refused(*GADGET, "--method", name)
