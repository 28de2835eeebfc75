"""Names that pages write and that do not exist: files, dotted names, imported names, options of commands."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from typer.main import get_command

from tests.helpers.markdown_links import text_of
from tests.helpers.paths import ROOT
from treeplex.cli import app
from treeplex.cli.subgames import SETTINGS as OF_GADGETS
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.solving.methods import known_options

FOLDERS = "games|seqform|gadgets|cfr|treeplex|tests|benchmarks|examples|notebooks|docs"
PATH = re.compile(rf"(?<![\w/.-])(?:(?:{FOLDERS})/[\w./*-]*[\w/]|(?:[\w-]+/)+[\w*-]+\.py\b)")
FILE = re.compile(r"`(\w+\.pyi?)`")
DOTTED = re.compile(r"(?<![\w/.])(?:treeplex|tp|benchmarks|tests|lecture)(?:\.[a-zA-Z]\w*)+")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
SETTING = re.compile(r"--set (\w+)=")
SETTINGS = frozenset({*known_options(), *OF_GADGETS, "NAME"})
SOURCE_NAME = re.compile(r"`~?((?:treeplex|seqform|gadgets|games|cfr)(?:\.[a-zA-Z]\w*)+)`")
COMMAND_NAME = re.compile(r"(?:`|^\$ )treeplex ([a-z][a-z-]*)", re.MULTILINE)
COMMAND = re.compile(r"\btreeplex ([a-z-]+)((?:\\\n|[^\n`])*)")
OF_OTHERS = (
    {"--help", "--install-completion"}  # Typer
    | {"--no-deps", "--wheel-dir", "--global", "--strict"}  # pip, git, mypy
    | {"--head", "--port", "--address"}  # ray
)


def missing_names(page: Path) -> list[str]:
    """Return what a page or a notebook names and what there is not."""
    text = text_of(page)
    found = [
        *(path for path in PATH.findall(text) if not exists(path, page.parent)),
        *(f"{name} without its folder" for name in FILE.findall(text) if name in files_of_packages()),
        *(name for name in DOTTED.findall(text) if not is_a_variable(name) and not resolves(name)),
        *(name for code in programs(page) for name in imported(code) if not resolves(name)),
        *(option for option in OPTION.findall(text) if option not in all_options()),
        *(f"treeplex {name}" for name in COMMAND_NAME.findall(text) if name not in options_of_commands()),
        *(f"--set {name}" for name in SETTING.findall(text) if name not in SETTINGS),
        *(f"{name} {option}" for name, options in options_given(text) for option in options),
    ]
    return sorted(set(found))


def missing_in_source(source: str) -> list[str]:
    """Return the dotted names in quotes of a program's docstrings and comments that lead nowhere."""
    names = (
        name if name.startswith("treeplex.") else f"treeplex.{name}" for name in SOURCE_NAME.findall(source)
    )
    return sorted({name for name in names if not is_a_variable(name) and not resolves(name)})


def exists(path: str, folder: Path) -> bool:
    """Return whether there is such a file or folder, at the top or in a folder; stars stand for anything."""
    return any(any(base.glob(path.rstrip("./"))) for base in (ROOT, folder))


@cache
def files_of_packages() -> frozenset[str]:
    """Return the names of all modules, which pages write with their folders."""
    floors = (ROOT / floor for floor in ("games", "seqform", "gadgets", "cfr", "treeplex", "benchmarks"))
    return frozenset(path.name for floor in floors for path in floor.rglob("*.py")) - {"__init__.py"}


def is_a_variable(name: str) -> bool:
    """Return whether it is an attribute of a treeplex, which programs call ``treeplex``."""
    first, *rest = name.split(".")
    return first == "treeplex" and len(rest) == 1 and rest[0] in {*dir(Treeplex), *Treeplex.__annotations__}


@cache
def resolves(name: str) -> bool:
    """Return whether a dotted name leads to a module or to something in one."""
    parts = re.sub(r"^tp\b", "treeplex", name).split(".")
    found: object = import_module(parts[0])
    for k, part in enumerate(parts[1:], start=2):
        if hasattr(found, part) or part in getattr(found, "__annotations__", ()):
            found = getattr(found, part, None)
            continue
        try:
            found = import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            return False
    return True


def programs(page: Path) -> Iterator[str]:
    """Yield the programs of a page, or the cells of a notebook."""
    if page.suffix != ".ipynb":
        yield from re.findall(r"^```python\n(.*?)^```", text_of(page), flags=re.MULTILINE | re.DOTALL)
        return
    for cell in json.loads(page.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield re.sub(r"(?m)^[%!].*$", "", "".join(cell["source"]))


def imported(code: str) -> Iterator[str]:
    """Yield the names that a program imports from here."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module and DOTTED.match(f"{node.module}.x"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def options_of_commands() -> dict[str, frozenset[str]]:
    """Return the options of every command; those of a group of commands are those of all of them."""
    app.register([])
    commands = get_command(app.app).commands  # type: ignore[attr-defined]
    several = {name: (one, *getattr(one, "commands", {}).values()) for name, one in commands.items()}
    return {
        name: frozenset(option for one in ones for p in one.params for option in (*p.opts, *p.secondary_opts))
        for name, ones in several.items()
    }


@cache
def all_options() -> frozenset[str]:
    """Return the options of all commands, of programs of benchmarks and tests, and of other programs."""
    sources = [path for folder in ("benchmarks", "tests") for path in (ROOT / folder).rglob("*.py")]
    own = {
        each
        for path in sources
        for each in re.findall(r'(?:add_argument|addoption)\(\s*"(--[\w-]+)"', path.read_text())
    }
    return frozenset(own | OF_OTHERS).union(*options_of_commands().values())


def options_given(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield for each command that a text writes out the options that it does not have."""
    known = options_of_commands()
    for name, arguments in COMMAND.findall(text):
        if name in known:
            yield name, [each for each in OPTION.findall(arguments) if each not in {*known[name], "--help"}]
