"""The pages of theorems say what the registry says, show a picture of each, and their program runs."""

import re

from tests.helpers.cells import over
from tests.helpers.theorems_page import (
    CHAPTERS,
    GENERATED,
    MEASURED,
    PAGE,
    PICTURES,
    contents,
    measured,
    page,
    pictures,
    sources,
    written,
)
from tests.helpers.theorems_picture import picture_of
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.measuring import points
from treeplex.bench.verify.registry import THEOREMS
from treeplex.files.figure_file import figure_bytes

HEAD, CONTENTS = PAGE.read_text(encoding="utf-8").split(GENERATED)
AGAIN = "`python -m tests.helpers.theorems_page` writes the pages"


def test_the_contents_name_every_theorem_of_the_registry():
    assert CONTENTS.strip() == contents().strip(), AGAIN
    assert all(f"- [{each.name}](theorems/" in CONTENTS for each in THEOREMS)


@over(CHAPTERS)
def test_a_chapter_says_what_the_registry_says(chapter):
    text = chapter.path.read_text(encoding="utf-8")
    said = re.sub(rf"^({MEASURED}|!\[(?!Both sides)).*\n(\n|\Z)", "", text, flags=re.MULTILINE)
    assert said.strip() == page(chapter).strip(), AGAIN


def test_every_theorem_was_measured():
    lines = re.findall(rf"^{MEASURED}comparisons [1-9].*", written(), flags=re.MULTILINE)
    assert len(lines) == len(measured()) == len(THEOREMS)
    failures = [int(number.replace(",", "")) for number in re.findall(r"twin ([\d,]+)\.", "\n".join(lines))]
    assert len(failures) == sum(theorem.twin is not None for theorem in THEOREMS)
    assert 0 not in failures


def test_pictures_are_there_and_no_others():
    assert pictures() == {*PICTURES.glob("*.svg")}, AGAIN
    assert len(pictures()) >= len(THEOREMS)


def test_every_source_is_in_the_registry():
    found = [theorem.name for source in sources() for theorem in source.theorems]
    assert sorted(found) == sorted(theorem.name for theorem in THEOREMS)
    assert len({t.name for t in THEOREMS}) == len(THEOREMS)


@over(THEOREMS)
def test_a_theorem_is_described(theorem):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", theorem.name)
    for text in (theorem.plain, theorem.tex, theorem.source):
        assert text == text.strip() != ""
        assert "\n" not in text
    assert theorem.plain.endswith(".")
    assert "$" not in theorem.tex
    assert theorem.tex.count("{") == theorem.tex.count("}")
    assert theorem.tolerance >= 0
    assert not (theorem.equality and theorem.relation == "==")
    if theorem.twin is not None:
        assert theorem.twin.plain != theorem.plain


def test_a_picture_is_always_the_same():
    theorem = THEOREMS[0]
    found = [*points(theorem.measure, theorem.relation, theorem.instances(Effort(quick=True)))]
    first, second = (figure_bytes(picture_of(found, found[:1]), "svg") for _ in range(2))
    assert first == second


def test_the_program_on_the_page_runs(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", HEAD, flags=re.DOTALL)
    exec(program, {})
    heads, row = (line.split() for line in capsys.readouterr().out.splitlines())
    said = dict(zip(heads, row, strict=True))
    assert (said["theorem"], said["fails"]) == ("gains-are-positive", "0")
