"""The page of methods says what the registry says, its examples run, those of CONTRIBUTING are real code."""

import json
import re

import pytest

import treeplex as tp
from tests.helpers.commands import printed
from tests.helpers.methods_page import GENERATED, PAGE, page
from tests.helpers.paths import ROOT
from treeplex.solving.methods import METHODS

HEAD, WRITTEN = PAGE.read_text(encoding="utf-8").split(GENERATED)


def test_the_page_says_what_the_registry_says():
    assert WRITTEN.strip() == page().strip(), "`python -m tests.helpers.methods_page` writes the page"


def test_every_option_of_every_method_is_on_the_page():
    for method in tp.methods().as_json()["methods"]:
        for form, options in method["forms"].items():
            (part,) = re.findall(rf"(?ms)^## On {form}$(.*?)(?=^## |\Z)", WRITTEN)
            (table,) = re.findall(rf"(?s)`{re.escape(method['name'])}`[^:|]*:\n(.*?)(?:\n\n`|\Z)", part)
            said = re.findall(r"(?m)^\| `(\w+)` \| (.*) \| (.*) \|$", table)
            assert said == [(one["name"], one["text"], one["values"]) for one in options]


def test_titles_are_those_of_the_bibliography():
    papers = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
    entries = re.findall(r"author = \{(.*?)\}, title = \{(.*?)\}, .*year = \{(\d+)\}", papers)
    full = {
        f"{authors.split(' and ')[0].split()[-1]} et al., {title}, {year}" for authors, title, year in entries
    }
    titled = {name: method.paper for name, method in METHODS.items() if "et al.," in method.paper}
    assert {"dcfr+", "sapcfr+", "exrm+", "restarted-exrm+"} <= titled.keys()
    assert set(titled.values()) <= full


@pytest.mark.seconds(2)
def test_the_command_and_the_program_on_the_page_run_alike(capsys):
    (command,) = re.findall(r"```\ntreeplex (.*)\n```", HEAD)
    (program,) = re.findall(r"```python\n(.*?)```", HEAD, flags=re.DOTALL)
    found = json.loads(printed(capsys, *command.split(), "--json"))
    names = {}
    exec(program, names)
    assert "counted" in capsys.readouterr().out
    assert names["r"].as_json()["value"] == found["value"]
    assert names["r"].iterations == found["iterations"] == 400


def test_the_worked_examples_of_contributing_stand_in_the_sources():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n# (\S+)\n(.*?)```", text, flags=re.DOTALL)
    assert len(examples) == 3
    for file, example in examples:
        source = iter((ROOT / file).read_text(encoding="utf-8").splitlines())
        for line in filter(None, (line.removesuffix("...").rstrip() for line in example.splitlines())):
            assert line in source, f"{file}: {line}"
