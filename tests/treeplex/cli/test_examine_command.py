"""The command examine: exit codes, JSON alone, one line for what could not be run."""

import json

import treeplex as tp
from tests.helpers.commands import printed
from treeplex.cli.bench import UNDECIDED
from treeplex.games.formats.spec_text import separated

KEYS = ["game", "verdict", "skipped", "nash_conv", "slope", "fingerprint", "where"]


def test_a_strategy_file_is_judged_with_the_exit_code_of_its_verdict(capsys, tmp_path) -> None:
    tp.write(tp.solve("kuhn_poker", "lp"), tmp_path / "good_100.csv")
    tp.write(tp.solve("kuhn_poker", "cfr", iterations=1), tmp_path / "bad_1.csv")
    good = json.loads(
        printed(capsys, "examine", tmp_path / "good_100.csv", "--games", "kuhn_poker", "--json")
    )
    assert list(good) == ["verdict", "rungs"]
    assert (good["verdict"], list(good["rungs"][0])) == ("correct", KEYS)
    assert good["rungs"][0]["where"] == []
    bad = json.loads(
        printed(capsys, "examine", tmp_path / "bad_1.csv", "--games", "kuhn_poker", "--json", code=UNDECIDED)
    )
    assert bad["verdict"] == "cannot tell"
    assert list(bad["rungs"][0]["where"][0]) == ["player", "infoset", "loss", "played", "best"]
    text = printed(capsys, "examine", tmp_path / "bad_1.csv", "--games", "kuhn_poker", code=UNDECIDED)
    assert text.startswith("cannot tell, first on kuhn_poker: NashConv 0.5 chips after 1 iterations, above")


def test_what_cannot_be_run_is_one_line(complaint, tmp_path) -> None:
    assert "cannot load the solver 'no:solver'" in complaint("examine", "no:solver", "--games", "kuhn_poker")
    assert "files of strategies are of one game" in complaint("examine", tmp_path / "a_1.csv")
    assert "seconds must be above 0 and at most 1,000,000" in complaint("examine", "a:b", "--seconds", "0")


def test_specs_are_separated_by_commas_outside_brackets() -> None:
    text = 'kuhn_poker, goofspiel(cards=3,order=random),small_holdem(board="Ah, Ks"),'
    assert separated(text) == (
        "kuhn_poker",
        "goofspiel(cards=3,order=random)",
        'small_holdem(board="Ah, Ks")',
    )
