"""Spoilt text files of every kind: each gives a result or one clear line, and soon; seeds repeat failures."""

import random

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.acpc_files import KUHN, LEDUC
from tests.helpers.answers import answered, soon
from tests.helpers.cells import over
from tests.helpers.libratus_files import text as endgame
from tests.helpers.mutations import mutated
from tests.helpers.paths import ROOT
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.base.reading import LONGEST_COMPLAINT
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.efg_writer import efg_text
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.views.size import size

EXAMPLES = ROOT / "examples"
MOST_SOLVED = 2000
"""Sequences up to which what could be read is solved."""
MOST_MADE = 50_000
"""Histories up to which games are made ready: more are work, not a reader's answer."""
EFG = b"""EFG 2 R "two by two" { "A" "B" } ""
p "" 1 1 "x" { "a" "b" } 0
p "" 2 1 "y" { "c" "d" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1 1 }
p "" 2 1 0
t "" 2
t "" 1
"""
NO_LIMIT = b"""GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 6 6
blind = 1 2
firstPlayer = 2 1
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""
SPOT = b"""board = "Ks Th 7s 4d 2c"
pot = 100
stack = [200, 150]
ranges = ["AA,KQs:0.5,QJs", "AK,KJs,T9s"]
bets = [0.5, "100%", "30c", "a"]
raises = "1, 2.5x, 2e"
donks = "20%"
max_raises = 3
force_allin_threshold = 0.1
add_allin_threshold = 1.5
merging_threshold = 0.1
chip = 1
[river.oop]
bets = [0.75]
"""
HAND = b"""blinds = [1, 2]
stack = 12
streets = 2
ranges = ["AA,KK,76s", "QQ+,AKs"]
chip = 1
max_raises = 2
bets = ["e"]
raises = ["a"]
[preflop]
raises = [1, "a"]
[flop.ip]
bets = [0.5, "e"]
"""
SPECS = (
    "kuhn_poker(ranks=3)",
    "leduc_poker(ranks=3,suits=2,raises=1,bets=[2,4])",
    "matrix_game(payoff=[[1,-1],[-1,1/2]])",
    "goofspiel(cards=3,order=random)",
    "liars_dice(dice=1,faces=3)",
    "oshi_zumo(coins=4,size=1,min_bid=0,horizon=3)",
    "battleship(rows=1,columns=2,ships=[1],shots=1,values=[1])",
    "sheriff(items=2,bribes=1,rounds=1,value=5,penalty=0.5)",
    "random_game(seed=3,depth=3,actions=2)",
    "no_limit_leduc(ranks=3,stack=5,bets=[0.5,1],max_raises=[1,2])",
    "small_holdem(board='As Kh Qs Jh 9s',ranks=6,pot=2,stack=2,bets=[1],ranges=[all,all])",
    "coin_toss(heads=1/2,forfeit=false,subgames=2)",
)


def efg() -> list[bytes]:
    kuhn = efg_text(build_tree(load_game("kuhn_poker"))).encode()
    return [kuhn, EFG, (EXAMPLES / "night_crossing.efg").read_bytes()]


def toml() -> list[bytes]:
    return [
        SPOT,
        HAND,
        *((EXAMPLES / f"{name}.toml").read_bytes() for name in ("locked_river", "whole_hand")),
    ]


GAMES = {
    "efg": (".efg", efg),
    "acpc": (".game", lambda: [KUHN.encode(), LEDUC.encode(), NO_LIMIT]),
    "toml": (".toml", toml),
    "libratus": (".txt", lambda: [endgame().encode()]),
}
STRATEGIES = ("csv", "json", "parquet")


def play(spec, **options):
    """Read a game, count it, and solve it if it is small."""
    game = answered(lambda: load_game(spec, **options))
    if game is None:
        return
    if isinstance(game, PokerGame):
        sizes = answered(lambda: size(game))
        if sizes is None or not sizes.as_json() or sizes.decision_states > MOST_MADE:
            return
    elif answered(lambda: build_tree(game, max_nodes=MOST_MADE)) is None:
        return
    problem = answered(lambda: tp.load(game))
    if problem is not None and sum(problem.form.n_sequences) <= MOST_SOLVED:
        answered(lambda: tp.solve(problem).certificate)


def spoil_game(kind, seed, tmp_path):
    suffix, bases = GAMES[kind]
    texts = bases()
    path = tmp_path / f"spoilt{suffix}"
    path.write_bytes(mutated(f"{kind} {seed}", texts[seed % len(texts)]))
    return path, {"bets": "0.5,a", "raises": "a"} if kind == "libratus" else {}


def spec_of(seed):
    return mutated(f"spec {seed}", SPECS[seed % len(SPECS)].encode()).decode("utf-8", "replace")


@pytest.fixture(scope="module")
def solved():
    problem = tp.load("kuhn_poker")
    return problem, tp.solve(problem).profile


def spoilt_table(seed, table, path):
    """Write a table of a strategy with one column or many rows wrong: Parquet has checksums."""
    chance = random.Random(f"parquet {seed}")
    column = chance.choice(list(table.columns))
    odd = (None, -1.0, 2.0, np.nan, 10**17, "x" * 3000, b"\xff", [1, 2], pd.Timestamp("2020-01-01"))
    match chance.randrange(6):
        case 0:
            table = table.drop(columns=column)
        case 1:
            table = table.iloc[: chance.randrange(len(table))]
        case 2:
            table = pd.concat([table] * chance.choice((2, 500)))
        case 3:
            table = table.assign(**{column: table[column].tolist()[::-1]})
        case _:
            value = chance.choice(odd)
            table = table.assign(**{column: [value] * len(table)})
    table.to_parquet(path, index=False)


def spoil_strategy(kind, seed, profile, tmp_path):
    path = tmp_path / f"strategy.{kind}"
    if kind == "parquet":
        pytest.importorskip("pyarrow")
        if seed % 3:
            spoilt_table(seed, profile.table(), path)
            return path
    tp.write(profile, path)
    path.write_bytes(mutated(f"{kind} {seed}", path.read_bytes()))
    return path


@pytest.mark.seconds(3)
@over(GAMES)
def test_spoilt_games(kind, tmp_path):
    for seed in range(16):
        path, options = spoil_game(kind, seed, tmp_path)
        play(str(path), **options)


@pytest.mark.seconds(3)
def test_spoilt_specs():
    for seed in range(80):
        play(spec_of(seed))


@over(STRATEGIES)
def test_spoilt_strategies(kind, solved, tmp_path):
    problem, profile = solved
    for seed in range(20):
        path = spoil_strategy(kind, seed, profile, tmp_path)
        answered(lambda path=path: tp.check(problem, path, missing="uniform"))


@pytest.mark.seconds(3)
@over(GAMES)
def test_commands_answer_spoilt_files(kind, tmp_path, capsys):
    """Whatever the reader refuses is one line and exit code 2 of every command."""
    refused = 0
    for seed in range(1000, 1006):
        path, menus = spoil_game(kind, seed, tmp_path)
        if answered(lambda path=path, menus=menus: load_game(str(path), **menus)) is not None:
            continue
        menus = [part for k, v in menus.items() for part in (f"--{k}", v)]
        for command in (["games", *menus], ["show", *menus], ["export", "--format", "lp", *menus], ["draw"]):
            with soon():
                assert run([command[0], str(path), *command[1:]]) == BAD_INPUT
            out, err = capsys.readouterr()
            assert (out, err.count("\n"), err.startswith("treeplex: ")) == ("", 1, True)
        refused += 1
    assert refused >= 2


@over(
    [
        ("flop_holdem(raises=[1" + 40 * "0" + ",0])", "at most 250,000 moves"),
        ("no_limit_holdem(stack=20000,blinds=[2,1])", "chips times raises are at most 25,000,000"),
        ("no_limit_leduc(stack=11,bets=[" + ",".join(f"0.{k}" for k in range(10, 999)) + "])", "at most"),
        (
            "no_limit_leduc(bets=[" + ",".join(["1"] * 1001) + "])",
            "bets must be at most 1000 sizes, got 1001",
        ),
        ("kuhn_poker(ranks=1000000)", "ranks must be at most 10,000, got 1000000"),
    ]
)
def test_games_without_bounds_are_refused_soon(spec, says):
    with soon(), pytest.raises(ValueError, match=says):
        size(spec)


def test_raises_without_end_are_refused_soon(tmp_path):
    path = tmp_path / "endless.game"
    path.write_text(KUHN.replace("maxRaises = 1", "maxRaises = 1" + 40 * "0"))
    with soon(), pytest.raises(ValueError, match="at most 250,000 moves"):
        tp.load(str(path))


@pytest.mark.seconds(3)
@over([("1e300", "1e-300"), ("1e900", "1"), ("1" + 1500 * "0", "1")])
def test_geometric_bets_of_any_number_of_chips(stack, chip, tmp_path):
    path = tmp_path / "deep.toml"
    spot = SPOT.decode().replace("[200, 150]", stack).replace("chip = 1", f"chip = {chip}")
    path.write_text(spot.replace("max_raises = 3\n", ""))
    with soon(), pytest.raises(ValueError, match=r"at most [\d,]+ moves"):
        tp.load(str(path))


@over(["matrix_game(payoff=[[1e900,0],[0,1]])", "leduc_poker(bets=[1,1e900])"])
def test_payoffs_beyond_floats_are_refused(spec):
    with pytest.raises(ValueError, match="below 1e300") as error:
        tp.load(spec)
    assert len(str(error.value)) <= LONGEST_COMPLAINT


def test_deals_are_not_listed_to_be_too_many_to_draw():
    with soon(), pytest.raises(ValueError, match="more than 100,000 histories"):
        tp.draw(str(EXAMPLES / "river.toml"))


def test_deep_nests_are_called_so(tmp_path):
    path = tmp_path / "deep.toml"
    path.write_text("board = " + "[" * 50_000)
    with pytest.raises(ValueError, match="nested too deeply"):
        load_game(str(path))


def test_paths_of_many_lines_are_one_in_errors():
    with pytest.raises(ValueError, match=r"cannot read .*a b\.toml"):
        load_game("a\nb.toml")
