"""The example of docs/BLUEPRINTS.md runs as it stands, and its figures are ours."""

import re

import pytest

import treeplex as tp
from tests.helpers.paths import ROOT
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.subgames.blueprints import blueprint_on_boards

PAGE = (ROOT / "docs" / "BLUEPRINTS.md").read_text(encoding="utf-8")
FIGURES = dict(re.findall(r"^\| (?:sizes )?`([^`]+)` \| ([\d.]+) \|$", PAGE, flags=re.MULTILINE))


def test_the_example_runs(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(program, {})
    found = [float(share) for share in re.findall(r"exploitability ([\d.]+)%", capsys.readouterr().out)]
    assert found == sorted(found, reverse=True)
    assert len(found) == 3


@pytest.mark.seconds(20)
@pytest.mark.parametrize("name", ["uniform", "dcfr:10", "dcfr:50", "a"])
def test_figures_are_ours(name):
    problem = tp.load(ROOT / "examples" / "turn.toml")
    named = {"blueprint": name} if name != "a" else {"blueprint": "dcfr:200", "abstraction": "a"}
    found = certify_factored(problem.game, blueprint_on_boards(problem, **named))
    assert 50 * found.nash_conv / float(problem.pot) == pytest.approx(float(FIGURES[name]), abs=0.001)
