"""Hand histories: hands written one by one as PHH, as log lines of the ACPC, or as a match keeps them.

All of them hold both players' cards, also those that were folded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from io import FileIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeplex.files.outputs import cannot_write, check_path, check_writable
from treeplex.files.writing import append_whole
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import CONTROL, shown
from treeplex.games.cards.cards import RANKS, SUITS
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.lines import CALL, FOLD
from treeplex.play.acpc_text import AcpcText, check_whole_hand
from treeplex.play.hand import Hand
from treeplex.play.kept_hands import HANDS, hand_line
from treeplex.play.poker_hands import PokerHand, Step
from treeplex.process.interruption import current

STREETS = (0, 3, 1, 1)
"""Board cards of hold'em before each round."""
SEPARATORS = re.compile(r"[\s:|]+")
"""What a name in a log line cannot hold."""
Names = tuple[str, str]
"""Who plays as player 0 and as player 1."""


@dataclass(frozen=True)
class Recorded:
    """A hand that is to be written.

    Attributes
    ----------
    number : int
        From 0.
    seat : int
        Which player the person was.
    names : pair of str
        Of player 0 and player 1.
    hand : Hand
    """

    number: int
    seat: int
    names: Names
    hand: Hand


def acpc_line(game: PokerGame, recorded: Recorded) -> str:
    """Return a hand as our dealer of the competition logs it, ``STATE:hand:betting:cards:values:names``."""
    state = game.root()
    for move in recorded.hand.moves:
        state = game.child(state, move)
    names = [SEPARATORS.sub("_", CONTROL.sub("_", name)) or "_" for name in recorded.names]
    return AcpcText(game).log_line(state, recorded.number, names) + "\n"


def check_acpc(game: Game[Any]) -> None:
    """Raise ValueError unless hands of a game can be log lines of the ACPC."""
    if not isinstance(game, PokerGame):
        raise BadInputError(f"a .log file is of whole hands of poker, got {game.name}")
    check_whole_hand(game)


def phh_text(game: PokerGame, recorded: Recorded) -> str:
    """Return a hand as a table of a PHHS file, by the specification of the Poker Hand History format.

    The first player is the big blind, who acts first after the flop, as the format has it of two players:
    forced bets are given the other way round. Amounts are those of a round.
    """
    played = PokerHand.of(game, recorded.hand.moves)
    betting = game.betting
    first = betting.first[1]
    order = first, 1 - first
    actions = [f"d dh p{k + 1} {played.holes[player]}" for k, player in enumerate(order)]
    streets, last = iter(played.streets), first
    # What is dealt after the last action is dealt when both are all-in, after the hands are shown.
    acted = [k for k, step in enumerate(played.steps) if step is not None]
    for step in played.steps[: acted[-1] + 1 if acted else 0]:
        if step is None:
            actions.append(f"d db {next(streets)}")
            last = first
            continue
        actions.append(f"p{order.index(step.player) + 1} {_phh_action(step)}")
        if step.label not in (FOLD, CALL):
            last = step.player
    if played.is_showdown:  # who bet last in the round shows first
        for player in (last, 1 - last):
            actions.append(f"p{order.index(player) + 1} sm {played.holes[player]}")
    actions += [f"d db {cards}" for cards in streets]
    blinds = [_toml(betting.invested[player]) for player in reversed(order)]
    rows = [("variant", '"FT"' if betting.raise_sizes else '"NT"'), ("antes", "[0, 0]")]
    rows.append(("blinds_or_straddles", f"[{', '.join(blinds)}]"))
    if betting.raise_sizes is not None:
        rows += [("small_bet", _toml(betting.raise_sizes[0])), ("big_bet", _toml(betting.raise_sizes[-1]))]
    else:
        rows.append(("min_bet", _toml(betting.min_bet)))
    cap = betting.cap
    stacks = ["inf", "inf"] if cap is None else [_toml(cap[player]) for player in order]
    rows.append(("starting_stacks", f"[{', '.join(stacks)}]"))
    quoted = ",\n".join(f'  "{action}"' for action in actions)
    rows += [("actions", f"[\n{quoted},\n]"), ("hand", str(recorded.number + 1))]
    rows.append(("players", f"[{', '.join(_quoted(recorded.names[player]) for player in order)}]"))
    if cap is not None:
        won = recorded.hand.payoff, -recorded.hand.payoff
        after = [_toml(cap[player] + won[player]) for player in order]
        rows.append(("finishing_stacks", f"[{', '.join(after)}]"))
    table = "\n".join(f"{key} = {value}" for key, value in rows)
    return f"[{recorded.number + 1}]\n{table}\n\n"


def _phh_action(step: Step) -> str:
    if step.label == FOLD:
        return "f"
    if step.label == CALL:
        return "cc"
    return f"cbr {_toml(step.after.put[step.player] - step.before.before)}"


def _toml(amount: Fraction) -> str:
    """Return chips as a TOML number, a float where they are not whole."""
    return str(amount.numerator) if amount.denominator == 1 else repr(float(amount))


def _quoted(text: str) -> str:
    """Return a text as a TOML string, halves of pairs of characters as question marks."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    escaped = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\\", "\\\\"))
    return '"' + escaped.replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def check_phh(game: Game[Any]) -> None:
    """Raise ValueError unless hands of a game can be written as PHH: hold'em of a whole deck with blinds."""
    wrong = why_no_phh(game)
    if wrong is not None:
        raise BadInputError(f"a .phhs file is of hold'em hands: {game.name} {wrong}")


def why_no_phh(game: Game[Any]) -> str | None:
    """Return why hands of a game cannot be written as PHH, None if they can be."""
    if not isinstance(game, PokerGame) or game.ranking != "holdem" or game.hole_cards != 2:
        return "is no hold'em"
    betting = game.betting
    if game.board or betting.start is not None:
        return "begins in the middle of a hand"
    if (game.ranks, game.suits, game.board_cards) != (len(RANKS), len(SUITS), STREETS):
        return "has not the whole deck and four rounds"
    big = betting.first[1]
    if betting.invested[big] <= betting.invested[1 - big] or betting.first != (1 - big, big, big, big):
        return "must have a larger blind for who acts second before the flop and first after it"
    sizes = betting.raise_sizes
    if sizes is not None and not (sizes[0] == sizes[1] and sizes[2] == sizes[3]):
        return "must have bets of one size before the turn, and of one size from there on"
    return None


def _kept_line(_: Any, recorded: Recorded) -> str:
    return hand_line(recorded.number, recorded.seat, recorded.hand)


Writer = Callable[[Any, Recorded], str]
Check = Callable[[Game[Any]], None]
FORMATS: Mapping[str, tuple[Check, Writer]] = MappingProxyType(
    {
        ".jsonl": (lambda game: None, _kept_line),
        ".log": (check_acpc, acpc_line),
        ".phhs": (check_phh, phh_text),
    }
)
"""By suffix: what refuses a game, and what writes a hand."""


@dataclass
class History:
    """A file to which hands are added, each whole or not at all.

    Attributes
    ----------
    path : Path
        Made with the first hand.
    game : Game
    writer : callable
    """

    path: Path
    game: Game[Any]
    writer: Writer

    def append(self, recorded: Recorded) -> None:
        """Write a hand behind those that are there, and to the disk.

        Raises
        ------
        ValueError
            If it cannot be written; the file is then what it was.
        """
        content = self.writer(self.game, recorded).encode("utf-8", "replace")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with (
                current().finishing(f"a hand is written to {self.path}"),
                FileIO(self.path, "a") as file,
            ):
                append_whole(file, content, to_disk=True)
        except OSError as error:
            raise BadInputError(cannot_write(self.path, error)) from error


def histories(out: str | Path, game: Game[Any]) -> tuple[History, ...]:
    """Return the files in which hands are kept; nothing is made yet.

    Parameters
    ----------
    out : str or Path
        A file that ends in ``.jsonl``, ``.log`` or ``.phhs``; or a folder, which gets a file ``hands`` of
        each of these formats that the game has.
    game : Game

    Raises
    ------
    ValueError
        If the suffix is another, the game has no such format, or there are hands already.
    """
    check_path(out, "hands")
    path = Path(out)
    suffix = path.suffix.lower()
    if suffix in FORMATS and not path.is_dir():
        check, writer = FORMATS[suffix]
        check(game)
        check_writable(path)
        return (_new(path, game, writer),)
    if str(out) == "-" or (not path.is_dir() and (suffix or path.exists())):
        raise BadInputError(
            f"hands are kept in a folder or a file {', '.join(FORMATS)}, got {shown(str(out))}"
        )
    found = []
    for suffix, (check, writer) in FORMATS.items():
        with suppress(BadInputError):
            check(game)
            found.append((path / Path(HANDS).with_suffix(suffix), writer))
    _check_folder(path)
    return tuple(_new(file, game, writer) for file, writer in found)


def _check_folder(path: Path) -> None:
    """Raise ValueError unless files can be made in a folder, or the folder itself."""
    folder = next(one for one in (path, *path.absolute().parents) if one.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise BadInputError(f"cannot write {path}: the directory {folder} is not writable")


def _new(path: Path, game: Game[Any], writer: Writer) -> History:
    if path.exists() and path.stat().st_size:
        raise BadInputError(f"{path} holds hands already; name a new file or folder")
    return History(path, game, writer)
