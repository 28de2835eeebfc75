"""Options as fields: what was given, what is refused, and what is read from a command line."""

from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.solving.methods import FORMS, known_options
from treeplex.solving.options import Options, option, read_flag, read_setting


@dataclass(frozen=True, kw_only=True)
class Averaged(Options):
    """An option of text."""

    average: str | None = option("Weights.", "uniform or linear")


@dataclass(frozen=True, kw_only=True)
class Drawn(Averaged):
    """Two more, the first inherited."""

    seed: int | None = option("Of the random numbers.", "an integer", int)
    whole: bool | None = option("Whether all of it.", "true or false", read_flag)


@dataclass(frozen=True, kw_only=True)
class Plain(Options):
    """No options."""


KNOWN = {one.name: one for one in Drawn.listed()}


def test_options_are_the_fields_in_order():
    assert Drawn.names() == ("average", "seed", "whole")
    assert Plain.names() == ()
    seed = Drawn.listed()[1]
    assert (seed.name, seed.text, seed.legal, seed.read) == (
        "seed",
        "Of the random numbers.",
        "an integer",
        int,
    )


def test_given_is_what_was_given():
    assert Drawn().given == {}
    found = Drawn.of("m", "tree", {"whole": False, "seed": 0, "average": None})
    assert found == Drawn(seed=0, whole=False)
    assert list(found.given.items()) == [("seed", 0), ("whole", False)]
    with pytest.raises(FrozenInstanceError):
        found.seed = 1


@over(
    [
        (Drawn, {"seed": 1, "storage": "int16"}, "m on tree takes average, seed, whole, got storage 'int16'"),
        (Averaged, {"seed": 0}, "m on tree takes average, got seed 0"),
        (Plain, {"seed": 0}, "m on tree takes no options, got seed 0"),
    ]
)
def test_what_a_method_does_not_have_is_refused(kind, given, says):
    with pytest.raises(ValueError, match=f"^{says}$"):
        kind.of("m", "tree", given)
    assert kind.of("m", "tree", dict.fromkeys(given)) == kind()


@over(
    [
        ("seed=7", ("seed", 7)),
        ("average=linear", ("average", "linear")),
        ("average=a=b", ("average", "a=b")),
        ("average=", ("average", "")),
        ("whole=no", ("whole", False)),
        ("whole=True", ("whole", True)),
    ]
)
def test_settings_are_read_by_their_options(setting, pair):
    found = read_setting(setting, KNOWN)
    assert found == pair
    assert type(found[1]) is type(pair[1])


@over(
    [
        ("seed", "a setting is NAME=VALUE, got 'seed'"),
        ("sead=7", "settings are average, seed, whole, got 'sead'"),
        ("=7", "settings are average, seed, whole, got ''"),
        ("seed=7.5", "seed must be an integer, got '7.5'"),
        ("seed=", "seed must be an integer, got ''"),
        ("whole=maybe", "whole must be true or false, got 'maybe'"),
    ]
)
def test_bad_settings_are_refused(setting, says):
    with pytest.raises(ValueError, match=f"^{says}"):
        read_setting(setting, KNOWN)


def test_an_option_is_read_alike_wherever_it_is():
    """A setting is read before the form is known."""
    known = known_options()
    kinds = {kind for form in FORMS.values() for kind in form.options.values()}
    assert {one.name for kind in kinds for one in kind.listed()} == known.keys()
    for kind in kinds:
        for one in kind.listed():
            assert one.read is known[one.name].read, (kind, one.name)
            assert one.text.endswith("."), (kind, one.name)


@over(sorted(FORMS))
def test_what_a_form_needs_is_an_option_of_its_methods(name):
    form = FORMS[name]
    assert form.name == name
    if form.needs is not None:
        assert all(form.needs[0] in kind.names() for kind in form.options.values())


def test_outcome_sampling_explores_as_it_is_told():
    usual, often = (
        tp.solve("leduc_poker", "mccfr-outcome", iterations=200, **told)
        for told in ({}, {"exploration": 0.9})
    )
    same = tp.solve("leduc_poker", "mccfr-outcome", iterations=200, exploration=0.6)
    assert np.array_equal(same.profile.behaviour[0], usual.profile.behaviour[0])
    assert not np.array_equal(often.profile.behaviour[0], usual.profile.behaviour[0])
    with pytest.raises(ValueError, match=r"exploration must be above 0 and at most 1, got 0\.0"):
        tp.solve("leduc_poker", "mccfr-outcome", iterations=1, exploration=0.0)
