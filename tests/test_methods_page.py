"""The page of methods says what the registry says, and its examples run."""

import json
import re

import pytest

import treeplex as tp
from tests.helpers.commands import printed
from tests.helpers.methods_page import GENERATED, PAGE, page

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
