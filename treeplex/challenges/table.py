"""What is shown of a challenge: the counterexample drawn as text, its strategies, both sides of the claim."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from treeplex.challenges.outcome import Challenge, Counterexample
from treeplex.games.display.blocks import Block, Columns, Line, StyledLine
from treeplex.pictures.tree_picture import TreePicture

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
