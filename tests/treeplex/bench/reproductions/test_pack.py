"""The reference pack: proved, in agreement with what is known, and readable without this project."""

import json
import re
import sys
from dataclasses import replace
from fractions import Fraction
from types import ModuleType

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from tests.helpers.paths import ROOT
from treeplex.bench.reproductions.exact_play import odds_in, odds_of, uniform_odds, written
from treeplex.bench.reproductions.reference_entry import entry_of
from treeplex.bench.reproductions.reference_pack import reference
from treeplex.bench.theorems_in_papers.published_values import UNIFORM_NASH_CONV
from treeplex.games.counting.references import BY_SPEC, REFERENCES
from treeplex.seqform.certify.certificate import rational_plan
from treeplex.seqform.programs.rational_optimum import NotExactError

KUHN = "kuhn_poker(ranks=3)"
SMALL = (KUHN, "coin_toss", "dummy_pennies", "matrix_game(payoff=[[3,1],[1/3,5]])", "random_game")
PAGE = (ROOT / "docs" / "REFERENCE_PACK.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pack():
    return reference(SMALL)


def as_floats(entry):
    players = entry.as_json()["strategy"].items()
    return {
        (int(player), key): {action: float(Fraction(p)) for action, p in row.items()}
        for player, infosets in players
        for key, row in infosets.items()
    }


def test_the_text_is_the_object_and_always_the_same(pack):
    assert json.loads(pack.text()) == pack.as_json()
    assert pack.text() == reference(SMALL).text()
    assert [game["spec"] for game in pack.as_json()["games"]] == list(SMALL)


def test_strategies_as_written_prove_the_value(pack):
    for entry in pack.entries:
        result = tp.check(entry.reference.spec, as_floats(entry))
        assert result.nash_conv <= 1e-12
        assert result.value == pytest.approx(float(entry.reference.value), abs=1e-12)


@over([KUHN, "leduc_poker", "goofspiel(cards=4)"])
def test_uniform_play_is_worth_what_other_programs_say(spec):
    known = UNIFORM_NASH_CONV["kuhn_poker" if spec == KUHN else spec]
    assert entry_of(BY_SPEC[spec]).uniform_nash_conv == known


def test_what_differs_from_the_reference_is_refused():
    known = BY_SPEC[KUHN]
    with pytest.raises(NotExactError, match=r"are -1/18, -1/18, -1/18, and the reference is -1/17"):
        entry_of(replace(known, value=Fraction(-1, 17)))
    for change in ({"histories": 54}, {"infosets": (6, 7)}, {"sequences": (13, 12)}, {"nnz": 31}):
        with pytest.raises(NotExactError, match="the reference has"):
            entry_of(replace(known, **change))


def test_behaviour_in_fractions_goes_round(form_of):
    treeplex = form_of("leduc_poker(raises=1)").treeplexes[1]
    odds = uniform_odds(treeplex)
    plan = rational_plan(treeplex, odds)
    assert odds_of(treeplex, plan) == odds
    assert odds_in(treeplex, written(treeplex, odds)) == odds
    assert [int(x) / plan.den for x in plan.num] == pytest.approx(treeplex.plan(treeplex.uniform()))


def test_infosets_that_a_plan_does_not_reach_are_uniform(form_of):
    treeplex = form_of("kuhn_poker").treeplexes[0]
    odds = list(uniform_odds(treeplex))
    first = treeplex.index["J:"]
    odds[treeplex.begin[first] : treeplex.end[first]] = [Fraction(0), Fraction(1)]
    below = treeplex.index["J:cr"]
    stretch = slice(treeplex.begin[below], treeplex.end[below])
    odds[stretch] = [Fraction(1), Fraction(0)]
    assert odds_of(treeplex, rational_plan(treeplex, tuple(odds)))[stretch] == (
        Fraction(1, 2),
        Fraction(1, 2),
    )


def test_the_command_writes_a_file_or_standard_output(capfd, tmp_path):
    text = printed(capfd, "reference", KUHN)
    assert json.loads(text)["games"][0]["value"] == "-1/18"
    out = tmp_path / "pack.json"
    assert printed(capfd, "reference", KUHN, "--out", out) == f"{out}\n"
    assert out.read_text(encoding="utf-8") == text


def test_a_game_is_known_however_it_is_spelled():
    entries = tp.reference(["kuhn_poker", KUHN]).entries
    assert [entry.reference.spec for entry in entries] == [KUHN, KUHN]


def test_bad_input_is_one_line(complaint, tmp_path):
    out = tmp_path / "p.json"
    assert "unknown game 'kuhn'" in complaint("reference", "kuhn", "--out", out)
    assert "no exact value is listed of random_game" in complaint(
        "reference", "random_game(seed=77)", "--out", out
    )
    assert "must end in .json" in complaint("reference", KUHN, "--out", tmp_path / "p.csv")


def test_the_page_lists_every_key(pack):
    listed = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert listed == [*pack.as_json(), *pack.as_json()["games"][0]]
    assert f"{len(REFERENCES)} games" in PAGE


def test_the_page_shows_a_test_that_runs(pack, tmp_path, monkeypatch):
    """The other project's games and solver are this one's; what is run is the code on the page."""
    theirs = ModuleType("my_project")
    theirs.GAMES = {spec: TheirGame(spec) for spec in SMALL}
    theirs.nash_conv_of_uniform = lambda game: tp.check(game.spec, {}, missing="uniform").nash_conv
    theirs.solve = lambda game: tp.solve(game.spec).value
    monkeypatch.setitem(sys.modules, "my_project", theirs)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reference.json").write_text(pack.text(), encoding="utf-8")
    names = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], names)
    for spec in SMALL:
        names["test_values"](spec)
    names["solve"] = lambda game: 0.123
    with pytest.raises(AssertionError):
        names["test_values"](KUHN)


class TheirGame:
    def __init__(self, spec):
        self.spec = spec

    def count_infosets(self):
        return list(tp.load(self.spec).form.n_infosets)


@pytest.mark.seconds(60)
def test_every_known_value_is_found():
    entries = reference().entries
    assert [entry.reference for entry in entries] == list(REFERENCES)
