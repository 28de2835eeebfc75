"""Loading of games from specs such as ``leduc_poker(ranks=5)`` or ``examples/river.toml``."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import load_own
from treeplex.games.base.parameters import check_types
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import complaint, shown
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.formats.acpc import read_acpc
from treeplex.games.formats.efg import read_efg
from treeplex.games.formats.libratus import read_libratus
from treeplex.games.formats.openspiel import PREFIX, read_openspiel
from treeplex.games.formats.spec_text import EXAMPLE, parse_keys, parse_value, read_example
from treeplex.games.formats.toml_files import read_toml
from treeplex.games.poker import named as poker_zoo
from treeplex.games.poker.added_bets import with_bets
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.push_fold import push_fold
from treeplex.games.poker.size_menus import size_menu
from treeplex.games.zoo.auction import auction
from treeplex.games.zoo.battleship import battleship
from treeplex.games.zoo.goofspiel import goofspiel
from treeplex.games.zoo.liars_dice import liars_dice
from treeplex.games.zoo.oshi_zumo import oshi_zumo
from treeplex.games.zoo.patrol import patrol
from treeplex.games.zoo.phantom_mnk import phantom_mnk
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.sheriff import sheriff
from treeplex.games.zoo.textbook import coin_toss, dummy_pennies, matrix_game

AnyGame = Game[Any]

FILE = re.compile(
    r"(?P<path>.+(?P<kind>\.(?:toml|game|efg|txt)))(?P<keys>\(.*\))?", re.DOTALL | re.IGNORECASE
)
NAME = re.compile(r"(?P<name>\w+)\s*(?P<keys>\(.*\))?", re.DOTALL)
OWN = re.compile(r"(?P<path>[\w.]+:\w+)\s*(?P<keys>\(.*\))?", re.DOTALL)
PLUS = re.compile(r"(?<!\s)\s+\+\s+")
LINE = re.compile(r"(?!.*\.(?:toml|game|efg|txt)$)[^\s+()]+", re.IGNORECASE)
"""A betting line behind a spec: not the end of a file's path, which may have a plus in it."""
READERS: Mapping[str, Callable[[str], AnyGame]] = MappingProxyType(
    {".toml": read_toml, ".game": read_acpc, ".efg": read_efg}
)
"""The reader of each suffix, of files without keys."""


@dataclass(frozen=True)
class SpecEntry:
    """A game that specs know by name.

    Attributes
    ----------
    make : callable
        Its constructor; the parameters are the keys of the spec.
    summary : str
        One line for the list of games.
    example : str
        A complete spec; the bare name if every key has a default.
    """

    make: Callable[..., AnyGame]
    summary: str
    example: str

    @property
    def keys(self) -> Mapping[str, Parameter]:
        """The legal keys, in order."""
        return signature(self.make).parameters


def _entry(make: Callable[..., AnyGame], summary: str, keys: str = "") -> tuple[str, SpecEntry]:
    name = make.__name__
    return name, SpecEntry(make, summary, name + keys)


REGISTRY: Mapping[str, SpecEntry] = MappingProxyType(
    dict(
        [
            _entry(coin_toss, "sell the coin or let the other guess it; one or two subgames (NIPS 2017)"),
            _entry(matrix_game, "a row against a column, by payoff matrix", "(payoff=[[1,-1],[-1,1]])"),
            _entry(dummy_pennies, "matching pennies with a dummy move; value 0"),
            _entry(goofspiel, "cards bid for prizes, both players at once; the winner or the bids are shown"),
            _entry(liars_dice, "secret dice; bids on all of them rise until one is called a lie"),
            _entry(
                oshi_zumo,
                "coins bid to push a wrestler, both players at once; the bids or the winner are shown",
            ),
            _entry(phantom_mnk, "tic-tac-toe on small boards whose players do not see each other's marks"),
            _entry(battleship, "hidden ships, shots in turn; the value of what was sunk"),
            _entry(
                sheriff, "a smuggler's secret load, bribes and answers; the last answer lets pass or inspects"
            ),
            _entry(patrol, "an attacker lurks at a post of a graph and strikes; a patroller walks"),
            _entry(
                auction, "private values, sealed bids, one item after another; each wants to beat the other"
            ),
            _entry(random_game, "a random game of perfect recall, by seed"),
            _entry(poker_zoo.kuhn_poker, "one card, one bet"),
            _entry(poker_zoo.leduc_poker, "one card, then one board card; two rounds"),
            _entry(poker_zoo.no_limit_leduc, "Leduc with bets and raises by fractions of the pot"),
            _entry(poker_zoo.rhode_island, "one card, then two board cards; three rounds"),
            _entry(poker_zoo.small_holdem, "a no-limit hold'em spot with a short deck, to enumerate"),
            _entry(push_fold, "hold'em in which the small blind pushes or folds; exact over all boards"),
            _entry(poker_zoo.one_card_flop, "no-limit hold'em to a flop of one card; Slumbot's ms1f1"),
            _entry(poker_zoo.flop_holdem, "limit hold'em that ends on the flop"),
            _entry(poker_zoo.no_limit_flop_holdem, "no-limit hold'em that ends on the flop (NIPS 2017)"),
            _entry(poker_zoo.no_limit_turn_holdem, "no-limit hold'em that ends on the turn (NIPS 2017)"),
            _entry(poker_zoo.turn_holdem, "limit hold'em that ends on the turn"),
            _entry(poker_zoo.limit_holdem, "heads-up limit hold'em"),
            _entry(poker_zoo.limit_holdem_subgame, "limit hold'em from the turn on, after a line on a flop"),
            _entry(poker_zoo.no_limit_holdem, "heads-up no-limit hold'em"),
        ]
    )
)
"""Every game that has a name, with its constructor."""


def load_game(
    spec: str, *, bets: str | None = None, raises: str | None = None, report: Report = quiet
) -> AnyGame:
    """Return the game that a spec describes.

    A spec is ``name`` or ``name(key=value,...)``, with values that are numbers (0.5 and 1/2 are exact),
    true, false, none, words or lists in brackets; or the path of a ``.toml`` spot or whole hand, an ACPC
    ``.game`` file, a Gambit ``.efg`` file or a Libratus endgame ``.txt``; or ``example:`` and the name of a
    file that comes with treeplex; or ``openspiel:`` and a spec of OpenSpiel; or ``module:Name`` of a game of
    one's own, with keys as above. The game's ``name`` is a spec of the same game, unless it is one's own.
    Behind the spec of a poker game with menus of bet sizes ``+ LINE`` adds the bet in which the line ends,
    which the menus lack, as in ``example:river + cr37``; several are added in their order.

    Parameters
    ----------
    spec : str
        What to load.
    bets, raises : str, optional
        Menus for a Libratus endgame, such as ``0.5,1,a``; they may also stand in the spec, as in
        ``endgame.txt(bets=[0.5,1,a],raises=[1,a])``.
    report : callable, optional
        Told a few times a second how much of a file has been read.

    Raises
    ------
    ValueError
        If the spec, a key, a value or the file is bad: one line with what is legal and what was given.
    """
    try:
        return _load(spec.strip(), bets, raises, report)
    except ValueError as error:  # specs, paths and values are quoted, however long or many lines they are
        raise BadInputError(complaint(str(error))) from None


def named_game(spec: object) -> AnyGame:
    """Return the game that a spec out of a file describes: one of treeplex, by name; no code is run for it.

    Whatever stands in a file must come through here. Only what a person typed may name code, a program or
    another file, and goes to :func:`load_game`.

    Parameters
    ----------
    spec : object
        ``name``, ``name(key=value,...)`` with the values of :func:`load_game`, or ``example:NAME``.

    Raises
    ------
    ValueError
        If it is anything else, or such a game is not to be had: one line with what is legal and what was got.
    """
    text = spec.strip() if isinstance(spec, str) else ""
    try:
        if added := _added(text):
            return with_bets(_with_menus(named_game(added[0])), added[1])
        if text.startswith(EXAMPLE):
            return read_example(text.removeprefix(EXAMPLE), READERS)
        if named := NAME.fullmatch(text):
            return _load_named(named["name"], parse_keys(named["keys"] or "()"))
        legal = f"name, name(key=value,...) or {EXAMPLE}NAME"
        raise BadInputError(f"a file may name games of treeplex alone, as {legal}, got {shown(spec)}")
    except ValueError as error:
        raise BadInputError(complaint(str(error))) from None


def file_of(spec: str) -> str | None:
    """Return the path of the file that a spec names; None if it names none."""
    added = _added(spec.strip())
    file = _file(spec.strip() if added is None else added[0])
    return None if file is None else file["path"]


def _file(spec: str) -> re.Match[str] | None:
    # Specs of OpenSpiel may hold the path of a file.
    return None if spec.startswith((PREFIX, EXAMPLE)) else FILE.fullmatch(spec)


def _added(spec: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the spec and the lines of a spec with added bets; None if it has none."""
    lines, end = list[str](), len(spec)
    for plus in reversed([*PLUS.finditer(spec)]):
        if LINE.fullmatch(spec, plus.end(), end) is None:
            break
        lines.append(spec[plus.end() : end])
        end = plus.start()
    return (spec[:end], tuple(reversed(lines))) if lines else None


def _with_menus(game: AnyGame) -> PokerGame:
    if not isinstance(game, PokerGame) or game.betting.sizes is None:
        raise BadInputError(f"+ LINE adds bets to poker games with menus of bet sizes, got {game.name}")
    return game


def _load(spec: str, bets: str | None, raises: str | None, report: Report) -> AnyGame:
    if added := _added(spec):
        return with_bets(_with_menus(_load(added[0], bets, raises, report)), added[1])
    options = {key: text for key, text in (("bets", bets), ("raises", raises)) if text is not None}
    file = _file(spec)
    if file:
        keys = parse_keys(file["keys"] or "()")
        return _load_file(file["path"], file["kind"].lower(), keys, options, report)
    if options:
        raise BadInputError(
            f"{' and '.join(options)} are for Libratus endgames (.txt), got them with {spec!r}"
        )
    if spec.startswith(EXAMPLE):
        return read_example(spec.removeprefix(EXAMPLE), READERS)
    if spec.startswith(PREFIX):
        return read_openspiel(spec.removeprefix(PREFIX))
    if own := OWN.fullmatch(spec):
        return load_own(own["path"], parse_keys(own["keys"] or "()"))
    if named := NAME.fullmatch(spec):
        return _load_named(named["name"], parse_keys(named["keys"] or "()"))
    others = f"{PREFIX}..., {EXAMPLE}..., mymodule:MyGame or a .toml, .game, .efg or .txt path"
    raise BadInputError(f"a spec is name, name(key=value,...), {others}, got {spec!r}")


def _load_named(name: str, values: Mapping[str, object]) -> AnyGame:
    if name not in REGISTRY:
        close = get_close_matches(name, REGISTRY, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        raise BadInputError(f"unknown game {name!r}; {hint}'treeplex games' lists them all")
    entry = REGISTRY[name]
    for key in values:
        if key not in entry.keys:
            raise BadInputError(f"{name}: unknown key {key!r}; legal keys are {', '.join(entry.keys)}")
    for key, parameter in entry.keys.items():
        if parameter.default is Parameter.empty and key not in values:
            raise BadInputError(f"{name}: {key} is missing; write it as in {entry.example}")
    try:
        check_types(entry.make, values)
        return entry.make(**values)
    except ValueError as error:
        raise BadInputError(f"{name}: {str(error).removeprefix(name + ': ')}") from None


def _load_file(
    path: str, kind: str, values: Mapping[str, object], options: Mapping[str, str], report: Report
) -> AnyGame:
    legal = ("bets", "raises") if kind == ".txt" else ()
    for key in (*values, *options):
        if key not in legal:
            known = "bets and raises" if legal else "none"
            raise BadInputError(f"{path}: unknown key {key!r}; legal keys of a {kind} file are {known}")
        if key in values and key in options:
            raise BadInputError(f"{path}: {key} must be given once, got it in the spec and as an option")
    if kind == ".efg":
        return read_efg(path, report)
    if kind != ".txt":
        return READERS[kind](path)
    menus = {**values, **{key: parse_value(f"[{text}]") for key, text in options.items()}}
    if missing := " and ".join(key for key in legal if key not in menus):
        example = f"{path}(bets=[0.5,1,a],raises=[1,a])"
        raise BadInputError(f"{path}: an endgame has no sizes; give {missing} as in '{example}'")
    return read_libratus(path, size_menu("bets", menus["bets"]), size_menu("raises", menus["raises"]))
