"""Hash tables of infosets met by sampling: for games of any size; kept, written, and certified by nothing."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling import poker_sampling
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.poker.named import leduc_poker


def command(spec, *arguments):
    return run([str(a) for a in ("solve", spec, "--method", "mccfr-external", "--form", "table", *arguments)])


def sample(game, iterations, **options):
    return tp.solve(game, "mccfr-external", form="table", iterations=iterations, **options)


def table_of(result):
    return result.strategy.table


@pytest.mark.seconds(3)
def test_a_sampled_strategy_can_be_certified_where_the_game_can(tmp_path, capsys):
    path = tmp_path / "leduc.csv"
    assert command("leduc_poker", "--iterations", 200_000, "--seed", 3, "--out", path) == SUCCESS
    assert re.search("certified +nothing: the game is not enumerated", capsys.readouterr().out)
    assert tp.check("leduc_poker", path).nash_conv < 0.08
    again = tmp_path / "leduc.json"
    assert command("leduc_poker", "--iterations", 200_000, "--seed", 3, "--out", again, "--json") == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert found["certified"] is False
    unproved = ("value", "lower", "upper", "nash_conv", "exploitability", "gains", "distance_to_value", "ev")
    assert [found[key] for key in unproved] == [None] * len(unproved)
    assert (found["form"], found["seed"]) == ("table", 3)
    assert found["n_infosets"] == 288
    assert len(pd.read_csv(path)) == len(json.loads(again.read_text()))


@pytest.mark.seconds(3)
def test_limit_holdem_is_sampled_kept_and_gone_on_from(tmp_path):
    path = tmp_path / "run.npz"
    whole = sample("limit_holdem", 300, seed=5)
    sample("limit_holdem", 100, seed=5, checkpoint=path)
    resumed = sample("limit_holdem", 300, seed=5, checkpoint=path)
    for array in ("slots", "entries"):
        np.testing.assert_array_equal(getattr(table_of(whole), array), getattr(table_of(resumed), array))
    assert len(resumed.strategy.action_probabilities(1, "AsKs|:")) == 3
    with pytest.raises(ValueError, match="300 iterations done, got 100 to do in all"):
        sample("limit_holdem", 100, seed=5, checkpoint=path)
    with pytest.raises(ValueError, match="of another run: its parameters"):
        sample("limit_holdem", 400, seed=6, checkpoint=path)


def test_a_full_table_ends_the_run_and_is_kept(tmp_path):
    path = tmp_path / "run.npz"
    full = sample("leduc_poker", 1000, max_infosets=50, checkpoint=path)
    assert full.status == "the table is full: at most 50 infosets"
    assert 50 < full.n_infosets < 288
    assert full.iterations < 1000
    more = sample("leduc_poker", 1000, checkpoint=path)
    np.testing.assert_array_equal(table_of(more).entries, table_of(sample("leduc_poker", 1000)).entries)


def test_slices_change_nothing():
    whole = iterate(poker_sampling.prepare(leduc_poker(), Sampling()), 500)
    told = []
    sliced = sample("leduc_poker", 500, progress=lambda stage, width: told.append(stage))
    np.testing.assert_array_equal(whole.entries, table_of(sliced).entries)
    assert len(told) > 3


@over(
    [
        (
            ("coin_toss", "--iterations", 5, "--set", "max_infosets=5"),
            "max_infosets is for poker games, got it with",
        ),
        (("leduc_poker", "--iterations", 0), "iterations must be at least 1, got 0"),
        (
            ("leduc_poker",),
            "mccfr-external on a hash table needs a number of iterations: nothing certifies it",
        ),
        (
            ("leduc_poker", "--iterations", 5, "--target", 0.1),
            "a target is for what can be certified, got 0.1",
        ),
        (("leduc_poker", "--iterations", 5, "--exact"), "exact certificates are for strategies on trees"),
        (
            ("leduc_poker", "--iterations", 5, "--set", "streams=2"),
            "takes average, seed, max_infosets, got streams 2",
        ),
        (("leduc_poker", "--iterations", 5, "--seed", -1), "seed must be between 0 and"),
        (
            ("leduc_poker", "--iterations", 5, "--set", "max_infosets=0"),
            "max_infosets must be between 1 and 4,294,967,296, got 0",
        ),
        (
            ("leduc_poker", "--iterations", 5, "--set", f"max_infosets={10**20}"),
            "max_infosets must be between 1 and",
        ),
        (("leduc_poker", "--iterations", 5, "--out", "a.txt"), "a strategy must end in .csv"),
        (("leduc_poker", "--iterations", 5, "--checkpoint", "a.txt"), "a checkpoint must end in .npz"),
    ]
)
def test_wrong_input_is_one_line(arguments, says, capsys):
    assert command(*arguments) == BAD_INPUT
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert says in complaint
