"""Print how the packages are laid out: rooms, arrows between them, circles, sizes, where a word is spelled.

From the root of the repository:

    python -m benchmarks.structure                       the table
    python -m benchmarks.structure --word period         and the places in packages that spell a word
    python -m benchmarks.structure --root OTHER          of another checkout, such as an older one

A room is a folder with modules; an arrow is a room that imports another, at any depth and on any floor. Lines
of imports are those of import statements, whole. A place is a line of code, outside comments and docstrings,
in which the word stands as a name, a keyword or a string of its own.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

import networkx as nx

ROOT = Path(__file__).parents[1]
FLOORS = ("games", "seqform", "gadgets", "cfr", "treeplex")
LINKED = ("games", "seqform", "gadgets", "cfr", "examples")
COMMANDS = """
import typer
from treeplex.cli.app import app, register
register([])
commands = typer.main.get_command(app).commands.values()
print(len(commands), sum(p.param_type_name == "option" for one in commands for p in one.params))
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.structure", description="How packages are laid out."
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout")
    parser.add_argument("--word", action="append", default=[], help="also count where a word is spelled")
    asked = parser.parse_args()
    for what, value in measured(asked.root.resolve()).items():
        print(f"{what:44} {value}")
    for word in asked.word:
        places = places_of(asked.root, word)
        print(
            f"{f'places that spell {word}':44} {len(places)} in {len({place[0] for place in places})} files"
        )
        for path, line in places:
            print(f"    {path}:{line}")


def modules(root: Path) -> dict[str, Path]:
    """Return the files of the packages by dotted name, links left out."""
    found = {}
    for floor in FLOORS:
        for path in sorted((root / floor).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if floor != "treeplex" or parts[1] not in LINKED:
                name = parts if floor == "treeplex" else ("treeplex", *parts)
                found[".".join(name).removesuffix(".__init__")] = path
    return found


def measured(root: Path) -> dict[str, str]:
    """Return what the table says, by row."""
    files = modules(root)
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    trees = {name: ast.parse(text) for name, text in texts.items()}
    own = {name: text for name, text in texts.items() if files[name].name != "__init__.py"}
    rooms = {str(files[name].parent.relative_to(root)) for name in own}
    imports = nx.DiGraph((name, other) for name in files for other in imported(trees[name], files) - {name})
    room_of = {name: files[name].parent for name in files}
    arrows = {(room_of[a], room_of[b]) for a, b in imports.edges if room_of[a] != room_of[b]}
    circles = [c for c in nx.strongly_connected_components(imports) if len(c) > 1]
    lines = {name: len(text.splitlines()) for name, text in texts.items()}
    statements = sum(import_lines(tree) for tree in trees.values())
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS], cwd=root, capture_output=True, text=True, check=False
    )
    commands, options = done.stdout.split() if done.returncode == 0 else ("?", "?")
    sizes = [lines[name] for name in own]
    floors = {floor: sum(_is_room(room, floor) for room in rooms) for floor in FLOORS}
    (fullest, most), *_ = Counter(room_of[name] for name in own).most_common(1)
    return {
        "rooms": f"{len(rooms)}: {', '.join(f'{floor} {n}' for floor, n in floors.items())}",
        "arrows from room to room": str(len(arrows)),
        "files that import each other in a circle": f"{sum(map(len, circles))} in {len(circles)} circles",
        "files": f"{len(own)}, of {median(sizes):.0f} lines in the median, {max(sizes)} at most",
        "files in a room": f"{most} at most, in {fullest.relative_to(root)}",
        "lines of packages": f"{sum(lines.values()):,}",
        "lines of imports": f"{statements:,}, {statements / sum(lines.values()):.1%}",
        "commands and their options": f"{commands} and {options}",
    }


def _is_room(room: str, floor: str) -> bool:
    return room == floor or room.startswith(f"{floor}/")


def imported(tree: ast.Module, files: Mapping[str, Path]) -> set[str]:
    """Return the modules that a module imports, wherever it does."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found |= {whole if whole in files else node.module} & files.keys()
    return found


def import_lines(tree: ast.Module) -> int:
    """Return how many lines the import statements of a module take."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def places_of(root: Path, word: str) -> list[tuple[str, int]]:
    """Return the files and lines of the packages where a word is code."""
    return [
        (path.relative_to(root.resolve()).as_posix(), line)
        for path in modules(root.resolve()).values()
        for line in sorted(set(_lines_with(path.read_text(encoding="utf-8"), word)))
    ]


def _lines_with(text: str, word: str) -> Iterator[int]:
    whole = re.compile(rf"""[rbuf]*(['"])(--)?{re.escape(word)}\1""")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string == word:
            yield token.start[0]
        if token.type == tokenize.STRING and whole.fullmatch(token.string):
            yield token.start[0]


if __name__ == "__main__":
    main()
