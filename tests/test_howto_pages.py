"""Pages of documentation: commands run in order in one folder, succeed and print what is shown."""

import re
import shlex
from fnmatch import fnmatchcase

import pytest

from tests.helpers.paths import ROOT
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.cli.main import run

DOCS = ROOT / "docs"
FAILING = (
    "examine treeplex.examples.solvers.own_reach:solve",
    "examine mysolver:solve",
    "challenge treeplex.examples.faults",
    "challenge unsafe",
    "gadget leduc_poker --defender 1 --at all --method unsafe",
)
"""Commands of pages whose checks fail, as the page says."""
PLACEHOLDER = re.compile(r"\b(SPEC|FILE|DIR|mymodule:\w+|mygame:\w+)\b")
"""Commands with these name what is the reader's."""
LEFT_OUT = {
    "acpc *": "wait for other programs to connect; tests of the protocol run all three of a match",
    "serve *": "goes on until it is interrupted; tests of the browser start and end it",
    "abstract limit_holdem --street*": "an hour: all deals of three streets of hold'em",
    "solve flop_holdem --abstraction*": "minutes: all flops, hundreds of iterations",
    "abstract flop_holdem --street*": "minutes: 2,000 buckets of all flops",
    "solve no_limit_flop_holdem* --abstraction*": "minutes: 50 flops, a thousand iterations",
    "check flop_holdem blueprint.npz": "of the abstraction of all flops",
    "show limit_holdem --map buckets*": "of the abstraction of limit hold'em",
    "check leduc_poker mine.csv*": "a file of the reader's",
    "solve rhode_island --form boards*": "half an hour",
    "solve example:* --horizon*": "minutes: thousands of iterations; tests of minimisers plan shorter ones",
    "solve limit_holdem(ranks=4*": "minutes, most of them compiling; tests of stores run smaller games",
    "store *": "of the run before it",
    "solve limit_holdem_subgame(board=*$ranges*": "ranges from the shell; tests of ranges do the same",
    "answer turn.toml*": "a spot and a strategy of the reader's; tests of answers run the like",
    "examine run_1.csv*": "four files of the reader's",
    "challenge maxmargin --claim*": "what 20 seconds see depends on the machine; a minute of a claim",
    "check no_limit_flop_holdem*": "of a run of minutes, or of a file made to attack",
    "reproduce nips2017*": "minutes to hours: all rows of a paper's table",
    "reproduce rhode-island-scales*": "40 minutes: eleven scales, with 4 and with 13 ranks",
    "verify": "five minutes: every theorem, which the tests of theorems run one by one",
    "verify --[qj]*": "half a minute and five: the same",
}
"""Which commands are not run, and why."""
SECONDS = {
    "write_a_gadget": 6, "find_the_bug": 3, "is_my_solver_right": 2, "solve_a_spot": 10, "write_a_rule": 12,
    "ABSTRACTION": 30, "ANSWERS": 2, "BROWSER": 17, "CEPHEUS": 10, "CHALLENGES": 4, "EXPORT": 6,
    "GALLERY": 40, "HOLDEM": 3, "MINIMISERS": 3, "OPENSPIEL": 10, "REPRODUCE": 16, "SUBGAMES": 5,
    "THEOREMS": 16,
}  # fmt: skip
"""What pages take that take more than the others."""


def blocks(page):
    """Return (language, text) of the fenced blocks of a page."""
    return re.findall(
        r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )


def commands(text):
    """Return the commands of a block without remarks, and the lines that are shown below each of them."""
    found = re.findall(r"^(\$ )?treeplex (.*)\n((?:(?!\$ |treeplex ).*\n)*)", text, flags=re.MULTILINE)
    return [
        (re.split(r"\s{2,}#?|\s\|\s", command)[0], shown.splitlines() if prompt else [])
        for prompt, command, shown in found
    ]


def left_out(command):
    """Return the pattern of commands that are not run to which this one belongs; None if it is run."""
    if PLACEHOLDER.search(command):
        return PLACEHOLDER.pattern
    plain = command.replace('"', "")
    return next((pattern for pattern in LEFT_OUT if fnmatchcase(plain, pattern)), None)


HOW_TO = sorted((DOCS / "howto").glob("*.md"))
COMMANDED = [
    page
    for page in sorted(DOCS.glob("*.md"))
    if page.stem != "EXAMINE"
    and any(left_out(command) is None for _, text in blocks(page) for command, _ in commands(text))
]
"""The other pages with commands that are run; what is printed of an examination is for its own tests."""


def run_block(text, capsys):
    """Run the commands of a block; what is shown below a command must be printed by it."""
    for command, shown in commands(text):
        if left_out(command) is None:
            capsys.readouterr()
            code = run(shlex.split(command))
            assert code == (FAILED if command.startswith(FAILING) else SUCCESS), command
            printed = capsys.readouterr().out.replace("\n", " ")  # long lines are wrapped
            assert [line for line in shown if line != "..." and line not in printed] == [], command


def test_there_are_pages():
    assert len(HOW_TO) == 10
    assert len(COMMANDED) == 19
    assert {*SECONDS} < {page.stem for page in (*HOW_TO, *COMMANDED)}


def test_what_is_left_out_stands_on_pages():
    texts = [text for page in (*HOW_TO, *DOCS.glob("*.md")) for _, text in blocks(page)]
    named = {left_out(command) for text in texts for command, _ in commands(text)}
    assert {*LEFT_OUT} <= named


def in_seconds(pages):
    """Return pages as parameters that declare their seconds."""
    return [pytest.param(p, id=p.stem, marks=pytest.mark.seconds(SECONDS.get(p.stem, 3))) for p in pages]


@pytest.mark.parametrize("page", in_seconds(HOW_TO))
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
            run_block(text, capsys)


@pytest.mark.parametrize("page", in_seconds(COMMANDED))
def test_commands_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    if page.stem == "OPENSPIEL":
        pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for language, text in blocks(page):
        if named := re.match(r"# (\w+\.\w+)\n", text):
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
        elif language != "python":
            run_block(text, capsys)
