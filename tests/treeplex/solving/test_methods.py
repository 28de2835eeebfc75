"""The catalogue of regret minimisers: where each runs, what may be chosen, and engines as one protocol."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.bucket_br import ResponseConfig
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.engine import PairState, average, iterate
from treeplex.cfr.sampling.board_sampling import BoardSampling
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.sequences.cfr_d import Decomposition
from treeplex.cfr.variant import Variant
from treeplex.solving.choice import tree_or_public
from treeplex.solving.engines import fits, prepare
from treeplex.solving.methods import (
    FORMS,
    METHODS,
    Choices,
    config_of,
    forms_of,
    legal_choices,
    methods_on,
)

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
    assert methods_on("boards") == ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr")
    assert methods_on("buckets")[:6] == methods_on("boards")
    assert methods_on("table") == ("mccfr-external", "mccfr-outcome")


@over([(m, f) for m in METHODS for f in forms_of(m)])
def test_configs_are_of_the_kind_that_the_form_takes(method, form):
    config = config_of(method, Choices(), form)
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
    if KINDS.get((method, form)) is BlueprintConfig:  # its weights are linear, or there are none
        given["average"] = "uniform"
    for name, value in given.items():
        choices = Choices(**{name: value})
        if name in legal_choices(method, form):
            assert repr(config_of(method, choices, form)) != repr(config) or name == "order"
        else:
            with pytest.raises(ValueError, match=f"{name} "):
                config_of(method, choices, form)


@over(
    [
        ("rmax", {}, None, "method must be one of cfr, .*, got 'rmax'"),
        ("hedge", {}, "boards", "hedge runs on tree or public, got boards"),
        (
            "cfr+",
            {"average": "last"},
            "buckets",
            "on buckets the average must be of all iterations, got 'last'",
        ),
        ("mccfr-external", {"streams": 0}, "tree", "streams must be between 1 and 1024, got 0"),
        ("mccfr-external", {"average": "last"}, "tree", "uniform, linear, quadratic or cubic, got 'last'"),
        ("mccfr-external", {"seed": -1}, "table", "seed must be between 0 and"),
    ]
)
def test_what_does_not_go_together_is_refused(method, choices, form, says):
    with pytest.raises(ValueError, match=says.replace("+", r"\+")):
        config_of(method, Choices(**choices), form)


@over(["tree", "public"], METHODS)
def test_engines_go_on_as_if_they_had_never_stopped(form, method):
    """Whatever the engine: slices change no bit, and the average is a profile of the problem's form."""
    problem = tp.load("kuhn_poker")
    assert fits(problem, method)
    if form not in forms_of(method):
        return
    engine = prepare(problem, config_of(method, Choices(), form), form)
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
        assert isinstance(prepare(problem, config_of("cfr", Choices()), form).start(), PairState)


def test_forms_follow_from_the_game():
    assert tree_or_public(tp.load("coin_toss"), "cfr+") == "tree"
    assert tree_or_public(tp.load("examples/river.toml"), "cfr+") == "public"
    assert tree_or_public(tp.load("kuhn_poker"), "mccfr-public") == "public"
    with pytest.raises(ValueError, match="mccfr-public on public needs a poker game, got coin_toss"):
        tree_or_public(tp.load("coin_toss"), "mccfr-public")
    with pytest.raises(ValueError, match="a public tree is of poker games"):
        prepare(tp.load("coin_toss"), config_of("cfr", Choices()), "public")
    with pytest.raises(ValueError, match="boards is no form for Variant"):
        prepare(tp.load("kuhn_poker"), config_of("cfr", Choices()), "boards")
