"""Completion in shells: what typer installs, what a line may go on with, and the modules of commands."""

import itertools
import subprocess
import sys

import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.cli.app import COMMANDS, GROUPS, app, register


def completed(line, folder=ROOT):
    """Return what the shell is told of a line whose last word is to be completed."""
    words = line.split(" ")
    variables = {
        "_TREEPLEX_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "PYTHONPATH": str(ROOT),
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(
        [sys.executable, "-m", "treeplex"],
        env=variables,
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.seconds(6)
@over(
    [
        ("treeplex cross", ["crosscheck"]),
        ("treeplex solve kuh", ["kuhn_poker"]),
        ("treeplex solve examples/night", ["examples/night_crossing.efg"]),
        ("treeplex solve --check", ["--checkpoint"]),
    ]
)
def test_a_line_goes_on(line, words):
    assert completed(line) == words


@pytest.mark.seconds(3)
def test_all_commands_are_offered():
    commands = [name for names in COMMANDS.values() for name in names]
    assert sorted(completed("treeplex ")) == sorted(commands)


@pytest.mark.seconds(3)
def test_all_specs_are_offered():
    assert {"kuhn_poker", "leduc_poker", "example:turn", "games"} <= set(completed("treeplex solve "))


@pytest.mark.seconds(7)
@over([("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", None)])
def test_completion_installs(shell, file, tmp_path):
    variables = {
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "PATH": "/usr/bin:/bin",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    command = [sys.executable, "-m", "treeplex", "--install-completion", shell]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "completion installed" in done.stdout
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("_TREEPLEX_COMPLETE" in path.read_text() for path in written)
    assert file is None or (tmp_path / file).exists()


def test_each_module_registers_its_commands_in_the_order_of_the_groups():
    register(())
    found = {}
    for command in app.registered_commands:
        found.setdefault(command.callback.__module__.rpartition(".")[2], set()).add(command.name)
    for group in app.registered_groups:  # a module that has one has it as its only command
        found.setdefault(group.typer_instance.info.name, set()).add(group.typer_instance.info.name)
    assert found == {module: {*names} for module, names in COMMANDS.items()}
    grouped = [name for names in GROUPS.values() for name in names if name in {*_commands()}]
    assert [command.name for command in app.registered_commands] == grouped
    assert {name for names in GROUPS.values() for name in names} == {*itertools.chain(*COMMANDS.values())}


def _commands():
    """Yield the names of commands that are no groups of commands."""
    yield from (command.name for command in app.registered_commands)


@pytest.mark.seconds(4)
@over([["solve", "kuhn_poker"], ["--help"], ["games", "--help"]])
def test_only_the_module_of_the_command_is_imported(arguments):
    program = (
        "import sys\nfrom treeplex.cli.app import register\n"
        f"register({arguments!r})\n"
        "print(*(m for m in sys.modules if m.startswith('treeplex.cli.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    imported = {name.rpartition(".")[2] for name in done.stdout.split()} & set(COMMANDS)
    named = {module for module, names in COMMANDS.items() if arguments[0] in names}
    assert imported == (named or set(COMMANDS))
