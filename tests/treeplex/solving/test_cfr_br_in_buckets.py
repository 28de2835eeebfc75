"""CFR-BR in card abstractions: the price of buckets as results tell it, beside exact linear programs."""

import json
import re

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed, rows_of
from treeplex.bench.theorems_on_abstractions.on_boards import partitions_of
from treeplex.bench.theorems_on_games.partition import Partition, merged_form
from treeplex.files.abstraction_file import write_abstraction
from treeplex.games.buckets.card_abstraction import CardAbstraction, StreetBuckets, bucket_dtype
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.formats.specs import load_game
from treeplex.seqform.programs.lp_solution import solve_lp

FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
GAME = load_game(FLOP)


def paired(cards):
    """Return whether each deal holds two cards of one rank."""
    ranks = np.sort(cards // 4, axis=1)
    return (np.diff(ranks, axis=1) == 0).any(axis=1).astype(np.int64)


def by_pairs(recall):
    """Return an abstraction: pocket pairs or not; after the flop whether there is a pair, too or alone."""
    first = HandIndex(GAME.deck, (2,))
    start = StreetBuckets("equity", 2, paired(first.cards(np.arange(first.size))).astype(np.uint16), None)
    index = HandIndex(GAME.deck, (2, 3))
    cards = index.cards(np.arange(index.size))
    label, before = paired(cards), paired(cards[:, :2])
    if recall == "imperfect":
        flop = StreetBuckets("equity", 2, label.astype(np.uint16), None)
    else:
        found, table = np.unique(2 * before + label, return_inverse=True)
        kind = bucket_dtype(len(found))
        flop = StreetBuckets("equity", len(found), table.astype(kind), (found // 2).astype(np.uint16))
    return CardAbstraction(GAME.deck, (2, 3), recall, (start, flop), 0, "pairs")


@pytest.fixture(scope="module")
def nested(tmp_path_factory):
    path = tmp_path_factory.mktemp("abstractions") / "nested.npz"
    write_abstraction(path, by_pairs("perfect"))
    return path


def exact_price(strategy):
    """Return what the best strategies in both players' buckets concede together, by linear programs."""
    form = tp.load(FLOP).form
    partitions = partitions_of(strategy.tree, form)
    values = []
    for player in (0, 1):
        chosen = [Partition.trivial(t) for t in form.treeplexes]
        chosen[player] = partitions[player]
        values.append(solve_lp(merged_form(form, (chosen[0], chosen[1])).form).certificate.value)
    return values[1] - values[0]


@pytest.mark.seconds(4)
def test_the_price_of_buckets_lies_where_the_result_says(nested):
    run = tp.solve(FLOP, "cfr-br", abstraction=nested, iterations=400)
    assert (run.form, run.method, run.fact(tp.AbstractionFacts).recall) == ("buckets", "cfr-br", "perfect")
    low, high = run.fact(tp.AbstractionFacts).price
    assert high == run.nash_conv == pytest.approx(tp.check(FLOP, run).nash_conv)
    assert 0 < low <= exact_price(run.strategy) <= high
    assert low > 0.9 * high
    told = " ".join(str(run).split())
    shown = re.search(r"the best strategies in buckets have a NashConv of (\S+) to (\S+) chips", told)
    assert low - 0.01 * (high - low) <= float(shown[1]) <= low
    assert high <= float(shown[2]) <= high + 0.01 * (high - low)
    assert "averages against best responses approach the least exploitable strategies in buckets" in told


@pytest.mark.seconds(3)
def test_best_responses_find_better_strategies_than_opponents_in_buckets(nested):
    both = [tp.solve(FLOP, m, abstraction=nested, iterations=200).nash_conv for m in ("cfr-br", "cfr+")]
    assert both[0] < both[1]


def test_with_imperfect_recall_the_price_is_measured():
    run = tp.solve(FLOP, "cfr-br", abstraction=by_pairs("imperfect"), iterations=50)
    assert run.fact(tp.AbstractionFacts).recall == "imperfect"
    assert run.fact(tp.AbstractionFacts).price == (0.0, run.nash_conv)
    told = " ".join(str(run).split())
    shown = re.search(
        r"measured: the best strategies in buckets have a NashConv of at most (\S+) chips", told
    )
    assert run.nash_conv <= float(shown[1]) <= 1.01 * run.nash_conv
    assert "imperfect recall: no theorem says" in told


def test_other_methods_tell_no_price(nested):
    run = tp.solve(FLOP, "cfr+", abstraction=nested, iterations=5)
    assert run.fact(tp.AbstractionFacts).price is None
    assert "the best strategies in buckets" not in str(run)


def test_the_command_line_prints_the_price(nested, capsys):
    ask = ("solve", FLOP, "--abstraction", nested, "--method", "cfr-br", "--iterations", 20)
    assert rows_of(printed(capsys, *ask))["price"].startswith("the best strategies in buckets")
    row = json.loads(printed(capsys, *ask, "--json"))
    low, high = row["abstraction"]["price"]
    assert 0 <= low <= high == row["nash_conv"]


@pytest.mark.seconds(3)
def test_threads_and_checkpoints_change_no_bit(nested, tmp_path):
    path = tmp_path / "run.npz"
    whole = tp.solve(FLOP, "cfr-br", abstraction=nested, iterations=15)
    tp.solve(FLOP, "cfr-br", abstraction=nested, iterations=6, checkpoint=path)
    more = {"iterations": 15, "threads": 2, "abstracted": "both"}
    resumed = tp.solve(FLOP, "cfr-br", abstraction=nested, checkpoint=path, **more)
    assert resumed.status.endswith("resumed after 6")
    for one, other in zip(whole.strategy.weight, resumed.strategy.weight, strict=True):
        assert np.array_equal(one, other)
    with pytest.raises(ValueError, match="is of another run"):
        tp.solve(FLOP, "cfr+", abstraction=nested, iterations=20, checkpoint=path)


@over(
    [
        ({"abstracted": "0"}, "cfr-br takes abstracted both: each player learns in .*, got '0'"),
        ({"abstracted": "2"}, "abstracted must be both, 0, 1, got '2'"),
        ({"average": "last"}, r"the average 'last' is for cfr\+, got cfr-br"),
        ({"form": "boards"}, "cfr-br runs on tree or public or buckets, got boards"),
        ({"form": "public"}, "cfr-br on public takes average, counted, order, got abstraction"),
    ]
)
def test_what_does_not_go_with_it_is_refused(how, says, nested):
    with pytest.raises(ValueError, match=says):
        tp.solve(FLOP, "cfr-br", abstraction=nested, iterations=1, **how)
