"""Links between documents and notebooks lead somewhere, and from the README one comes to all of them."""

from tests.helpers.cells import over
from tests.helpers.markdown_links import dead_links, headings, links, pages, reached
from tests.helpers.paths import ROOT

NOTEBOOKS = {*(ROOT / "notebooks").glob("*.ipynb")}
HOW_TO = {*(ROOT / "docs" / "howto").glob("*.md")}


@over(pages())
def test_links_lead_somewhere(page):
    assert dead_links(page) == []


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
