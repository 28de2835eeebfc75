"""The generated part of docs/METHODS.md; as a program it writes it."""

from collections.abc import Iterable

from tests.helpers.paths import ROOT
from treeplex.solving.methods import FORMS, METHODS, methods_on
from treeplex.solving.options import Options

PAGE = ROOT / "docs" / "METHODS.md"
GENERATED = "<!-- What follows is written by: python -m tests.helpers.methods_page -->\n"


def page() -> str:
    """Return all methods, all forms, and on each form the options of its methods."""
    methods = [(f"`{m.name}`", m.about, ", ".join(map(_link, m.forms)), m.paper) for m in METHODS.values()]
    forms = [(_link(form.name), form.about, f"{len(form.options)}") for form in FORMS.values()]
    parts = ["## Methods\n", _table(("method", "what it does", "forms", "paper"), methods)]
    parts += ["## Forms\n", _table(("form", "what it is", "methods"), forms), *map(options_on, FORMS)]
    return "\n".join(parts)


def options_on(form: str) -> str:
    """Return the options on a form; methods that have the same ones share a table."""
    sharing: dict[type[Options], list[str]] = {}
    for name in methods_on(form):
        sharing.setdefault(FORMS[form].options[name], []).append(f"`{name}`")
    parts = [f"## On {form}\n"]
    for kind, names in sharing.items():
        rows = [(f"`{one.name}`", one.text, one.legal) for one in kind.listed()]
        parts += [f"{', '.join(names)}:\n", _table(("option", "what it says", "values"), rows)]
    return "\n".join(parts)


def _link(form: str) -> str:
    return f"[{form}](#on-{form})"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write() -> None:
    """Write the generated part below what stands above it."""
    head, _, _ = PAGE.read_text(encoding="utf-8").partition(GENERATED)
    PAGE.write_text(f"{head}{GENERATED}\n{page()}", encoding="utf-8")


if __name__ == "__main__":
    write()
