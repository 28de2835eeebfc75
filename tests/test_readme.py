"""The README's examples run as they stand."""

import re

import pytest

from tests.helpers.paths import ROOT
from treeplex.bench.verify.registry import THEOREMS

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.seconds(2)
def test_ten_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(EXAMPLES[0], names)
    assert not names["lp"].certificate.disjoint(names["cfr"].certificate)
    quoted = re.search(r"Fraction\((-\d+), (\d+)\)", EXAMPLES[0])
    assert quoted is not None
    assert str(names["r"].exact_value) == f"{quoted[1]}/{quoted[2]}"


def test_the_registry_has_as_many_theorems_as_are_counted_each_with_a_twin() -> None:
    counted = re.search(
        r"measures (\d+) theorems.*? and for each of them a \*false twin\*", README, flags=re.DOTALL
    )
    assert counted is not None
    assert int(counted[1]) == len(THEOREMS) == sum(t.twin is not None for t in THEOREMS)
