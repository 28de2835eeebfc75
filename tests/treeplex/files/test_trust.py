"""Data runs no code: every format that is read, with specs of code in each text; what the sources call."""

import ast
import gc
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.read_formats import FORMATS
from tests.helpers.two_tiers import two_tiers
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.formats.specs import named_game

SPECS = (
    "os:system(command='touch ran')",
    "subprocess:getoutput(cmd='touch ran')",
    "builtins:open(file='ran',mode='w')",
    "planted:Game(key='value')",
)
"""Each would write a file, the last one when it is imported from the working folder."""
OTHERS = (
    "planted.py",
    "spot.toml",
    "openspiel:kuhn_poker",
    "example:faults",
    "kuhn_poker(ranks=os:x)",
    "",
    3,
    None,
)
"""What a file may not name either: code, files, programs of others, no game."""
FLOORS = ("games", "seqform", "gadgets", "cfr", "treeplex", "examples")
READS = (
    r"^(json|tomllib|np|numpy|csv)\.(loads?|fromfile|memmap|loadtxt|genfromtxt|reader|DictReader)$|(^|\.)("
    + (r"read_text|read_bytes|read_(csv|table|parquet|json|excel|fwf|hdf|feather)|ZipFile|ParquetFile)$")
)
PICKLING = ("pickle", "marshal", "shelve", "multiprocessing", "cloudpickle", "dill", "joblib")
NO_FILES = {
    "games/cards/preflop": "a table that comes with the package",
    "games/base/reading": "read_text, which the formats call",
    "seqform/trees/memory": "what the system says of this process",
    "treeplex/process/standard_streams": "the null device",
    "treeplex/bench/examination/answers": "the text of a child process, checked",
    "treeplex/bench/examination/child": "the null device",
    "treeplex/process/kernel_cache": "the package's own sources",
    "treeplex/browser/pages": "templates, script and style, which come with the package",
    "treeplex/files/in_use": "a lock, of which nothing is read",
}
"""Modules that open what is no file of others."""
PIPES = {
    "treeplex/process/child",
    "treeplex/process/children",
    "treeplex/play/schedule",
    "treeplex/solving/worker_processes",
    "treeplex/bench/examination/child",
    "treeplex/bench/examination/child_process",
}
"""Modules that pickle: on pipes between this process and children that it started."""
IMPORTS = {
    "games/base/own_games": {"module"},
    "treeplex/cli/app": {"f'treeplex.cli.{module}'"},
    "treeplex/files/strategy_tables": {"'pyarrow'", "'pyarrow.parquet'"},
}
"""Modules that import by name, and the name: one that a person typed, or one of the sources."""
TYPED = {
    "games/base/own_games": "load_own, of specs.load_game",
    "gadgets/own_gadgets": "an argument or an option",
    "cfr/local_rule": "an argument or an option",
    "gadgets/off_tree/off_tree": "an argument or an option",
    "treeplex/bench/challenges/claim_targets": "an argument",
    "treeplex/bench/examination/solvers_by_name": "an argument",
    "games/formats/specs": "the parameter of load_game",
    "treeplex/core/loading": "an argument",
    "treeplex/play/agents": "an argument",
    "treeplex/play/openspiel_agents": "an argument",
    "treeplex/bench/estimators/report": "an argument or an option",
    "treeplex/bench/examination/child": "what the parent process was given, or a game of the ladder",
    "treeplex/bench/reproductions/reference_pack": "an argument",
    "treeplex/bench/challenges/case_drawing": "drawn here",
    "treeplex/views/catalogue": "the registry's",
}
"""Modules that load a game or an object by any spec, and where the spec comes from."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a module that writes a file when it is imported."""
    (tmp_path / "planted.py").write_text("open('ran', 'w').close()\nclass Game: pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("planted", None)


def has_run(folder: Path) -> bool:
    """Return whether code of a spec ran, and forget it."""
    found = (folder / "ran").exists() or "planted" in sys.modules
    (folder / "ran").unlink(missing_ok=True)
    sys.modules.pop("planted", None)
    return found


def trial(folder: Path, read, *arguments) -> str:
    """Return what is wrong with reading: code ran, or it was refused otherwise than in one line."""
    try:
        read(*arguments)
    except ValueError as error:
        wrong = f"refused in lines: {error}" if "\n" in str(error) else ""
    except Exception as error:
        wrong = f"raised {error!r}"
    else:
        wrong = ""
    return "ran code" if has_run(folder) else wrong


@two_tiers([3], [1], seconds=(2, 3))
def test_no_text_of_any_file_runs_code(step, folder):
    """Read files of all formats in which every so many of their texts is replaced."""
    wrong, tried = [], 0
    for name, form in FORMATS.items():
        place = folder / name.replace(" ", "-")
        place.mkdir()
        path = form.write(place)
        content = path.read_bytes()
        form.read(path)
        every = enumerate(form.replaced(content, cycle(SPECS)))
        for number, replaced in islice(every, 0, None, step):
            path.write_bytes(replaced)
            if found := trial(folder, form.read, path):
                wrong.append(f"{name}, text {number}: {found}")
            tried += 1
    assert not wrong, "\n".join(wrong)
    assert tried > 500 // step


def kept(folder: Path, spec: object) -> Path:
    """Return a folder of kept answers whose blueprint's game is what a spec says."""
    (folder / "row").mkdir(exist_ok=True)
    for seat in (0, 1):
        (folder / "row" / f"player{seat}").mkdir(exist_ok=True)
        known = {
            "game": "kuhn_poker",
            "abstraction": spec,
            "row": "resolve",
            "iterations": 1,
            "blueprint": [0, 0],
        }
        (folder / "row" / f"player{seat}" / "run.json").write_text(json.dumps(known))
    return folder / "row"


def test_a_folder_names_games_of_treeplex_alone(folder, capsys):
    wrong = []
    for spec in (*SPECS, *OTHERS):
        capsys.readouterr()
        code = run(["check", "kuhn_poker", str(kept(folder, spec))])
        out, err = capsys.readouterr()
        if (code, out, err.count("\n")) != (BAD_INPUT, "", 1) or has_run(folder) or "run.json: " not in err:
            wrong.append(f"{spec}: {code} {out}{err}")
    assert not wrong, "\n".join(wrong)


def test_what_a_file_may_name(folder):
    named = {"kuhn_poker": "kuhn_poker", " leduc_poker ( ranks = 5 ) ": "leduc_poker(ranks=5)"}
    named["matrix_game(payoff=[[1,-1],[-1,1/2]])"] = "matrix_game(payoff=[[1,-1],[-1,1/2]])"
    named["example:turn"] = "example:turn"
    assert {spec: named_game(spec).name for spec in named} == named
    for spec in SPECS:
        with pytest.raises(ValueError, match="a file may name games of treeplex alone, as name, name"):
            named_game(spec)


@cache
def sources() -> list[tuple[str, ast.Module]]:
    """Return each module of the packages, without ``.py``, and its syntax tree."""
    paths = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]
    names = [path.relative_to(ROOT).with_suffix("").as_posix() for path in paths]
    gc.disable()  # half a million nodes, all of which stay
    try:
        return list(zip(names, [ast.parse(path.read_text()) for path in paths], strict=True))
    finally:
        gc.enable()


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call and the name it calls, without the arguments of other calls in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield dotted(node.func), node


def dotted(called: ast.expr) -> str:
    if isinstance(called, ast.Attribute):
        return f"{dotted(called.value)}.{called.attr}"
    if isinstance(called, ast.Call):
        return f"{dotted(called.func)}()"
    return called.id if isinstance(called, ast.Name) else "[]"


def imports(tree: ast.Module) -> Iterator[str]:
    """Yield what a module imports: modules, and names in them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_reading(name: str, call: ast.Call) -> bool:
    """Return whether a call opens or parses a file or a text of one."""
    if name == "open" or (name.endswith(".open") and not re.match(r"os\.|[A-Z]", name)):
        mode = next((ast.unparse(one) for one in call.args[name == "open" :][:1]), "'r'")
        return not re.search("[wxa]", mode)
    return bool(re.search(READS, name))


@pytest.mark.seconds(2)
def test_every_reader_has_a_format_and_the_sources_run_no_data():
    reading, pickling, importing, loading, wrong = set(), set(), {}, set(), []
    for module, tree in sources():
        imported, called = {*imports(tree)}, [*calls(tree)]
        known = {"treeplex.files.archives.opened", "treeplex.files.strategy_tables.read_table"} & imported
        if known or any(is_reading(*call) for call in called):
            reading.add(module)
        if any(name.split(".")[0] in PICKLING for name in imported):
            pickling.add(module)
        for name, call in called:
            if re.fullmatch(r"eval|exec|compile|__import__|runpy\..*|(\w+\.)*(read_pickle|eval_expr)", name):
                wrong.append(f"{module}: {name}")
            if name in ("np.load", "numpy.load") and "allow_pickle=False" not in ast.unparse(call):
                wrong.append(f"{module}: {ast.unparse(call)}")
            if name.rpartition(".")[2] == "import_module":
                importing.setdefault(module, set()).add(ast.unparse(call.args[0]))
            if name in ("load_game", "load_object", "load_own"):
                loading.add(module)
    assert not wrong
    assert reading - NO_FILES.keys() == {reader for form in FORMATS.values() for reader in form.readers}
    assert pickling == PIPES
    assert importing == IMPORTS
    assert loading == TYPED.keys()
