"""Counterexamples as JSON: the game history by history, strategies and weights, all numbers as fractions."""

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from treeplex.bench.challenges.case import Case, RationalStrategy
from treeplex.bench.challenges.case_tree import CaseNode
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import read_text

FORMAT = "treeplex counterexample 1"


def case_object(case: Case) -> dict[str, Any]:
    """Return a case as an object of JSON; fractions are texts such as ``1/3``."""
    return {
        "format": FORMAT,
        "origin": case.origin,
        "seat": case.seat,
        "game": node_object(case.root),
        "strategies": [strategy_object(strategy) for strategy in case.strategies],
        "weights": list(map(str, case.weights)),
    }


def node_object(node: CaseNode) -> dict[str, Any]:
    """Return a history and all below it as an object of JSON."""
    found: dict[str, Any] = {"player": node.player, "known": list(node.known), "public": node.public}
    if node.subgame:
        found["subgame"] = node.subgame
    if node.player == TERMINAL:
        return {**found, "payoff": str(node.payoff)}
    moves: list[dict[str, Any]] = [{"move": move} for move in node.moves]
    for move, weight in zip(moves, node.weights, strict=False):
        move["weight"] = str(weight)
    for move, below in zip(moves, node.below, strict=True):
        move["then"] = node_object(below)
    return {**found, "moves": moves}


def strategy_object(strategy: RationalStrategy) -> dict[str, dict[str, dict[str, str]]]:
    """Return a strategy as an object of JSON: player, infoset, action, probability."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for (player, key), row in sorted(strategy.items()):
        found.setdefault(str(player), {})[key] = {action: str(p) for action, p in row.items()}
    return found


def read_case(path: str | Path) -> Case:
    """Read a case from a file; what is not part of the case is ignored.

    Raises
    ------
    ValueError
        If the file cannot be read, or holds no case: one line.
    """
    try:
        found = json.loads(read_text(path))
        if found["format"] != FORMAT:
            raise BadInputError(f"format must be {FORMAT!r}, got {found['format']!r}")
        case = Case(
            str(found["origin"]),
            _node(found["game"]),
            tuple(map(_strategy, found["strategies"])),
            tuple(map(Fraction, found["weights"])),
            found["seat"],
        )
        _check(case)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else "not as challenge --out writes it"
        raise BadInputError(f"{path}: no counterexample: {why}") from None
    except ValueError as error:
        raise BadInputError(f"{path}: no counterexample: {error}") from None
    return case.tidied()


def _check(case: Case) -> None:
    """Refuse what is no case; building the game checks the rest."""
    if case.seat is not None and (type(case.seat) is not int or case.seat not in (0, 1)):
        raise BadInputError(f"seat must be 0, 1 or null, got {case.seat!r}")
    if any(p < 0 for strategy in case.strategies for row in strategy.values() for p in row.values()):
        raise BadInputError("probabilities must be at least 0")
    if any(abs(node.payoff) > sys.float_info.max for node in case.root.histories()):
        raise BadInputError("payoffs must be in the range of floats")
    case.numbered  # noqa: B018


def _node(found: Mapping[str, Any]) -> CaseNode:
    player, (first, second) = found["player"], found["known"]
    known, subgame = (str(first), str(second)), int(found.get("subgame", 0))
    if player == TERMINAL:
        payoff = Fraction(found["payoff"])
        return CaseNode(player, known, str(found["public"]), payoff=payoff, subgame=subgame)
    moves = found["moves"]
    return CaseNode(
        player,
        known,
        str(found["public"]),
        tuple(str(move["move"]) for move in moves),
        tuple(Fraction(move["weight"]) for move in moves) if player == CHANCE else (),
        tuple(_node(move["then"]) for move in moves),
        subgame=subgame,
    )


def _strategy(found: Mapping[str, Mapping[str, Mapping[str, str]]]) -> RationalStrategy:
    return {
        (int(player), key): {action: Fraction(p) for action, p in row.items()}
        for player, rows in found.items()
        for key, row in rows.items()
    }
