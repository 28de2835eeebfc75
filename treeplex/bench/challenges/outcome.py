"""What a challenge found, and how it is shown: the smallest case that breaks a claim, or how many did not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from treeplex.bench.challenges.case import Case, subgame_name
from treeplex.bench.challenges.case_file import case_object, strategy_object
from treeplex.bench.challenges.claim import Breach
from treeplex.games.base.display import Block, Columns, Line, Shown, StyledLine
from treeplex.pictures.sketch import sketch
from treeplex.pictures.tree_picture import TreePicture
from treeplex.seqform.subgames.cut import Cut

MOST_DRAWN = 400
"""Histories in a picture."""


@dataclass(frozen=True, repr=False)
class Counterexample(Shown):
    """A case on which a claim is broken, shrunk as far as it went.

    Attributes
    ----------
    case : Case
    breach : Breach
    drawn : Case
        The case as it was drawn.
    replay : str
        The command that shows the harm again.
    """

    case: Case
    breach: Breach
    drawn: Case
    replay: str

    @property
    def harm(self) -> float:
        """By how much the claim fails, in the game's unit."""
        return float(self.breach.harm)

    @cached_property
    def cuts(self) -> Sequence[Cut]:
        """The subgames; empty where the claim is not about any."""
        has_subgames = any(node.subgame for node in self.case.root.histories())
        return self.case.cuts if has_subgames else ()

    @cached_property
    def begins(self) -> Mapping[str, Sequence[str]]:
        """The histories at which each subgame begins, by its name, as moves."""
        found: dict[str, list[str]] = {piece.name: [] for piece in self.cuts}
        for path, node in self.case.root.paths():
            if node.subgame:
                found[subgame_name(node.subgame)].append("/".join(path) or "the start")
        return found

    @property
    def picture(self) -> TreePicture | None:
        """The game drawn, subgames shaded; None if it is too large."""
        tree = self.case.numbered.tree
        if tree.n_nodes > MOST_DRAWN:
            return None
        return TreePicture(sketch(tree, MOST_DRAWN, "", cuts=self.cuts))

    def blocks(self) -> tuple[Block, ...]:
        """Return the game, the strategies at each infoset, and the harm."""
        return counterexample_table(self)

    def brief(self) -> str:
        """Return how large the game is and how much harm is done."""
        return f"{self.case.infosets:,} infosets, harm {self.harm:.6g}"

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of JSON, from which it can be made again."""
        case = case_object(self.case)
        return {
            **case,
            "infosets": self.case.infosets,
            "blueprint": case["strategies"][0] if self.case.strategies else None,
            "cut": [
                {
                    "subgame": piece.name,
                    "defender": piece.defender,
                    "begins": list(self.begins[piece.name]),
                    "tops": list(piece.tops),
                }
                for piece in self.cuts
            ],
            "harm": self.harm,
            "exact_harm": str(self.breach.harm),
            "figures": {name: float(figure) for name, figure in self.breach.figures},
            "played": strategy_object(self.breach.played),
            "replay": self.replay,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Challenge(Shown):
    """A claim challenged.

    Attributes
    ----------
    claim, target : str
        Their names.
    statement : str
        The claim about the target in words.
    tried : int
        How many cases were tried.
    seed : int
    seconds : float
        Wall time of searching and shrinking.
    counterexample : Counterexample or None
    interrupted : bool
        Whether a signal ended it before it was through.
    """

    claim: str
    target: str
    statement: str
    tried: int
    seed: int
    seconds: float
    counterexample: Counterexample | None
    interrupted: bool = False

    @property
    def broken(self) -> bool:
        """Whether a counterexample was found."""
        return self.counterexample is not None

    def blocks(self) -> tuple[Block, ...]:
        """Return the counterexample, if there is one, and the verdict."""
        return challenge_table(self)

    def brief(self) -> str:
        """Return claim, target and verdict."""
        verdict = "BROKEN" if self.broken else f"no counterexample in {self.tried:,} games"
        return f"{self.claim} of {self.target}: {verdict}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        found = self.counterexample
        return {
            "claim": self.claim,
            "target": self.target,
            "broken": self.broken,
            "tried": self.tried,
            "seed": self.seed,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "counterexample": None if found is None else found.as_json(),
        }


LONGEST = 12
"""Most characters of a fraction; a longer one is printed as a decimal."""


@dataclass(frozen=True)
class Drawing:
    """A game tree: as text in terminals, drawn in notebooks."""

    picture: TreePicture

    def lines(self, width: int) -> Iterator[StyledLine]:
        """Yield a line a history."""
        for line in self.picture.lines(width):
            yield line, ""

    def html(self) -> str:
        """Return the figure."""
        return self.picture.html()


def challenge_table(outcome: Challenge) -> tuple[Block, ...]:
    """Return what was found: the game, the strategies at each infoset, the harm, and how to see it again."""
    found = outcome.counterexample
    parts = () if found is None else counterexample_table(found)
    return *parts, *map(Line, _verdict(outcome))


def counterexample_table(found: Counterexample) -> tuple[Block, ...]:
    """Return the game, the strategies at each infoset, and the harm."""
    return *_game(found), Line(""), _strategies(found), Line(""), *_figures(found)


def _game(found: Counterexample) -> list[Block]:
    infosets, histories = found.case.infosets, found.case.numbered.tree.n_nodes
    size = f"{infosets:,} infosets and {histories:,} histories"
    picture = found.picture
    lines: list[Block] = [
        Line(f"a game of {size}, found in one of {found.drawn.infosets:,} infosets"),
        Line(""),
    ]
    lines.append(Line("too large to be drawn") if picture is None else Drawing(picture))
    subgames = [
        f"player {piece.defender} solves again {piece.name}, which begins at "
        f"{', '.join(found.begins[piece.name])}"
        for piece in found.cuts
    ]
    return [*lines, *map(Line, ["", *subgames] if subgames else [])]


def _strategies(found: Counterexample) -> Block:
    """Return a row for each action: its probability in the given strategies and in what was played."""
    case, played = found.case, found.breach.played
    names = ["blueprint"]
    if case.weights:
        names = [f"{_text(weight)} of" for weight in case.weights]
    headers = ("player", "infoset", "action", *names[: len(case.strategies)], "played")
    sources = (*case.strategies, played)
    keys = sorted({key for source in sources for key in source})
    rows = []
    for player, infoset in keys:
        for action in next(source[player, infoset] for source in sources if (player, infoset) in source):
            cells = [_cell(source.get((player, infoset), {}).get(action)) for source in sources]
            rows.append((str(player), infoset, action, *cells))
    return Columns(None, headers, tuple(rows), left=("infoset", "action")) if rows else Line("")


def _figures(found: Counterexample) -> list[Line]:
    rows = [*found.breach.figures, ("harm", found.breach.harm)]
    width = max(len(name) for name, _ in rows)
    return [Line(f"{name:{width}}   {_text(figure)}") for name, figure in rows]


def _verdict(outcome: Challenge) -> list[str]:
    found = outcome.counterexample
    games = f"{outcome.tried:,} game{'' if outcome.tried == 1 else 's'}"
    seconds = f"{outcome.seconds:.1f} s"
    so_far = " so far" if outcome.interrupted else ""
    if found is None:
        return [f"no counterexample in {games}{so_far}, {seconds}: {outcome.statement}"]
    return [
        f"after {games}, {seconds}{', not shrunk to the end' if outcome.interrupted else ''}",
        f"again: {found.replay}",
        f"BROKEN: {outcome.statement}",
    ]


def _cell(probability: Fraction | None) -> str:
    return "" if probability is None else _text(probability)


def _text(number: Fraction | float) -> str:
    text = str(number)
    return text if len(text) <= LONGEST else f"{float(number):.9g}"
