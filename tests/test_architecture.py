"""The architecture page tells the truth about the tree."""

import ast
import re

from tests.helpers.paths import ROOT

PACKAGES = ("games", "seqform", "gadgets", "cfr", "treeplex")


def table() -> dict[str, str]:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(\w+/\w+\.py)` \| (.+) \|$", text, flags=re.MULTILINE))


def files() -> set[str]:
    found = (p for package in PACKAGES for p in (ROOT / package).glob("*.py"))
    return {p.relative_to(ROOT).as_posix() for p in found if p.name != "__init__.py"}


def test_the_table_names_every_file_and_no_other() -> None:
    assert set(table()) == files()


def test_every_file_has_a_purpose_and_says_it_itself() -> None:
    for path, purpose in table().items():
        assert purpose.strip(), path
        assert ast.get_docstring(ast.parse((ROOT / path).read_text(encoding="utf-8"))), path


def test_packages_have_no_folders_of_their_own() -> None:
    nested = [p for package in PACKAGES for p in (ROOT / package).glob("*/*.py")]
    assert nested == []


def test_links_in_the_documents_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
