"""The page of games says of each game what the registry and the references say."""

import re

import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.twins.matrix import plans_value
from treeplex.games.counting.references import BY_SPEC, Reference
from treeplex.games.formats.specs import REGISTRY, load_game
from treeplex.seqform.trees.game_tree import build_tree

PAGE = (ROOT / "docs" / "GAMES.md").read_text(encoding="utf-8")
GAMES, VALUES = (section.splitlines() for section in PAGE.split("\n## Reference values\n"))
POKER = {
    name
    for name, entry in REGISTRY.items()
    if entry.make.__module__ in ("treeplex.games.poker.named", "treeplex.games.poker.push_fold")
}
MANY = 20_000
"""Histories of games whose tree the default tests build at most."""
LONG = 10**9
"""Fractions with a longer denominator are printed as decimals."""


def table(lines: list[str]) -> dict[str, str]:
    """Return the rows of the one table among these lines by the code in their first cell."""
    rows = [line for line in lines if re.match(r"\| `", line)]
    found = {re.match(r"\| `([^`]+)`", row)[1]: row for row in rows}
    assert len(found) == len(rows)
    return found


def game_row(name: str) -> str:
    """Return the row of a game of the registry."""
    entry = REGISTRY[name]
    keys = ", ".join(f"`{key}`" for key in entry.keys)
    return f"| `{name}` | {entry.summary} | {keys} |"


def value_row(reference: Reference) -> str:
    """Return the row of a reference."""
    value = reference.value
    short = value.denominator < LONG
    sizes = (f"{first:,} + {second:,}" for first, second in (reference.infosets, reference.sequences))
    cells = (f"{reference.histories:,}", *sizes, str(value) if short else f"{float(value):.12f}")
    return f"| `{reference.spec}` | {' | '.join(cells)} | {reference.source} |"


@over(REGISTRY)
def test_each_game_has_its_row(name: str) -> None:
    assert table(GAMES).get(name) == game_row(name)


def test_no_row_is_of_another_game() -> None:
    assert list(table(GAMES)) == list(REGISTRY)


@over(table(VALUES))
def test_each_value_is_the_reference(spec: str) -> None:
    assert table(VALUES)[spec] == value_row(BY_SPEC[spec])


def test_each_game_but_poker_has_a_value() -> None:
    assert {spec.split("(")[0] for spec in table(VALUES)} >= set(REGISTRY) - POKER


def check_that_histories_are_those_of_the_tree(spec: str) -> None:
    assert build_tree(load_game(spec)).n_nodes == BY_SPEC[spec].histories


@pytest.mark.seconds(3)
@over([spec for spec in table(VALUES) if BY_SPEC[spec].histories <= MANY])
def test_histories_are_those_of_the_tree(spec: str) -> None:
    check_that_histories_are_those_of_the_tree(spec)


@pytest.mark.seconds(3)
@over([spec for spec in table(VALUES) if BY_SPEC[spec].histories > MANY])
def test_histories_are_those_of_the_tree_of_larger_games(spec: str) -> None:
    check_that_histories_are_those_of_the_tree(spec)


def test_the_random_game_is_worth_what_its_plans_are() -> None:
    value = plans_value(load_game("random_game"))
    assert value == pytest.approx(float(BY_SPEC["random_game"].value), abs=1e-9)
