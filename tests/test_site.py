"""The site: public names in its reference, pictures with their commands, words and papers as links."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
from typer.main import get_command

import treeplex as tp
from tests.helpers.paths import ROOT
from treeplex.bench.verify.registry import THEOREMS
from treeplex.cli.main import app, run

DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
GALLERY = (DOCS / "GALLERY.md").read_text(encoding="utf-8")
WITHOUT_SPHINX = pytest.mark.skipif(
    find_spec("sphinxcontrib.bibtex") is None, reason="treeplex[docs] is not installed"
)
CONFIGURED = """
import sys
sys.path.insert(0, {extensions!r})
extensions = ["myst_nb", "sphinxcontrib.bibtex", "mathml", "pictures", "word_links"]
nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath"]
bibtex_bibfiles = ["papers.bib"]
bibtex_cite_id = "{{key}}"
word_links_glossary = "words"
word_links_everyday = "game"
html_math_renderer = "mathml"
"""
WORDS = """# Words

| word | meaning |
|---|---|
| sequence `s` | A player's own actions. |
| game | Rules. |
| defender, opponent | Who solves again, and the other. |
"""
PAGE = """# A sequence

Sequences of a game, sequences again and the opponent; `opponent`. See Kuhn and
Tucker (1950), Kuhn et al. 1950.

$\\Big(\\tfrac12\\Big)$ and $\\nosuch$
"""
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
PAPERS = "@book{kuhn, author = {Harold Kuhn and Albert Tucker}, title = {Some {G}ames}, year = {1950}}\n"


def documented() -> list[str]:
    """Return the public names that the pages of the reference describe."""
    texts = [page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md"))]
    described = [
        re.findall(r"^\.\. auto(?:class|function):: (\w+)$", text, flags=re.MULTILINE) for text in texts
    ]
    return [name for names in described for name in names]


def test_every_public_name_is_in_the_reference_once():
    assert sorted(documented()) == sorted(tp.__all__)


def test_the_table_of_the_reference_names_all_of_them():
    table = (REFERENCE / "index.md").read_text(encoding="utf-8")
    assert {*re.findall(r"`(\w+)`", table)} >= {*tp.__all__}


def test_every_picture_of_the_gallery_is_there_and_no_other():
    shown = re.findall(r"\]\(pictures/([^)]+)\)", GALLERY)
    assert sorted(shown) == sorted(path.name for path in (DOCS / "pictures").iterdir())


def test_every_picture_of_the_gallery_is_made_by_what_stands_above_it():
    for part in GALLERY.split("\n## ")[1:]:
        blocks = "".join(re.findall(r"^```\w*\n(.*?)^```$", part, flags=re.MULTILINE | re.DOTALL))
        for name in re.findall(r"\]\(pictures/([^)]+)\)", part):
            assert name in blocks


@pytest.mark.seconds(3)
def test_the_river_of_the_gallery_is_solved_as_the_page_says(tmp_path):
    command = re.search(r"^treeplex (solve example:river .*)$", GALLERY, re.MULTILINE)[1].split()
    command[-1] = str(tmp_path / command[-1])
    assert run(command) == 0
    strategy = tp.read("example:river", command[-1])
    assert tp.check("example:river", strategy).nash_conv < 1e-8
    parts = tp.show("example:river", strategy=strategy).as_json()["overall"]
    (said,) = re.findall(r"It checks .*$", GALLERY, re.MULTILINE)
    assert re.findall(r"([\d.]+)%", said) == [f"{100 * part:.1f}" for part in parts]


def test_the_bibliography_holds_every_paper_that_theorems_name():
    papers = (DOCS / "references.bib").read_text(encoding="utf-8")
    years = {*re.findall(r"year = \{(\d{4})\}", papers)}
    named = {year for theorem in THEOREMS for year in re.findall(r"\b(?:19|20)\d\d\b", theorem.source)}
    assert named <= years


def test_headings_hold_the_words_that_readers_search_for():
    """The search of the site looks at headings first."""
    texts = [page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md"))]
    headings = "\n".join(re.findall(r"^#+ .*", "\n".join(texts), flags=re.MULTILINE))
    for word in ("CSV", "JSON", "Parquet", "Glossary", "Troubleshooting", "Exploitability", "OpenSpiel"):
        assert re.search(rf"\b{word}\b", headings, flags=re.IGNORECASE), word


def test_pictures_on_pages_have_words():
    for page in sorted(DOCS.rglob("*.md")):
        for words in re.findall(r"!\[(.*)\]\([^)]*\)", page.read_text(encoding="utf-8")):
            assert len(words.split()) >= 4, (page.name, words)


def test_the_keys_of_results_are_described():
    page = (REFERENCE / "json.md").read_text(encoding="utf-8")
    solved, compared = tp.solve("kuhn_poker").as_json(), tp.crosscheck("coin_toss").as_json()
    learnt = tp.theory("kuhn_poker", "cfr", 2).as_json()
    again = tp.resolve("coin_toss", 1).as_json()
    keys = {*solved, *compared, *learnt, *again, *again["tops"][0], *learnt["bounds"][0]}
    assert keys <= {*re.findall(r"`(\w+)`", page)}


def test_all_commands_are_on_the_page_of_the_command_line():
    page = (DOCS / "COMMAND_LINE.md").read_text(encoding="utf-8")
    for command in get_command(app).commands:
        assert re.search(rf"^\| `treeplex [^`]*\b{command}\b", page, flags=re.MULTILINE), command


def notebook(*sources):
    """Return a notebook with a heading, and for each pair a paragraph and a cell that shows a picture."""
    cells = [("markdown", "# A course"), *(each for text, code in sources for each in (text, code))]
    shown = {"output_type": "display_data", "metadata": {}, "data": {"image/png": DOT}}
    rows = [
        {"cell_type": kind, "metadata": {}, "source": text, "id": str(k)}
        | ({"outputs": [shown], "execution_count": k} if kind == "code" else {})
        for k, (kind, text) in enumerate(cells)
    ]
    return json.dumps({"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@WITHOUT_SPHINX
@pytest.mark.seconds(6)
def test_words_papers_formulas_and_pictures(tmp_path):
    (tmp_path / "conf.py").write_text(CONFIGURED.format(extensions=str(DOCS / "_extensions")))
    (tmp_path / "words.md").write_text(WORDS)
    (tmp_path / "papers.bib").write_text(PAPERS)
    (tmp_path / "papers.md").write_text("# Papers\n\n```{bibliography}\n:all:\n```\n")
    (tmp_path / "index.md").write_text(PAGE + "\n```{toctree}\nwords\npapers\ncourse\n```\n")
    titled, untitled = 'axes.set_title("Player 0\'s plan")', "axes.set_title(f'{name}')"
    texts = ("Not this.", "## A part\n\nOther words.\n\nWhat *this* shows. More of it.")
    pairs = [(("markdown", a), ("code", b)) for a, b in zip(texts, (titled, untitled), strict=True)]
    (tmp_path / "course.ipynb").write_text(notebook(*pairs))
    call = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(tmp_path), str(tmp_path / "site")]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert "formula '\\\\nosuch': Unknown LaTeX command \"\\nosuch\"" in done.stderr
    html = (tmp_path / "site" / "index.html").read_text()
    found = re.findall(r'<a class="(word|paper)[^>]*href="([^"]*)"(?: title="([^"]*)")?>([^<]*)</a>', html)
    assert found == [
        ("word", "words.html#word-sequence", "A player’s own actions.", "Sequences"),
        ("word", "words.html#word-defender", "Who solves again, and the other.", "opponent"),
        ("paper", "papers.html#kuhn", "Some Games", "Kuhn and\nTucker (1950)"),
        ("paper", "papers.html#kuhn", "Some Games", "Kuhn et al. 1950"),
    ]
    assert "</mfrac>" in html
    pictures = re.findall("<img [^>]*>", (tmp_path / "site" / "course.html").read_text())
    assert [re.search('alt="([^"]*)"', one)[1] for one in pictures] == [
        "Player 0's plan",
        "A part: What this shows. More of it.",
    ]
    assert all('loading="lazy"' in one for one in pictures)
    assert 'id="word-sequence"' in (tmp_path / "site" / "words.html").read_text()


@WITHOUT_SPHINX
def test_a_dead_link_of_a_built_site_is_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there"> <a href="#here"> <a href="c.html"> <a href="b.html#x">'
    )
    (tmp_path / "b.html").write_text('<p id="there"><img src="gone.png"> <a href="https://example.org/x">')
    call = [sys.executable, str(DOCS / "check_links.py"), str(tmp_path)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["a.html: b.html#x", "a.html: c.html", "b.html: gone.png"]
