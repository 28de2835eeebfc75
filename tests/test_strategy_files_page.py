"""The page of strategy files shows keys of every family as the games have them."""

import csv
import re

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.key_lines import SPECS, lines_of
from tests.helpers.paths import ROOT
from treeplex.games.formats.specs import REGISTRY

PAGE = (ROOT / "docs" / "STRATEGY_FILES.md").read_text(encoding="utf-8")
KEYS = PAGE.split("\n## Keys, family by family\n")[1].split("\n## ")[0]
SHOWN = dict(re.findall(r"^Of `([^`]+)`:\n\n```\n(0  .*?)\n```$", KEYS, re.MULTILINE | re.DOTALL))
ROWS = {
    "Kuhn poker": "kuhn_poker",
    "Leduc hold'em": "leduc_poker",
    "Hold'em: spots, endgames and whole games": "spot.toml",
    "Gambit's extensive-form files": str(ROOT / "examples" / "night_crossing.efg"),
}
"""The games of rows of strategy files, by section."""
FOUR_STREETS = [spec for spec in SPECS if spec.startswith(("limit_holdem(", "no_limit_holdem("))]
FEWER_STREETS = [spec for spec in SPECS if spec not in FOUR_STREETS]


def section(title):
    """Return the text of a section."""
    return KEYS.split(f"\n### {title}\n")[1].split("\n### ")[0]


def rows(text):
    """Return player, infoset, action and probability of the rows of strategy files in a text."""
    found = csv.reader(re.findall(r"^[01],.*$", text, re.MULTILINE))
    return [(int(player), key, action, float(probability)) for player, key, action, probability in found]


def test_every_family_has_keys():
    assert set(SHOWN) == set(SPECS)
    assert {spec.split("(")[0] for spec in SHOWN} == set(REGISTRY)


def check_that_keys_are_those_of_the_game(spec):
    """``python -m tests.helpers.key_lines`` prints what the page is to say."""
    assert SHOWN[spec].splitlines() == lines_of(spec)


@pytest.mark.seconds(3)
@over(FEWER_STREETS)
def test_keys_are_those_of_the_game(spec):
    check_that_keys_are_those_of_the_game(spec)


@pytest.mark.seconds(5)
@over(FOUR_STREETS)
def test_keys_are_those_of_the_game_with_four_streets(spec):
    check_that_keys_are_those_of_the_game(spec)


@over([spec for spec in FEWER_STREETS if spec != "push_fold"][::3])
def test_lines_are_in_the_file_of_the_game(spec, tmp_path):
    path = tmp_path / "uniform.csv"
    form = tp.load(spec).form
    tp.write(tp.Profile(form.treeplexes, tuple(t.uniform() for t in form.treeplexes)), path)
    with path.open(encoding="utf-8", newline="") as file:
        written = {(row["player"], row["infoset"], row["action"]) for row in csv.DictReader(file)}
    for line in SHOWN[spec].splitlines():
        player, infoset, *actions = line.split()
        assert {(player, infoset, action) for action in actions} <= written


@over(ROWS)
def test_rows_are_of_the_game(title, tmp_path, monkeypatch):
    text = section(title)
    monkeypatch.chdir(tmp_path)
    if toml := re.search(r"```toml\n(.*?)```", text, re.DOTALL):
        (tmp_path / "spot.toml").write_text(toml[1])
    treeplexes = tp.load(ROWS[title]).form.treeplexes
    found = rows(text)
    assert len(found) >= 6
    for player, infoset, action, probability in found:
        treeplex = treeplexes[player]
        k = treeplex.index[infoset]
        assert action in treeplex.actions[treeplex.begin[k] : treeplex.end[k]]
        assert 0 <= probability <= 1


def test_no_rows_are_elsewhere():
    assert len(rows(KEYS)) == sum(len(rows(section(title))) for title in ROWS)


def test_the_program_prints_such_lines(capsys):
    (program,) = re.findall(r"```python\n(import treeplex as tp\n\nproblem = .*?)```", PAGE, re.DOTALL)
    exec(program.replace("leduc_poker", "liars_dice(dice=1,faces=3)"), {})
    printed = {" ".join(line.split()) for line in capsys.readouterr().out.splitlines()}
    assert {" ".join(line.split()) for line in SHOWN["liars_dice(dice=1,faces=3)"].splitlines()} <= printed
