"""``solve --set NAME=VALUE`` and ``treeplex methods``: options by name, listed, and refused in one line."""

import json
import re

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from treeplex.solving.methods import FORMS, METHODS

CFR = ("solve", "kuhn_poker", "--method", "cfr+", "--iterations", 20)
SAMPLE = ("solve", "kuhn_poker", "--method", "mccfr-external", "--form", "table", "--iterations", 20)
BOARDS = ("solve", "kuhn_poker", "--method", "cfr+", "--form", "boards", "--iterations", 20)


def kept(row):
    """Return what a run found, without the seconds that it took."""
    return {name: value for name, value in row.items() if name != "seconds"}


@over(
    [
        (CFR, {"order": "simultaneous", "counted": "before"}, ["order=simultaneous", "counted=before"]),
        (CFR, {"average": "uniform"}, ["average=uniform"]),
        (SAMPLE, {"max_infosets": 50, "seed": 7}, ["max_infosets=50", "seed=7"]),
        (BOARDS, {"isomorphism": False, "storage": "int16"}, ["isomorphism=no", "storage=int16"]),
    ]
)
def test_settings_are_the_options_of_python(command, options, settings, capsys):
    words = [word for setting in settings for word in ("--set", setting)]
    row = json.loads(printed(capsys, *command, *words, "--json"))
    method, form = command[3], command[5] if command[4] == "--form" else None
    found = tp.solve("kuhn_poker", method, form=form, iterations=20, **options)
    assert kept(row) == kept(json.loads(json.dumps(found.as_json())))


def test_settings_change_a_run(capsys):
    gaps = {
        json.loads(printed(capsys, *CFR, *words, "--json"))["nash_conv"]
        for words in ((), ("--set", "order=simultaneous"), ("--set", "counted=seen"))
    }
    assert len(gaps) == 3


@over(
    [
        (CFR, ["nope=1"], "settings are abstracted, abstraction, average"),
        (CFR, ["nope=1"], "got 'nope'"),
        (CFR, ["max-infosets=5"], "got 'max-infosets'"),
        (CFR, ["=1"], "got ''"),
        (CFR, ["order"], "a setting is NAME=VALUE, got 'order'"),
        (CFR, [""], "a setting is NAME=VALUE, got ''"),
        (CFR, ["order=alternating", "order=alternating"], "a setting is given once, got order twice"),
        (CFR, ["counted=never"], "counted must be after, before or seen, got 'never'"),
        (CFR, ["order=both"], "order must be alternating or simultaneous, got 'both'"),
        (CFR, ["streams=2"], "cfr+ takes"),
        (
            (*CFR, "--form", "tree"),
            ["storage=int16"],
            "cfr+ on tree takes average, counted, order, got storage",
        ),
        (SAMPLE, ["max_infosets=few"], "max_infosets must be an integer, got 'few'"),
        (SAMPLE, ["max_infosets=0"], "max_infosets must be"),
        (BOARDS, ["storage="], "storage must not be empty"),
        (BOARDS, ["isomorphism=maybe"], "isomorphism must be true or false, got 'maybe'"),
        ((*BOARDS, "--threads", 2), ["threads=2"], "a setting is given once, got threads twice"),
        ((*CFR, "--average", "linear"), ["average=uniform"], "a setting is given once, got average twice"),
    ]
)
def test_settings_that_are_none_are_refused_in_one_line(command, settings, says, complaint):
    words = [word for setting in settings for word in ("--set", setting)]
    assert says in complaint(*command, *words)


def test_all_methods_are_listed(capsys):
    lines = printed(capsys, "methods").splitlines()
    assert lines[1].split()[:2] == ["method", "what"]
    assert [line.split()[0] for line in lines[2:] if line[0] != " "] == [*METHODS]
    rows = json.loads(printed(capsys, "methods", "--json"))["methods"]
    assert [row["name"] for row in rows] == [*METHODS]
    assert all(tuple(row["forms"]) == METHODS[row["name"]].forms for row in rows)


@over([*METHODS])
def test_a_method_is_listed_with_its_options_on_every_form(method, capsys):
    title, table = re.split(r"(?m)^(?=form +option)", printed(capsys, "methods", method))  # long titles wrap
    assert title.startswith(f"{method}: ")
    lines = table.splitlines()[1:]
    options = [(form, name) for form in METHODS[method].forms for name in FORMS[form].options[method].names()]
    assert [tuple(line.split()[:2]) for line in lines if line[0] != " "] == options
    (row,) = json.loads(printed(capsys, "methods", method, "--json"))["methods"]
    assert [(form, one["name"]) for form, listed in row["forms"].items() for one in listed] == options
    assert all(one["text"] and one["values"] for listed in row["forms"].values() for one in listed)


def test_an_unknown_method_is_refused(complaint):
    assert "method must be one of cfr, cfr+, lcfr, " in complaint("methods", "nope")
    assert "got 'nope'" in complaint("methods", "nope", "--json")
