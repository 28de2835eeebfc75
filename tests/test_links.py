"""Links of documents and notebooks lead somewhere, what they name exists, the README leads to all of them."""

import pytest

from tests.helpers.cells import over
from tests.helpers.markdown_links import dead_links, headings, links, pages, reached
from tests.helpers.page_names import missing_in_source, missing_names
from tests.helpers.paths import ROOT

NOTEBOOKS = {*(ROOT / "notebooks").glob("*.ipynb")}
HOW_TO = {*(ROOT / "docs" / "howto").glob("*.md")}


@over(pages())
def test_links_lead_somewhere(page):
    assert dead_links(page) == []


@pytest.mark.seconds(5)
@over(pages())
def test_what_pages_name_exists(page):
    assert missing_names(page) == []


def test_names_that_do_not_exist_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "`treeplex/solving/gone.py`, `treeplex/solving/on_*.py`, `docs/gone`, `docs/GAMES.md`, `methods.py`\n"
        "`treeplex.solving.methods.FORMS`, `treeplex.gone.there`, `tp.solve`, `tp.gone`, `treeplex.plan`\n"
        "`treeplex gone`, `--gone`, `--only`\n"
        "`treeplex solve kuhn_poker --set counted=seen --set gone=1 --node x`\n"
        "```python\nfrom treeplex.cfr.engine import Engine, gone\n```\n"
    )
    assert missing_names(page) == [
        "--gone",
        "--set gone",
        "docs/gone",
        "methods.py without its folder",
        "solve --node",
        "tp.gone",
        "treeplex gone",
        "treeplex.cfr.engine.gone",
        "treeplex.gone.there",
        "treeplex/solving/gone.py",
    ]


@pytest.mark.seconds(5)
@over(["seqform", "gadgets", "games", "cfr", "treeplex"])
def test_what_sources_name_exists(floor):
    sources = (ROOT / floor).rglob("*.py")
    found = {path.name: missing_in_source(path.read_text(encoding="utf-8")) for path in sources}
    assert {name: missing for name, missing in found.items() if missing} == {}


def test_dotted_names_in_docstrings_that_lead_nowhere_are_found():
    source = (
        "As :func:`cfr.engine.iterate`, ``cfr.engine.gone``, ``treeplex.solve``, :class:`games.gone.Here`"
    )
    assert missing_in_source(source) == ["treeplex.cfr.engine.gone", "treeplex.games.gone.Here"]


def test_a_dead_link_and_a_dead_heading_are_found(tmp_path):
    page, other = tmp_path / "page.md", tmp_path / "other.md"
    other.write_text("# Words\n\n## A word, `code`\n\n## A word, `code`\n")
    page.write_text("[1](other.md) [2](other.md#a-word-code-1) [3](gone.md) [4](other.md#gone) `[5](gone)`\n")
    assert headings(other) == {"words", "a-word-code", "a-word-code-1"}
    assert dead_links(page) == ["gone.md", "other.md#gone"]


def test_from_the_readme_one_comes_to_the_first_notebook_and_from_there_to_all_and_the_how_to_pages():
    first = ROOT / "notebooks" / "01_kuhn_sequence_form.ipynb"
    assert first in {target for _, target, _ in links(ROOT / "README.md")}
    assert reached(first) >= {*NOTEBOOKS, *HOW_TO}
