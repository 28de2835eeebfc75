"""The comparison of two checkouts: which runs are made, in which order, and what the table says of them."""

import json
from pathlib import Path

import pytest

from benchmarks.compare.__main__ import main
from benchmarks.compare.printed import Figure, figures
from benchmarks.compare.table import Row, markdown
from benchmarks.find import ROOT, benchmarks

CASES = """
import sys
from dataclasses import dataclass
from pathlib import Path

@dataclass
class Case:
    name: str

CASES = [Case(name) for name in {names}]
SECONDS = {seconds}

if __name__ == "__main__":
    log = Path("../log")
    case = sys.argv[1]
    with log.open("a") as lines:
        print("{side}", case, file=lines)
    k = log.read_text().split("\\n").count("{side} " + case) - 1
    assert case in SECONDS, "no such luck"
    print(f"{{case}}: done\\n    {{SECONDS[case][k]:.3f}} CPU s, 2.000 s wall, 9 MiB peak; target: none")
"""
PACE = """
if __name__ == "__main__":
    print("tables alone: 0.1 s")
    print("at random, checked   {pace} M/s CPU   50.0 M/s wall   0.100 s")
"""


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two checkouts whose benchmarks say what they were told to say, one with rooms and one without."""
    before, after = tmp_path / "before", tmp_path / "after"
    room = after / "benchmarks" / "cfr"
    room.mkdir(parents=True)
    (before / "benchmarks").mkdir(parents=True)
    for folder in (before / "benchmarks", after / "benchmarks", room):
        (folder / "__init__.py").touch()
    times = {"leduc": [0.1, 0.2, 0.3], "big river": [1.0, 1.0, 1.0], "broken": [1.0, 1.0, 1.0]}
    old = CASES.format(names=[*times, "gone"], seconds=times, side="before")
    (before / "benchmarks" / "bench_cfr.py").write_text(old)
    times = {"leduc": [0.4, 0.2, 0.1], "big river": [1.3, 1.0, 1.2]}
    (room / "bench_cfr.py").write_text(CASES.format(names=[*times, "broken"], seconds=times, side="after"))
    (before / "benchmarks" / "bench_evaluator.py").write_text(PACE.format(pace=50.0))
    (room / "bench_evaluator.py").write_text(PACE.format(pace=25.0))
    return before, after


def logged(pair: tuple[Path, Path]) -> list[str]:
    return (pair[0].parent / "log").read_text().splitlines()


@pytest.mark.seconds(3)
def test_medians_of_runs_by_turns(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]):
    before, after = pair
    assert main([str(before), "--runs", "3"], after) == 1
    a_round = [f"{side} {case}" for case in ("leduc", "big river", "broken") for side in ("before", "after")]
    assert logged(pair) == 3 * a_round
    out, err = capsys.readouterr()
    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines()[2:6]] == [
        ["cfr: leduc", "0.2", "0.2", "1.00", "1.00", ""],
        ["cfr: big river", "1", "1.2", "1.20", "1.00", "SLOWER"],
        ["cfr: broken", "1", "-", "-", "-", ""],
        ["evaluator: at random, checked", "0.02", "0.04", "2.00", "-", "SLOWER"],
    ]
    assert "only in one of the checkouts: cfr:gone" in out
    assert out.endswith("2 of 4 over 1.10: cfr: big river; evaluator: at random, checked\n")
    assert "24 processes to run, 4 jobs" in err
    assert "after: AssertionError: no such luck" in err


def test_a_comparison_goes_on_from_its_file(pair: tuple[Path, Path], tmp_path: Path):
    before, after = pair
    keep = tmp_path / "kept.json"
    command = [str(before), "--only", "cfr:leduc", "--keep", str(keep)]
    main([*command, "--runs", "1"], after)
    assert main([*command, "--runs", "3"], after) == 0
    assert logged(pair) == 3 * ["before leduc", "after leduc"]
    main([*command, "--runs", "2"], after)
    assert len(logged(pair)) == 6
    kept = json.loads(keep.read_text())
    keep.write_text(json.dumps(kept | {"commits": ["others", "others"]}))
    with pytest.raises(SystemExit):
        main(command, after)


@pytest.mark.parametrize("wrong", [["--only", "lp"], ["--only", "cfr:gone"], ["--runs", "0"]])
def test_what_cannot_be_run_is_refused(pair: tuple[Path, Path], wrong: list[str]):
    with pytest.raises(SystemExit):
        main([str(pair[0]), *wrong], pair[1])


def test_every_printed_format_is_read():
    text = """kuhn external: 3 iterations: NashConv 8e-07
    1.250 CPU s, 1.500 s wall, 203 MiB peak; target: none
kuhn_poker(ranks=400)      3,000     1,234    5,000   1,234.50 us     0.35      1 KiB       4     1.2  180 MiB
size is sequences and nonzeros together; arrays are those of the run, peak is the whole process
one_card_flop: 1,234,567 regrets, 1,002.500 CPU ms, 1.20 ns each
in sequence (target 50 M/s)           800.0 M/s CPU    790.0 M/s wall    0.165 s
"""
    found = figures(text)
    assert found["kuhn external"] == Figure(1.25, 1.5, 1e-3)
    assert found["kuhn_poker(ranks=400)"].cpu == pytest.approx(1234.5e-6)
    assert found["one_card_flop"].cpu == pytest.approx(1.0025)
    assert found["in sequence (target 50 M/s)"].cpu == pytest.approx(1 / 800)
    assert len(found) == 4


def test_rounding_makes_nothing_slower():
    tiny = Row("tiny", Figure(0.001, 0.001, 1e-3), Figure(0.002, 0.002, 1e-3))
    assert not tiny.slower
    assert Row("slow", Figure(0.1, None, 1e-3), Figure(0.2, None, 1e-3)).slower
    assert "2.00" in markdown([tiny])


def test_no_two_benchmarks_have_one_name():
    assert len(benchmarks()) == len(list((ROOT / "benchmarks").rglob("bench_*.py")))
