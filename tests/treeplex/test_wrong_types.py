"""Every public function given values of wrong types: it answers in one line of its own, not in Python's."""

import inspect
import traceback
from pathlib import Path

import pytest

import treeplex as tp
from tests.helpers.cells import over

WRONG = (3, -1, None, "xyz", [1], float("nan"), Path("nowhere"), {1: 2}, object())
TWO_SIZES = "no_limit_leduc(bets=[[1],[1]])"


@pytest.fixture(scope="module")
def legal():
    """Legal arguments of each function, of which one at a time is replaced."""
    form, result = tp.load("kuhn_poker").form, tp.solve("kuhn_poker")
    kuhn, spiel = {"game": "kuhn_poker"}, {"game": "openspiel:kuhn_poker"}
    flop, flop_menus = "flop_holdem(ranks=4,suits=2)", "no_limit_flop_holdem(ranks=4,suits=2,flops=1)"
    return {
        "abstract": {"game": flop, "streets": "flop:4:equity"},
        "answer": {"game": "example:river", "strategy": "none.npz", "at": "r60"},
        "certify": {"form": form, "profile": result.profile},
        "certify_exactly": {"form": form, "profile": result.profile},
        "challenge": {"target": "unsafe"},
        "check": {**kuhn, "strategy": result},
        "crosscheck": {"game": "matrix_game(payoff=[[7]])"},
        "depth_limited": {**kuhn, "defender": 0, "at": "c"},
        "draw": kuhn,
        "examine_estimator": {"estimator": "treeplex.examples.estimators:aivat", "games": ["coin_toss"]},
        "examine": {"solver": "treeplex:cfr", "games": "kuhn_poker"},
        "export": {**kuhn, "path": "game.mps"},
        "from_dict": {**kuhn, "mapping": tp.to_dict(result)},
        "from_policy": {**spiel, "policy": None},
        "improve": {"strategy": "uniform", "menus": flop_menus, "matches": "none"},
        "load": kuhn,
        "losses": {**kuhn, "strategy": result},
        "repairs": {**kuhn, "strategy": result, "most": 2},
        "match": {"a": result, "b": "uniform", **kuhn, "hands": 2},
        "methods": {"method": "cfr"},
        "nested": {"game": TWO_SIZES, "abstraction": [[1], [1]], "defender": 0},
        "normal_form": kuhn,
        "plot": {"runs": [result], "out": "runs.svg"},
        "race": {"games": ["kuhn_poker"], "methods": ["cfr"], "iterations": 2},
        "read": {**kuhn, "path": "plan.csv"},
        "read_abstraction": {"path": "buckets.npz"},
        "reference": {"games": "kuhn_poker"},
        "reproduce": {"name": "coin-toss"},
        "resolve": {**kuhn, "defender": 0, "at": "c", "method": "resolve", "blueprint": "uniform"},
        "show": kuhn,
        "size": kuhn,
        "solve": kuhn,
        "theory": {**kuhn, "method": "cfr", "iterations": 4},
        "to_dict": {"profile": result},
        "to_tabular_policy": {**spiel, "profile": result},
        "translate": {"game": TWO_SIZES, "abstraction": [[1], [1]], "defender": 0},
        "verify": {"names": "sequence-form", "quick": True},
        "write": {"strategy": result, "path": "plan.csv"},
        "write_abstraction": {"path": "buckets.npz", "abstraction": tp.abstract(flop, "")},
    }


def functions():
    return sorted(name for name in tp.__all__ if name[0].islower() and name not in ("catalogue", "rungs"))


def test_every_function_is_here(legal):
    assert sorted(legal) == functions()


def named(**parameters):
    """Return pairs of a function and a parameter; parameters of one function are parted by spaces."""
    return [(name, parameter) for name, text in parameters.items() for parameter in text.split()]


REQUIRED = [
    (name, parameter.name)
    for name in functions()
    for parameter in inspect.signature(getattr(tp, name)).parameters.values()
    if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
]
OPTIONAL = named(
    abstract="out recall seed threads",
    answer="iterations scale threads width",
    challenge="out",
    check="exact",
    depth_limited="limits",
    draw="below",
    improve="iterations k method threads width without_sibling",
    match="aivat out seed streams duplicate",
    methods="method",
    nested="scale",
    plot="out x",
    race="iterations",
    reference="games",
    repairs="most",
    reproduce="checkpoint keep rows",
    show="board line",
    solve="checkpoint exact form iterations method target traced",
    theory="average every",
    verify="names",
)


@pytest.mark.seconds(3)
@over(REQUIRED + OPTIONAL)
def test_wrong_types_are_refused_in_one_line_of_our_own(name, parameter, legal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = getattr(tp, name)
    refused = 0
    for wrong in WRONG:
        if _may_be(name, parameter, wrong):
            continue
        with pytest.raises((TypeError, ValueError)) as raised:
            function(**{**legal[name], parameter: wrong})
        message = str(raised.value)
        assert message
        assert "\n" not in message
        assert "raise" in _last_line(raised.value), f"{wrong!r}: {message}"
        refused += 1
    assert refused


def _may_be(name, parameter, value):
    """Return whether a value is legal, or takes long to be found not to be."""
    unset = value is None and (name, parameter) in OPTIONAL and (name, parameter) not in STRICT
    number = isinstance(value, int) and value > 0 and (name, parameter) in NUMBERS
    return unset or number or ((name, parameter) in PLAIN and isinstance(value, str | Path))


STRICT = named(
    abstract="recall seed threads",
    answer="iterations scale threads width",
    improve="iterations k method threads width without_sibling",
    match="aivat seed streams duplicate",
    nested="scale",
    repairs="most",
    reproduce="rows",
    show="board line",
    solve="exact traced",
)
"""Options that cannot be None."""
NUMBERS = {
    *((name, parameter) for name, parameter in REQUIRED + OPTIONAL if parameter in ("iterations", "every")),
    ("abstract", "seed"),
    ("abstract", "threads"),
    ("answer", "threads"),
    ("match", "hands"),
    ("match", "seed"),
    ("match", "streams"),
    ("repairs", "most"),
    ("solve", "target"),
}
"""Parameters that 3 may be."""
PLAIN = {("challenge", "out"), ("match", "out"), ("reproduce", "keep"), ("reproduce", "checkpoint")}
"""Parameters that any text or path may be."""


def _last_line(error):
    """Return the line of code that raised an error."""
    return traceback.extract_tb(error.__traceback__)[-1].line
