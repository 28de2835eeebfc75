"""The how-to pages: programs run in order in one folder, commands succeed and print what is shown."""

import re
import shlex

import pytest

from tests.helpers.paths import ROOT
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.cli.main import run

PAGES = sorted((ROOT / "docs" / "howto").glob("*.md"))
FAILING = ("examine", "challenge")
"""Commands of pages whose checks fail, as the page says."""
SECONDS = {"write_a_gadget": 6, "find_the_bug": 3, "is_my_solver_right": 2}
"""What pages take that take more than the others."""


def blocks(page):
    """Return (language, text) of the fenced blocks of a page."""
    return re.findall(
        r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )


def test_there_are_pages():
    assert len(PAGES) == 9
    assert {*SECONDS} < {page.stem for page in PAGES}


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, id=p.stem, marks=pytest.mark.seconds(SECONDS.get(p.stem, 1))) for p in PAGES],
)
def test_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names = {}
    for language, text in blocks(page):
        if named := re.match(r"# (\w+\.\w+)\n", text):
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
        elif language == "python":
            exec(compile(text, page.name, "exec"), names)
        else:
            for command, shown in re.findall(
                r"^\$ treeplex (.*)\n((?:(?!\$ ).*\n)*)", text, flags=re.MULTILINE
            ):
                capsys.readouterr()
                code = run(shlex.split(command))
                assert code == (FAILED if command.startswith(FAILING) else SUCCESS), command
                printed = capsys.readouterr().out
                assert [line for line in shown.splitlines() if line != "..." and line not in printed] == []
