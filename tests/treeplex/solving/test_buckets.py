"""Games solved in card abstractions: through ``solve`` and the command line, judged in the real game."""

import json

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.cells import over
from tests.helpers.commands import RESULT_KEYS, printed, rows_of
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.files.abstraction_file import write_abstraction
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.bucket_tree import BucketStrategy

FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
GAME = load_game(FLOP)


@pytest.fixture(scope="module")
def coarse(tmp_path_factory):
    """The path of an abstraction of twelve flop buckets, which forget the hand."""
    path = tmp_path_factory.mktemp("abstractions") / "coarse.npz"
    write_abstraction(path, drawn_abstraction(GAME, (None, 12)))
    return path


@pytest.mark.seconds(3)
def test_a_lossless_abstraction_costs_nothing():
    small = "flop_holdem(ranks=4,suits=2,raises=[0,1])"
    run = tp.solve(small, abstraction=lossless(load_game(small)), iterations=200)
    exact = tp.solve(small, "lp")
    assert (run.form, run.method, run.iterations) == ("buckets", "cfr+", 200)
    assert run.nash_conv < 0.02
    assert run.lower - 1e-9 <= exact.value <= run.upper + 1e-9
    assert run.fact(tp.AbstractionFacts).nash_conv == pytest.approx(run.nash_conv, rel=1e-6)
    assert run.fact(tp.AbstractionFacts).recall == "perfect"
    assert "perfect recall" in str(run)


@pytest.mark.seconds(3)
def test_a_coarse_abstraction_is_judged_in_the_real_game(coarse):
    run = tp.solve(FLOP, abstraction=coarse, iterations=100)
    assert isinstance(run.strategy, BucketStrategy)
    assert run.nash_conv == pytest.approx(tp.check(FLOP, run).nash_conv)
    assert run.nash_conv > 1.0
    assert (run.fact(tp.AbstractionFacts).recall, run.fact(tp.AbstractionFacts).nash_conv) == (
        "imperfect",
        None,
    )
    assert "imperfect recall: no theorem says that play converges" in " ".join(str(run).split())
    one = tp.solve(FLOP, abstraction=coarse, abstracted="0", iterations=100)
    assert one.fact(tp.AbstractionFacts).abstracted == (True, False)
    assert "buckets of player 0" in str(one)
    assert one.lower > run.lower  # learnt against an opponent who sees all cards


@pytest.mark.seconds(3)
def test_buckets_of_a_longer_game_go_with_strategies_in_them(tmp_path):
    turn = load_game("turn_holdem(ranks=4,suits=2,raises=[1,1,1])")
    longer, out = drawn_abstraction(turn, (None, 12, 9)), tmp_path / "strategy.npz"
    solved = tp.solve(FLOP, abstraction=longer, iterations=20)
    assert solved.nash_conv == tp.solve(FLOP, abstraction=longer.of_game(GAME), iterations=20).nash_conv
    tp.write(solved.strategy, out)
    assert tp.check(FLOP, out).nash_conv == pytest.approx(solved.nash_conv)


def test_threads_change_no_bit_and_seconds_alone_differ(coarse):
    one, two = (tp.solve(FLOP, "dcfr", abstraction=coarse, iterations=20, threads=n) for n in (1, 2))
    for p in (0, 1):
        assert np.array_equal(one.strategy.weight[p], two.strategy.weight[p])


def test_json_names_the_abstraction(coarse, capsys):
    row = json.loads(printed(capsys, "solve", FLOP, "--abstraction", coarse, "--iterations", 5, "--json"))
    assert list(row) == RESULT_KEYS
    assert (row["form"], row["certified"], row["abstract_nash_conv"]) == ("buckets", True, None)
    told = row["abstraction"]
    assert (told["counts"], told["recall"], told["abstracted"]) == ([16, 12], "imperfect", [True, True])
    assert "no theorem" in told["theorem"]
    assert len(told["identity"]) == 64
    free = json.loads(printed(capsys, "solve", FLOP, "--form", "boards", "--iterations", 5, "--json"))
    assert (free["abstraction"], free["abstract_nash_conv"]) == (None, None)


@pytest.mark.seconds(4)
def test_a_file_keeps_buckets_and_is_read_hand_by_hand(coarse, capsys, tmp_path):
    out = tmp_path / "blueprint.npz"
    rows = rows_of(printed(capsys, "solve", FLOP, "--abstraction", coarse, "--iterations", 20, "--out", out))
    assert rows["buckets"] == "16 / 12 buckets of both players, imperfect recall"
    again = rows_of(printed(capsys, "check", FLOP, out))
    assert again["NashConv"] == rows["NashConv"]
    with np.load(out) as file:
        assert file["label0"].dtype == np.uint16
        assert file["player0"].nbytes < 4 * tp.load(FLOP).boards().base[0][-1]
    run = tp.solve(FLOP, abstraction=coarse, iterations=20)
    for one, other in zip(tp.read(FLOP, out).weight, run.strategy.expanded().weight, strict=True):
        assert np.array_equal(one, other)
    assert "AJo" in printed(capsys, "show", FLOP, "--strategy", out, "--node", "c")
    half = tmp_path / "half.npz"
    run = tp.solve(FLOP, abstraction=coarse, abstracted="1", iterations=5)
    tp.write(run, half)
    assert tp.check(FLOP, half).nash_conv == run.nash_conv


@pytest.mark.seconds(3)
@over([".csv", ".json"])
def test_tables_of_rows_are_hand_by_hand(suffix, coarse, tmp_path):
    run = tp.solve(FLOP, abstraction=coarse, iterations=5)
    tp.write(run, tmp_path / f"rows{suffix}")
    assert tp.check(FLOP, tmp_path / f"rows{suffix}").nash_conv == pytest.approx(run.nash_conv, rel=1e-6)


@pytest.mark.seconds(3)
def test_a_run_goes_on_from_its_checkpoint(coarse, tmp_path):
    path = tmp_path / "run.npz"
    tp.solve(FLOP, abstraction=coarse, iterations=6, checkpoint=path)
    resumed = tp.solve(FLOP, abstraction=coarse, iterations=15, checkpoint=path)
    whole = tp.solve(FLOP, abstraction=coarse, iterations=15)
    assert resumed.status.endswith("resumed after 6")
    for p in (0, 1):
        assert np.array_equal(resumed.strategy.weight[p], whole.strategy.weight[p])
    for other in ({"abstraction": drawn_abstraction(GAME, (None, 12), seed=1)}, {"abstracted": "0"}):
        with pytest.raises(ValueError, match=r"is of another run: its parameters (abstraction|tied)="):
            tp.solve(FLOP, **({"abstraction": coarse} | other), iterations=20, checkpoint=path)


def test_targets_are_of_the_real_game(coarse, capsys):
    ask = ("solve", FLOP, "--abstraction", coarse, "--iterations", 80, "--target")
    assert rows_of(printed(capsys, *ask, 1e-3, code=FAILED))["target"] == "0.001: missed"
    assert rows_of(printed(capsys, *ask, 50, code=SUCCESS))["target"] == "50: met"


def test_subgames_of_a_strategy_by_bucket_are_solved_again(coarse, tmp_path):
    """A gadget takes it as a strategy of the real game, from a result or from its file."""
    run = tp.solve(FLOP, abstraction=coarse, iterations=20)
    tp.write(run, tmp_path / "blueprint.npz")
    found = [
        tp.resolve(FLOP, 0, "AsKsQs:cc/", form="boards", blueprint=blueprint)
        for blueprint in (run, tmp_path / "blueprint.npz")
    ]
    for one in found:
        assert one.best_response_after <= one.best_response_before + one.error
        assert one.best_response_before == found[0].best_response_before


# what is refused


@over(
    [
        ({"form": "boards"}, "a card abstraction is for regret minimisers on buckets, got the form boards"),
        ({"method": "lp"}, "is for regret minimisers"),
        ({"method": "hedge"}, "hedge runs on tree or public, got buckets"),
        ({"method": "cfr-br", "abstracted": "0"}, "cfr-br takes abstracted both: .*, got '0'"),
        ({"method": "cfr+", "warm_start": {}}, "a warm start is for the tree, got the form buckets"),
        ({"warm_start": {}}, "a warm start is for the tree, got the form buckets"),
        ({"method": "cfr+", "storage": "int16", "form": "buckets"}, "got storage 'int16'"),
        ({"abstracted": "2"}, "abstracted must be both, 0, 1, got '2'"),
        ({"exact": True}, "exact certificates are for strategies on trees, got the form buckets"),
        ({"threads": 0}, "threads must be between 1 and"),
    ]
)
def test_what_does_not_go_with_an_abstraction_is_refused(how, says, coarse):
    with pytest.raises(ValueError, match=says.replace("+", r"\+")):
        tp.solve(FLOP, abstraction=coarse, iterations=1, **how)


@pytest.mark.seconds(3)
def test_abstractions_of_something_else_are_refused(coarse, tmp_path):
    with pytest.raises(ValueError, match="the abstraction is of a deck of 4 ranks and 2 suits"):
        tp.solve("flop_holdem(ranks=5,suits=2,raises=[1,1])", abstraction=coarse, iterations=1)
    with pytest.raises(ValueError, match="the abstraction is of rounds"):
        tp.solve("turn_holdem(ranks=4,suits=2,raises=[0,0,0])", abstraction=coarse, iterations=1)
    with pytest.raises(ValueError, match="buckets needs a poker game, got coin_toss"):
        tp.solve("coin_toss", abstraction=coarse, iterations=1)
    with pytest.raises(ValueError, match="the form buckets needs a card abstraction, got none"):
        tp.solve(FLOP, "cfr+", form="buckets", iterations=1)
    broken = tmp_path / "broken.npz"
    broken.write_bytes(coarse.read_bytes()[:-100])
    with pytest.raises(ValueError, match=str(broken)):
        tp.solve(FLOP, abstraction=broken, iterations=1)


def test_what_does_not_fit_into_memory_is_refused_before_labels_are_made(coarse, monkeypatch):
    monkeypatch.setattr("treeplex.solving.on_boards.machine_memory", lambda: 1 << 16)
    with pytest.raises(ValueError, match=r"regrets and averages would take .* GiB, more than"):
        tp.solve(FLOP, abstraction=coarse, iterations=1)
