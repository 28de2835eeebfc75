"""Kept answers judged again: the exploitability of a blueprint with nested answers, without any solver."""

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeplex.cfr.boards.board_state import factored_config
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.files.board_files import read_boards, write_boards
from treeplex.files.kept import IDENTITY
from treeplex.games.base.display import Block, Columns, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import complaint, read_text
from treeplex.games.formats.specs import named_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.subgames.flop_by_flop import Store
from treeplex.subgames.nested_value import SeatValue, stored_value
from treeplex.subgames.over_all_flops import NestedSeat
from treeplex.subgames.street_betting import Menus

BLUEPRINT = "blueprint-strategy.npz"
"""The blueprint's file, in the folder above those of rows."""
UNUSED = factored_config("dcfr")
"""No regret minimiser runs where answers are read back."""


@dataclass(frozen=True, repr=False)
class KeptCheck(Shown):
    """What best responses prove of a blueprint and the answers kept with it, in the game's unit a hand.

    Attributes
    ----------
    game, blueprint : str
        The full game and that of the blueprint.
    row : str
        How bets were answered.
    unit : str
    seats : pair of SeatValue
        Against player 0's part and against player 1's.
    """

    game: str
    blueprint: str
    row: str
    unit: str
    seats: tuple[SeatValue, SeatValue]

    @property
    def exploitability(self) -> float:
        """Half the sum of what best responses earn against both parts."""
        return sum(seat.best_response for seat in self.seats) / 2

    def blocks(self) -> tuple[Block, ...]:
        """Return what best responses earn against either part, and the exploitability."""
        rows = [
            (f"against player {d}", f"{seat.best_response:.6f}", f"{seat.within_menu:.6f}")
            for d, seat in enumerate(self.seats)
        ]
        within = sum(seat.within_menu for seat in self.seats) / 2
        rows.append(("exploitability", f"{self.exploitability:.6f}", f"{within:.6f}"))
        title = f"{self.game}, blueprint of {self.blueprint}, {self.row}; in {self.unit}"
        headers = ("best response", "all bets", "within the menu")
        return (Columns(title, headers, tuple(rows), left=("best response",)),)

    def brief(self) -> str:
        """Return game, row and exploitability."""
        return f"{self.game}: {self.row}, exploitability {self.exploitability:.6g} {self.unit}"

    def as_json(self) -> dict[str, Any]:
        """Return the check as an object."""
        return {
            "game": self.game,
            "blueprint": self.blueprint,
            "row": self.row,
            "unit": self.unit,
            "best_response": [seat.best_response for seat in self.seats],
            "within_menu": [seat.within_menu for seat in self.seats],
            "exploitability": self.exploitability,
        }


SHARED = ("game", "abstraction", "row", "iterations")
"""What both seats' runs have in common."""


def place_of_seat(folder: Path, row: str, defender: int) -> Path:
    """Return the folder of a row's answers for one seat."""
    return folder / row.replace(" (expensive)", "-expensive") / f"player{defender}"


def identity(seat: NestedSeat, row: str, iterations: int) -> dict[str, Any]:
    """Return what makes a run this run and no other."""
    return {
        "game": seat.menus.full.name,
        "abstraction": seat.menus.coarse.name,
        "row": row,
        "defender": seat.menus.defender,
        "iterations": iterations,
        "blueprint": digests(seat.base.strategy),
    }


def digests(strategy: FactoredStrategy) -> list[int]:
    """Return a checksum of each player's table."""
    return [zlib.crc32(table.data) for table in strategy.weight]


def keep_blueprint(folder: Path, strategy: FactoredStrategy) -> None:
    """Keep a blueprint beside its answers."""
    if not (folder / BLUEPRINT).exists():
        write_boards(strategy, folder / BLUEPRINT)


def check_kept(problem: Problem, folder: Path, threads: int = 1, progress: Progress = silent) -> KeptCheck:
    """Judge a blueprint with the answers to off-tree bets that are kept in a folder; nothing is solved.

    Parameters
    ----------
    problem : Problem
        The full game.
    folder : Path
        Of one row, with the blueprint in the folder above.
    threads : int
    progress : callable, optional

    Raises
    ------
    ValueError
        If the folder holds no such answers, or those of another game or of another blueprint.
    """
    full = problem.game
    known = [_known(folder / f"player{d}" / IDENTITY) for d in (0, 1)]
    if not isinstance(full, PokerGame) or known[0]["game"] != full.name:
        raise BadInputError(f"{folder} holds answers of {known[0]['game']}, got {full.name}")
    other = next((key for key in SHARED if known[0][key] != known[1][key]), None)
    if other is not None:
        raise BadInputError(f"{folder} must hold one run, got another {other} of player 1 than of player 0")
    try:
        coarse = named_game(known[0]["abstraction"])
    except ValueError as error:
        raise BadInputError(complaint(f"{folder / 'player0' / IDENTITY}: {error}")) from None
    if not isinstance(coarse, PokerGame):
        raise BadInputError(f"{folder} must hold answers of a poker game, got {coarse.name}")
    blueprint = read_boards(Problem(coarse), folder.parent / BLUEPRINT)
    if any(one["blueprint"] != digests(blueprint) for one in known):
        raise BadInputError(
            f"{folder.parent / BLUEPRINT} must be the blueprint of the answers in {folder}, got another"
        )
    seats = []
    for defender in (0, 1):
        seat = NestedSeat.of(Menus(full, coarse, defender), blueprint, UNUSED, threads, progress)
        seats.append(
            stored_value(seat, Store.open(folder / f"player{defender}", known[defender], plans=True))
        )
    return KeptCheck(full.name, coarse.name, known[0]["row"], full.unit, (seats[0], seats[1]))


def _known(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInputError(
            f"{path.parent.parent} must hold kept answers, got no {path.name} in {path.parent.name}"
        ) from error
    if not isinstance(found, dict) or not {*SHARED, "blueprint"} <= found.keys():
        raise BadInputError(f"{path} must be of a run that treeplex kept, got another file")
    return found
