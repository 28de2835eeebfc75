"""The catalogue of regret minimisers: where each runs, its options, and engines as one protocol."""

import json

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.bucket_br import ResponseConfig
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.engine import PairState, average, iterate
from treeplex.cfr.sampling.board_sampling import BoardSampling
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.sequences.cfr_d import Decomposition
from treeplex.cfr.variant import RULES, RULES_ON_BOARDS, VARIANTS, Variant
from treeplex.cli.main import run
from treeplex.solving.choice import tree_or_public
from treeplex.solving.form import Limits
from treeplex.solving.methods import (
    FORMS,
    METHODS,
    check_given,
    engine_of,
    form_chosen,
    forms_of,
    methods_on,
    options_of,
)
from treeplex.solving.on_trees import fits

KINDS = {
    ("cfr-d", "tree"): Decomposition,
    ("mccfr-public", "public"): BoardSampling,
    ("cfr-br", "buckets"): ResponseConfig,
    ("mccfr-external", "buckets"): BlueprintConfig,
}


def test_every_method_runs_somewhere_and_every_form_has_methods():
    assert {form for method in METHODS for form in forms_of(method)} == set(FORMS)
    for form in FORMS:
        assert methods_on(form) == tuple(m for m in METHODS if form in forms_of(m))
    on_boards = {name for name in VARIANTS if name not in ("hedge", "cfr-br")} | {*RULES_ON_BOARDS}
    assert {*methods_on("boards")} == on_boards
    assert {*methods_on("buckets")} == on_boards | {"cfr-br", "mccfr-external"}
    assert methods_on("table") == ("mccfr-external", "mccfr-outcome")


@two_tiers(  # local rules are compiled
    [(m, f) for m in METHODS if m not in RULES for f in forms_of(m)],
    [(m, f) for m in RULES for f in forms_of(m)],
    seconds=(1, 10),
)
def test_configs_are_of_the_kind_that_the_form_takes(method, form):
    config = FORMS[form].config(method, options_of(method, form))
    kind = (
        FactoredConfig
        if form in ("boards", "split", "buckets")
        else Sampling
        if method.startswith("mccfr")
        else Variant
    )
    assert isinstance(config, KINDS.get((method, form), kind))
    given = {"average": "cubic", "counted": "seen", "order": "simultaneous", "seed": 3, "streams": 2}
    given["storage"] = "int16"
    if method == "vad-cfr":  # whose own average is cubic
        given["average"] = "linear"
    if KINDS.get((method, form)) is BlueprintConfig:  # its weights are linear, or there are none
        given["average"] = "uniform"
    for name, value in given.items():
        if name in FORMS[form].options[method].names():
            other = FORMS[form].config(method, options_of(method, form, {name: value}))
            assert repr(other) != repr(config) or name == "order"
        else:
            with pytest.raises(ValueError, match=f"on {form} takes .*, got {name} "):
                options_of(method, form, {name: value})


@over(
    [
        ("rmax", {}, "tree", "method must be one of cfr, .*, got 'rmax'"),
        ("hedge", {}, "boards", "hedge runs on tree or public, got boards"),
        ("cfr", {"average": "last"}, "buckets", "the average 'last' is for cfr+, got cfr"),
        ("cfr-br", {"average": "last"}, "buckets", "the average 'last' is for cfr+, got cfr-br"),
        ("mccfr-external", {"average": "last"}, "buckets", "average must be one of .*, got 'last'"),
        ("mccfr-external", {"streams": 0}, "tree", "streams must be between 1 and 1024, got 0"),
        (
            "mccfr-external",
            {"average": "last"},
            "tree",
            "uniform, linear, quadratic, cubic, quartic, quintic, got 'last'",
        ),
        ("mccfr-external", {"seed": -1}, "table", "seed must be between 0 and"),
    ]
)
def test_what_does_not_go_together_is_refused(method, given, form, says):
    with pytest.raises(ValueError, match=says.replace("+", r"\+")):
        FORMS[form].config(method, options_of(method, form, given))


@two_tiers(  # local rules are compiled
    [(form, m) for form in ("tree", "public") for m in METHODS if m not in RULES],
    [("tree", m) for m in RULES],
    seconds=(2, 20),
)
def test_engines_go_on_as_if_they_had_never_stopped(form, method):
    """Whatever the engine: slices change no bit, and the average is a profile of the problem's form."""
    problem = tp.load("kuhn_poker")
    assert fits(problem, method)
    if form not in forms_of(method):
        return
    engine = engine_of(problem, method, form)
    assert engine.start().iterations == 0
    state = iterate(engine, 2, iterate(engine, 4))
    assert state.iterations == 6
    for one, other in zip(engine.strategy(state).behaviour, average(engine, 6).behaviour, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        engine.advance(state, 0)


def test_one_state_serves_several_engines():
    problem = tp.load("kuhn_poker")
    for form in ("tree", "public"):
        assert isinstance(engine_of(problem, "cfr", form).start(), PairState)


def test_forms_follow_from_the_game():
    assert tree_or_public(tp.load("coin_toss"), "cfr+") == "tree"
    assert tree_or_public(tp.load("examples/river.toml"), "cfr+") == "public"
    assert tree_or_public(tp.load("kuhn_poker"), "mccfr-public") == "public"
    with pytest.raises(ValueError, match="mccfr-public on public needs a poker game, got coin_toss"):
        tree_or_public(tp.load("coin_toss"), "mccfr-public")
    with pytest.raises(ValueError, match="a public tree is of poker games"):
        engine_of(tp.load("coin_toss"), "cfr", "public")
    with pytest.raises(ValueError, match="hedge runs on tree or public, got boards"):
        engine_of(tp.load("kuhn_poker"), "hedge", "boards")


@over([("abstraction", "buckets"), ("store", "split"), ("storage", None)])
def test_what_a_form_needs_chooses_it(name, form):
    assert form_chosen({"seed": 1, name: "x"}) == form


def test_options_are_of_some_form_until_one_is_named():
    """Where no form is named the choice follows from the game, and an option may be for any of them."""
    check_given("mccfr-external", None, {"streams": 2, "max_infosets": 9, "clusters": 3}, Limits())
    with pytest.raises(ValueError, match=r"mccfr-external takes .*, got counted 'seen'"):
        check_given("mccfr-external", None, {"counted": "seen"}, Limits())
    with pytest.raises(ValueError, match="on table takes average, seed, max_infosets, got streams 2"):
        check_given("mccfr-external", "table", {"streams": 2}, Limits())


# treeplex.methods


def test_methods_lists_every_method_with_its_forms():
    found = tp.methods()
    assert repr(found) == f"MethodTable({len(METHODS)} methods)"
    rows = found.as_json()["methods"]
    assert [row["name"] for row in rows] == list(METHODS)
    for row in rows:
        assert tuple(row["forms"]) == forms_of(row["name"])
        for form, listed in row["forms"].items():
            assert tuple(one["name"] for one in listed) == FORMS[form].options[row["name"]].names()
    first = [line.split()[0] for line in str(found).splitlines() if not line.startswith(" ")]
    assert first == ["methods", "method", *METHODS]


def test_one_method_is_listed_with_its_options():
    (row,) = tp.methods("mccfr-pruned").as_json()["methods"]
    assert [one["name"] for one in row["forms"]["tree"]] == ["seed", "streams"]
    lines = [line.split()[:2] for line in str(tp.methods("mccfr-external")).splitlines()]
    for form in ("tree", "buckets", "table"):
        names = FORMS[form].options["mccfr-external"].names()
        assert [words[1] for words in lines if words[0] == form] == list(names)
    with pytest.raises(ValueError, match=r"method must be one of cfr, .*, got 'rmax'"):
        tp.methods("rmax")


def test_the_command_prints_the_same(capsys):
    assert run(["methods", "cfr+", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == tp.methods("cfr+").as_json()
    assert run(["methods", "rmax"]) == 2
    assert "method must be one of cfr, " in capsys.readouterr().err
